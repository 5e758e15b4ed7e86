import { resetMouse, sendKeys, sendMouse } from '@web/test-runner-commands';
import { expect } from 'chai';
import 'media-chrome';
import 'media-chrome/menu';
import { SvcSpeakerElement } from '../../../src/index.js';
import { type GatewayStep, speaking } from '../../../src/testing/script.js';
import {
  next,
  nextAfter,
  removeSpeakers,
  scriptedSessions,
  sessionUrl,
  speakInParts,
  speakingInParts,
} from '../support/speaker.js';

/** Speech that is longer than any test. The speaker is removed before its end. */
const long = speaking({ tone: 440, seconds: 20 });

const controls = [
  'media-loading-indicator',
  'media-play-button',
  'media-mute-button',
  'media-volume-range',
  'media-time-display',
  'media-time-range',
  'media-duration-display',
  'media-seek-backward-button',
  'media-seek-forward-button',
  'media-playback-rate-button',
  'media-live-button',
] as const;

type Control = (typeof controls)[number] | 'media-error-dialog';

interface Player {
  controller: HTMLElement;
  speaker: SvcSpeakerElement;
  /** Sessions that were requested so far. */
  sessions: readonly unknown[];
  control(name: Control): HTMLElement;
}

/** Creates a speaker in a `<media-controller>` with all controls that apply to speech. */
async function makePlayer(scripts: readonly (readonly GatewayStep[])[] = [long]): Promise<Player> {
  const { speaker, sessions } = scriptedSessions(scripts, { text: 'Hello.', slot: 'media' });
  const controller = document.createElement('media-controller');
  controller.setAttribute('audio', '');
  controller.innerHTML = `
    <media-error-dialog slot="dialog"></media-error-dialog>
    <media-control-bar style="width: 780px">
      ${controls.map((name) => `<${name}></${name}>`).join('')}
    </media-control-bar>`;
  controller.querySelector('media-time-display')!.setAttribute('showduration', '');
  controller.prepend(speaker);
  document.body.append(controller);
  await until(controller.querySelector('media-play-button')!, '[mediapaused]');
  return { controller, speaker, sessions, control: (name) => controller.querySelector<HTMLElement>(name)! };
}

/** Resolves when `element` matches `selector`. The state of a control is in its attributes. */
function until(element: Element, selector: string): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (!element.matches(selector)) return;
      observer.disconnect();
      resolve();
    };
    const observer = new MutationObserver(look);
    observer.observe(element, { attributes: true });
    look();
  });
}

/** Sends a real click, at `part` of the width from the left. */
async function click(element: Element, part = 0.5): Promise<void> {
  const { x, y, width, height } = element.getBoundingClientRect();
  await sendMouse({ type: 'click', position: [Math.round(x + part * width), Math.round(y + height / 2)] });
}

/** Removes the preferences that media-chrome has stored. */
function forget(): void {
  for (const key of Object.keys(localStorage)) if (key.startsWith('media-chrome-pref')) localStorage.removeItem(key);
}

