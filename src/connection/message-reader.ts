import { isRecord, isString } from '../protocol/fields.js';

/** A number that JSON does not have, and what is before it. */
const NO_NUMBER = /([:,[]\s*)-?(?:NaN|Infinity)(?=\s*[,\]}])/g;
/** Place between two messages that are written as one. */
const JOINT = /\}\s*\{/g;
/** Longest message that may arrive in pieces, in characters. */
const PIECES_LENGTH = 2 ** 20;

/** Reads the messages in what a socket receives. Relays may have divided or joined them. Worker thread. */
export class MessageReader {
  /** Beginning of a message, which some relays send in pieces. */
  #piece = '';

  /** Returns the messages in a text, or the one whose last piece it is; none if it is something else. */
  read(text: string): object[] {
    const whole = this.#piece + text;
    let messages = messagesIn(text);
    // Only the last piece is worth another parse of all of them.
    if (messages.length === 0 && this.#piece && text.endsWith('}')) messages = messagesIn(whole);
    const isPiece = messages.length === 0 && whole.startsWith('{') && whole.length <= PIECES_LENGTH;
    this.#piece = isPiece ? whole : '';
    return messages;
  }
}

/**
 * Returns the messages in a text; none if it is something else. Some relays write one as a string, or several as a list or
 * one after the other, and some services write numbers that JSON does not have.
 */
function messagesIn(text: string): object[] {
  const value = parsed(text) ?? parsed(`[${text.replace(NO_NUMBER, '$1null').replace(JOINT, '},{')}]`);
  return isString(value) ? messagesIn(value) : [value].flat().filter(isRecord);
}

/** Parses JSON; undefined for anything else. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return undefined;
  }
}
