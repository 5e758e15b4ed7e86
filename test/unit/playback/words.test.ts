import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { settled, Stage } from './stage.js';

/** Words of "One two. Three", which are heard from 0.1 s, 0.5 s and 1.2 s on. */
const TEXT = 'One two. Three';
const WORDS = [
  { from: 0, to: 3, start: 0.1, end: 0.4 },
  { from: 4, to: 7, start: 0.5, end: 0.9 },
  { from: 9, to: 14, start: 1.2, end: 1.6 },
];

/** Returns a stage whose utterance has begun, with reported words, and the words that were dispatched. */
async function spokenStage(text = TEXT, words: readonly (typeof WORDS)[number][] = WORDS, loaded?: Promise<void>) {
  const stage = new Stage();
  const makeWords = stage.makeWords.bind(stage);
  stage.makeWords = async (facts) => {
    await loaded;
    return makeWords(facts);
  };
  const heard: string[] = [];
  stage.onEvent = (event) => {
    if (event.type === 'word') heard.push(`${event.word.text} ${event.word.startTime}`);
    else if (event.type === 'viseme') heard.push(`${event.viseme} ${event.seconds.toFixed(2)}`);
    else if (event.type.startsWith('utterance')) heard.push(event.type);
  };
  const utterance = stage.playback.speak(text);
  await settled();
  await stage.connect(1);
  await stage.report({ type: 'first-audio', serial: 1, atMs: stage.clock.now() });
  if (words.length > 0) await stage.report({ type: 'timings', serial: 1, index: 0, words, phones: [] });
  await stage.hear('playing', 'start 1');
  /** Plays up to `seconds` of the speech, in the time that this takes. */
  const playTo = async (seconds: number): Promise<void> => {
    const { node, output, clock } = stage;
    const from = node.counted.emittedSamples / node.sampleRate - output.latency;
    for (let at = Math.max(0, from); at < seconds; at += 0.01) {
      stage.played(Math.min(at + 0.01, seconds) + output.latency);
      clock.advance(10);
      await settled();
    }
  };
  /** Seeks in the two seconds of its speech, which are all received. */
  const seek = async (seconds: number): Promise<void> => {
    await stage.report({ type: 'received', serial: 1, samples: 2 * 24_000 });
    await stage.keep({ serial: 1, sample: 0 }, { serial: 1, sample: 2 * 24_000 });
    heard.length = 0;
    stage.playback.seek(seconds);
    await settled();
  };
  /** Seeks, and plays from there. The page is blocked for `blocked` seconds meanwhile. */
  const seekTo = async (seconds: number, blocked = 0): Promise<void> => {
    await seek(seconds);
    stage.played(stage.node.counted.emittedSamples / 24_000 + blocked);
    const { number } = stage.sent('seek').at(-1)!;
    await stage.report({ type: 'sought', number, isKept: true });
    await stage.hear('playing', 'start 1');
  };
  return { stage, utterance, heard, playTo, seek, seekTo };
}

