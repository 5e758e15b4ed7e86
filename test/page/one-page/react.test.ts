import { expect } from 'chai';
import {
  type ComponentProps,
  createElement,
  createRef,
  type ReactElement,
  type ReactNode,
  StrictMode,
  useEffect,
  useRef,
} from 'react';
import { flushSync } from 'react-dom';
import { createRoot, hydrateRoot, type Root } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import type { SvcSpeakerElement } from '../../../src/index.js';
import { SvcSpeaker, useSpeaker } from '../../../src/react/index.js';
import { type FramesSpec, speaking } from '../../../src/testing/script.js';
import {
  expectNoComplaints,
  expectValues,
  listenForComplaints,
  makePlace,
  onlySpeaker,
  Renders,
  settings,
  settingsOf,
  short,
  unspoken,
} from '../support/framework.js';
import { assertHeard, expected, SPEECH_RATE } from '../support/sound.js';
import {
  ended,
  endedConnection,
  gatewayLog,
  journal,
  next,
  onAndOn,
  removeSpeakers,
  sessionResponse,
  sessionUrl,
} from '../support/speaker.js';
import { forceSampleRate, heard as recorded } from '../support/tap.js';

type Props = ComponentProps<typeof SvcSpeaker>;

let root: Root | undefined;

/** Renders synchronously in StrictMode, which mounts everything twice. */
function render(props: Props, children?: ReactNode): SvcSpeakerElement {
  root ??= createRoot(makePlace());
  flushSync(() => root!.render(strict(props, children)));
  return onlySpeaker();
}

function strict(props: Props, children?: ReactNode): ReactElement {
  return createElement(StrictMode, null, createElement(SvcSpeaker, props, children));
}

