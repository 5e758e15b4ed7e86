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

/** Sentences on which the weights and limits of the estimate were chosen. None of them is among the other ones. */
const TUNING: readonly string[] = [
  'Thanks for calling, how can I help you today?',
  'Let me check that for you, one moment please.',
  'Your appointment is on Tuesday, the 14th of March, at 3:30 pm.',
  'The total comes to 45 dollars and 20 cents, including tax.',
  'I have added milk, eggs, and two loaves of bread to your shopping list.',
  'Sorry, I did not understand that.',
  'No problem at all!',
  'The train to Brighton leaves from platform 9, and it takes about an hour.',
  'If you want, I can send you a reminder an hour before the meeting starts.',
  'According to the latest forecast, it will rain in the afternoon, but the evening should be dry.',
  'The capital of Australia is Canberra, not Sydney.',
  'A group of crows is called a murder, while a group of owls is called a parliament.',
  'Mount Everest is 8,849 metres high; it grows by about four millimetres every year.',
  'To make the sauce, melt the butter in a small pan, add the garlic, and stir until it smells good.',
  'She opened the door very slowly, looked around the dark room, and smiled.',
  '"I knew that you would come," he said, "but I did not think it would be tonight."',
  'Long ago, in a village at the foot of the mountains, there lived a baker who could not sleep.',
  'He walked through the streets at night, counting the lights in the windows.',
  'Nobody ever asked him why.',
  "The package weighs 3.5 kg and will be delivered between 8 and 12 o'clock.",
  'Please press one for sales, two for support, or stay on the line.',
  'Mr. Smith from the IT department has already replied to your email.',
  'Machine learning is a way of teaching computers to recognise patterns in large amounts of data.',
  'For example, a model can learn to tell cats from dogs by looking at thousands of pictures.',
  'However, it does not understand what a cat is.',
  'Would you prefer a window seat or an aisle seat?',
  'You are welcome.',
  'I am afraid the museum is closed on Mondays, although the garden remains open all day.',
  'The NASA rover landed on Mars in 2021 and has been collecting samples ever since.',
  'Water boils at 100 degrees Celsius at sea level, and at a lower temperature in the mountains.',
  'Remember to drink enough water, especially when it is hot outside.',
  'His sister plays the violin, his brother the trumpet, and his parents have bought earplugs.',
  'Unfortunately, responsibility for miscommunication between administrative departments remains unclear.',
  'Turn right at the traffic light, go straight for half a mile, and your destination is on the left.',
  'Well, that depends on what you mean by easy.',
  'One, two, three, four, five.',
  'The three largest cities are Tokyo, Delhi and Shanghai.',
  'I recommend starting with a short walk every morning; after two weeks you can try to run.',
  'The doctor said that it was nothing serious, just a cold, and that I should rest for a few days.',
  'Do you remember the name of the song that they were playing at the wedding?',
  'It was a bright cold day, and the wind carried the smell of the sea over the hills.',
  'All passengers should have their boarding passes and passports ready for inspection.',
  'Interest rates rose by 0.25 percent in June, which surprised most analysts.',
  'My favourite colour is green, because it reminds me of the forest behind our house.',
  'Okay, the lights in the kitchen are off now.',
  'There was a problem with your payment, so please check your card details and try again.',
  'In 1969 two people walked on the moon for the first time, and millions watched on TV.',
  'The recipe serves four people and takes 35 minutes.',
  'You have 2 new messages and 1 missed call.',
  'The quick answer is yes; the long answer is a little more complicated.',
];

/** Returns 50 texts of 1 to 6 sentences, each as a list of sentences. Deterministic. */
export function makeTexts(): string[][] {
  return combine([...ANSWERS, ...SENTENCES], 17);
}

/** Returns other 50 texts, on which the estimate was tuned. */
export function makeTuningTexts(): string[][] {
  return combine(TUNING, 99);
}

function combine(sentences: readonly string[], seed: number): string[][] {
  const random = new Random(seed);
  return Array.from({ length: 50 }, () =>
    Array.from({ length: 1 + random.below(6) }, () => sentences[random.below(sentences.length)]!),
  );
}
