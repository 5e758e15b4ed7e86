import { expect } from 'chai';
import type { SvcSpeakerElement, Utterance, WordEvent } from '../../src/index.js';
import type { GatewayStep } from '../../src/testing/script.js';
import { exact } from './support/sound.js';
import { allReceived, next, rejection, removeSpeakers, scriptedSpeaker, transport } from './support/speaker.js';
import { forceSampleRate, heardAt, nextFrame, openContexts } from './support/tap.js';

const CONTEXT_RATE = 48000;
const CLICK_SECONDS = 0.02;
const TEXT = 'One two three four.';
const STARTS = [0.1, 0.35, 0.7, 0.9];
const SECONDS = 1.2;

const WORDS = [...TEXT.matchAll(/\w+/g)].map(({ 0: word, index }, number) => ({
  from: index,
  to: index + word.length,
  start: STARTS[number]!,
  end: STARTS[number]! + 0.15,
}));

/** Speech in which each word is a tone of 20 ms at its start. */
const clicks: GatewayStep[] = STARTS.flatMap((start, index) => [
  { frames: { tone: 0, seconds: start - (index > 0 ? STARTS[index - 1]! + CLICK_SECONDS : 0) } },
  { frames: { tone: 1000, seconds: CLICK_SECONDS } },
]);
const rest: GatewayStep = { frames: { tone: 0, seconds: SECONDS - STARTS.at(-1)! - CLICK_SECONDS } };

/** A service that reports the words in two messages, the second one after the audio. */
const steps: GatewayStep[] = [
  { wait: 'end' },
  { json: { type: 'timings', context_id: 'turn-1', words: WORDS.slice(0, 2) } },
  ...clicks,
  { json: { type: 'timings', context_id: 'turn-1', words: WORDS.slice(2) } },
  rest,
  { done: true },
];

function clickSpeaker(): SvcSpeakerElement {
  return scriptedSpeaker(steps, { ...exact, transport }, { timings: 'words' });
}

/** Notes each word that is dispatched, and when: the time of the context that is heard then. */
function noteWords(speaker: SvcSpeakerElement): { text: string; heardAt: number }[] {
  const words: { text: string; heardAt: number }[] = [];
  speaker.addEventListener('word', ({ word }: WordEvent) => {
    const [context] = openContexts();
    words.push({ text: word.text, heardAt: context!.currentTime - speaker.getStats().outputLatency! });
  });
  return words;
}

/** Returns the context times at which clicks begin. */
async function recordedClicks(): Promise<number[]> {
  const { samples, frame } = await heardAt();
  const begins: number[] = [];
  for (let at = 0; at < samples.length; at++) {
    if (Math.abs(samples[at]!) < 0.1) continue;
    begins.push((frame + at) / CONTEXT_RATE);
    at += 0.05 * CONTEXT_RATE;
  }
  return begins;
}

/** Reads WebVTT with the parser of the browser. Returns start, end and text of each cue. */
async function cuesOf(vtt: string): Promise<[number, number, string][]> {
  const track = document.createElement('track');
  track.src = URL.createObjectURL(new Blob([vtt], { type: 'text/vtt' }));
  const video = document.createElement('video');
  video.append(track);
  document.body.append(video);
  track.track.mode = 'hidden';
  await new Promise((resolve, reject) => {
    track.addEventListener('load', resolve);
    track.addEventListener('error', reject);
  });
  URL.revokeObjectURL(track.src);
  // WebKit's sums of seconds and milliseconds are not exact.
  const rounded = (seconds: number): number => Math.round(seconds * 1000) / 1000;
  return Array.from(track.track.cues!, (cue) => [rounded(cue.startTime), rounded(cue.endTime), (cue as VTTCue).text]);
}