describe('SvcSpeaker in React', () => {
  beforeEach(listenForComplaints);
  afterEach(async () => {
    root?.unmount();
    root = undefined;
    await removeSpeakers();
    expectNoComplaints();
  });

  it('plays automatically once, over one socket, and calls its handlers', async () => {
    const url = sessionUrl(speaking(short));
    const asked: string[] = [];
    const told: string[] = [];
    const hasEnded = new Promise<Event>((resolve) => {
      render({
        autoplay: true,
        text: 'Hello.',
        sessionProvider: ({ reason }) => {
          asked.push(reason);
          return Promise.resolve(url);
        },
        onLoadStart: () => told.push('loadstart'),
        onPlay: () => told.push('play'),
        onUtteranceStart: ({ utterance }) => told.push(utterance.text),
        onContextDone: ({ contextId }) => told.push(typeof contextId),
        onUtteranceEnd: ({ type }) => told.push(type),
        onEnded: resolve,
      });
    });
    expect((await hasEnded).currentTarget).to.equal(null); // over by now
    expect(told).to.include.members(['loadstart', 'play', 'Hello.', 'string', 'utteranceend']);
    expect(told.filter((word) => word === 'Hello.')).to.have.length(1);
    expect(asked).to.deep.equal(['play']);
    await endedConnection(url);
    expect((await gatewayLog(url)).connections).to.have.length(1);
  });

  it('speaks once what an effect says that is cleaned up and runs again (ShiiRochi/wavesurfer-react 45)', async () => {
    forceSampleRate(SPEECH_RATE);
    const frames: FramesSpec = { noise: 72, seconds: 0.2 };
    const errors: unknown[] = [];
    const Page = ({ text }: { text: string }): ReactNode => {
      const ref = useRef<SvcSpeakerElement>(null);
      useEffect(() => {
        const utterance = ref.current!.speak(text);
        utterance.finished.catch((error: unknown) => errors.push(error));
        return () => utterance.cancel();
      }, [text]);
      return createElement(SvcSpeaker, { ref, sessionProvider, jitterBuffer: 'fixed', jitterBufferTarget: 4000 });
    };
    const urls: string[] = [];
    const sessionProvider = (): Promise<string> => {
      urls.push(sessionUrl(speaking(frames)));
      return Promise.resolve(urls.at(-1)!);
    };
    root = createRoot(makePlace());
    const end = new Promise((resolve) => addEventListener('ended', resolve, { once: true, capture: true }));
    // Each key makes another element, as when a list is sorted.
    for (const key of [1, 2, 3]) {
      const page = createElement(Page, { key, text: 'Hello.' });
      flushSync(() => root!.render(createElement(StrictMode, null, page)));
    }
    await end;
    assertHeard(await recorded(), [expected(frames)]);
    expect(errors.map((error) => (error as Error).name)).to.deep.equal(errors.map(() => 'AbortError'));
    for (const url of urls) {
      for (const { closed } of (await gatewayLog(url)).connections) if (!closed) await endedConnection(url);
    }
  });

  it('assigns its element to a ref, with all props set', () => {
    const ref = createRef<SvcSpeakerElement>();
    const seen: (SvcSpeakerElement | null)[] = [];
    const Owner = () => {
      useEffect(() => void seen.push(ref.current), []);
      return createElement(SvcSpeaker, { ref, volume: 0.5, sessionProvider: () => Promise.resolve('') });
    };
    root = createRoot(makePlace());
    flushSync(() => root!.render(createElement(Owner)));
    const speaker = onlySpeaker();
    flushSync(() => root!.render(createElement(Owner)));
    // Not `equal(speaker)`, because chai would walk through all of React to print a difference of elements.
    expect(ref.current === speaker).to.equal(true);
    expect(seen.map((one) => one === speaker)).to.deep.equal([true]);
    expect(speaker.volume).to.equal(0.5);
    expect(speaker.sessionProvider).to.be.a('function');
    flushSync(() => root!.render(null));
    expect(ref.current).to.equal(null);
  });

  it('is muted initially, and follows the prop', () => {
    const speaker = render({ muted: true });
    expect([speaker.muted, speaker.defaultMuted]).to.deep.equal([true, true]);
    render({ muted: false });
    expect([speaker.muted, speaker.defaultMuted]).to.deep.equal([false, true]);
  });

  it('continues when it gets new functions and equal objects', async () => {
    const url = sessionUrl(onAndOn);
    const session = () => sessionResponse(url);
    let calls = 0;
    const props = (handled: () => void) => ({
      session: session(),
      sessionRequest: { voice_id: 'anna' },
      sessionProvider: () => Promise.reject(new Error('not this one')),
      playbackRate: 1.25,
      jitterBuffer: 'fixed' as const,
      jitterBufferTarget: 4000,
      text: 'On and on.',
      autoplay: true,
      onTimeUpdate: handled,
    });
    const speaker = render(props(() => calls++));
    await next(speaker, 'utterancestart');
    const events = journal(speaker);
    let stale = calls;
    await new Promise<void>((resolve) => {
      render(props(resolve));
      stale = calls;
    });
    expect(calls).to.equal(stale);
    expect(events).to.deep.equal([]);
    expect(speaker.paused).to.equal(false);
    expect((await gatewayLog(url)).connections).to.have.length(1);
  });

  it('asks the provider of the latest render', async () => {
    const url = sessionUrl(speaking(short));
    render({ sessionProvider: () => Promise.reject(new Error('of the first')) });
    const speaker = render({ sessionProvider: () => Promise.resolve(url) });
    await speaker.speak('Hello.').finished;
  });

  it('replays what it keeps after a render with a new provider function, and requests no session', async () => {
    let sessions = 0;
    const props = (): Props => ({
      text: 'Hello.',
      sessionProvider: () => {
        sessions++;
        return Promise.resolve(sessionUrl(speaking(short)));
      },
    });
    const speaker = render(props());
    void speaker.play();
    await ended(speaker);
    render(props());
    void speaker.play();
    await ended(speaker);
    expect(sessions).to.equal(1);
  });

  it('starts again with another source, at the same rate', async () => {
    const props = { autoplay: true, text: 'On and on.', playbackRate: 1.5 };
    const first = sessionUrl(onAndOn);
    const speaker = render({ ...props, src: first });
    await next(speaker, 'playing');
    render({ ...props, src: sessionUrl(speaking(short)) });
    expect((await endedConnection(first)).closed!.code).to.equal(1000);
    await ended(speaker);
    expect(speaker.playbackRate).to.equal(1.5);
    render(props);
    expect([speaker.src, speaker.networkState]).to.deep.equal(['', 0]);
  });

  it('sets its props, and restores the default of a prop that is removed', () => {
    const speaker = render(settings);
    expect(settingsOf(speaker)).to.deep.equal(settings);
    const watch = new MutationObserver(() => {});
    watch.observe(speaker, { attributeFilter: ['text'], attributeOldValue: true });
    render({});
    expect(settingsOf(speaker)).to.deep.equal(settingsOf(document.createElement('svc-speaker')));
    // Without the wrapper, React 19 would first set it to `undefined`.
    expect(watch.takeRecords().map(({ oldValue }) => oldValue))
      .to.include('Hello.')
      .and.not.include('undefined');
    watch.disconnect();
  });

  it('takes an audio context and a destination, and releases them', async () => {
    const audioContext = new AudioContext();
    const destination = audioContext.createGain();
    const speaker = render({ audioContext, destination });
    expect([speaker.audioContext, speaker.destination]).to.deep.equal([audioContext, destination]);
    render({});
    expect([speaker.audioContext, speaker.destination]).to.deep.equal([null, null]);
    await audioContext.close();
  });

  it('passes other props to React', () => {
    const clicks: string[] = [];
    const data = { 'data-x': 1 };
    const speaker = render(
      {
        className: 'loud',
        style: { width: '50px' },
        hidden: false,
        id: 'speaker',
        ...data,
        onClick: ({ currentTarget }) => clicks.push(currentTarget.id),
      },
      createElement('span', { slot: 'play-label' }, 'Listen'),
    );
    expect(speaker.className).to.equal('loud');
    expect(speaker.style.width).to.equal('50px');
    expect(speaker.hidden).to.equal(false);
    expect(speaker.dataset.x).to.equal('1');
    expect(speaker.querySelector('[slot=play-label]')!.textContent).to.equal('Listen');
    speaker.click();
    expect(clicks).to.deep.equal(['speaker']);
  });

  it('reports a value that the element rejects, and sets the others', () => {
    const { reportError } = window;
    const reported: unknown[] = [];
    window.reportError = (error) => reported.push(error);
    try {
      const speaker = render({ volume: 2, playbackRate: 1.5 });
      expect([speaker.volume, speaker.playbackRate]).to.deep.equal([1, 1.5]);
      expect(reported.map((error) => (error as Error).name)).to.deep.equal(['IndexSizeError']);
    } finally {
      window.reportError = reportError;
    }
  });

  it('closes the socket at once when it is unmounted, and reports it', async () => {
    const url = sessionUrl(onAndOn);
    const closed = new Promise<number>((resolve) => {
      const speaker = render({
        src: url,
        text: 'On and on.',
        autoplay: true,
        onSocketClose: ({ code }) => resolve(code),
        onPlaying: () => {
          flushSync(() => root!.render(null));
          expect(speaker.isConnected).to.equal(false);
        },
      });
    });
    expect(await closed).to.equal(1000);
    expect((await endedConnection(url)).closed!.code).to.equal(1000);
  });

  it('hydrates a speaker that a server rendered and that speaks already', async () => {
    const url = sessionUrl(onAndOn);
    const props: Props = {
      ...settings,
      sessionRequest: { ...settings.sessionRequest },
      workerUrl: undefined,
      workletUrl: undefined,
      className: 'loud',
      src: url,
      text: 'On and on.',
      sessionProvider: () => Promise.reject(new Error('not this one')),
      onTimeUpdate: () => {},
    };
    const place = makePlace(renderToString(strict(props, 'Listen')));
    // React 18 renders in the browser here, and warns. For Node, see test/unit/react/server.test.ts.
    listenForComplaints();
    const speaker = onlySpeaker();
    await next(speaker, 'utterancestart');
    expect([speaker.muted, speaker.volume]).to.deep.equal([true, 1]);
    const events = journal(speaker);

    await new Promise<void>((resolve) => {
      const taken = strict({ ...props, onTimeUpdate: () => resolve() }, 'Listen');
      root = hydrateRoot(place, taken, { onRecoverableError: (error) => console.error(error) });
    });
    expect(onlySpeaker() === speaker).to.equal(true);
    expect(settingsOf(speaker)).to.deep.equal({ ...settings, text: 'On and on.', workerUrl: '', workletUrl: '' });
    expect(events).to.deep.equal([]);
    expect((await gatewayLog(url)).connections).to.have.length(1);
  });
});

describe('useSpeaker in React', () => {
  afterEach(async () => {
    root?.unmount();
    root = undefined;
    await removeSpeakers();
  });

  it('renders with the values of the speaker, and with the initial values when it is gone', async () => {
    const renders = new Renders();
    const Page = ({ isThere }: { isThere: boolean }): ReactNode => {
      const ref = useRef<SvcSpeakerElement>(null);
      const values = useSpeaker(ref);
      useEffect(() => renders.add(values));
      return isThere && createElement(SvcSpeaker, { ref });
    };
    const show = (isThere: boolean): void =>
      flushSync(() => root!.render(createElement(StrictMode, null, createElement(Page, { isThere }))));
    root = createRoot(makePlace());
    show(true);
    await expectValues(renders);
    show(false);
    await renders.until(({ error, heard }) => !error && heard.seconds === 0);
    expect(renders.latest).to.deep.equal(unspoken);
    show(true);
    onlySpeaker().duck();
    await renders.until(({ ducked }) => ducked);
  });
});
