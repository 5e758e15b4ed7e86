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
  describeBinding,
  expectNoComplaints,
  type Given,
  listenForComplaints,
  makePlace,
  onlySpeaker,
  short,
} from '../support/framework.js';
import { assertHeard, expected, SPEECH_RATE } from '../support/sound.js';
import { ended, endedConnection, gatewayLog, next, onAndOn, removeSpeakers, sessionUrl } from '../support/speaker.js';
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

/** Returns props for React: handlers are props. */
function propsOf({ props, on = {} }: Given): Props {
  const handlers = Object.entries(on).map(([type, listener]) => [HANDLERS[type], listener]);
  return { ...props, ...Object.fromEntries(handlers) } as Props;
}

const HANDLERS: Readonly<Record<string, string>> = {
  loadstart: 'onLoadStart',
  play: 'onPlay',
  playing: 'onPlaying',
  utterancestart: 'onUtteranceStart',
  utteranceend: 'onUtteranceEnd',
  ended: 'onEnded',
  socketclose: 'onSocketClose',
  timeupdate: 'onTimeUpdate',
};

function end(): void {
  root?.unmount();
  root = undefined;
}

describeBinding({
  name: 'React',
  render: (given) => Promise.resolve(render(propsOf(given))),
  remove: () => flushSync(() => root!.render(null)),
  renderOnServer: (given) => renderToString(strict(propsOf(given), 'Listen')),
  hydrate: (place, given) => {
    const onRecoverableError = (error: unknown): void => console.error(error);
    root = hydrateRoot(place, strict(propsOf(given), 'Listen'), { onRecoverableError });
  },
  useValues: (renders) => {
    const Page = ({ isThere }: { isThere: boolean }): ReactNode => {
      const ref = useRef<SvcSpeakerElement>(null);
      const values = useSpeaker(ref);
      useEffect(() => renders.add(values));
      return isThere && createElement(SvcSpeaker, { ref });
    };
    root = createRoot(makePlace());
    return async (isThere) => {
      flushSync(() => root!.render(createElement(StrictMode, null, createElement(Page, { isThere }))));
    };
  },
  end,
});

describe('SvcSpeaker in React', () => {
  beforeEach(listenForComplaints);
  afterEach(async () => {
    end();
    await removeSpeakers();
    expectNoComplaints();
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
    const ending = new Promise((resolve) => addEventListener('ended', resolve, { once: true, capture: true }));
    // Each key makes another element, as when a list is sorted.
    for (const key of [1, 2, 3]) {
      const page = createElement(Page, { key, text: 'Hello.' });
      flushSync(() => root!.render(createElement(StrictMode, null, page)));
    }
    await ending;
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
});