describe('Words', () => {
  it('are dispatched when they are heard: each once, in order, between start and end of the utterance', async () => {
    const { stage, heard, playTo } = await spokenStage();
    await playTo(0.09);
    assert.deepEqual(heard, ['utterancestart']);
    await playTo(0.11);
    assert.deepEqual(heard.splice(0), ['utterancestart', 'One 0.1']);
    await playTo(0.6);
    assert.deepEqual(heard.splice(0), ['two 0.5']);
    await stage.report({ type: 'received', serial: 1, samples: 2 * 24_000 });
    stage.played(2);
    await stage.hear('end 1', 'drained');
    assert.deepEqual(heard, ['Three 1.2', 'utteranceend']);
  });

  it('are all dispatched, in order, by a page that was blocked', async () => {
    const { stage, heard } = await spokenStage();
    stage.played(1.3 + stage.output.latency);
    stage.clock.advance(1300);
    await settled();
    assert.deepEqual(heard, ['utterancestart', 'One 0.1', 'two 0.5', 'Three 1.2']);
  });

  it('are all dispatched, in order, when their code has been loaded at last', async () => {
    let load!: () => void;
    const { stage, heard } = await spokenStage(TEXT, WORDS, new Promise((resolve) => (load = resolve)));
    stage.playback.speak('Four');
    await settled();
    await stage.report({ type: 'received', serial: 1, samples: 2 * 24_000 });
    await stage.keep({ serial: 1, sample: 0 }, { serial: 1, sample: 2 * 24_000 });
    await stage.report({ type: 'first-audio', serial: 2, atMs: stage.clock.now() });
    await stage.report({
      type: 'timings',
      serial: 2,
      index: 0,
      words: [{ from: 0, to: 4, start: 0, end: 0.4 }],
      phones: [],
    });
    stage.played(2);
    await stage.hear('end 1', 'start 2');
    stage.played(2.5);
    load();
    await settled();
    assert.deepEqual(heard, [
      'utterancestart',
      'utteranceend',
      'utterancestart',
      'One 0.1',
      'two 0.5',
      'Three 1.2',
      'Four 2',
    ]);
  });

  it('are all dispatched when their code has been loaded after the end', async () => {
    let load!: () => void;
    const { stage, heard } = await spokenStage(TEXT, WORDS, new Promise((resolve) => (load = resolve)));
    await stage.report({ type: 'received', serial: 1, samples: 2 * 24_000 });
    await stage.keep({ serial: 1, sample: 0 }, { serial: 1, sample: 2 * 24_000 });
    stage.played(2);
    await stage.hear('end 1', 'drained');
    load();
    await settled();
    assert.deepEqual(heard, ['utterancestart', 'utteranceend', 'One 0.1', 'two 0.5', 'Three 1.2']);
  });

  it('stand still while playback is paused, and go on with it', async () => {
    const { stage, heard, playTo } = await spokenStage();
    await playTo(0.2);
    stage.playback.pause();
    await settled();
    stage.clock.advance(10_000);
    await settled();
    assert.deepEqual(heard, ['utterancestart', 'One 0.1']);
  });

  it('have the offsets of the original, and its text', async () => {
    const { utterance } = await spokenStage('**One** two. Three');
    assert.deepEqual(
      utterance.words.map(({ from, to, text }) => [from, to, text]),
      [
        [2, 5, 'One'],
        [8, 11, 'two'],
        [13, 18, 'Three'],
      ],
    );
    assert.ok(utterance.words.every(({ isEstimated }) => !isEstimated));
  });

  it('are one array until more is known, which does not change', async () => {
    const { stage, utterance } = await spokenStage(TEXT, WORDS.slice(0, 1));
    const { words } = utterance;
    assert.equal(utterance.words, words);
    await stage.report({ type: 'timings', serial: 1, index: 1, words: WORDS.slice(1), phones: [] });
    assert.equal(words.length, 1);
    assert.equal(utterance.words.length, 3);
    // A retry replaces words of a connection that was lost.
    await stage.report({ type: 'timings', serial: 1, index: 0, words: WORDS.slice(0, 2), phones: [] });
    assert.equal(utterance.words.length, 2);
    const later = WORDS.slice(0, 2).map((word) => ({ ...word, start: word.start + 0.05 }));
    await stage.report({ type: 'timings', serial: 1, index: 0, words: later, phones: [] });
    assert.equal(utterance.words[0]!.startTime.toFixed(3), '0.150');
  });

  it('are the same objects as in their events when more is known about others', async () => {
    const { stage, utterance } = await spokenStage();
    const found: boolean[] = [];
    const { onEvent } = stage;
    stage.onEvent = (event) => {
      onEvent(event);
      if (event.type === 'word') found.push(event.word === stage.playback.currentWord);
    };
    const [one, two] = utterance.words;
    // The word is due, and noticed with the length of the speech, which is an end of the last word too.
    stage.played(0.2 + stage.output.latency);
    await stage.report({ type: 'received', serial: 1, samples: 0.8 * 24_000 });
    assert.deepEqual(found, [true]);
    assert.equal(utterance.words[0], one);
    assert.notEqual(utterance.words[1], two);
  });

  it('end with the speech', async () => {
    const { stage, utterance } = await spokenStage();
    await stage.report({ type: 'received', serial: 1, samples: 0.8 * 24_000 });
    assert.deepEqual(
      utterance.words.map(({ text, endTime }) => [text, endTime]),
      [
        ['One', 0.4],
        ['two', 0.8],
      ],
    );
  });

  it('tell which word is heard, and none between words', async () => {
    const { stage, playTo } = await spokenStage();
    for (const [seconds, text] of [
      [0.05, undefined],
      [0.2, 'One'],
      [0.45, undefined],
      [0.6, 'two'],
    ] as const) {
      await playTo(seconds);
      assert.equal(stage.playback.currentWord?.text, text, `${seconds} s`);
    }
  });

  it('say exactly what was heard: the words up to the last whole one, with its marks', async () => {
    const { utterance, playTo } = await spokenStage();
    for (const [seconds, text] of [
      [0.39, ''],
      [0.41, 'One'],
      [0.89, 'One'],
      [0.91, 'One two.'],
    ] as const) {
      await playTo(seconds);
      assert.equal(utterance.heard.text, text, `${seconds} s`);
    }
  });

  // xujialiu/Zotero-TTS 69, elevenlabs/elevenlabs-python 707 and 760, Azure-Samples/cognitive-services-speech-sdk 2930
  it('that are reported at one time are spread over the time that they take, once that is known', async () => {
    const pinned = WORDS.map((word, index) => (index === 0 ? word : { ...word, start: 0.5, end: 0.5 }));
    const { stage, utterance, heard, playTo } = await spokenStage(TEXT, pinned);
    const times = (): unknown => utterance.words.map((word) => [word.text, word.startTime, word.isEstimated]);
    await playTo(0.7);
    assert.deepEqual(times(), [
      ['One', 0.1, false],
      ['two', 0.5, false],
    ]);
    assert.equal(utterance.heard.text, 'One two.');
    await stage.report({ type: 'received', serial: 1, samples: 2.1 * 24_000 });
    assert.deepEqual(times(), [
      ['One', 0.1, false],
      ['two', 0.5, true],
      ['Three', 1.1, true],
    ]);
    await playTo(1);
    assert.deepEqual(heard, ['utterancestart', 'One 0.1', 'two 0.5']);
    await playTo(1.2);
    assert.deepEqual(heard.slice(3), ['Three 1.1']);
    assert.equal(utterance.heard.text, 'One two.');
  });

  it('that are reported at one time end with the last of them, if they can be spoken until then', async () => {
    const pair = WORDS.map((word, index) => (index === 0 ? word : { ...word, start: 0.5, end: 1.3 }));
    const { stage, utterance } = await spokenStage(TEXT, pair);
    await stage.report({ type: 'received', serial: 1, samples: 2 * 24_000 });
    assert.deepEqual(
      utterance.words.slice(1).map((word) => [word.startTime, word.endTime]),
      [
        [0.5, 0.8],
        [0.8, 1.3],
      ],
    );
  });

  it('are dispatched again after a seek, from the word at the new position on', async () => {
    const { heard, playTo, seekTo } = await spokenStage();
    await playTo(1.3);
    await seekTo(0.6);
    assert.deepEqual(heard.slice(0, 1), ['two 0.5']);
  });

  it('begin after a seek with the word to which it goes, even if the position is rounded to the sample before', async () => {
    const joined = WORDS.map((word, index) => ({ ...word, end: WORDS[index + 1]?.start ?? word.end }));
    const { heard, playTo, seekTo } = await spokenStage(TEXT, joined);
    await playTo(1.3);
    await seekTo(0.5 - 1 / 48_000);
    assert.deepEqual(heard.slice(0, 1), ['two 0.5']);
  });

  it('are all dispatched after a seek, also those that were heard while the page was blocked', async () => {
    const { heard, playTo, seekTo } = await spokenStage();
    await playTo(1.3);
    await seekTo(0.2, 1.2);
    assert.deepEqual(heard, ['One 0.1', 'two 0.5', 'Three 1.2']);
  });

  it('are those of the next utterance, at their times, if one is cancelled between a seek and its first sound', async () => {
    const { stage, utterance, heard, playTo, seek } = await spokenStage();
    await playTo(1.3);
    await seek(0.2);
    utterance.cancel();
    stage.playback.speak(TEXT);
    await settled();
    await stage.report({ type: 'first-audio', serial: 3, atMs: stage.clock.now() });
    await stage.report({ type: 'timings', serial: 3, index: 0, words: WORDS, phones: [] });
    for (const { number } of stage.sent('seek')) await stage.report({ type: 'sought', number, isKept: true });
    await stage.hear('playing', 'start 3');
    const begin = stage.playback.currentTime;
    await playTo(begin + 0.2);
    const [start, ...words] = heard.map((one) => one.split(' ')[0]);
    assert.deepEqual([start, words], ['utterancestart', ['One']]);
    await playTo(begin + 0.6);
    assert.equal(heard.at(-1), `two ${begin + 0.5}`);
    assert.equal(heard.length, 3);
  });

  // vllm-project/vllm-omni 4034, livekit/agents 3667
  it('are dispatched at their times if these are reported after estimates', async () => {
    const { stage, heard, playTo } = await spokenStage(TEXT, []);
    await playTo(0.45);
    heard.length = 0;
    const later = WORDS.map((word) => ({ ...word, start: word.start + 0.3, end: word.end + 0.3 }));
    await stage.report({ type: 'timings', serial: 1, index: 0, words: later, phones: [] });
    await playTo(1.6);
    assert.deepEqual(heard, ['One 0.4', 'two 0.8', 'Three 1.5']);
  });

  // Azure-Samples/Cognitive-Speech-TTS 245, pipecat-ai/pipecat 4968
  it('are those of the text: several that a lexicon says for one are one', async () => {
    class LexiconStage extends Stage {
      override async readText(...[text, , onPart]: Parameters<Stage['readText']>): Promise<void> {
        const runs = String(text).split(/(AWS)/);
        onPart(runs.map((original, index) => ({ original, spoken: index === 1 ? 'Amazon Web Services' : original })));
      }
    }
    const stage = new LexiconStage();
    const lexicon = { AWS: 'Amazon Web Services' };
    const utterance = stage.playback.speak('Use AWS now.', undefined, { markup: 'plain', lexicon });
    await settled();
    await stage.connect(1);
    const spans = [0, 4, 11, 15, 24].map((from, index) => ({ from, to: [3, 10, 14, 23, 27][index]! }));
    const words = spans.map((span, index) => ({ ...span, start: index, end: index + 1 }));
    await stage.report({ type: 'first-audio', serial: 1, atMs: stage.clock.now() });
    await stage.report({ type: 'timings', serial: 1, index: 0, words, phones: [] });
    await stage.hear('playing', 'start 1');
    assert.deepEqual(
      utterance.words.map(({ text, startTime, endTime }) => [text, startTime, endTime]),
      [
        ['Use', 0, 1],
        ['AWS', 1, 4],
        ['now', 4, 5],
      ],
    );
  });

  // pipecat-ai/pipecat 2299, jianfch/stable-ts 7, huggingface/transformers.js 223
  it('count as heard when they are over: not in a part of one, and not in no time', async () => {
    const words = [
      { from: 0, to: 1, start: 0, end: 0.2 },
      { from: 2, to: 4, start: 0.2, end: 0.4 },
      { from: 4, to: 7, start: 0.4, end: 0.6 },
      { from: 8, to: 12, start: 1, end: 1 },
    ];
    const { utterance, playTo } = await spokenStage("I can't stop, sir.", words);
    for (const [seconds, text] of [
      [0.5, 'I'],
      [0.7, "I can't"],
      [1.05, "I can't"],
      [1.2, "I can't stop,"],
    ] as const) {
      await playTo(seconds);
      assert.equal(utterance.heard.text, text);
    }
  });

  // pipecat-ai/pipecat 5426, livekit/agents 2607
  it('are all that WebVTT has of an utterance that was cancelled', async () => {
    const { stage, utterance, playTo } = await spokenStage('One two three', WORDS.slice(0, 2));
    let texts: unknown;
    stage.makeVtt = async (given) => JSON.stringify((texts = given.map(({ text }) => text)));
    await playTo(0.7);
    utterance.cancel();
    await utterance.finished.catch(() => {});
    await utterance.toVTT().catch(() => {});
    assert.deepEqual(texts, ['One two']);
  });

  // pipecat-ai/pipecat 4612
  it('that are none are left out of those that the page adds', async () => {
    const stage = new Stage();
    const input = stage.playback.openInput(24_000, 'One two.', new MessageChannel());
    await settled();
    const [one, two] = ['One', 'two'].map((text, index) => ({ text, start: index, end: index + 1 }));
    for (const word of [{ start: 0, end: 1 }, { ...one, text: 5 }, null, { ...one, start: null }]) {
      input.addWords([word as never]);
    }
    input.addWords([one!, two!]);
    input.end();
    assert.deepEqual(
      input.utterance.words.map(({ text }) => text),
      ['One', 'two'],
    );
  });

  it('are estimated where none are reported, and say so', async () => {
    const { stage, utterance, heard, playTo } = await spokenStage(TEXT, []);
    await stage.report({ type: 'received', serial: 1, samples: 1.6 * 24_000 });
    await playTo(1.55);
    assert.deepEqual(
      utterance.words.map(({ from, to, isEstimated }) => [from, to, isEstimated]),
      [
        [0, 3, true],
        [4, 7, true],
        [9, 14, true],
      ],
    );
    assert.deepEqual(
      heard.map((one) => one.split(' ')[0]),
      ['utterancestart', 'One', 'two', 'Three'],
    );
    let last = 0;
    for (const { startTime, endTime } of utterance.words) {
      assert.ok(startTime >= last && endTime > startTime && endTime <= 1.6 + 1e-9, `${startTime} to ${endTime}`);
      last = endTime;
    }
  });
});

