import type { TemplateResult } from 'lit/html.js';
import type { AdminApi } from './admin-api.js';

/** One page of the dashboard. */
export interface View {
  /** Reads the data to show. */
  load(): Promise<void>;
  render(): TemplateResult;
  /** Interval at which the view is reloaded while it is shown, in milliseconds; not reloaded by default. */
  readonly refreshMs?: number;
}

/** Functions of the page that a view uses. */
export interface Page {
  readonly api: AdminApi;
  /** Renders the page. */
  update(): void;
  /**
   * Runs an action and renders the page. The page is marked as busy meanwhile; an error is shown.
   *
   * @param work - Returns a message to show, or nothing.
   */
  run(work: () => Promise<string | void>): Promise<void>;
}

/** Returns a listener for a form's `submit`. It runs `work` with the form's fields instead of leaving the page. */
export function onSubmit(page: Page, work: (fields: FormFields, form: HTMLFormElement) => Promise<string | void>) {
  return (event: SubmitEvent): void => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    void page.run(() => work(new FormFields(form), form));
  };
}

/** Values of a form's fields. */
export class FormFields {
  readonly #data: FormData;

  constructor(form: HTMLFormElement) {
    this.#data = new FormData(form);
  }

  /** Returns a trimmed text; empty if there is none. */
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
