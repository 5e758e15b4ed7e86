/** A text offered below the text box. */
export interface SampleText {
  /** Label of its button. */
  readonly name: string;
  readonly text: string;
}

/** Each one demonstrates something different: a first start, many sibilants, a very short utterance, a full buffer. */
export const sampleTexts: readonly SampleText[] = [
  {
    name: 'The lock',
    text:
      'Sound arrives in small, uneven pieces. They gather for a moment, like water behind a lock gate, ' +
      'and leave at one steady pace. What you hear is the steady pace.',
  },
  {
    name: 'Sea shells',
    text: 'She sells sea shells by the sea shore. The shells she sells are surely sea shells.',
  },
  { name: 'One word', text: 'Ready.' },
  {
    name: 'A passage',
    text:
      'A pilot book describes a coast in the order in which a ship meets it. First the high land, which is seen from ' +
      'far away and seldom named. Then the lights, each with its period and its colour. Then the shoals, the depths, ' +
      'and the nature of the bottom: sand, mud, broken shells. Last comes the harbour, and a note on where to anchor. ' +
      'All of this was written down before anyone came to read it, and yet it is read one line at a time, at the pace ' +
      'of the ship. Speech from a service is like that. The whole passage may be here already, and still it has to be ' +
      'said one word after the other.',
  },
];
