/**
 * Tests of HTML's media element as far as the element class implements it. For playback see `test/unit/playback`, and for
 * the conversion of numbers `test/unit/element/sound-settings.test.ts`.
 *
 * Expected values are those of the HTML standard, section "Media elements", of which each test names the algorithm.
 */
import { expect } from 'chai';
import type { SvcSpeakerElement } from '../../../src/index.js';
import { speaking } from '../../../src/testing/script.js';
import { describeUnless, ownMembers } from '../support/engine.js';
import { exact } from '../support/sound.js';
import {
  ended,
  makeSpeaker,
  next,
  rejection,
  removeSpeakers,
  scriptedSpeaker,
  sessionUrl,
} from '../support/speaker.js';

/** Longer than a test plays. */
const long = { tone: 440, seconds: 10 };
const short = { tone: 440, seconds: 0.2 };

/** Events whose order HTML defines, whenever speech arrives and however late it is heard. */
const ordered = ['emptied', 'loadstart', 'play', 'playing', 'pause', 'volumechange', 'ratechange'] as const;

interface Audible {
  readonly speaker: SvcSpeakerElement;
  /** Events so far. */
  readonly journal: string[];
}

/** Creates a speaker with a source and a text. */
function audible(): Audible {
  const speaker = makeSpeaker({ ...exact, src: sessionUrl(speaking(long)), text: 'Tone.' });
  const journal: string[] = [];
  for (const type of ordered) speaker.addEventListener(type, () => journal.push(type));
  return { speaker, journal };
}

/** Resolves when sound plays, and forgets the events up to then. */
async function playing({ speaker, journal }: Audible): Promise<void> {
  await speaker.play();
  journal.length = 0;
}

/** Sets `src` to the value that it has, which is another source according to HTML. */
function setSource({ speaker }: Audible): void {
  speaker.setAttribute('src', speaker.getAttribute('src')!);
}

/** Changes the volume, and returns the events before the event of this change. */
async function eventsBefore({ speaker, journal }: Audible): Promise<string[]> {
  const volume = speaker.volume / 2;
  speaker.volume = volume;
  await next(speaker, 'volumechange');
  expect(journal.at(-1)).to.equal('volumechange');
  return journal.slice(0, -1);
}

describe('Another source of <svc-speaker>', () => {
  afterEach(removeSpeakers);

  // HTML, media element load algorithm: removes the events that were queued, then queues `emptied`, sets `paused`
  // without a `pause` event, and rejects the promises of play(). The resource selection algorithm queues `loadstart`.
  const moments: Record<string, (one: Audible) => Promise<unknown> | void> = {
    'before anything': () => {},
    'right after play()': ({ speaker }) => void rejection(speaker.play()),
    'while it plays': playing,
    'while it is paused': async (one) => {
      await playing(one);
      one.speaker.pause();
      await next(one.speaker, 'pause');
      one.journal.length = 0;
    },
  };
  for (const [moment, reach] of Object.entries(moments)) {
    it(`has the events emptied and loadstart ${moment}`, async () => {
      const one = audible();
      const reached = reach(one);
      // Without a pause in between, the events that were queued have not been dispatched.
      if (reached) await reached;
      setSource(one);
      expect([one.speaker.paused, one.speaker.ended, one.speaker.error]).to.deep.equal([true, false, null]);
      expect(await eventsBefore(one)).to.deep.equal(['emptied', 'loadstart']);
    });
  }

  it('interrupts play()', async () => {
    const one = audible();
    const played = rejection(one.speaker.play());
    setSource(one);
    expect(((await played) as Error).name).to.equal('AbortError');
    await one.speaker.play();
  });

  // HTML, media element load algorithm: sets playbackRate to the value of defaultPlaybackRate, after `emptied` is queued.
  it('is played at the default rate', async () => {
    const one = audible();
    one.speaker.defaultPlaybackRate = 1.5;
    await next(one.speaker, 'ratechange');
    one.journal.length = 0;
    setSource(one);
    expect(one.speaker.playbackRate).to.equal(1.5);
    expect(await eventsBefore(one)).to.deep.equal(['emptied', 'ratechange', 'loadstart']);
  });

  it('is not loaded before it is played, even with autoplay, because an open socket costs money', async () => {
    const speaker = makeSpeaker(exact);
    const events: string[] = [];
    for (const type of ['canplay', 'play'] as const) speaker.addEventListener(type, () => events.push(type));
    speaker.autoplay = true;
    speaker.src = sessionUrl([{ frames: long }, { done: 'any' }]);
    await next(speaker, 'playing');
    expect(events).to.deep.equal(['play', 'canplay']);
  });

  it('empties the speaker when it is removed, because there is no load()', async () => {
    const one = audible();
    await playing(one);
    one.speaker.removeAttribute('src');
    expect(one.speaker.paused).to.equal(true);
    expect(await eventsBefore(one)).to.deep.equal(['emptied']);
  });

  it('is played after an error, also if another one has failed since', async () => {
    const speaker = makeSpeaker({ src: sessionUrl([{ refuse: 500 }]), text: 'Tone.' });
    expect(((await rejection(speaker.play())) as Error).name).to.equal('NotSupportedError');
    expect([speaker.error === null, speaker.paused]).to.deep.equal([false, true]);
    speaker.src = sessionUrl(speaking(long));
    await speaker.play();
    expect(speaker.error).to.equal(null);
    speaker.sessionProvider = () => Promise.reject(new Error('no backend'));
    speaker.removeAttribute('src');
    expect(((await rejection(speaker.play())) as Error).name).to.equal('NotSupportedError');
    speaker.sessionProvider = () => Promise.resolve(sessionUrl(speaking(long)));
    await speaker.play();
  });
});

