import type { SessionRequest, SvcSpeakerElement } from '../index.js';
import type { Block } from './readable-text.js';

/**
 * Chooses the voice of each block by its language, through the session request of the speaker. Without voices, the request
 * is not touched.
 */
export class BlockVoices {
  readonly #speaker: SvcSpeakerElement;
  readonly #voices: Readonly<Record<string, string>> | undefined;
  readonly #lang: string;
  /** The page's own request. */
  readonly #request: SessionRequest | null;

  /**
   * @param voices - The `voice_id` by language.
   * @param lang - Language of text without one.
   */
  constructor(speaker: SvcSpeakerElement, voices: Readonly<Record<string, string>> | undefined, lang: string) {
    this.#speaker = speaker;
    this.#voices = voices;
    this.#lang = lang;
    this.#request = speaker.sessionRequest;
  }

  /** Returns the voice of a block; undefined for that of the page's own request. */
  of({ language }: Block): string | undefined {
    const tag = (language || this.#lang).toLowerCase().replaceAll('_', '-');
    return this.#voices?.[tag] ?? this.#voices?.[tag.split('-', 1)[0]!];
  }

  /** Lets the next session have the voice of a block; that of the page's own request if there is none. */
  choose(block: Block | null): void {
    if (!this.#voices) return;
    const voice = block ? this.of(block) : undefined;
    this.#speaker.sessionRequest = voice === undefined ? this.#request : { ...this.#request, voice_id: voice };
  }
}
