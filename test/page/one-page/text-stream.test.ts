import { expect } from 'chai';
import type { SvcSpeakerElement } from '../../../src/index.js';
import type { GatewayStep } from '../../../src/testing/script.js';
import { endedConnection, makeSpeaker, next, rejection, removeSpeakers, scriptedSessions } from '../support/speaker.js';

/** Script that sends audio for each sentence when it arrives. */
const sentenceBySentence: GatewayStep[] = [
  { repeat: 2, steps: [{ wait: 'synthesize' }, { frames: { tone: 440, seconds: 0.2 } }] },
  { wait: 'end' },
  { done: true },
];

/** Script that sends audio for all of a text. */
const oneMessage: GatewayStep[] = [{ wait: 'end' }, { frames: { tone: 440, seconds: 0.2 } }, { done: true }];

/** Yields the tokens of a language model. Waits for `goOn` before the fourth token. */
async function* tokens(text: readonly string[], goOn: Promise<unknown>): AsyncGenerator<string, void> {
  for (const [index, token] of text.entries()) {
    if (index === 3) await goOn;
    yield token;
  }
}

function speakerOf(script: readonly GatewayStep[]) {
  const { speaker, sessions } = scriptedSessions([script]);
  const texts = async (): Promise<string[]> => {
    const { messages } = await endedConnection(sessions[0]!.url);
    return messages.map(({ message }) => {
      const { type, text } = message as Record<string, string>;
      return text ?? type!;
    });
  };
  return { speaker, sessions, texts };
}