describe('The events of <svc-speaker>', () => {
  afterEach(removeSpeakers);

  // HTML, `volume` and `muted`: queue `volumechange` when the value has changed. pause(), internal pause steps: queue
  // `timeupdate` and `pause`.
  it('volumechange and pause come in the order of the calls, when the caller is done', async () => {
    const one = audible();
    await playing(one);
    one.speaker.volume = 0.5;
    one.speaker.pause();
    one.speaker.muted = true;
    expect([one.speaker.volume, one.speaker.muted, one.speaker.paused]).to.deep.equal([0.5, true, true]);
    expect(one.journal).to.deep.equal([]);
    expect(await eventsBefore(one)).to.deep.equal(['volumechange', 'pause', 'volumechange']);
  });

  // DOM, insert: a move is a removal and an insertion. HTML, "Playing the media resource": when a media element is removed
  // from a document, await a stable state, and return if the element is in a document.
  it('do not include a pause when it is moved in the page', async () => {
    const one = audible();
    await playing(one);
    const box = document.createElement('div');
    document.body.append(box);
    box.append(one.speaker);
    expect(await eventsBefore(one)).to.deep.equal([]);
    expect(one.speaker.paused).to.equal(false);
  });

  // HTML, "Events summary": all are fired with `fire an event`, so they do not bubble, and their target has
  // an event handler.
  it('reach handlers in properties and attributes, and do not bubble', async () => {
    const handled = [
      ...ordered,
      'canplay',
      'durationchange',
      'loadedmetadata',
      'timeupdate',
      'seeking',
      'seeked',
      'ended',
    ];
    const speaker = makeSpeaker({ ...exact, src: sessionUrl(speaking(short)), text: 'Tone.' });
    const bag = speaker as unknown as Bag & { seen: Set<string> };
    const seen = (bag.seen = new Set<string>());
    const box = document.createElement('div');
    document.body.append(box);
    box.append(speaker);
    for (const type of handled) {
      expect(bag[`on${type}`], type).to.equal(null);
      bag[`on${type}`] = function handle(this: unknown, { bubbles, composed, constructor }: Event) {
        seen.add([type, this === speaker, bubbles, composed, constructor.name].join(' '));
      };
      box.addEventListener(type, () => seen.add(`${type} went up`));
    }
    speaker.playbackRate = 1.5;
    speaker.volume = 0.5;
    for (let time = 0; time < 2; time++) {
      void speaker.play();
      await ended(speaker);
    }
    speaker.src = sessionUrl(speaking(short));
    await next(speaker, 'loadstart');
    expect([...seen].sort()).to.deep.equal(handled.map((type) => `${type} true false false Event`).sort());
    for (const type of handled) speaker.setAttribute(`on${type}`, `this.seen.add('on' + event.type)`);
    speaker.volume = 1;
    await next(speaker, 'volumechange');
    expect(seen).to.include('onvolumechange');
  });
});

/** An element as a script without types sees it. */
type Bag = Record<string, unknown> & HTMLElement;

/** Attributes of an element as text. */
function attributes(element: HTMLElement): string {
  return element
    .getAttributeNames()
    .map((name) => `${name}=${element.getAttribute(name)}`)
    .join();
}

/** Return value of a function, or the name of the error that it throws. */
function outcome(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return (error as Error).name;
  }
}

