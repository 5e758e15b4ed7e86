/** Short sentences, like the first ones of a voice assistant's answers: 25 to 45 characters. */
export const SHORT_SENTENCES = [
  'Hello, how can I help you today?',
  'The next train leaves at nine.',
  'I have found three hotels nearby.',
  'Yes, that works for me as well.',
  'Your parcel is on its way to you.',
  'It will rain in the afternoon.',
  'Turn left at the second light.',
  'The table is booked for eight.',
  'Let me have a look at your order.',
  'That is a good question, I think.',
] as const;

const LONG_SENTENCES = [
  'The river rose in the night, and by the morning the lower road was under water from the mill to the bridge.',
  'Nobody had expected the meeting to last until the evening, least of all the people who had called it.',
  'She put the letters back where they had been, closed the drawer, and went down to open the door.',
  'There are three things to know about the old lighthouse: it is locked, it is tall, and it is not empty.',
  'Most of the travellers slept through the mountains and woke up only when the train stopped at the border.',
  'If you want to keep bread fresh for longer, wrap it in a cloth and leave it in a cool and dry place.',
  'He counted the steps on his way down, as he had done every day since he moved into the house.',
  'A small engine like this one needs clean oil more than it needs anything else, and it needs it often.',
] as const;

/** Returns about `seconds` of speech as a list of sentences. `first` selects the first sentence. */
export function longText(seconds: number, first: number): string[] {
  // A sentence takes 5 to 6 s.
  return Array.from(
    { length: Math.ceil(seconds / 5) },
    (_, index) => LONG_SENTENCES[(first + index) % LONG_SENTENCES.length]!,
  );
}