// An uncaught error, in a control or one of its event handlers, fails the test.
describe('<svc-speaker> in <media-controller>', () => {
  beforeEach(forget);
  afterEach(async () => {
    await resetMouse();
    forget();
    await removeSpeakers();
  });

  it('plays and pauses by the button, and shows that it loads meanwhile', async () => {
    const { speaker, control } = await makePlayer();
    const [button, indicator] = [control('media-play-button'), control('media-loading-indicator')];
    const loading = until(indicator, '[medialoading]:not([mediapaused])');
    const playing = next(speaker, 'playing');
    await click(button);
    await Promise.all([loading, playing]);
    await until(indicator, ':not([medialoading])');
    expect(button.matches(':not([mediapaused])')).to.equal(true);
    await click(button);
    await until(button, '[mediapaused]');
    expect(speaker.paused).to.equal(true);
  });

  it('shows that it loads while no speech arrives', async () => {
    const first = { tone: 440, seconds: 0.2, bytesPerFrame: 2 ** 20 };
    const rest = { tone: 440, seconds: 20, from: 4800 };
    const { speaker, control } = await makePlayer([speakingInParts(first, rest)]);
    const indicator = control('media-loading-indicator');
    const dry = nextAfter(speaker, 'playing', 'waiting');
    const { goOn } = speakInParts(speaker, 2);
    await dry;
    await until(indicator, '[medialoading]:not([mediapaused])');
    goOn();
    await until(indicator, ':not([medialoading])');
    expect(speaker.readyState).to.be.at.least(HTMLMediaElement.HAVE_FUTURE_DATA);
  });

  it('is muted by the button, and heard again', async () => {
    const { speaker, control } = await makePlayer();
    const button = control('media-mute-button');
    await click(button);
    await until(button, '[mediavolumelevel=off]');
    expect(speaker.muted).to.equal(true);
    await click(button);
    await until(button, '[mediavolumelevel=high]');
    expect(speaker.muted).to.equal(false);
  });

  it('takes its volume from the slider, which follows the speaker', async () => {
    const { speaker, control } = await makePlayer();
    const range = control('media-volume-range');
    await click(range);
    expect(speaker.volume).to.be.within(0.4, 0.6);
    speaker.volume = 0.25;
    await until(range, '[mediavolume="0.25"]');
    speaker.muted = true;
    await until(range, '[mediamuted]');
  });

  it('begins with the stored settings of the listener, and starts nothing for that', async () => {
    localStorage.setItem('media-chrome-pref-volume', '0.3');
    localStorage.setItem('media-chrome-pref-muted', 'true');
    const { AudioContext, Worker } = globalThis;
    const started: string[] = [];
    const note = <T extends new (...args: never[]) => object>(Original: T): T =>
      new Proxy(Original, {
        construct(target, args, newTarget) {
          started.push(target.name);
          return Reflect.construct(target, args, newTarget) as object;
        },
      });
    globalThis.AudioContext = note(AudioContext);
    globalThis.Worker = note(Worker);
    try {
      const { speaker, sessions, control } = await makePlayer();
      await until(control('media-volume-range'), '[mediavolume="0.3"][mediamuted]');
      expect([speaker.volume, speaker.muted]).to.deep.equal([0.3, true]);
      expect([started, sessions, speaker.networkState]).to.deep.equal([[], [], HTMLMediaElement.NETWORK_EMPTY]);
    } finally {
      Object.assign(globalThis, { AudioContext, Worker });
    }
  });

  it('plays at every rate that its button offers', async () => {
    const { speaker, control } = await makePlayer();
    const button = control('media-playback-rate-button');
    for (const rate of [1.2, 1.5, 1.7, 2, 1]) {
      await click(button);
      await until(button, `[mediaplaybackrate="${rate}"]`);
      expect(speaker.playbackRate).to.equal(rate);
    }
  });

  it('plays at every rate that its menu offers', async () => {
    const { controller, speaker } = await makePlayer();
    const menu = document.createElement('media-playback-rate-menu');
    controller.append(menu);
    await until(menu, '[mediaplaybackrate="1"]');
    const items = [...menu.shadowRoot!.querySelectorAll<HTMLElement & { value: string }>('[role=menuitemradio]')];
    expect(items).to.have.length.greaterThan(3);
    for (const item of items) {
      item.click();
      expect(speaker.playbackRate).to.equal(Number(item.value));
    }
  });

  it('shows time and duration, and offers to play again at the end', async () => {
    const { speaker, control } = await makePlayer([speaking({ tone: 440, seconds: 1 })]);
    const display = control('media-time-display');
    const shown = (): string => display.shadowRoot!.querySelector('slot')!.textContent.replaceAll(/\s/gu, '');
    speaker.playbackRate = 2;
    await click(control('media-play-button'));
    await until(display, '[mediaduration="1"]');
    expect(shown()).to.match(/^0:0[01]\/0:01$/);
    await until(control('media-play-button'), '[mediaended]');
    expect(shown()).to.equal('0:01/0:01');
    const times: number[] = [];
    speaker.addEventListener('seeking', () => times.push(speaker.currentTime));
    const playing = next(speaker, 'playing');
    await click(control('media-play-button'));
    await playing;
    expect(times, 'from the beginning').to.deep.equal([0]);
    await until(control('media-play-button'), '[mediaended]');
  });

  it('is live until its end is known, and plays by the live button, too', async () => {
    const { speaker, control } = await makePlayer([
      [{ wait: 'end' }, { frames: { tone: 440, seconds: 20 } }, { wait: 'end' }],
    ]);
    const [range, button] = [control('media-time-range'), control('media-live-button')];
    const playing = next(speaker, 'playing');
    await click(button);
    await playing;
    await until(button, ':not([mediapaused])');
    expect(speaker.duration).to.equal(Number.POSITIVE_INFINITY);
    await click(button); // which seeks to the edge
    await click(range);
    expect(speaker.currentTime).to.be.at.most(speaker.seekable.end(0));
    expect(speaker.error).to.equal(null);
  });

  it('follows the time range', async () => {
    const { speaker, control } = await makePlayer();
    const range = control('media-time-range');
    await click(control('media-play-button'));
    await until(range, '[mediaduration="20"]');
    const target = next(speaker, 'seeking').then(() => speaker.currentTime);
    await click(range, 0.9);
    expect(await target).to.be.closeTo(18, 1.5);
    const input = range.shadowRoot!.querySelector('input')!;
    while (input.valueAsNumber < 0.8) await next(speaker, 'timeupdate');
    expect(input.valueAsNumber).to.be.closeTo(speaker.currentTime / 20, 0.1);
  });

  it('offers all speech in the time range as soon as its end is known', async () => {
    const { speaker, control } = await makePlayer([
      [
        { wait: 'end' },
        { frames: { tone: 440, seconds: 1 } },
        { wait: 150 },
        { frames: { tone: 440, seconds: 19 } },
        { done: true },
      ],
    ]);
    void speaker.play();
    await until(control('media-time-range'), '[mediaduration="20"][mediaseekable="0:20"]');
    expect(speaker.currentTime).to.be.lessThan(10);
  });

  it('seeks where the time range is dragged to', async () => {
    const { speaker, control } = await makePlayer();
    const range = control('media-time-range');
    await speaker.play();
    await until(range, '[mediaduration="20"]');
    speaker.pause();
    await until(range, '[mediapaused]');
    const { x, y, width, height } = range.getBoundingClientRect();
    const at = (part: number): [number, number] => [Math.round(x + part * width), Math.round(y + height / 2)];
    await sendMouse({ type: 'move', position: at(0.2) });
    await sendMouse({ type: 'down' });
    for (const part of [0.4, 0.6, 0.8]) await sendMouse({ type: 'move', position: at(part) });
    await sendMouse({ type: 'up' });
    while (speaker.seeking || speaker.currentTime < 14) await next(speaker, 'seeked');
    expect(speaker.currentTime).to.be.closeTo(16, 1.5);
    expect(speaker.paused).to.equal(true);
  });

  it('seeks by its buttons, and shows the duration', async () => {
    const { speaker, sessions, control } = await makePlayer();
    const duration = control('media-duration-display');
    await speaker.play();
    await until(duration, '[mediaduration="20"]');
    expect(duration.shadowRoot!.querySelector('slot')!.textContent.trim()).to.equal('0:20');
    speaker.pause();
    speaker.currentTime = 0;
    await next(speaker, 'seeked');
    for (const [name, to] of [
      ['media-seek-forward-button', 15],
      ['media-seek-backward-button', 5],
    ] as const) {
      const button = control(name);
      button.setAttribute('seekoffset', String(name === 'media-seek-forward-button' ? 15 : 10));
      const seeked = next(speaker, 'seeked');
      await click(button);
      await seeked;
      expect(speaker.currentTime, name).to.equal(to);
      await until(control('media-time-range'), `[mediacurrenttime="${to}"]`);
    }
    expect(sessions.length).to.equal(1);
  });

  it('shows an error until speech is heard again; media-chrome takes no request meanwhile', async () => {
    const { speaker, control } = await makePlayer();
    const dialog = control('media-error-dialog');
    const button = control('media-play-button');
    speaker.sessionProvider = () => Promise.reject(new Error('no backend'));
    await click(button);
    await until(dialog, '[open]');
    await until(button, '[mediapaused]');
    expect(dialog.getAttribute('mediaerrorcode')).to.equal(String(speaker.error!.code));
    expect(dialog.getAttribute('mediaerrormessage')).to.equal(speaker.error!.message);
    speaker.sessionProvider = () => Promise.resolve(sessionUrl(long));
    speaker.speak('Again.');
    await until(dialog, ':not([open])');
    await click(button);
    await until(button, '[mediapaused]');
    expect(speaker.paused).to.equal(true);
  });

  it('is found when it is defined after the controller', async () => {
    const controller = document.createElement('media-controller');
    controller.setAttribute('audio', '');
    controller.innerHTML = `<latest-speaker slot="media" muted></latest-speaker>
      <media-mute-button></media-mute-button>`;
    document.body.append(controller);
    const button = controller.querySelector('media-mute-button')!;
    customElements.define('latest-speaker', class extends SvcSpeakerElement {});
    await until(button, '[mediavolumelevel=off]');
    await click(button);
    await until(button, '[mediavolumelevel=high]');
  });

  describe('by the keyboard', () => {
    /** Presses a key while the controller has the focus. */
    async function press({ controller }: Player, key: string): Promise<void> {
      controller.focus();
      await sendKeys({ press: key });
    }

    for (const key of ['Space', 'k']) {
      it(`plays and pauses: ${key}`, async () => {
        const player = await makePlayer();
        const playing = next(player.speaker, 'playing');
        await press(player, key);
        await playing;
        const paused = next(player.speaker, 'pause');
        await press(player, key);
        await paused;
      });
    }

    it('is muted and set louder', async () => {
      const player = await makePlayer();
      const { speaker } = player;
      await press(player, 'm');
      expect(speaker.muted).to.equal(true);
      await press(player, 'm');
      expect(speaker.muted).to.equal(false);
      await press(player, 'ArrowDown');
      expect(speaker.volume).to.equal(0.975);
      await press(player, 'ArrowUp');
      expect(speaker.volume).to.equal(1);
    });

    it('plays faster and slower, and stays at 0.5 where media-chrome would go lower', async () => {
      const player = await makePlayer();
      const { speaker } = player;
      await press(player, '>');
      expect(speaker.playbackRate).to.equal(1.25);
      speaker.playbackRate = 0.75;
      await next(speaker, 'ratechange');
      await press(player, '<');
      expect(speaker.playbackRate).to.equal(0.5);
      // As HTML requires, an unsupported rate throws an error. media-chrome does not catch it.
      const { onerror } = window;
      const errors: unknown[] = [];
      window.onerror = (_message, _source, _line, _column, error) => errors.push(error);
      await press(player, '<');
      window.onerror = onerror;
      expect(errors.map((error) => (error as Error).name)).to.deep.equal(['NotSupportedError']);
      expect(speaker.playbackRate).to.equal(0.5);
    });

    it('seeks by 10 s and plays on, also when asked for captions and picture in picture', async () => {
      const player = await makePlayer();
      const { speaker } = player;
      await speaker.play();
      while (speaker.seekable.length === 0 || speaker.seekable.end(0) < 20) await next(speaker, 'timeupdate');
      for (const key of ['ArrowRight', 'c', 'p']) await press(player, key);
      await next(speaker, 'timeupdate');
      expect(speaker.paused).to.equal(false);
      expect(speaker.currentTime).to.be.at.least(10);
      await press(player, 'j');
      await next(speaker, 'timeupdate');
      expect(speaker.currentTime).to.be.at.most(10);
    });
  });
});
