import type { TemplateResult } from 'lit/html.js';
import type { AdminApi } from './admin-api.js';

/** One page of the dashboard. */
export interface View {
  /** Reads what it shows. */
  load(): Promise<void>;
  render(): TemplateResult;
  /** Interval in which it is loaded again while it is shown, in milliseconds; never by default. */
  readonly refreshMs?: number;
}

/** Services of the page that a view uses. */
export interface Page {
  readonly api: AdminApi;
  /** Renders the page. */
  update(): void;
  /**
   * Does something, and renders the page. While it runs, the page is busy; an error is shown.
   *
   * @param work - Returns a message to show, or nothing.
   */
  run(work: () => Promise<string | void>): Promise<void>;
}

/** Handles a form's `submit`: runs `work` with its fields, trimmed, instead of leaving the page. */
export function onSubmit(page: Page, work: (fields: FormFields, form: HTMLFormElement) => Promise<string | void>) {
  return (event: SubmitEvent): void => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    void page.run(() => work(new FormFields(form), form));
  };
}

/** Values of a form. */
export class FormFields {
  readonly #data: FormData;

  constructor(form: HTMLFormElement) {
    this.#data = new FormData(form);
  }

  /** Returns a text without spaces around it; empty if there is none. */
  text(name: string): string {
    const value = this.#data.get(name);
    return typeof value === 'string' ? value.trim() : '';
  }

  file(name: string): File | null {
    const value = this.#data.get(name);
    return value instanceof File && value.size > 0 ? value : null;
  }

  isChecked(name: string): boolean {
    return this.#data.has(name);
  }
}
