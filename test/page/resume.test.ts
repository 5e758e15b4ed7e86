import { expect } from 'chai';
import type { ResumeEvent, SvcSpeakerElement, WordEvent } from '../../src/index.js';
import type { GatewayStep } from '../../src/testing/script.js';
import { exact } from './support/sound.js';
import { makeSpeaker, nextAfter, removeSpeakers, sessionResponse, sessionUrl, transport } from './support/speaker.js';
import { forceSampleRate, heardAt, heardFor } from './support/tap.js';

const CONTEXT_RATE = 48000;
const TEXT = 'One two three four five six.';
const WORD_SECONDS = 0.3;
const WORDS = [...TEXT.matchAll(/\w+/g)].map(({ 0: word, index }, number) => ({
  from: index,
  to: index + word.length,
  start: number * WORD_SECONDS,
  end: (number + 1) * WORD_SECONDS,
}));
/** Minimum silence of another session. */
const SILENCE_SECONDS = 0.3;
/** Each word is a tone of its own, with silence at its end. */
const FREQUENCIES = [500, 700, 900, 1100, 1300, 1500];

/** A service that speaks the words from number `first` on, and whose connection dies after `seconds` of them. */
function speaks(first: number, seconds: number = Infinity): GatewayStep[] {
  const { from, start } = WORDS[first]!;
  const words = WORDS.slice(first).map((word) => ({
    from: word.from - from,
    to: word.to - from,
    start: word.start - start,
    end: word.end - start,
  }));
  const sounds = words.flatMap((word, index): GatewayStep[] => {
    const left = Math.max(0, seconds - word.start);
    const tone = Math.min(0.2, left);
    const silence = Math.min(WORD_SECONDS, left) - tone;
    const frequency = FREQUENCIES[first + index]!;
    return [
      ...(tone > 0 ? [{ frames: { tone: frequency, seconds: tone } }] : []),
      ...(silence > 0 ? [{ frames: { tone: 0, seconds: silence } }] : []),
    ];
  });
  const end: GatewayStep[] = seconds === Infinity ? [{ done: true }] : [{ terminate: true }];
  return [{ wait: 'end' }, { json: { type: 'timings', words } }, ...sounds, ...end];
}

/** Makes a speaker whose sessions run these scripts, one after the other. */
function speakerOf(scripts: readonly GatewayStep[][]): { speaker: SvcSpeakerElement; reasons: string[] } {
  const reasons: string[] = [];
  const speaker = makeSpeaker({ ...exact, transport });
  speaker.sessionProvider = ({ reason }) => {
    reasons.push(reason);
    const script = scripts[reasons.length - 1]!;
    return Promise.resolve(sessionResponse(sessionUrl(script), { timings: 'words' }));
  };
  return { speaker, reasons };
}

/** Returns the frequencies of the tones in what was heard, in order. */
async function heardTones(): Promise<number[]> {
  const { samples } = await heardAt();
  const tones: number[] = [];
  for (let at = 0; at < samples.length; at++) {
    if (Math.abs(samples[at]!) < 0.05) continue;
    let end = at;
    for (let last = at; last - end < 0.03 * CONTEXT_RATE && last < samples.length; last++) {
      if (Math.abs(samples[last]!) >= 0.05) end = last;
    }
    let crossings = 0;
    for (let i = at + 1; i <= end; i++) if (samples[i - 1]! < 0 !== samples[i]! < 0) crossings++;
    tones.push(Math.round((crossings * CONTEXT_RATE) / 2 / (end - at) / 100) * 100);
    at = end;
  }
  return tones;
}

describe(`A line that dies in the middle, transport ${transport}`, () => {
  beforeEach(() => forceSampleRate(CONTEXT_RATE));
  afterEach(removeSpeakers);

  it('leaves out no word and repeats none: another session speaks the rest as the same utterance', async () => {
    const { speaker, reasons } = speakerOf([speaks(0, 3.4 * WORD_SECONDS), speaks(3)]);
    const words: string[] = [];
    const resumed: ResumeEvent[] = [];
    const errors: Event[] = [];
    speaker.addEventListener('word', ({ word }: WordEvent) => words.push(word.text));
    speaker.addEventListener('resume', (event) => resumed.push(event));
    speaker.addEventListener('error', (event) => errors.push(event));
    const utterance = speaker.speak(TEXT);
    await utterance.finished;
    expect(reasons).to.deep.equal(['speak', 'resume']);
    expect(errors).to.deep.equal([]);
    expect(resumed.map(({ utterance: whose, from }) => [whose === utterance, from])).to.deep.equal([[true, 14]]);
    expect(words).to.deep.equal(['One', 'two', 'three', 'four', 'five', 'six']);
    expect(utterance.heard.text).to.equal(TEXT);
    expect(utterance.words.map(({ text }) => text)).to.deep.equal(words);
    expect(speaker.getStats().resumptions).to.equal(1);
    expect(await heardTones()).to.deep.equal(FREQUENCIES);
  });

  it('is an error with resume="none", after what was received', async () => {
    const { speaker, reasons } = speakerOf([speaks(0, 3 * WORD_SECONDS)]);
    speaker.resume = 'none';
    const utterance = speaker.speak(TEXT);
    const error = await utterance.finished.then(
      () => null,
      (cause: unknown) => cause,
    );
    expect(error).to.include({ reason: 'socket-closed', closeCode: 1006 });
    expect(reasons).to.deep.equal(['speak']);
    expect(utterance.heard.text).to.equal('One two three');
    expect(await heardTones()).to.deep.equal(FREQUENCIES.slice(0, 3));
    expect(speaker.getStats().resumptions).to.equal(0);
  });

  it('reports the silence that is heard while another session is on its way', async () => {
    const { speaker } = speakerOf([speaks(0, 2 * WORD_SECONDS), speaks(2)]);
    const dry = nextAfter(speaker, 'playing', 'waiting');
    const provide = speaker.sessionProvider!;
    speaker.sessionProvider = async (request) => {
      if (request.reason === 'resume') {
        await dry;
        await heardFor(SILENCE_SECONDS);
      }
      return provide(request);
    };
    for (const name of Object.keys(exact)) speaker.removeAttribute(name);
    await speaker.speak(TEXT).finished;
    const { resumptionSilenceMs, resumptions } = speaker.getStats();
    expect(resumptions).to.equal(1);
    expect(resumptionSilenceMs).to.be.at.least(1000 * SILENCE_SECONDS);
  });
});
