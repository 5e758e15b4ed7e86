import type { SvcReaderElement } from '../reader/index.js';

/** Attributes and properties of `<svc-reader>`, for the tag types of a framework. */
export interface ReaderProps {
  /** `id` of the element to read, or a selector. */
  for?: string | undefined;
  /** `id` of the speaker. */
  speaker?: string | undefined;
  highlight?: SvcReaderElement['highlight'] | undefined;
  remember?: boolean | undefined;
}

/** Properties of `<svc-reader>` without an attribute. */
export type ReaderPropertyProps = Partial<Pick<SvcReaderElement, 'voices'>>;