describe('The members of <svc-speaker>', () => {
  afterEach(removeSpeakers);

  it('have the initial values of HTML', () => {
    const { paused, currentTime, duration, readyState, networkState, error } = makeSpeaker();
    expect({ paused, currentTime, duration, readyState, networkState, error }).to.deep.equal({
      paused: true,
      currentTime: 0,
      duration: Number.NaN,
      readyState: HTMLMediaElement.HAVE_NOTHING,
      networkState: HTMLMediaElement.NETWORK_EMPTY,
      error: null,
    });
    const { volume, muted, defaultMuted, playbackRate, defaultPlaybackRate, preservesPitch } = makeSpeaker();
    expect({ volume, muted, defaultMuted, playbackRate, defaultPlaybackRate, preservesPitch }).to.deep.equal({
      volume: 1,
      muted: false,
      defaultMuted: false,
      playbackRate: 1,
      defaultPlaybackRate: 1,
      preservesPitch: true,
    });
    const { ended: hasEnded, autoplay, controls, src } = makeSpeaker();
    expect({ hasEnded, autoplay, controls, src }).to.deep.equal({
      hasEnded: false,
      autoplay: false,
      controls: false,
      src: '',
    });
  });

  // HTML, reflect: a boolean attribute is present or absent, whatever its value. Web IDL, boolean: ToBoolean.
  for (const [name, attribute] of [
    ['autoplay', 'autoplay'],
    ['controls', 'controls'],
    ['defaultMuted', 'muted'],
  ] as const) {
    it(`reflect their attribute both ways, at once: ${name}`, () => {
      const speaker = makeSpeaker();
      for (const value of ['', 'false', attribute]) {
        speaker.setAttribute(attribute, value);
        expect(speaker[name], value).to.equal(true);
      }
      speaker.removeAttribute(attribute);
      expect(speaker[name]).to.equal(false);
      for (const value of [true, true, 1, 'false', [], {}, 1n]) {
        speaker[name] = value as boolean;
        expect(attributes(speaker), String(value)).to.equal(`${attribute}=`);
      }
      for (const value of [false, 0, '', null, undefined, Number.NaN, 0n]) {
        speaker[name] = value as boolean;
        expect(attributes(speaker), String(value)).to.equal('');
      }
    });
  }

  // Web IDL, USVString: ToString, which throws for a Symbol. `src` is returned as it was set, unlike in HTML, because a
  // session URL is absolute.
  it('set the attribute src from any value, as text', () => {
    const values: [unknown, string][] = [
      ['wss://example.test/', 'src=wss://example.test/'],
      ['session', 'src=session'],
      ['', 'src='],
      [null, 'src=null'],
      [7, 'src=7'],
      [{ toString: () => 'y' }, 'src=y'],
    ];
    for (const [value, text] of values) {
      const speaker = makeSpeaker();
      speaker.src = value as string;
      expect([attributes(speaker), `src=${speaker.src}`]).to.deep.equal([text, text]);
    }
    const speaker = makeSpeaker();
    expect(outcome(() => (speaker.src = Symbol('src') as unknown as string))).to.equal('TypeError');
    expect(attributes(speaker)).to.equal('');
  });

  // HTML, "User interface": when a media element is created with a `muted` attribute, it is muted.
  it('are muted by the attribute when the parser creates the element, or a script before it is inserted', () => {
    const box = document.createElement('div');
    box.innerHTML = '<svc-speaker muted></svc-speaker>';
    const made = document.createElement('svc-speaker');
    made.setAttribute('muted', '');
    box.append(made);
    document.body.append(box);
    for (const speaker of box.querySelectorAll('svc-speaker')) {
      speaker.removeAttribute('muted');
      expect([speaker.muted, speaker.defaultMuted]).to.deep.equal([true, false]);
    }
  });

  // Web IDL, attribute setter: assigning a read-only attribute throws a TypeError in strict mode.
  it('are read-only where those of HTML are', () => {
    const bag = makeSpeaker() as unknown as Bag;
    for (const name of 'paused ended duration buffered played seekable readyState networkState error'.split(' ')) {
      expect(
        outcome(() => (bag[name] = 1)),
        name,
      ).to.equal('TypeError');
    }
  });

  // HTML, "Seeking": goes to the nearest position of `seekable`; without one, the seek has no effect.
  it('ignore a new currentTime if nothing can be sought', async () => {
    const speaker = scriptedSpeaker(speaking(long), { ...exact, text: 'Tone.', history: 0 });
    await speaker.play();
    const events: string[] = [];
    for (const type of ['seeking', 'seeked'] as const) speaker.addEventListener(type, () => events.push(type));
    speaker.currentTime = 9;
    expect(speaker.currentTime).to.be.below(5);
    for (const value of [Number.NaN, 'soon', undefined, 1n]) {
      expect(
        outcome(() => (speaker.currentTime = value as number)),
        String(value),
      ).to.equal('TypeError');
    }
    await next(speaker, 'timeupdate');
    expect(events).to.deep.equal([]);
  });
});

describeUnless(ownMembers)('docs/speaking.md', () => {
  it('lists every member of HTMLMediaElement, and which of them a speaker has', async () => {
    const page = await (await fetch('/docs/speaking.md')).text();
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
