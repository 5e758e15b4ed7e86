import 'svc-speaker/define.js';

/** A noise without a word is no interruption after this time, in ms. */
const PATIENCE_MS = 700;

const speaker = document.querySelector('svc-speaker');
let answer;
let timer;

/** Speaks an answer: a text, or what a model writes. */
export function say(text) {
  answer = speaker.speak(text);
  return answer;
}

/** Call this when the microphone has a voice: it may be a word, a cough, or the speaker itself. */
export function voiceDetected() {
  clearTimeout(timer);
  speaker.duck();
  timer = setTimeout(() => speaker.unduck(), PATIENCE_MS);
}

/**
 * Call this when the recogniser has a word. Returns how much of the answer was heard, or null if nothing was being said.
 */
export function wordRecognised() {
  clearTimeout(timer);
  const interrupted = speaker.hasSpeech ? answer : null;
  speaker.cancel(); // the next answer has its full level
  return interrupted && interrupted.heard;
}
