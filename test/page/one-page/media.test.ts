import { expect } from 'chai';
import { speaking } from '../../../src/testing/script.js';
import { exact } from '../support/sound.js';
import {
  ended,
  journal,
  makeSpeaker,
  next,
  nextAfter,
  removeSpeakers,
  scriptedSpeaker,
  skipToEnd,
  speakerOf,
  speakInParts,
  speakingInParts,
} from '../support/speaker.js';
import { heardFor, nextFrame } from '../support/tap.js';

const SECONDS = 0.3;
const tone = { tone: 440, seconds: SECONDS };

const { HAVE_NOTHING, HAVE_METADATA, HAVE_CURRENT_DATA, HAVE_FUTURE_DATA, HAVE_ENOUGH_DATA } = HTMLMediaElement;
const { NETWORK_EMPTY, NETWORK_IDLE, NETWORK_LOADING, NETWORK_NO_SOURCE } = HTMLMediaElement;

describe('<svc-speaker> as a media element', () => {
  afterEach(removeSpeakers);

  it('dispatches its events in order', async () => {
    const speaker = speakerOf(tone, exact);
    const told = journal(speaker);
    const closed = next(speaker, 'socketclose');
    const { finished } = speaker.speak('Tone.');
    await Promise.all([closed, finished, next(speaker, 'ended')]);
    // Events of the network may arrive at any time between the first sample and the last.
    const ofNetwork = ['durationchange', 'contextdone', 'socketclose'];
    const begun = told.indexOf('canplay') + 1;
    expect(told.slice(0, begun)).to.deep.equal([
      'loadstart',
      'play',
      'waiting',
      'durationchange',
      'loadedmetadata',
      'canplay',
    ]);
    const rest = told.slice(begun);
    expect(rest.filter((type) => !ofNetwork.includes(type))).to.deep.equal([
      'playing',
      'utterancestart',
      'utteranceend',
      'pause',
      'ended',
    ]);
    expect(rest.filter((type) => ofNetwork.includes(type))).to.have.members(ofNetwork);
  });

  it('has the readyState that belongs to each event', async () => {
    const speaker = speakerOf({ tone: 440, seconds: 20 }, exact);
    const states: Record<string, number> = {};
    for (const type of ['loadstart', 'loadedmetadata', 'canplay', 'playing', 'ended'] as const) {
      speaker.addEventListener(type, () => (states[type] = speaker.readyState), { once: true });
    }
    await speaker.speak('Tone.').started;
    await skipToEnd(speaker);
    expect(states).to.deep.equal({
      loadstart: HAVE_NOTHING,
      loadedmetadata: HAVE_METADATA,
      canplay: HAVE_FUTURE_DATA,
      playing: HAVE_ENOUGH_DATA,
      ended: HAVE_CURRENT_DATA,
    });
  });

  it('falls back to HAVE_CURRENT_DATA while it waits for the network', async () => {
    const half = { tone: 440, seconds: 0.2, bytesPerFrame: 2 ** 20 };
    const speaker = scriptedSpeaker(speakingInParts(half, { ...half, from: 4800 }));
    const dry = nextAfter(speaker, 'playing', 'waiting');
    const { goOn } = speakInParts(speaker, 2);
    await dry;
    expect(speaker.readyState).to.equal(HAVE_CURRENT_DATA);
    expect(speaker.paused).to.equal(false);
    const underrun = next(speaker, 'underrun');
    const resumed = new Promise<number>((resolve) => {
      speaker.addEventListener('playing', () => resolve(speaker.readyState), { once: true });
    });
    await heardFor(0.1);
    goOn();
    expect(await resumed).to.equal(HAVE_ENOUGH_DATA);
    expect((await underrun).durationMs).to.be.greaterThan(100);
    await ended(speaker);
    expect(speaker.getStats().underruns).to.equal(1);
  });

  it('has the networkState that belongs to its socket', async () => {
    const speaker = speakerOf(tone, exact);
    expect(speaker.networkState).to.equal(NETWORK_EMPTY);
    speaker.speak('Tone.');
    expect(speaker.networkState).to.equal(NETWORK_IDLE);
    await next(speaker, 'loadedmetadata');
    expect(speaker.networkState).to.equal(NETWORK_LOADING);
    await next(speaker, 'socketclose');
    expect(speaker.networkState).to.equal(NETWORK_IDLE);
    speaker.close();
    expect(speaker.networkState).to.equal(NETWORK_EMPTY);
  });

  it('is NETWORK_NO_SOURCE after an invalid session', async () => {
    const speaker = makeSpeaker();
    speaker.sessionProvider = () => Promise.resolve('https://example.com/');
    speaker.speak('Tone.');
    await next(speaker, 'error');
    expect(speaker.networkState).to.equal(NETWORK_NO_SOURCE);
  });

  it('has a duration of NaN, then Infinity, then that of the sent audio', async () => {
    const speaker = speakerOf(tone, exact);
    const durations: number[] = [];
    speaker.addEventListener('durationchange', () => durations.push(speaker.duration));
    expect(speaker.duration).to.satisfy(Number.isNaN);
    speaker.speak('Tone.');
    await next(speaker, 'ended');
    expect(durations).to.deep.equal([Number.POSITIVE_INFINITY, SECONDS]);
  });

  it('has a currentTime that never decreases and ends at the duration', async () => {
    const seconds = 20;
    const speaker = speakerOf({ tone: 440, seconds }, exact);
    const times: number[] = [];
    let playing = true;
    const watch = (): void => {
      times.push(speaker.currentTime);
      if (playing) requestAnimationFrame(watch);
    };
    for (const type of ['playing', 'timeupdate', 'ended'] as const) {
      speaker.addEventListener(type, () => times.push(speaker.currentTime));
    }
    watch();
    speaker.speak('Tone.');
    while (new Set(times).size < 5 || speaker.duration !== seconds) await nextFrame();
    speaker.currentTime = seconds - 0.3;
    await ended(speaker);
    playing = false;
    for (let i = 1; i < times.length; i++) expect(times[i]).to.be.at.least(times[i - 1]!);
    expect(times[0]).to.equal(0);
    expect(times.at(-1)).to.equal(seconds);
    expect(speaker.duration).to.equal(seconds);
  });

  it('holds currentTime while it is paused', async () => {
    const seconds = 20;
    const speaker = speakerOf({ tone: 440, seconds }, exact);
    speaker.speak('Tone.');
    while (speaker.currentTime < 0.1) await nextFrame();
    speaker.pause();
    await next(speaker, 'pause');
    // currentTime includes the ramp and the audio that the device has buffered. After both, it must no longer change.
    await heardFor(0.1 + speaker.getStats().outputLatency!);
    const held = speaker.currentTime;
    expect(held).to.be.within(0.1, seconds - 0.1);
    await nextFrame();
    expect(speaker.currentTime).to.be.closeTo(held, 1 / 24_000); // one sample: sums of seconds are rounded
    await speaker.play();
    expect(speaker.currentTime).to.be.at.least(held);
    await skipToEnd(speaker);
    expect(speaker.currentTime).to.equal(seconds);
  });

  it('reports the buffered and seekable ranges', async () => {
    const seconds = 0.5;
    const speaker = speakerOf({ tone: 440, seconds }, exact);
    speaker.speak('Tone.');
    await next(speaker, 'socketclose'); // all of it has arrived
    // The audio thread reports within 100 ms. Audio that the device has buffered does not count.
    while (speaker.buffered.length === 0 || speaker.buffered.end(0) < seconds - 0.1) await nextFrame();
    expect(speaker.buffered.length).to.equal(1);
    expect(speaker.buffered.start(0)).to.equal(0);
    expect(speaker.buffered.end(0)).to.be.at.most(seconds);
    expect(speaker.seekable.length).to.equal(1);
    expect([speaker.seekable.start(0), speaker.seekable.end(0)]).to.deep.equal([0, seconds]);
    await ended(speaker);
    expect(speaker.buffered.end(0)).to.equal(seconds);
    expect(speaker.played.end(0)).to.equal(seconds);
  });

  it('replays from 0 when play() follows the end', async () => {
    const speaker = speakerOf(tone, { ...exact, text: 'Tone.' });
    void speaker.play();
    await next(speaker, 'ended');
    expect(speaker.currentTime).to.equal(SECONDS);
    void speaker.play();
    expect(speaker.currentTime).to.equal(0);
    expect(speaker.ended).to.equal(false);
    await next(speaker, 'ended');
    expect(speaker.currentTime).to.equal(SECONDS);
    expect(speaker.duration).to.equal(SECONDS);
  });

  it('continues currentTime when speak() follows the end', async () => {
    const speaker = scriptedSpeaker(speaking(tone), exact);
    speaker.speak('One.');
    await next(speaker, 'ended');
    speaker.speak('Two.');
    expect(speaker.currentTime).to.equal(SECONDS);
    await next(speaker, 'ended');
    expect(speaker.currentTime).to.be.closeTo(2 * SECONDS, 1e-9);
    expect(speaker.duration).to.equal(speaker.currentTime);
  });

  it('counts only the part of a cancelled utterance that was played', async () => {
    const speaker = speakerOf({ tone: 440, seconds: 20 });
    await speaker.speak('Long.').started;
    while (speaker.currentTime < 0.1) await next(speaker, 'timeupdate');
    speaker.cancel();
    expect(speaker.currentTime).to.be.within(0.1, 19);
    expect(speaker.duration).to.equal(speaker.currentTime);
    expect([speaker.paused, speaker.ended]).to.deep.equal([true, false]);
    const before = speaker.currentTime;
    speaker.sessionProvider = speakerOf(tone).sessionProvider;
    speaker.speak('Short.');
    await next(speaker, 'ended');
    expect(speaker.currentTime).to.be.closeTo(before + SECONDS, 0.5); // a ramp, and audio before the audio thread stops
    expect(speaker.duration).to.equal(speaker.currentTime);
  });

  it('dispatches only socketclose after close()', async () => {
    const speaker = speakerOf({ tone: 440, seconds: 20 });
    await speaker.speak('Long.').started;
    await next(speaker, 'timeupdate');
    const told = journal(speaker);
    speaker.addEventListener('timeupdate', () => told.push('timeupdate'));
    speaker.close();
    expect([speaker.paused, speaker.currentTime, speaker.readyState]).to.deep.equal([true, 0, HAVE_NOTHING]);
    expect(speaker.duration).to.satisfy(Number.isNaN);
    // Meanwhile, another speaker plays an utterance, which leaves time for further events.
    const other = speakerOf(tone);
    other.speak('Tone.');
    await next(other, 'ended');
    expect(told.filter((type) => type !== 'socketclose')).to.deep.equal(['emptied', 'timeupdate']);
  });

  it('continues when it is moved in the page, and is emptied when it is removed', async () => {
    const speaker = speakerOf(tone, exact);
    const utterance = speaker.speak('Tone.');
    await utterance.started;
    const box = document.createElement('div');
    document.body.append(box);
    box.append(speaker);
    await utterance.finished;
    await ended(speaker);
    speaker.speak('Again.');
    await next(speaker, 'playing');
    const emptied = next(speaker, 'emptied');
    speaker.remove();
    await emptied;
    expect(speaker.networkState).to.equal(NETWORK_EMPTY);
  });
});
