import fc from 'fast-check';
import { config, expect } from 'chai';
import type { SvcSpeakerElement } from '../../../src/index.js';
import { speaking } from '../../../src/testing/script.js';
import { audioElement } from '../support/audio-element.js';
import { describeUnless, ownAudio } from '../support/engine.js';
import { comparable, type Media, mediaPair, Performer } from '../support/media-pair.js';
import { makeSpeaker, rejection, removeSpeakers, scriptedSpeaker, sessionUrl } from '../support/speaker.js';

// A journal that differs is printed as a whole.
config.truncateThreshold = 0;

/** Short enough to be played to its end in a test, in seconds. */
const SHORT = 1;
/** Longer than any test, in seconds. */
const LONG = 10;

/** Runs `act` on both elements at the same time, and expects the same journal. */
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

describeUnless(ownAudio)('Events of <svc-speaker> are those of <audio>', () => {
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

describeUnless(ownAudio)('Events of <svc-speaker> are those of <audio>', () => {
  afterEach(removeSpeakers);

  const rate = fc.constantFrom(0.5, 0.75, 1, 1.5, 2);
  const settings = fc.oneof(
    fc.record({ setVolume: fc.constantFrom(0, 0.25, 0.5, 1) }),
    fc.record({ setMuted: fc.boolean() }),
    fc.record({ playbackRate: rate }),
    fc.record({ defaultPlaybackRate: rate }),
  );
  /**
   * One step at a time, because a speaker dispatches `playing` when audio plays, and `<audio>` at `play()` if it has
   * data.
   */
  const turn = fc.record({
    step: fc.constantFrom('play', 'play', 'pause', 'setSource', 'nothing'),
    settings: fc.array(settings, { maxLength: 3 }),
  });

  it('in random sequences of calls', async function () {
    this.timeout(300_000);
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
      { seed: 5, numRuns: 8, includeErrorInReport: true },
    );
  });
});

/** Return value of a function, or the name of the error that it throws. */
function outcome(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return (error as Error).name;
  }
}

/** An element as a script without types sees it. */
type Bag = Record<string, unknown> & HTMLElement;

/** Creates an audio element and a speaker, both without a source. */
function barePair(): [Bag, Bag] {
  const audio = document.createElement('audio');
  audio.preload = 'none';
  return [audio, makeSpeaker()].map((media) => media as unknown as Bag) as [Bag, Bag];
}

/** Runs `act` on both elements, and expects the same result. */
function same(act: (media: Bag) => unknown, label = ''): void {
  const [audio, speaker] = barePair();
  expect(act(speaker), label).to.deep.equal(act(audio));
}

const numbers = [0.5, 0, 1, 1.5, -0.1, 2.5, 100, -1, Number.NaN, Number.POSITIVE_INFINITY];
const others = ['0.5', '', ' 1 ', 'loud', 'false', true, false, null, undefined, [], [0.75], {}, () => {}];
const odd: unknown[] = [1n, Symbol('volume'), { valueOf: () => 0.75 }, { toString: () => '0.75' }];
const values: unknown[] = [...numbers, ...others, ...odd];
const label = (value: unknown): string => `${typeof value} ${String(value)}`;

