import fc from 'fast-check';
import { expect } from 'chai';
import type { SvcSpeakerElement } from '../../src/index.js';
import { speaking } from '../gateway/script.js';
import { audioElement } from './support/audio-element.js';
import { type Media, mediaPair, Performer } from './support/media-pair.js';
import { makeSpeaker, next, rejection, removeSpeakers, scriptedSpeaker, sessionUrl } from './support/speaker.js';

/** Short enough to be heard to its end in a test. */
const SHORT = 0.2;
/** Longer than any test. */
const LONG = 10;

/** Does the same with both, at the same time, and expects them to tell the same. */
async function compare(seconds: number, act: (performer: Performer) => Promise<unknown>): Promise<void> {
  const pair = await mediaPair(seconds);
  await Promise.all(
    pair.map(async (performer) => {
      await act(performer);
      await performer.settled();
    }),
  );
  const [audio, speaker] = pair;
  expect(speaker.journal).to.deep.equal(audio.journal);
  expect(speaker.reading).to.deep.equal(audio.reading);
}

async function playing(performer: Performer): Promise<void> {
  performer.play();
  await performer.until('playing');
}

async function playedToTheEnd(performer: Performer): Promise<void> {
  performer.play();
  await performer.until('ended');
}

describe('<svc-speaker> tells what <audio> tells', () => {
  afterEach(removeSpeakers);

  const toTheEnd: Record<string, (performer: Performer) => Promise<unknown>> = {
    'from play() to the end': playedToTheEnd,
    'when it is played again after the end': async (performer) => {
      await playedToTheEnd(performer);
      performer.play();
      await performer.until('ended', 2);
    },
    'of pause() after the end': async (performer) => {
      await playedToTheEnd(performer);
      performer.pause();
    },
    'when its source is set after the end': async (performer) => {
      await playedToTheEnd(performer);
      performer.setSource();
    },
  };

  const transitions: Record<string, (performer: Performer) => Promise<unknown> | void> = {
    'of pause() and going on': async (performer) => {
      await playing(performer);
      performer.pause();
      performer.pause();
      await performer.settled();
      await playing(performer);
    },
    'of pause() before anything': (performer) => performer.pause(),
    'of pause() right after play()': (performer) => {
      performer.play();
      performer.pause();
    },
    'of play() right after such a pause()': (performer) => {
      performer.play();
      performer.pause();
      performer.play();
    },
    'of play() twice at once': (performer) => {
      performer.play();
      performer.play();
    },
    'of play() while it plays': async (performer) => {
      await playing(performer);
      performer.play();
    },
    'when its source is set before anything': (performer) => performer.setSource(),
    'when its source is set right after play()': (performer) => {
      performer.play();
      performer.setSource();
    },
    'when its source is set while it plays': async (performer) => {
      await playing(performer);
      performer.setSource();
    },
    'when its source is set while it is paused': async (performer) => {
      await playing(performer);
      performer.pause();
      await performer.settled();
      performer.setSource();
    },
    'when it is played from another source after one': async (performer) => {
      await playing(performer);
      performer.setSource();
      await performer.until('loadstart', 2);
      performer.play();
    },
    'of the default rate that it takes with another source': async (performer) => {
      performer.media.playbackRate = 0.75;
      performer.media.defaultPlaybackRate = 1.5;
      await performer.until('ratechange', 2);
      performer.setSource();
      expect(performer.media.playbackRate, 'at once').to.equal(1.5);
    },
    'of volume and muted, once per change': async (performer) => {
      performer.setVolume(0.5);
      performer.setVolume(0.5);
      performer.setMuted(true);
      performer.setMuted(true);
      performer.setVolume(0.25);
      expect([performer.media.volume, performer.media.muted], 'at once').to.deep.equal([0.25, true]);
      expect(performer.journal, 'not before the caller is done').to.deep.equal(['loadstart paused']);
    },
    'of volume around a pause()': async (performer) => {
      await playing(performer);
      performer.setVolume(0.5);
      performer.pause();
      performer.setMuted(true);
    },
    'of rates, once per change': async ({ media }) => {
      media.playbackRate = 1.5;
      media.playbackRate = 1.5;
      media.preservesPitch = false;
      media.defaultPlaybackRate = 2;
      media.defaultPlaybackRate = 2;
      media.playbackRate = 0.5;
    },
    'of a rate that is set while it plays': async (performer) => {
      await playing(performer);
      performer.media.playbackRate = 1.5;
    },
    'when it is moved in the page while it plays': async (performer) => {
      await playing(performer);
      const box = document.createElement('div');
      document.body.append(box);
      box.append(performer.media);
    },
  };

  for (const [name, act] of Object.entries(toTheEnd)) it(name, () => compare(SHORT, act));
  for (const [name, act] of Object.entries(transitions)) it(name, () => compare(LONG, async (one) => act(one)));
});

describe('<svc-speaker> tells what <audio> tells, whatever is done', () => {
  afterEach(removeSpeakers);

  const rate = fc.constantFrom(0.5, 0.75, 1, 1.5, 2);
  const settings = fc.oneof(
    fc.record({ setVolume: fc.constantFrom(0, 0.25, 0.5, 1) }),
    fc.record({ setMuted: fc.boolean() }),
    fc.record({ playbackRate: rate }),
    fc.record({ defaultPlaybackRate: rate }),
  );
  /** Told of one after the other: `playing` comes when sound leaves, and in HTML with `play()` once there is data. */
  const turn = fc.record({
    step: fc.constantFrom('play', 'play', 'pause', 'setSource', 'nothing'),
    settings: fc.array(settings, { maxLength: 3 }),
  });

  it('in sequences that nobody thought of', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { minLength: 4, maxLength: 12 }), async (turns) => {
        await compare(LONG, async (performer) => {
          for (const { step, settings: changes } of turns) {
            if (step !== 'nothing') performer[step]();
            performer.note(JSON.stringify(performer.reading));
            await performer.settled();
            for (const change of changes) {
              if ('setVolume' in change) performer.setVolume(change.setVolume);
              else if ('setMuted' in change) performer.setMuted(change.setMuted);
              else Object.assign(performer.media, change);
            }
            performer.note(JSON.stringify(performer.reading));
            await performer.settled();
          }
        });
        await removeSpeakers();
      }),
      {
        seed: 5,
        numRuns: 12,
        includeErrorInReport: true,
        interruptAfterTimeLimit: 20_000,
        markInterruptAsFailure: true,
      },
    );
  });
});