describe(`Words of <svc-speaker>, transport ${transport}`, () => {
  beforeEach(() => forceSampleRate(CONTEXT_RATE));
  afterEach(removeSpeakers);

  for (const rate of [1, 2]) {
    it(`are dispatched when they are heard, each once, at rate ${rate}`, async () => {
      const speaker = clickSpeaker();
      speaker.playbackRate = rate;
      speaker.preservesPitch = false;
      const words = noteWords(speaker);
      await speaker.speak(TEXT).finished;
      expect(words.map(({ text }) => text)).to.deep.equal(['One', 'two', 'three', 'four']);
      const begins = await recordedClicks();
      expect(begins).to.have.length(STARTS.length);
      // A busy page is late. But an event is never early: a quantum, the edge of the resampler, and the timer's slack.
      for (const [index, { heardAt: at }] of words.entries()) {
        expect(at, words[index]!.text).to.be.at.least(begins[index]! - 0.015);
      }
    });
  }

  it('lie on the timeline, with their offsets, and are part of what was heard', async () => {
    // The last word is long, so even a slow page dispatches its event before it ends.
    const end = 20;
    const long = [...WORDS.slice(0, -1), { ...WORDS.at(-1)!, end }];
    const speaker = scriptedSpeaker(
      [
        { wait: 'end' },
        { json: { type: 'timings', context_id: 'turn-1', words: long } },
        ...clicks,
        rest,
        { frames: { tone: 0, seconds: end } },
        { done: true },
      ],
      { ...exact, transport },
      { timings: 'words' },
    );
    const words: string[] = [];
    const inTime: { isCurrent: boolean; heard: string; before: string }[] = [];
    const utterance: Utterance = speaker.speak(TEXT);
    const heardLast = new Promise<void>((resolve) => {
      speaker.addEventListener('word', ({ word }) => word.text === 'four' && resolve());
    });
    speaker.addEventListener('word', ({ word }) => {
      const isCurrent = speaker.currentWord === word;
      const heard = utterance.heard.text;
      words.push(word.text);
      // On a busy page, the event may come when the word is over, or the next one is due: words are 3 ms early.
      if (speaker.currentTime < word.endTime - 0.003)
        inTime.push({ isCurrent, heard, before: TEXT.slice(0, word.from).trim() });
    });
    await heardLast;
    await allReceived(speaker);
    speaker.currentTime = speaker.duration - 0.1; // after the word
    await utterance.finished;
    expect(words).to.deep.equal(['One', 'two', 'three', 'four']);
    // A word has not been heard when it begins, and those before it have.
    for (const { isCurrent, heard, before } of inTime) expect([isCurrent, heard]).to.deep.equal([true, before]);
    expect(inTime.length, 'words whose events came in time').to.be.greaterThan(0);
    expect(utterance.words.map(({ text, startTime, isEstimated }) => [text, startTime, isEstimated])).to.deep.equal(
      WORDS.map(({ from, to, start }) => [TEXT.slice(from, to), start, false]),
    );
    expect(utterance.heard.text).to.equal(TEXT);
    expect(speaker.getStats().timingsMalformed).to.equal(0);
  });

  it('are marked in the caption of the controls at their times, without a change of the document', async () => {
    const speaker = clickSpeaker();
    speaker.controls = true;
    await speaker.updateComplete; // drawn, which may take longer than the speech
    const marked = (): string[] => Array.from((CSS.highlights.get('svc-word') ?? []) as Iterable<Range>, String);
    speaker.speak(TEXT);
    await next(speaker, 'ended'); // A seek before that would go on to play.
    const times = [0.15, 0.4, 0.6, 0.8];
    const found: string[][] = [];
    for (const time of times) {
      const sought = next(speaker, 'seeked');
      speaker.currentTime = time;
      await sought;
      await nextFrame(); // drawn
      found.push(marked());
    }
    expect(found).to.deep.equal([['One'], ['two'], [], ['three']]);
    speaker.controls = false;
    await nextFrame();
    expect(marked()).to.deep.equal([]);
  });

  it('are the cues of toVTT(), as the browser reads them, once all of the utterance was received', async () => {
    const speaker = clickSpeaker();
    // Also loads what makes them, which may take longer than the speech.
    expect(await rejection(speaker.toVTT()), 'nothing is kept').to.include({ name: 'InvalidStateError' });
    const utterance = speaker.speak(TEXT);
    expect(await rejection(utterance.toVTT())).to.include({ name: 'InvalidStateError' });
    await utterance.finished;
    expect(await cuesOf(await utterance.toVTT())).to.deep.equal([[0.1, 1.05, TEXT]]);
    expect(await cuesOf(await utterance.toVTT({ by: 'word' }))).to.deep.equal(
      WORDS.map(({ from, to, start, end }) => [start, Math.min(end, SECONDS), TEXT.slice(from, to)]),
    );
    expect(await speaker.toVTT({ by: 'word' })).to.equal(await utterance.toVTT({ by: 'word' }));
  });

  it('are dispatched again after a seek', async () => {
    const speaker = clickSpeaker();
    speaker.speak(TEXT);
    await next(speaker, 'ended');
    const words = noteWords(speaker);
    speaker.currentTime = 0.4;
    void speaker.play();
    await next(speaker, 'ended');
    expect(words.map(({ text }) => text)).to.deep.equal(['two', 'three', 'four']);
  });

  it('ignore and count times that are none', async () => {
    const broken = [null, 7, { from: -1, to: 2, start: 0, end: 1 }, { from: 3, to: 1, start: 0, end: 1 }];
    const late = { from: 4, to: 7, start: 99, end: 100 };
    const speaker = scriptedSpeaker(
      [
        { wait: 'end' },
        { json: { type: 'timings', context_id: 'another', words: WORDS } },
        { json: { type: 'timings', context_id: 'turn-1', words: [...broken, WORDS[0], { ...WORDS[0] }, late] } },
        { json: { type: 'timings', context_id: 'turn-1', words: 'none', phones: [{ phone: 1 }] } },
        ...clicks,
        rest,
        { done: true },
      ],
      { ...exact, transport },
      { timings: 'words' },
    );
    const utterance = speaker.speak(TEXT);
    await utterance.finished;
    expect(utterance.words.map(({ text }) => text)).to.deep.equal(['One']);
    // Four of another context, four that are none, one again, one beyond the speech, and a sound.
    expect(speaker.getStats().timingsMalformed).to.equal(11);
  });
});