describeUnless(ownAudio)('Members of <svc-speaker> and of <audio>', () => {
  afterEach(removeSpeakers);

  it('have the same initial values', () => {
    same(({ paused, ended, currentTime, duration, readyState, networkState, error }) => {
      return { paused, ended, currentTime, duration, readyState, networkState, error };
    });
    same(
      ({ volume, muted, defaultMuted, playbackRate, defaultPlaybackRate, preservesPitch, autoplay, controls, src }) => {
        return {
          volume,
          muted,
          defaultMuted,
          playbackRate,
          defaultPlaybackRate,
          preservesPitch,
          autoplay,
          controls,
          src,
        };
      },
    );
  });

  for (const name of ['autoplay', 'controls', 'defaultMuted', 'muted', 'preservesPitch']) {
    it(`convert any value to a boolean: ${name}`, () => {
      for (const value of values) {
        same((media) => [outcome(() => (media[name] = value) && 0), media[name], attributes(media)], label(value));
      }
    });
  }

  it('accept the same volumes, and throw the same errors', () => {
    for (const value of values) {
      same((media) => [outcome(() => (media['volume'] = value) && 0), media['volume']], label(value));
    }
  });

  it('accept the same rates from 0.5 to 2, and throw the same errors', () => {
    for (const name of ['playbackRate', 'defaultPlaybackRate']) {
      const [, speaker] = barePair();
      for (const value of values) {
        const set = (media: Bag): unknown => [outcome(() => (media[name] = value) && 0), media[name]];
        const rate = outcome(() => Number(value));
        if (typeof rate === 'number' && Number.isFinite(rate) && (rate < 0.5 || rate > 2)) {
          expect(
            outcome(() => (speaker[name] = value)),
            label(value),
          ).to.equal('NotSupportedError');
        } else {
          same(set, `${name} ${label(value)}`);
        }
      }
    }
  });

  it('are read-only where those of <audio> are', () => {
    const names = [
      'paused',
      'ended',
      'duration',
      'buffered',
      'played',
      'seekable',
      'readyState',
      'networkState',
      'error',
    ];
    for (const name of names) {
      same((media) => outcome(() => (media[name] = 1)), name);
      same((media) => name in media, name);
    }
  });

  it('throw the same errors for empty time ranges', () => {
    for (const name of ['buffered', 'played', 'seekable']) {
      same((media) => {
        const ranges = media[name] as TimeRanges;
        return [
          ranges.length,
          outcome(() => ranges.start(0)),
          outcome(() => ranges.end(0)),
          outcome(() => ranges.end(-1)),
        ];
      });
    }
  });

  it('reflect their attributes both ways, and at once', () => {
    for (const [name, property] of [
      ['autoplay', 'autoplay'],
      ['controls', 'controls'],
      ['muted', 'defaultMuted'],
    ] as const) {
      same((media) => {
        const seen = [];
        for (const value of ['', 'false', name]) {
          media.setAttribute(name, value);
          seen.push(media[property]);
        }
        media.removeAttribute(name);
        seen.push(media[property]);
        media[property] = true;
        media[property] = true;
        seen.push(attributes(media));
        return seen;
      }, name);
    }
  });

  it('set the attribute src from any value, as text', () => {
    for (const value of ['wss://example.test/', 'x', '', null, undefined, 7, { toString: () => 'y' }, Symbol('src')]) {
      same((media) => [outcome(() => (media['src'] = value) && 0), attributes(media)], label(value));
    }
  });

  it('are muted by the attribute when the parser creates the element', () => {
    const [audio, speaker] = ['audio', 'svc-speaker'].map((tag) => {
      const box = document.createElement('div');
      box.innerHTML = `<${tag} muted></${tag}>`;
      document.body.append(box);
      const media = box.firstElementChild as unknown as Bag;
      media.removeAttribute('muted');
      return [media['muted'], media['defaultMuted']];
    });
    expect(speaker).to.deep.equal(audio);
    expect(speaker).to.deep.equal([true, false]);
  });

  it('ignore a new currentTime if nothing can be sought', async () => {
    const context = new AudioContext();
    const audio = document.createElement('audio');
    audio.srcObject = context.createMediaStreamDestination().stream; // which cannot be sought either
    try {
      await audio.play();
      const speaker = scriptedSpeaker(speaking({ tone: 440, seconds: 20 }), { text: 'Tone.', history: 0 });
      await speaker.play();
      for (const media of [audio, speaker]) {
        const told: string[] = [];
        for (const type of ['seeking', 'seeked']) media.addEventListener(type, () => told.push(type));
        const before = media.currentTime;
        media.currentTime = 15;
        expect(media.currentTime, media.localName).to.be.within(before, before + 1);
        for (const value of [Number.NaN, 'soon', undefined, 1n]) {
          expect(() => (media.currentTime = value as number), label(value)).to.throw(TypeError);
        }
        await new Promise((resolve) => media.addEventListener('timeupdate', resolve, { once: true }));
        expect(told).to.deep.equal([]);
      }
    } finally {
      audio.srcObject = null;
      await context.close();
    }
  });
});

