/** Speed of a typical hosted language model. */
const TOKENS_PER_SECOND = 30;

/** Passages of answers, and the words of a question that select each. */
const passages: readonly { about: RegExp; text: string }[] = [
  {
    about: /\b(tides?|ebb|flood|moon)\b/i,
    text:
      'The moon pulls at the sea, and the sea follows it a little. So the water stands highest on the side that faces ' +
      'the moon, and also on the far side, where the pull is weakest. The earth turns beneath these two hills of water, ' +
      'and most coasts meet each of them once a day. When the sun pulls along the same line, at new moon and at full ' +
      'moon, the hills are higher still: that is a spring tide.',
  },
  {
    about: /\b(locks?|canals?|gates?)\b/i,
    text:
      'A lock is a room of water between two gates. The ship goes in, and the gate behind it is closed. Then water is let ' +
      'in from above, or out to below, until it is level with the water ahead. No pump is needed, since water finds its ' +
      'way down by itself. A speech player does much the same: it lets uneven pieces gather, and lets them out evenly.',
  },
  {
    about: /\b(light(s|houses?)?|lamps?|blink|flash(es)?|beacons?)\b/i,
    text:
      'Each lighthouse has a rhythm of its own, so that a sailor can tell it from the next one along the coast. The chart ' +
      'has that rhythm beside the light, in a few letters: how many flashes, of what colour, in how many seconds. The ' +
      'light itself need not blink for that. In most towers the lamp burns all the time, and the lenses turn round it.',
  },
  {
    about: /\b(fog|mist|horns?|bells?|whistles?)\b/i,
    text:
      'In fog, **ears do the work of eyes**. A horn on the shore sounds as the light beside it shines. Ships answer:\n\n' +
      '| Signal | Meaning |\n| --- | --- |\n| one long blast | a ship under way |\n' +
      '| two long blasts | a ship that has stopped |\n\nA log has a line for each, such as:\n\n' +
      '```json\n{ "at": "06:32", "long": 1 }\n```\n\n' +
      'It is an old way of saying: *I am here*. [More about horns](https://en.wikipedia.org/wiki/Foghorn)',
  },
];

const fallback =
  'That I cannot tell you. I am no language model, only a script with four short texts: about the tide, about locks, ' +
  'about lighthouses, and about fog. I write them as a model would, one token after the other. Ask me about one of these, ' +
  'or about two at once.';

/** Returns the whole answer to `question`: the selected passages, in the order above. */
function compose(question: string): string {
  const asked = passages.filter(({ about }) => about.test(question)).map(({ text }) => text);
  return asked.length > 0 ? asked.join('\n\n') : fallback;
}

/** Splits text as a language model does: words with the preceding space, long words in pieces of six letters. */
function tokensOf(text: string): string[] {
  return text.match(/ ?\p{L}{1,6}|[^\p{L}]/gu) ?? [];
}

/**
 * Simulates a language model: answers a question with prepared passages.
 *
 * @param signal - Aborts the stream, which then fails with the signal's reason.
 * @returns Tokens at 30 per second on average, even if the browser throttles timers.
 */
export function writeAnswer(question: string, signal: AbortSignal): ReadableStream<string> {
  const tokens = tokensOf(compose(question));
  const startMs = performance.now();
  let written = 0;
  return new ReadableStream<string>({
    start: (controller) => {
      signal.addEventListener('abort', () => controller.error(signal.reason), { once: true });
    },
    pull: async (controller) => {
      const dueMs = startMs + (written * 1000) / TOKENS_PER_SECOND;
      await new Promise((resolve) => setTimeout(resolve, dueMs - performance.now()));
      if (signal.aborted) return;
      if (written < tokens.length) controller.enqueue(tokens[written++]!);
      else controller.close();
    },
  });
}
