import { assert } from 'chai';
import { exact } from '../support/sound.js';
import {
  makeSpeaker,
  next,
  onAndOn,
  removeSpeakers,
  scriptedSpeaker,
  skipToEnd,
  speakerOf,
} from '../support/speaker.js';
import type { SvcSpeakerElement } from '../../../src/index.js';

/**
 * A stub that records every type that is set, because Chromium has no `navigator.audioSession`. The effect of the type
 * in Safari is not tested here.
 */
const stub = {
  types: [] as string[],
  get type(): string {
    return this.types.at(-1) ?? 'auto';
  },
  set type(value: string) {
    this.types.push(value);
  },
};

/** Resolves when the stub has a type. */
async function typeBecomes(type: string): Promise<void> {
  while (stub.type !== type) await new Promise((resolve) => setTimeout(resolve, 0));
}

function talker(type: string): SvcSpeakerElement {
  const speaker = scriptedSpeaker(onAndOn, { ...exact, 'audio-session': type });
  speaker.speak('On and on.').finished.catch(() => {});
  return speaker;
}

describe('audio-session', () => {
  beforeEach(() => {
    stub.types = ['ambient'];
    Object.defineProperty(navigator, 'audioSession', { configurable: true, value: stub });
  });

  afterEach(async () => {
    await removeSpeakers();
    await typeBecomes('ambient');
    Reflect.deleteProperty(navigator, 'audioSession');
  });

  it('sets the type while the speaker has something to play, and restores it', async () => {
    const speaker = speakerOf({ tone: 440, seconds: 20 }, { 'audio-session': 'playback' });
    assert.equal(stub.type, 'ambient');
    await speaker.speak('Tone.').started;
    await typeBecomes('playback');
    await skipToEnd(speaker);
    await typeBecomes('ambient');
    assert.deepEqual(stub.types, ['ambient', 'playback', 'ambient']);
  });

  it('keeps the type while the speaker is paused: the lock screen needs it to continue', async () => {
    const speaker = talker('playback');
    await next(speaker, 'playing');
    speaker.pause();
    await next(speaker, 'pause');
    assert.equal(stub.type, 'playback');
    speaker.cancel();
    await typeBecomes('ambient');
  });

  it('restores the type of before the first of several speakers, after the last of them', async () => {
    const first = talker('playback');
    await typeBecomes('playback');
    const second = talker('transient');
    await typeBecomes('transient');
    first.cancel();
    await next(first, 'statechange');
    assert.equal(stub.type, 'transient');
    second.remove();
    await typeBecomes('ambient');
    assert.deepEqual(stub.types.at(-1), 'ambient');
  });

  it('goes back to the other speaker if the last one ends first', async () => {
    const first = talker('playback');
    await typeBecomes('playback');
    const second = talker('transient');
    await typeBecomes('transient');
    second.close();
    await typeBecomes('playback');
    first.close();
  });

  it('keeps a type that the page has set while the speaker spoke', async () => {
    const speaker = talker('playback');
    await next(speaker, 'playing');
    stub.type = 'play-and-record';
    speaker.cancel();
    await next(speaker, 'statechange');
    assert.equal(stub.type, 'play-and-record');
    stub.type = 'ambient';
  });

  it('follows the attribute while the speaker speaks', async () => {
    const speaker = talker('auto');
    await next(speaker, 'playing');
    assert.deepEqual(stub.types, ['ambient']);
    speaker.audioSession = 'transient';
    await typeBecomes('transient');
    speaker.removeAttribute('audio-session');
    await typeBecomes('ambient');
  });

  it('is auto by default and for unknown values', () => {
    const speaker = makeSpeaker();
    assert.equal(speaker.audioSession, 'auto');
    for (const [value, type] of [
      ['PLAYBACK', 'playback'],
      ['loud', 'auto'],
      ['play-and-record', 'auto'],
      ['', 'auto'],
    ]) {
      speaker.setAttribute('audio-session', value!);
      assert.equal(speaker.audioSession, type);
    }
  });

  it('does nothing where the browser has no audio session', async () => {
    Reflect.deleteProperty(navigator, 'audioSession');
    const speaker = speakerOf({ tone: 440, seconds: 0.1 }, { 'audio-session': 'playback' });
    await speaker.speak('Tone.').finished;
    assert.deepEqual(stub.types, ['ambient']);
  });
});