/** Attributes of an element as text, except `preload`. */
function attributes(media: HTMLElement): string {
  return media
    .getAttributeNames()
    .filter((name) => name !== 'preload')
    .map((name) => `${name}=${media.getAttribute(name)}`)
    .join();
}

const handled = [...comparable, 'loadedmetadata', 'durationchange', 'timeupdate'];

describeUnless(ownAudio)('Events of <svc-speaker> and of <audio>', () => {
  afterEach(removeSpeakers);

  it('reach handlers in properties and attributes, and do not bubble', async () => {
    const pair = await mediaPair(SHORT);
    const stories = await Promise.all(
      pair.map(async ({ media }) => {
        const told = new Set<string>();
        const bag = media as unknown as Bag & { told: Set<string> };
        bag.told = told;
        const box = document.createElement('div');
        document.body.append(box);
        box.append(media);
        for (const type of handled) {
          expect(bag[`on${type}`], type).to.equal(null);
          bag[`on${type}`] = function handle(this: unknown, event: Event) {
            const { bubbles, composed, constructor } = event;
            told.add(JSON.stringify([type, this === media, bubbles, composed, constructor.name]));
          };
          box.addEventListener(type, () => told.add(`${type} went up`));
        }
        media.playbackRate = 1.5;
        media.volume = 0.5;
        const ended = (): Promise<unknown> =>
          new Promise((resolve) => media.addEventListener('ended', resolve, { once: true }));
        for (let time = 0; time < 2; time++) {
          const end = ended();
          await media.play();
          await end;
        }
        const emptied = new Promise((resolve) => media.addEventListener('emptied', resolve, { once: true }));
        const started = new Promise((resolve) => media.addEventListener('loadstart', resolve, { once: true }));
        media.setAttribute('src', media.getAttribute('src')!);
        await Promise.all([emptied, started]);
        for (const type of handled) media.setAttribute(`on${type}`, `this.told.add('attribute on' + event.type)`);
        const changed = new Promise((resolve) => media.addEventListener('volumechange', resolve, { once: true }));
        media.volume = 1;
        await changed;
        return [...told].sort();
      }),
    );
    expect(stories[1]).to.deep.equal(stories[0]);
    expect(stories[1]).to.have.length(handled.length + 1);
  });
});

