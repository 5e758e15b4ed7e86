import type { Viseme } from 'svc-speaker';

/** Shares of the forms of the mouth, each 0 to 1; together at most 1. */
export interface MouthForm {
  /** Round lips, as in "who". */
  readonly round: number;
  /** Spread lips, as in "he". */
  readonly spread: number;
  /** Teeth together, as at the beginning of "see". */
  readonly teeth: number;
}

/** The mouth without a form of its own. */
export const NO_FORM: MouthForm = { round: 0, spread: 0, teeth: 0 };

/** Form of the mouth for each viseme that has one. */
const FORMS: Readonly<Partial<Record<Viseme, MouthForm>>> = {
  U: { round: 1, spread: 0, teeth: 0 },
  O: { round: 0.8, spread: 0, teeth: 0 },
  RR: { round: 0.5, spread: 0, teeth: 0 },
  I: { round: 0, spread: 1, teeth: 0 },
  E: { round: 0, spread: 0.6, teeth: 0 },
  SS: { round: 0, spread: 0.1, teeth: 0.9 },
  CH: { round: 0.3, spread: 0, teeth: 0.7 },
  DD: { round: 0, spread: 0.1, teeth: 0.5 },
  TH: { round: 0, spread: 0.1, teeth: 0.4 },
  FF: { round: 0, spread: 0.2, teeth: 0.4 },
  nn: { round: 0, spread: 0.2, teeth: 0.2 },
};

/** Returns the form of the mouth for a viseme. */
export function formOf(viseme: Viseme): MouthForm {
  return FORMS[viseme] ?? NO_FORM;
}
