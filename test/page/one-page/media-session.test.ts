import { assert } from 'chai';
import { exact } from '../support/sound.js';
import {
  ended,
  makeSpeaker,
  next,
  onAndOn,
  removeSpeakers,
  scriptedSessions,
  scriptedSpeaker,
  speakerOf,
} from '../support/speaker.js';
import type { SvcSpeakerElement } from '../../../src/index.js';
import { speaking } from '../../../src/testing/script.js';

const session = navigator.mediaSession;
const ACTIONS = ['play', 'pause', 'stop', 'seekbackward', 'seekforward', 'seekto'];
const tone = { tone: 440, seconds: 0.3 };

/** Handlers that are set; the real session has them, too. */
const handlers = new Map<string, MediaSessionActionHandler>();
/** Arguments of `setPositionState`, in order. */
const positions: (MediaPositionState | undefined)[] = [];
const real = { setActionHandler: session.setActionHandler, setPositionState: session.setPositionState };

/** Media elements that were created, in order. */
const elements: HTMLAudioElement[] = [];
const NativeAudio = globalThis.Audio;
globalThis.Audio = class extends NativeAudio {
  constructor(url?: string) {
    super(url);
    elements.push(this);
  }
};

session.setActionHandler = (action, handler) => {
  real.setActionHandler.call(session, action, handler);
  if (handler) handlers.set(action, handler);
  else handlers.delete(action);
};
session.setPositionState = (state) => {
  real.setPositionState.call(session, state);
  positions.push(state);
};

function title(): string | undefined {
  return session.metadata?.title;
}

/** Simulates a press of a media key, or of a button on the lock screen. */
function press(action: MediaSessionAction, details: Partial<MediaSessionActionDetails> = {}): void {
  const handler = handlers.get(action);
  if (!handler) throw new Error(`The page handles no ${action}`);
  handler({ action, ...details });
}

/** Resolves when `condition` returns true. Polls, because a change of the session dispatches no event. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 0));
}

/** Creates a speaker that speaks for a long time and has the session. */
async function owner(attributes: Record<string, string | number> = {}): Promise<SvcSpeakerElement> {
  const speaker = scriptedSpeaker(onAndOn, { ...exact, 'media-session': '', ...attributes });
  const playing = next(speaker, 'playing');
  speaker.speak('On and on.').finished.catch(() => {});
  await playing;
  await until(() => handlers.size > 0);
  return speaker;
}