describeUnless(ownAudio)('<svc-speaker> differs from <audio> on purpose', () => {
  afterEach(removeSpeakers);

  it('returns `src` as it was set, because a session URL is absolute', () => {
    const [audio, speaker] = barePair();
    audio['src'] = speaker['src'] = 'session';
    expect([audio['src'], speaker['src']]).to.deep.equal([new URL('session', document.baseURI).href, 'session']);
  });

  it('is emptied when `src` is removed, because it has no load()', async () => {
    const [audio, speaker] = await mediaPair(LONG);
    for (const performer of [audio, speaker]) {
      await playing(performer);
      performer.media.removeAttribute('src');
    }
    expect([audio.media.paused, speaker.media.paused]).to.deep.equal([false, true]);
    await speaker.until('emptied');
  });

  it('closes when it is removed from the page, because an open socket costs money', async () => {
    const [audio, speaker] = await mediaPair(LONG);
    for (const performer of [audio, speaker]) {
      await playing(performer);
      performer.media.remove();
    }
    await Promise.all([audio.until('pause'), speaker.until('emptied')]);
    expect(audio.media.networkState).to.not.equal(HTMLMediaElement.NETWORK_EMPTY);
    expect(speaker.media.networkState).to.equal(HTMLMediaElement.NETWORK_EMPTY);
  });

  it('is paused after an error, and play() tries again with another session', async () => {
    const audio = new Performer(document.createElement('audio'));
    audio.media.src = 'data:audio/wav,nothing';
    const speaker = new Performer(makeSpeaker({ src: sessionUrl([{ refuse: 500 }]), text: 'Tone.' }));
    for (const performer of [audio, speaker]) {
      performer.play();
      await performer.until('play():');
      expect(performer.journal).to.include('play(): NotSupportedError');
      expect(performer.media.error).to.not.equal(null);
    }
    expect([audio.media.paused, speaker.media.paused]).to.deep.equal([false, true]);
    speaker.media.src = sessionUrl(speaking({ tone: 440, seconds: SHORT }));
    await speaker.media.play();
    expect(speaker.media.error).to.equal(null);
    (speaker.media as SvcSpeakerElement).sessionProvider = () => Promise.reject(new Error('no backend'));
    speaker.media.removeAttribute('src');
    expect(((await rejection(speaker.media.play())) as Error).name).to.equal('NotSupportedError');
    (speaker.media as SvcSpeakerElement).sessionProvider = () =>
      Promise.resolve(sessionUrl(speaking({ tone: 440, seconds: SHORT })));
    await speaker.media.play();
  });

  it('is muted by an attribute that a script sets before it is inserted', () => {
    const muted = ['audio', 'svc-speaker'].map((tag) => {
      const media = document.createElement(tag) as unknown as Bag;
      media.setAttribute('muted', '');
      document.body.append(media);
      return media['muted'];
    });
    expect(muted).to.deep.equal([false, true]);
  });

  it('loads nothing before it is played, even with autoplay, because an open socket costs money', async () => {
    const order: string[][] = [];
    for (const tag of ['audio', 'svc-speaker']) {
      const media = document.createElement(tag) as Media;
      const told: string[] = [];
      for (const type of ['canplay', 'play']) media.addEventListener(type, () => told.push(type));
      media.autoplay = true;
      document.body.append(media);
      const tone = { tone: 440, seconds: LONG };
      media.src = tag === 'audio' ? audioElement(LONG).src : sessionUrl([{ frames: tone }, { done: 'any' }]);
      await new Promise((resolve) => media.addEventListener('playing', resolve, { once: true }));
      order.push(told);
    }
    expect(order).to.deep.equal([
      ['canplay', 'play'],
      ['play', 'canplay'],
    ]);
  });

  it('dispatches the events of the last source after another one is set', async () => {
    const [audio, speaker] = await mediaPair(LONG);
    for (const performer of [audio, speaker]) {
      performer.media.playbackRate = 1.5;
      performer.setSource();
      await performer.until('loadstart', 2);
    }
    expect(audio.journal.filter((entry) => entry.startsWith('ratechange'))).to.have.length(1);
    expect(speaker.journal.filter((entry) => entry.startsWith('ratechange'))).to.have.length(2);
  });

  it('dispatches `playing` when audio plays, so not if pause() follows play() at once', async () => {
    const [audio, speaker] = await mediaPair(LONG);
    for (const performer of [audio, speaker]) {
      await playing(performer);
      performer.pause();
      await performer.settled();
      performer.journal.length = 0;
      performer.play();
      performer.pause();
      await performer.until('play():');
    }
    expect(audio.journal).to.include('play(): resolved');
    expect(speaker.journal).to.include('play(): AbortError');
  });
});

describeUnless(ownAudio)('docs/media-element.md', () => {
  it('lists every member of HTMLMediaElement, and which of them a speaker has', async () => {
    const page = await (await fetch('/docs/media-element.md')).text();
    const rows = [...page.matchAll(/^\| (`[^|]+?) +\| (as HTML|differs|left out)/gmu)];
    const said = new Map(
      rows.flatMap(([, names, how]) => [...names!.matchAll(/`(\w+)/gu)].map(([, name]) => [name!, how!])),
    );
    const speaker = makeSpeaker();
    // Without members of vendors, and without those of this browser that HTML does not define.
    const members = Object.keys(HTMLMediaElement.prototype).filter(
      (name) => !/^(webkit|[A-Z]|on|setMediaKeys|mediaKeys)/u.test(name),
    );
    for (const name of members) expect([...said.keys()], name).to.include(name);
    for (const [name, how] of said) expect(name in speaker, `${name}: ${how}`).to.equal(how !== 'left out');
    await removeSpeakers();
  });
});
