import { Random } from '../../src/testing/random.js';
import { SENTENCES } from '../playout/speech-text.js';

/** Typical sentences of voice assistants. */
const ANSWERS: readonly string[] = [
  'Sure, let me look that up for you.',
  'Your order was shipped yesterday, and it should arrive by Thursday.',
  'I found three restaurants nearby that are open right now.',
  'The first one is Italian, the second serves Thai food, and the third is a small bakery around the corner.',
  'Would you like me to book a table?',
  'There are 24 hours in a day, but it never feels that way.',
  'To reset your password, open the settings, choose security, and follow the instructions on the screen.',
  'That is a great question!',
  'Photosynthesis is the process by which plants turn sunlight, water and carbon dioxide into sugar and oxygen.',
  'The meeting has been moved to half past four, so you have plenty of time.',
  'Once upon a time there was a lighthouse keeper who collected the sounds of the sea in glass jars.',
  'Every night he opened one of them and listened until he fell asleep.',
  'One winter the storm was so loud that no jar was large enough.',
  'Unfortunately, I do not have access to your calendar.',
  'Tomorrow will be mostly sunny with a light breeze from the west and a high of 21 degrees.',
  'Okay.',
  'First, preheat the oven; then mix the flour, the sugar and a pinch of salt in a large bowl.',
  'Dr. Brown is available on Monday at 10 and on Wednesday afternoon.',
  'Internationalization requires considerably more preparation than organizations typically anticipate.',
  'If that does not help, please call us again, and we will send somebody over.',
];

/** Returns 50 texts of 1 to 6 sentences, each as a list of sentences. Deterministic. */
export function makeTexts(): string[][] {
  const random = new Random(17);
  const all = [...ANSWERS, ...SENTENCES];
  return Array.from({ length: 50 }, () =>
    Array.from({ length: 1 + random.below(6) }, () => all[random.below(all.length)]!),
  );
}
