import { expect } from 'chai';
import type { SocketCloseEvent, SvcSpeakerElement, UtteranceEvent } from '../../../src/index.js';
import { type FramesSpec, speaking } from '../../../src/testing/script.js';
import type { SpeakerValues } from '../../../src/wrapper/index.js';
import {
  allReceived,
  endedConnection,
  gatewayLog,
  journal,
  next,
  onAndOn,
  removeSpeakers,
  sessionResponse,
  sessionUrl,
} from './speaker.js';

/** Shorter than the default target delay, so playback starts when all of it has arrived. */
export const short: FramesSpec = { noise: 70, seconds: 0.1 };

/** A value other than the default, for every prop that can be removed. */
export const settings = {
  audioBackend: 'native',
  audioSession: 'transient',
  autoplay: true,
  controls: true,
  controlsList: 'nodownload',
  defaultPlaybackRate: 1.25,
  jitterBuffer: 'fixed',
  jitterBufferTarget: 4000,
  leadIn: 250,
  history: 30,
  keepOpen: true,
  mediaMetadata: { title: 'Greeting' },
  mediaSession: true,
  messages: { playLabel: 'Listen' },
  muted: true,
  playbackRate: 1.5,
  preservesPitch: false,
  resampler: 'eco',
  sessionEndpoint: '/speech/session',
  sessionRequest: { voice_id: 'anna' },
  text: 'Hello.',
  transport: 'message',
  volume: 0.5,
  workerUrl: '/session.worker.js',
  workletUrl: '/speaker.worklet.js',
} as const;

/** Values of a speaker for each of the settings. */
export function settingsOf(speaker: SvcSpeakerElement): Record<string, unknown> {
  return Object.fromEntries(
    Object.keys(settings).map((name) => {
      const value: unknown = Reflect.get(speaker, name);
      return [name, value instanceof DOMTokenList ? value.value : value];
    }),
  );
}

/** Returns the only speaker of the page. */
export function onlySpeaker(): SvcSpeakerElement {
  const speakers = document.querySelectorAll('svc-speaker');
  expect(speakers).to.have.length(1);
  return speakers[0]!;
}

/** Appends a root for an application to the page, with markup that a server may have rendered. */
export function makePlace(markup = ''): HTMLElement {
  const place = document.createElement('div');
  place.innerHTML = markup;
  document.body.append(place);
  return place;
}

const { warn, error } = console;
let complaints: unknown[][] = [];

/** Collects warnings and errors of the framework, and does not print them. */
export function listenForComplaints(): void {
  complaints = [];
  console.warn = console.error = (...words: unknown[]) => complaints.push(words);
}

/** Throws if there was a warning or an error. */
export function expectNoComplaints(): void {
  Object.assign(console, { warn, error });
  const complaint = complaints.map((words) => words.join(' ')).join('\n');
  if (complaint) throw new Error(complaint);
}

/** Values that a component was rendered with. */
export class Renders {
  readonly #all: SpeakerValues[] = [];
  #changed = (): void => {};

  get latest(): SpeakerValues {
    return this.#all.at(-1)!;
  }

  add(values: SpeakerValues): void {
    this.#all.push(values);
    this.#changed();
  }

