import english from '../messages/en.js';
import type { SpeakerState } from '../playback/index.js';
import type { SpeakerMessages } from '../messages/speaker-messages.js';

/** Name of each state in the classes, slots and messages of the controls. */
export const STATES = {
  idle: 'ready',
  connecting: 'connecting',
  buffering: 'buffering',
  playing: 'speaking',
  paused: 'paused',
  blocked: 'blocked',
  ended: 'ready',
  error: 'error',
} as const satisfies Record<SpeakerState, string>;

/** Messages of one speaker, and numbers and times as its language writes them. Main thread. */
export class Texts {
  /** The messages of the page; those that are missing are English. */
  readonly messages: Partial<SpeakerMessages> | null;
  /** Writes a number, such as a speed. */
  readonly number: (value: number) => string;
  /** Writes a part of 1 as a percentage. */
  readonly percent: (value: number) => string;
  readonly #twoDigits: (value: number) => string;
  readonly #minutes: (value: number) => string;
  readonly #seconds: (value: number) => string;
  readonly #list: Intl.ListFormat;

  constructor(messages: Partial<SpeakerMessages> | null) {
    this.messages = messages;
    const lang = this.get('lang');
    const format = (options: Intl.NumberFormatOptions) => new Intl.NumberFormat(lang, options).format;
    this.number = format({ useGrouping: false });
    this.percent = format({ style: 'percent' });
    this.#twoDigits = format({ minimumIntegerDigits: 2 });
    this.#minutes = format({ style: 'unit', unit: 'minute', unitDisplay: 'long' });
    this.#seconds = format({ style: 'unit', unit: 'second', unitDisplay: 'long' });
    this.#list = new Intl.ListFormat(lang, { type: 'unit' });
  }

  /** Returns a message as it was written. */
  get(name: keyof SpeakerMessages): string {
    return this.messages?.[name] ?? english[name];
  }

  /** Returns a time for the eye: `1:05`. */
  clock(time: number): string {
    const { minutes, seconds } = minutesOf(time);
    return `${this.number(minutes)}:${this.#twoDigits(seconds)}`;
  }

  /** Returns a time for a screen reader, which reads `1:05` as a time of day: `1 minute, 5 seconds`. */
  spokenTime(time: number): string {
    const { minutes, seconds } = minutesOf(time);
    const parts = minutes > 0 ? [this.#minutes(minutes)] : [];
    if (seconds > 0 || minutes === 0) parts.push(this.#seconds(seconds));
    return this.#list.format(parts);
  }
}

/** The texts of every speaker without messages of its own: formatters are slow to make. */
export const ENGLISH = new Texts(null);

function minutesOf(time: number): { minutes: number; seconds: number } {
  const whole = Math.floor(time);
  return { minutes: Math.floor(whole / 60), seconds: whole % 60 };
}