describe('media-session', () => {
  afterEach(async () => {
    await removeSpeakers();
    await until(() => handlers.size === 0);
    session.metadata = null;
    positions.length = 0;
    elements.length = 0;
  });

  it('does not change the session without the attribute', async () => {
    const speaker = speakerOf(tone);
    speaker.mediaMetadata = { title: 'Not shown' };
    await speaker.speak('Tone.').finished;
    assert.equal(handlers.size, 0);
    assert.isNull(session.metadata);
    assert.equal(session.playbackState, 'none');
    assert.isFalse(speaker.mediaSession);
  });

  it('handles play, pause, stop and seeks, from the first sound on', async () => {
    const speaker = speakerOf(tone, { 'media-session': '' });
    assert.equal(handlers.size, 0);
    const { finished } = speaker.speak('Tone.');
    await next(speaker, 'playing');
    await until(() => handlers.size > 0);
    assert.sameMembers([...handlers.keys()], ACTIONS);
    await finished;
  });

  it('does without the actions that the browser does not know (w3c/mediasession 262)', async () => {
    const { setActionHandler } = session;
    session.setActionHandler = (action, handler) => {
      if (action === 'stop' || action === 'seekto') throw new TypeError(`${action} is not a valid enum value`);
      setActionHandler.call(session, action, handler);
    };
    try {
      const speaker = await owner();
      speaker.mediaMetadata = { title: 'The tide' };
      assert.sameMembers([...handlers.keys()], ['play', 'pause', 'seekbackward', 'seekforward']);
      await until(() => session.playbackState === 'playing' && title() === 'The tide');
      speaker.remove();
      await until(() => handlers.size === 0 && session.playbackState === 'none');
    } finally {
      session.setActionHandler = setActionHandler;
    }
  });

  it('pauses and plays', async () => {
    const speaker = await owner();
    assert.equal(session.playbackState, 'playing');
    press('pause');
    assert.equal(speaker.state, 'paused');
    await until(() => session.playbackState === 'paused');
    press('play');
    await next(speaker, 'playing');
    assert.equal(speaker.state, 'playing');
    assert.equal(session.playbackState, 'playing');
  });

  it('stops: cancels the speech', async () => {
    const speaker = await owner();
    press('stop');
    assert.equal(speaker.state, 'idle');
    assert.isFalse(speaker.hasSpeech);
    await until(() => session.playbackState === 'none');
  });

  it('seeks: to a time, and by the offset of the platform or 10 s', async () => {
    const speaker = speakerOf({ ...tone, seconds: 30 }, { 'media-session': '' });
    speaker.speak('Long.').finished.catch(() => {});
    await until(() => handlers.size > 0 && speaker.duration === 30);
    speaker.pause();
    press('seekto', { seekTime: 12 });
    assert.equal(speaker.currentTime, 12);
    press('seekbackward');
    assert.equal(speaker.currentTime, 2);
    press('seekforward', { seekOffset: 5 });
    assert.equal(speaker.currentTime, 7);
    press('seekbackward', { seekOffset: 30 });
    assert.equal(speaker.currentTime, 0, 'clamped');
    await until(() => positions.at(-1)?.position === 0);
  });

  it('plays again after the end', async () => {
    const speaker = speakerOf(tone, { 'media-session': '' });
    speaker.speak('Tone.');
    await ended(speaker);
    await until(() => session.playbackState === 'paused');
    press('play');
    assert.equal(speaker.currentTime, 0, 'from the beginning');
    await next(speaker, 'playing');
    await ended(speaker);
  });

  it('has no seeks without a history', async () => {
    await owner({ history: 0 });
    assert.sameMembers([...handlers.keys()], ['play', 'pause', 'stop']);
  });

  it('has seeks exactly while there is a history', async () => {
    const speaker = await owner();
    speaker.history = 0;
    await until(() => handlers.size === 3);
    assert.sameMembers([...handlers.keys()], ['play', 'pause', 'stop']);
    speaker.history = 60;
    await until(() => handlers.size === ACTIONS.length);
  });

  it('reports the position again when clearHistory() has moved it', async () => {
    const { speaker } = scriptedSessions([speaking(tone), speaking({ ...tone, seconds: 4 })], { 'media-session': '' });
    await speaker.speak('Tone.').finished;
    speaker.speak('Longer.').finished.catch(() => {});
    await next(speaker, 'utterancestart');
    speaker.pause();
    await until(() => session.playbackState === 'paused' && positions.at(-1)?.duration === tone.seconds + 4);
    const before = positions.at(-1)!.position!;
    assert.isAtLeast(before, tone.seconds);
    speaker.clearHistory();
    await until(() => positions.at(-1)!.position! <= before - tone.seconds + 0.1);
  });

  // Firefox rejects a duration of Infinity.
  it('reports no position while the duration is unknown', async () => {
    const { speaker } = scriptedSessions([onAndOn], { 'media-session': '' });
    speaker.speak('On and on.').finished.catch(() => {});
    await next(speaker, 'utterancestart');
    await until(() => session.playbackState === 'playing');
    assert.deepEqual(positions.filter(Boolean), []);
  });

  it('reports position, duration and rate', async () => {
    const speaker = speakerOf(tone, { 'media-session': '' });
    speaker.playbackRate = 1.25;
    speaker.speak('Tone.');
    await ended(speaker);
    await until(() => session.playbackState === 'paused');
    assert.deepEqual(positions.at(-1), { duration: tone.seconds, playbackRate: 1.25, position: tone.seconds });
    for (const position of positions) assert.isAtMost(position?.position ?? 0, position?.duration ?? 0);
  });

  it('shows mediaMetadata while it has the session, also when it changes, and gives the metadata of the page back', async () => {
    const own = new MediaMetadata({ title: 'The page' });
    session.metadata = own;
    const speaker = await owner();
    assert.equal(session.metadata, own);
    speaker.mediaMetadata = { title: 'First', artist: 'Anna', artwork: [{ src: '/icon.png', sizes: '96x96' }] };
    await until(() => title() === 'First');
    assert.equal(session.metadata?.artist, 'Anna');
    const { metadata } = session;
    speaker.mediaMetadata = { ...speaker.mediaMetadata };
    speaker.mediaSession = true;
    await next(speaker, 'timeupdate');
    assert.equal(session.metadata, metadata, 'equal metadata is not set again');
    speaker.mediaMetadata = { title: 'Second' };
    await until(() => title() === 'Second');
    speaker.mediaMetadata = null;
    await until(() => session.metadata === own);
    speaker.mediaMetadata = { title: 'Third' };
    await until(() => title() === 'Third');
    speaker.remove();
    await until(() => handlers.size === 0);
    assert.equal(session.metadata, own);
  });

  it('shows metadata that is given as a MediaMetadata', async () => {
    const speaker = await owner();
    for (const name of ['First', 'Second']) {
      speaker.mediaMetadata = new MediaMetadata({ title: name }) as MediaMetadataInit;
      await until(() => title() === name);
    }
  });

  it('works without metadata that the browser refuses, and reports the error (agersant/polaris-web 33)', async () => {
    const errors: unknown[] = [];
    const { reportError } = window;
    window.reportError = (error) => errors.push(error);
    try {
      const speaker = scriptedSpeaker(onAndOn, { ...exact, 'media-session': '' });
      speaker.mediaMetadata = { title: 'No cover', artwork: [{}] } as MediaMetadataInit;
      speaker.speak('On and on.').finished.catch(() => {});
      await until(() => session.playbackState === 'playing');
      await next(speaker, 'timeupdate');
      speaker.mediaMetadata = { title: 'Cover' };
      await until(() => title() === 'Cover');
    } finally {
      window.reportError = reportError;
    }
    assert.lengthOf(errors, 1);
    assert.instanceOf(errors[0], TypeError); // each engine words it in its own way
  });

  it('refuses metadata that is no object', () => {
    const speaker = makeSpeaker();
    assert.throws(() => Reflect.set(speaker, 'mediaMetadata', 'Title'), TypeError, 'mediaMetadata must be an object');
    Reflect.set(speaker, 'mediaMetadata', undefined);
    assert.isNull(speaker.mediaMetadata);
  });

  it('belongs to the speaker that played last', async () => {
    const first = await owner();
    first.mediaMetadata = { title: 'First' };
    await until(() => title() === 'First');
    const second = scriptedSpeaker(onAndOn, { ...exact, 'media-session': '' });
    second.mediaMetadata = { title: 'Second' };
    second.speak('On and on.').finished.catch(() => {});
    await until(() => title() === 'Second');
    first.playbackRate = 1.5;
    await next(first, 'timeupdate');
    assert.equal(title(), 'Second', 'a change of the other one does not take it back');
    press('pause');
    assert.equal(first.state, 'playing');
    assert.equal(second.state, 'paused');
    second.remove();
    await until(() => handlers.size === 0);
    assert.isNull(session.metadata);
    first.pause();
    await first.play();
    await until(() => title() === 'First');
  });

  it('is given back when the attribute goes, and taken when it is set while sound plays', async () => {
    const speaker = await owner();
    speaker.mediaMetadata = { title: 'Speech' };
    await until(() => title() === 'Speech');
    speaker.mediaSession = false;
    await until(() => handlers.size === 0);
    assert.isNull(session.metadata);
    assert.equal(session.playbackState, 'none');
    assert.isUndefined(positions.at(-1));
    speaker.setAttribute('media-session', '');
    await until(() => handlers.size === ACTIONS.length);
    assert.equal(title(), 'Speech');
    assert.equal(session.playbackState, 'playing');
  });

  it('is taken when the attribute is set after speech, unless another speaker has it', async () => {
    const first = speakerOf(tone);
    first.speak('Tone.');
    await ended(first);
    first.mediaSession = true;
    await until(() => handlers.size > 0);
    assert.equal(session.playbackState, 'paused');
    const second = speakerOf(tone);
    second.mediaMetadata = { title: 'Second' };
    second.speak('Tone.');
    await ended(second);
    second.mediaSession = true;
    first.mediaMetadata = { title: 'First' };
    await until(() => title() !== undefined);
    assert.equal(title(), 'First');
  });

  it('is given back when the speaker is removed or closed', async () => {
    for (const end of ['remove', 'close'] as const) {
      const speaker = await owner();
      speaker[end]();
      await until(() => handlers.size === 0);
      assert.equal(session.playbackState, 'none');
    }
  });

  describe('has a media element that loops silence', () => {
    it('while the speaker speaks, paused with it, and without a source when the session is given back', async () => {
      const speaker = await owner();
      const [media] = elements as [HTMLAudioElement];
      await until(() => media.currentTime > 0);
      assert.isAbove(media.duration, 5, 'Chromium shows no controls for less');
      assert.isTrue(media.loop);
      speaker.pause();
      await until(() => media.paused);
      void speaker.play();
      await until(() => !media.paused);
      speaker.close();
      await until(() => !media.hasAttribute('src'));
      assert.isTrue(media.paused);
      assert.lengthOf(elements, 1);
    });

    it('that pauses and continues the speaker if the platform pauses and continues it', async () => {
      const speaker = await owner();
      const [media] = elements as [HTMLAudioElement];
      await until(() => !media.paused);
      media.pause();
      await next(speaker, 'pause');
      assert.equal(speaker.state, 'paused');
      media.play().catch(() => {}); // The end of the test may interrupt it.
      await next(speaker, 'playing');
      assert.isFalse(media.paused);
    });

    it('that stays paused if the platform continues it and there is nothing to say', async () => {
      const speaker = await owner();
      const [media] = elements as [HTMLAudioElement];
      speaker.sessionProvider = null;
      speaker.cancel();
      await until(() => media.paused);
      media.play().catch(() => {}); // A pause interrupts it.
      await until(() => media.paused);
      assert.equal(speaker.state, 'idle');
    });

    it('that does not undo a pause and play of the page in one task', async () => {
      const speaker = await owner();
      const [media] = elements as [HTMLAudioElement];
      await until(() => media.currentTime > 0);
      for (let i = 0; i < 5; i++) {
        speaker.pause();
        void speaker.play();
        await next(speaker, 'playing');
      }
      await next(speaker, 'timeupdate');
      assert.equal(speaker.state, 'playing');
      assert.isFalse(media.paused);
    });

    it('not where the browser has an audio session, as Safari', async () => {
      Object.defineProperty(navigator, 'audioSession', { configurable: true, value: { type: 'auto' } });
      try {
        await owner();
        assert.lengthOf(elements, 0);
      } finally {
        Reflect.deleteProperty(navigator, 'audioSession');
      }
    });
  });
});