describe('Visemes', () => {
  const MAP = { from: 0, to: 3, start: 0.1, end: 0.6 };
  const phones = [
    { phone: 'm', start: 0.1, end: 0.2 },
    { phone: 'AE1', start: 0.2, end: 0.35 },
    { phone: 'p', start: 0.5, end: 0.6 },
  ];

  it('are dispatched with the sounds, with silence between them', async () => {
    const { stage, heard, playTo } = await spokenStage('Map', [MAP]);
    await stage.report({ type: 'timings', serial: 1, index: 0, words: [MAP], phones });
    // A retry reports them again.
    await stage.report({ type: 'timings', serial: 1, index: 1, words: [], phones });
    await playTo(0.7);
    assert.deepEqual(heard, ['utterancestart', 'sil 0.10', 'Map 0.1', 'PP 0.10', 'aa 0.15', 'sil 0.15', 'PP 0.10']);
  });

  it('begin again after a seek, with the sound at the new position', async () => {
    const { stage, heard, playTo, seekTo } = await spokenStage('Map', [MAP]);
    await stage.report({ type: 'timings', serial: 1, index: 0, words: [MAP], phones });
    await playTo(0.7);
    await seekTo(0.25);
    assert.deepEqual(heard, ['Map 0.1', 'aa 0.15']);
  });
});

describe('An utterance whose line has died', () => {
  it('has the words that stay, tells where the rest begins, and how long the silence between them was', async () => {
    const { stage, utterance, playTo } = await spokenStage('**One** two. Three');
    await playTo(0.4);
    await stage.report({ type: 'resuming', serial: 1, words: 1, samples: 0.4 * 24_000 });
    assert.deepEqual(
      utterance.words.map(({ text }) => text),
      ['One'],
    );
    const seam = stage.output.currentTime;
    const underrun = async (durationMs: number, at = stage.output.currentTime): Promise<number> => {
      stage.node.tell({ event: 'underrun', durationMs, at });
      stage.clock.advance(1000 * stage.output.latency);
      await settled();
      return stage.playback.getStats().resumptionSilenceMs;
    };
    assert.equal(await underrun(250), 250);
    stage.events.length = 0;
    await stage.report({ type: 'resumed', serial: 1, from: 4 });
    assert.deepEqual(stage.events, [{ type: 'resume', utterance, from: 8 }]);
    assert.equal(stage.playback.getStats().resumptions, 1);
    await playTo(1);
    assert.equal(await underrun(100), 250);
    assert.equal(await underrun(100, seam), 350, 'a page that was blocked learns of it late');
  });
});