describe('speak() with a stream of text', () => {
  afterEach(removeSpeakers);

  it('plays the first sentence while the rest is being written', async () => {
    const { speaker, texts } = speakerOf(sentenceBySentence);
    const heard = next(speaker, 'utterancestart');
    const utterance = speaker.speak(tokens(['Good ', 'morning.', ' How', ' are', ' you?'], heard), {
      contextId: 'llm',
    });
    await heard;
    expect(utterance.text).to.equal('Good morning. ');
    await utterance.finished;
    expect(await texts()).to.deep.equal(['Good morning. ', 'How are you?', 'end']);
    expect(utterance.text).to.equal('Good morning. How are you?');
    expect(speaker.duration).to.be.closeTo(0.4, 1e-6);
  });

  it('does not wait for the next word after the end of a sentence', async () => {
    const { speaker } = speakerOf(sentenceBySentence);
    const heard = next(speaker, 'utterancestart');
    const utterance = speaker.speak(tokens(['Let me', ' see', '.', ' Here.'], heard));
    await utterance.finished;
  });

  it('accepts a ReadableStream, and cancels it with the utterance', async () => {
    const { speaker } = speakerOf(sentenceBySentence);
    let cancel = (): void => {};
    const cancelled = new Promise<void>((resolve) => (cancel = resolve));
    const start = (controller: ReadableStreamDefaultController<string>): void => controller.enqueue('One. Two');
    const utterance = speaker.speak(new ReadableStream<string>({ start, cancel: () => cancel() }));
    await utterance.started;
    utterance.cancel();
    expect(((await rejection(utterance.finished)) as DOMException).name).to.equal('AbortError');
    await cancelled;
  });

  it('ends the iterator of an aborted utterance', async () => {
    const { speaker } = speakerOf(sentenceBySentence);
    let begun = (): void => {};
    let closed = (): void => {};
    const reading = new Promise<void>((resolve) => (begun = resolve));
    const over = new Promise<void>((resolve) => (closed = resolve));
    async function* endless(): AsyncGenerator<string, void> {
      try {
        for (;;) {
          begun();
          await new Promise(requestAnimationFrame);
          yield 'And on. ';
        }
      } finally {
        closed();
      }
    }
    const abort = new AbortController();
    const { finished } = speaker.speak(endless(), { signal: abort.signal });
    await reading;
    abort.abort();
    await rejection(finished);
    await over;
  });

  it('cancels a stream that was cancelled before it was read', async () => {
    const { speaker } = speakerOf(sentenceBySentence);
    const cancelled = new Promise<void>((resolve) => {
      speaker.speak(new ReadableStream<string>({ cancel: () => resolve() })).cancel();
    });
    await cancelled;
  });

  it('queues streams and strings in the order of the calls', async () => {
    const { speaker, sessions } = scriptedSessions([
      [{ repeat: 'always', steps: [{ wait: 'end' }, { frames: { tone: 440, seconds: 0.05 } }, { done: true }] }],
    ]);
    const starts: string[] = [];
    speaker.addEventListener('utterancestart', ({ utterance }) => starts.push(utterance.contextId));
    let write = (): void => {};
    const late = tokens(['A.', ' B.', ' C.', ' D.'], new Promise<void>((resolve) => (write = resolve)));
    speaker.speak('First.', { contextId: 'one' });
    speaker.speak(late, { contextId: 'two' });
    const last = speaker.speak('Last.', { contextId: 'three' });
    await next(speaker, 'utteranceend');
    write();
    await last.finished;
    expect(starts).to.deep.equal(['one', 'two', 'three']);
    expect(sessions.length).to.be.within(1, 3);
  });

  it('finishes without a socket if there is no text', async () => {
    const { speaker, sessions } = speakerOf(sentenceBySentence);
    const ended = next(speaker, 'ended');
    await speaker.speak(tokens([' ', '\n'], Promise.resolve())).finished;
    await ended;
    expect(sessions).to.deep.equal([]);
  });

  it('reports the error of a stream, and a stream that is not text', async () => {
    const bytes = new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(3)) });
    async function* broken(): AsyncGenerator<string, void> {
      await Promise.resolve();
      yield 'Half a';
      throw new Error('model overloaded');
    }
    for (const [stream, what] of [
      [broken(), 'model overloaded'],
      [bytes as ReadableStream<string>, 'TextDecoderStream'],
    ] as const) {
      const speaker: SvcSpeakerElement = makeSpeaker();
      speaker.sessionProvider = () => new Promise(() => {});
      await rejection(speaker.speak(stream).finished);
      expect(speaker.error!.reason).to.equal('aborted');
      expect(speaker.error!.message).to.include(what);
    }
  });

  it('speaks what Markdown shows, and keeps the original (openclaw/openclaw 10485)', async () => {
    const { speaker, texts } = speakerOf(sentenceBySentence);
    const answer = [
      ['**Imp', 'ortant:** drink ', '*plen', 'ty* of ', '`', 'water', '`', '.\n\n## Ne', 'xt\n- one\n- two\n'],
      ['See [the guide](https://example.org/g).\n', '```js\nlet x = 1;\n``` ', ' Use snake_case and 2 * 3.'],
    ].flat();
    const utterance = speaker.speak(tokens(answer, Promise.resolve()));
    await utterance.finished;
    expect((await texts()).map((text) => text.trim())).to.deep.equal([
      'Important: drink plenty of water.',
      'Next',
      'one',
      'two',
      'See the guide.',
      'Use snake_case and 2 * 3.',
      'end',
    ]);
    expect(utterance.text).to.equal(answer.join(''));
    expect(utterance.heard.text).to.equal(answer.join(''));
  });

  it('speaks a string with marks in one message, and the words of a lexicon as it says', async () => {
    const { speaker, texts } = speakerOf(oneMessage);
    speaker.lexicon = { SQL: 'sequel' };
    const utterance = speaker.speak('**Use** SQL. <think>No.</think>Now.');
    expect(utterance.text).to.equal('**Use** SQL. <think>No.</think>Now.');
    await utterance.finished;
    expect(await texts()).to.deep.equal(['Use sequel. Now.', 'end']);
    expect(utterance.heard.text).to.equal(utterance.text);
  });

  it('speaks a text as it is with markup="plain", and without the lexicon if the call says so', async () => {
    const { speaker, texts } = speakerOf(oneMessage);
    speaker.setAttribute('markup', 'plain');
    speaker.lexicon = { SQL: 'sequel' };
    await speaker.speak('*SQL*', { lexicon: null }).finished;
    expect(await texts()).to.deep.equal(['*SQL*', 'end']);
    expect(speaker.markup).to.equal('plain');
  });

  it('makes the text of play() speakable', async () => {
    const { speaker, texts } = speakerOf(oneMessage);
    speaker.text = '# One\n\nTwo *three*.';
    const end = next(speaker, 'ended');
    await speaker.play();
    await end;
    expect(await texts()).to.deep.equal(['One\n\nTwo three.', 'end']);
  });

  it('refuses markup and lexicons that are none', () => {
    const speaker = makeSpeaker({ src: 'ws://localhost/' });
    expect(() => speaker.speak('a', { markup: 'html' as 'plain' })).to.throw(TypeError, /markdown or plain, not html/);
    expect(() => (speaker.lexicon = { SQL: 5 } as never)).to.throw(TypeError, /a string for SQL/);
    expect(() => speaker.speak('a', { lexicon: 'SQL' as never })).to.throw(TypeError, /object or null/);
    expect(speaker.lexicon).to.equal(null);
  });
});