  /** Resolves when `isSo` returns true for the latest values. */
  async until(isSo: (values: SpeakerValues) => boolean): Promise<void> {
    while (!isSo(this.latest)) await new Promise<void>((resolve) => (this.#changed = resolve));
  }

  /** States without consecutive repetitions. */
  get states(): string[] {
    return this.#all.map(({ state }) => state).filter((state, index, all) => state !== all[index - 1]);
  }
}

export const unspoken: SpeakerValues = {
  state: 'idle',
  currentTime: 0,
  duration: NaN,
  heard: { seconds: 0, text: '' },
  currentWord: null,
  ducked: false,
  error: null,
};

/**
 * Speaks with the only speaker of the page, cancels its next utterance, makes a third one fail, and expects `renders`
 * to follow.
 */
export async function expectValues(renders: Renders): Promise<void> {
  const speaker = onlySpeaker();
  expect(renders.latest).to.deep.equal(unspoken);
  speaker.sessionProvider = () => Promise.resolve(sessionUrl(speaking({ noise: 71, seconds: 20 })));
  const { finished } = speaker.speak('One two.');
  speaker.duck();
  await renders.until(({ state, ducked, heard }) => state === 'playing' && ducked && heard.seconds > 0);
  await allReceived(speaker);
  speaker.currentTime = 19.9;
  await finished;
  await renders.until(({ state }) => state === 'ended');
  expect(renders.latest).to.deep.include({ currentTime: 20, duration: 20, heard: { seconds: 20, text: 'One two.' } });
  expect(renders.states).to.include.members(['idle', 'connecting', 'playing', 'ended']);

  const second = speaker.speak('Three four five.');
  await second.started;
  await renders.until(({ heard }) => heard.text !== 'One two.');
  speaker.cancel();
  expect(await second.finished.catch(({ name }: Error) => name)).to.equal('AbortError');
  await renders.until(({ heard }) => heard.seconds === second.heard.seconds);
  expect(renders.latest.ducked).to.equal(false);

  speaker.sessionProvider = () => Promise.reject(new Error('No voice is left.'));
  await speaker.speak('Six.').finished.catch(() => {});
  await renders.until(({ state }) => state === 'error');
  expect(renders.latest.error).to.equal(speaker.error);
}

/** Props of a component, and its listeners by event type. */
export interface Given {
  readonly props: Readonly<Record<string, unknown>>;
  readonly on?: Readonly<Record<string, (event: Event) => void>>;
}

/** A component for a framework, and how that framework renders it. */
export interface Binding {
  readonly name: string;
  /** Renders, or renders again with other props and listeners. Resolves when the page shows it. */
  render(given: Given): Promise<SvcSpeakerElement>;
  /** Removes the component, and keeps the application. Returns when the page shows it. */
  remove(): Promise<void> | void;
  /** Returns the markup of a server. */
  renderOnServer(given: Given): Promise<string> | string;
  /** Takes over the markup of a server that is in `place`. */
  hydrate(place: HTMLElement, given: Given): void;
  /**
   * Renders a component whose values are given to `renders` with each rendering.
   *
   * @returns A function that shows or removes the speaker. Resolves when the page shows it.
   */
  useValues(renders: Renders): (isThere: boolean) => Promise<void>;
  /** Ends the application. */
  end(): void;
}

/** Tests what the components of all frameworks do. */
export function describeBinding(binding: Binding): void {
  describe(`SvcSpeaker in ${binding.name}, as in every framework`, () => {
    beforeEach(listenForComplaints);
    afterEach(async () => {
      binding.end();
      await removeSpeakers();
      expectNoComplaints();
    });

    it('plays automatically once, over one socket, and calls its listeners', async () => {
      const url = sessionUrl(speaking(short));
      const asked: string[] = [];
      const told: string[] = [];
      const note = ({ type }: Event): void => void told.push(type);
      const end = new Promise<Event>((resolve) => {
        void binding.render({
          props: {
            autoplay: true,
            text: 'Hello.',
            sessionProvider: ({ reason }: { reason: string }) => {
              asked.push(reason);
              return Promise.resolve(url);
            },
          },
          on: {
            loadstart: note,
            play: note,
            utterancestart: (event) => told.push((event as UtteranceEvent).utterance.text),
            utteranceend: note,
            ended: resolve,
          },
        });
      });
      expect((await end).currentTarget).to.equal(null); // over by now
      expect(told).to.have.members(['loadstart', 'play', 'Hello.', 'utteranceend']);
      expect(asked).to.deep.equal(['play']);
      await endedConnection(url);
      expect((await gatewayLog(url)).connections).to.have.length(1);
    });

    it('is muted initially, and follows the prop', async () => {
      const speaker = await binding.render({ props: { muted: true } });
      expect([speaker.muted, speaker.defaultMuted]).to.deep.equal([true, true]);
      await binding.render({ props: { muted: false } });
      expect([speaker.muted, speaker.defaultMuted]).to.deep.equal([false, true]);
    });

    it('sets its props, and restores the default of a prop that is removed', async () => {
      const speaker = await binding.render({ props: settings });
      expect(settingsOf(speaker)).to.deep.equal(settings);
      const changes: MutationRecord[] = [];
      const watch = new MutationObserver((some) => changes.push(...some));
      watch.observe(speaker, { attributeFilter: ['text'], attributeOldValue: true });
      await binding.render({ props: {} });
      changes.push(...watch.takeRecords());
      watch.disconnect();
      expect(settingsOf(speaker)).to.deep.equal(settingsOf(document.createElement('svc-speaker')));
      // A framework by itself would first set it to `undefined`, or to an empty string.
      const before = new Set(changes.map(({ oldValue }) => oldValue));
      expect([...before].filter((value) => value !== null)).to.deep.equal(['Hello.']);
    });

    it('continues when it gets new functions, equal objects and another text', async () => {
      const url = sessionUrl(onAndOn);
      let calls = 0;
      const given = (text: string, heard: () => void): Given => ({
        props: {
          session: sessionResponse(url),
          sessionRequest: { voice_id: 'anna' },
          sessionProvider: () => Promise.reject(new Error('not this one')),
          playbackRate: 1.25,
          jitterBuffer: 'fixed',
          jitterBufferTarget: 4000,
          text,
          autoplay: true,
        },
        on: { timeupdate: heard },
      });
      const speaker = await binding.render(given('On and on.', () => calls++));
      await next(speaker, 'utterancestart');
      const events = journal(speaker);
      let stale = calls;
      await new Promise<void>((resolve) => {
        void binding.render(given('Later.', resolve)).then(() => (stale = calls));
      });
      expect(calls).to.equal(stale);
      expect(speaker.text).to.equal('Later.');
      expect(events.filter((type) => type !== 'timeupdate')).to.deep.equal([]);
      expect(speaker.paused).to.equal(false);
      expect((await gatewayLog(url)).connections).to.have.length(1);
    });

    it('closes the socket at once when it is removed, and reports it', async () => {
      const url = sessionUrl(onAndOn);
      const closed = new Promise<Event>((resolve) => {
        void binding.render({
          props: { src: url, text: 'On and on.', autoplay: true },
          on: { socketclose: resolve, playing: () => void binding.remove() },
        });
      });
      expect(((await closed) as SocketCloseEvent).code).to.equal(1000);
      expect((await endedConnection(url)).closed!.code).to.equal(1000);
      expect(document.querySelector('svc-speaker')).to.equal(null);
    });

    it('takes over a speaker that a server rendered and that speaks already', async () => {
      const url = sessionUrl(onAndOn);
      const given = (heard: () => void): Given => ({
        props: {
          ...settings,
          sessionRequest: { ...settings.sessionRequest },
          workerUrl: undefined,
          workletUrl: undefined,
          src: url,
          text: 'On and on.',
          sessionProvider: () => Promise.reject(new Error('not this one')),
        },
        on: { timeupdate: heard },
      });
      const place = makePlace(await binding.renderOnServer(given(() => {})));
      // React 18 renders in the browser here, and warns. For Node, see test/unit/react/server.test.ts.
      listenForComplaints();
      const speaker = onlySpeaker();
      await next(speaker, 'utterancestart');
      expect([speaker.muted, speaker.volume]).to.deep.equal([true, 1]);
      const events = journal(speaker);
      await new Promise<void>((resolve) => binding.hydrate(place, given(resolve)));
      expect(onlySpeaker() === speaker).to.equal(true);
      expect(settingsOf(speaker)).to.deep.equal({ ...settings, text: 'On and on.', workerUrl: '', workletUrl: '' });
      expect(events).to.deep.equal([]);
      expect((await gatewayLog(url)).connections).to.have.length(1);
    });

    it('gives the values of the speaker, and the initial values when it is gone', async () => {
      const renders = new Renders();
      const show = binding.useValues(renders);
      await show(true);
      await expectValues(renders);
      await show(false);
      await renders.until(({ error: failure, heard }) => !failure && heard.seconds === 0);
      expect(renders.latest).to.deep.equal(unspoken);
      await show(true);
      onlySpeaker().duck();
      await renders.until(({ ducked }) => ducked);
    });
  });
}
