import { emulateMedia, resetMouse, sendKeys, setViewport } from '@web/test-runner-commands';
import { expect } from 'chai';
import { speaking } from '../../../src/testing/script.js';
import { accessibilityProblems } from '../support/accessibility.js';
import { setAutoplayPolicy } from '../support/autoplay.js';
import { canvasOf, click, long, make, MESSAGE, part, shown, type State } from '../support/controls.js';
import { itUnless, narrowPages, preferences } from '../support/engine.js';
import { exact } from '../support/sound.js';
import { makeSpeaker, next, removeSpeakers, scriptedSpeaker, sessionUrl } from '../support/speaker.js';
import { nextFrame, openContexts } from '../support/tap.js';

const looks: Record<State, { label: string; status: string; custom: string[] }> = {
  // Must be first, because a page that was clicked is no longer blocked.
  blocked: { label: 'Play', status: 'Press play', custom: ['blocked'] },
  ready: { label: 'Play', status: 'Ready', custom: [] },
  connecting: { label: 'Pause', status: 'Connecting…', custom: ['buffering'] },
  buffering: { label: 'Pause', status: 'Buffering…', custom: ['buffering'] },
  speaking: { label: 'Pause', status: 'Speaking', custom: ['playing'] },
  paused: { label: 'Play', status: 'Paused', custom: [] },
  error: { label: 'Try again', status: 'Not spoken', custom: ['error'] },
};
const states = Object.keys(looks) as State[];

describe('Controls of <svc-speaker>', () => {
  afterEach(removeSpeakers);

  // Must run before any test that clicks.
  it('speak without a click when the context was only slow to run', async () => {
    const { AudioContext } = globalThis;
    let isSlow = true;
    globalThis.AudioContext = class extends AudioContext {
      override get state(): AudioContextState {
        return isSlow && super.state === 'running' ? 'suspended' : super.state;
      }
      override resume(): Promise<void> {
        // Quirk `webkitgtk-resume-hang`: the element calls it, because this context seems to be suspended.
        return super.state === 'running' ? Promise.resolve() : super.resume();
      }
    };
    setAutoplayPolicy('disallowed');
    try {
      const speaker = await make.ready();
      speaker.speak('Hello.');
      await next(speaker, 'blocked');
      isSlow = false;
      openContexts()[0]!.dispatchEvent(new Event('statechange'));
      await next(speaker, 'playing');
    } finally {
      globalThis.AudioContext = AudioContext;
      setAutoplayPolicy('allowed');
    }
  });

  for (const state of states) {
    it(`show the label, status and custom state of the state ${state}`, async () => {
      const speaker = await make[state]();
      expect(shown(speaker, '[part=toggle]')).to.equal(looks[state].label);
      expect(shown(speaker, '[part=status]')).to.equal(looks[state].status);
      const on = ['playing', 'buffering', 'blocked', 'error'].filter((name) => speaker.matches(`:state(${name})`));
      expect(on).to.deep.equal(looks[state].custom);
    });

    it(`have no accessibility problem in light and dark: ${state}`, async () => {
      const speaker = await make[state]();
      for (const scheme of ['light', 'dark']) {
        document.documentElement.style.colorScheme = scheme;
        document.body.style.background = 'Canvas';
        expect(await accessibilityProblems(speaker), scheme).to.deep.equal([]);
      }
      document.documentElement.style.colorScheme = '';
    });
  }

  it('have an accessibility problem if a label is empty', async () => {
    const speaker = await make.ready();
    speaker.innerHTML = '<span slot="play-label"></span>';
    expect((await accessibilityProblems(speaker)).join()).to.include('button-name');
  });

  it('are not rendered without the attribute', async () => {
    const speaker = makeSpeaker();
    await speaker.updateComplete;
    expect(speaker.shadowRoot!.children.length).to.equal(0);
    expect(speaker.getBoundingClientRect().height).to.equal(0);
    speaker.controls = true;
    await speaker.updateComplete;
    expect(speaker.getBoundingClientRect().height).to.be.greaterThan(40);
    speaker.controls = false;
    await speaker.updateComplete;
    expect(speaker.getBoundingClientRect().height).to.equal(0);
  });

  it('stay in place from state to state, at any width', async () => {
    const all: Record<number, Record<string, string>> = { 240: {}, 320: {}, 700: {} };
    // First `ready`, because the error is compared with it.
    for (const state of ['ready', ...states.filter((one) => one !== 'ready')] as const) {
      const speaker = await make[state]();
      for (const [width, places] of Object.entries(all)) {
        speaker.style.width = `${width}px`;
        places[state] = ['toggle', 'status', 'meter', 'volume']
          .map((name) => {
            const own = part(speaker, name).getBoundingClientRect();
            const { x, y } = speaker.getBoundingClientRect();
            // The width of the status depends on its text.
            const room = name === 'status' ? 0 : own.width;
            return [own.x - x, own.y - y, room, own.height].map(Math.round).join(' ');
          })
          .join(', ');
        const bar = part(speaker, 'controls').getBoundingClientRect();
        if (state !== 'error') places[state] += ` in ${bar.width} x ${bar.height}`;
        else places[state] += places.ready!.slice(places.ready!.indexOf(' in '));
        expect(bar.width).to.equal(Number(width));
      }
      await removeSpeakers();
    }
    for (const places of Object.values(all)) {
      expect(new Set(Object.values(places)), JSON.stringify(places, null, 1)).to.have.length(1);
    }
  });

  itUnless(narrowPages)('fit a narrow page', async () => {
    await setViewport({ width: 320, height: 640 });
    const speaker = await make.error();
    expect(document.documentElement.scrollWidth).to.equal(320);
    const { right } = part(speaker, 'error').getBoundingClientRect();
    expect(right).to.be.at.most(320);
    await setViewport({ width: 800, height: 600 });
  });

  it('announce an error in a sentence for the user', async () => {
    const speaker = await make.error();
    const alert = speaker.shadowRoot!.querySelector('[role=alert]')!;
    expect(alert.textContent).to.equal('The speech could not be loaded. Try again.');
    expect(speaker.error!.message).to.include(MESSAGE);
    speaker.sessionProvider = () => new Promise(() => {});
    speaker.speak('Again.');
    await next(speaker, 'play');
    await speaker.updateComplete;
    expect(speaker.shadowRoot!.querySelector('[role=alert]')).to.equal(null);
  });

  it('show the content of the error slot instead of the message', async () => {
    const speaker = await make.error();
    const words = document.createElement('span');
    words.slot = 'error';
    words.textContent = 'Please log in.';
    speaker.append(words);
    expect(words.assignedSlot!.closest('[role=alert]')).not.to.equal(null);
    expect(words.checkVisibility()).to.equal(true);
    speaker.sessionProvider = () => new Promise(() => {});
    speaker.speak('Again.');
    await next(speaker, 'play');
    await speaker.updateComplete;
    expect(words.assignedSlot).to.equal(null);
  });

  it('show an error when the audio that arrived before it has been played', async () => {
    const speaker = scriptedSpeaker([{ wait: 'end' }, { frames: { tone: 440, seconds: 20.5 } }, { close: 4500 }], {
      controls: true,
      ...exact,
    });
    await speaker.updateComplete;
    speaker.speak('Hello.').finished.catch(() => {});
    const failed = next(speaker, 'error');
    await next(speaker, 'utterancestart');
    await failed;
    await speaker.updateComplete;
    expect(shown(speaker, '[part=status]')).to.equal('Speaking');
    expect(shown(speaker, '[part=toggle]')).to.equal('Pause');
    speaker.currentTime = 20.4;
    await next(speaker, 'pause');
    await speaker.updateComplete;
    expect(shown(speaker, '[part=status]')).to.equal('Interrupted');
    expect(part(speaker, 'time').textContent, 'it stays').to.equal('0:20 / 0:20');
    speaker.innerHTML = '<span slot="error-status">Gescheitert</span>';
    expect(shown(speaker, '[part=status]'), "the page's word for errors").to.equal('Gescheitert');
    speaker.innerHTML += '<span slot="interrupted-status">Abgebrochen</span>';
    expect(shown(speaker, '[part=status]')).to.equal('Abgebrochen');
  });

  it('report that an utterance was not spoken, although the one before it was', async () => {
    const once = sessionUrl(speaking({ tone: 440, seconds: 0.3 }));
    const speaker = makeSpeaker({ controls: true });
    speaker.sessionProvider = () => Promise.resolve(once);
    await speaker.speak('One.').finished;
    speaker.sessionProvider = () => Promise.reject(new Error(MESSAGE));
    const over = next(speaker, 'pause');
    await speaker.speak('Two.').finished.catch(() => {});
    await over;
    await speaker.updateComplete;
    expect(shown(speaker, '[part=status]')).to.equal('Not spoken');
  });

  it('show with `timeupdate` what arrives while sound plays, not with `progress`', async () => {
    const speaker = scriptedSpeaker([{ wait: 'end' }, { frames: { tone: 440, seconds: 60, pace: 'realtime' } }], {
      controls: true,
      'jitter-buffer-target': 1000,
    });
    await speaker.updateComplete;
    speaker.speak('On and on.').finished.catch(() => {});
    await next(speaker, 'playing');
    const changes = new MutationObserver(() => {});
    changes.observe(speaker.shadowRoot!, { attributes: true, subtree: true });
    /** Returns whether the next event of a type that comes while sound plays changes what is shown. */
    const isShown = async (type: 'timeupdate' | 'progress'): Promise<boolean> => {
      for (;;) {
        speaker.addEventListener(type, () => changes.takeRecords(), { once: true });
        await next(speaker, type);
        const records = changes.takeRecords();
        if (speaker.state === 'playing') return records.length > 0;
      }
    };
    expect([await isShown('timeupdate'), await isShown('progress')]).to.deep.equal([true, false]);
  });

  it('show the current time and the duration', async () => {
    const speaker = await make.ready();
    expect(part(speaker, 'time')).to.equal(null);
    void speaker.play();
    while (!Number.isFinite(speaker.duration)) await next(speaker, 'durationchange');
    await speaker.updateComplete;
    expect(part(speaker, 'time').textContent).to.match(/^0:0\d \/ 0:20$/);
    // If there is too little room, the duration is hidden first.
    const seen = (): boolean[] => {
      const { bottom } = part(speaker, 'time').getBoundingClientRect();
      return [...part(speaker, 'time').children].map((span) => span.getBoundingClientRect().top < bottom);
    };
    expect(seen(), 'at the default width').to.deep.equal([true, true]);
    const widths = [320, 210, 160].map((width) => {
      speaker.style.width = `${width}px`;
      return seen();
    });
    expect(widths).to.deep.equal([
      [true, true],
      [true, false],
      [false, false],
    ]);
  });

  for (const [width, fontSize] of [
    [240, 14],
    [240, 11],
    [320, 24],
  ]) {
    it(`show the whole status and the time at ${width} pixels with a font size of ${fontSize}`, async () => {
      for (const state of states) {
        const speaker = await make[state]();
        Object.assign(speaker.style, { width: `${width}px`, fontSize: `${fontSize}px` });
        const status = part(speaker, 'status');
        const line = status.parentElement!.getBoundingClientRect();
        const box = status.getBoundingClientRect();
        expect(status.scrollWidth, `${state}: no ellipsis`).to.be.at.most(status.clientWidth);
        expect(box.top, `${state}: nothing cut off above`).to.be.at.least(line.top - 0.5);
        expect(box.bottom, `${state}: nothing cut off below`).to.be.at.most(line.bottom + 0.5);
        expect(box.height, `${state}: a line`).to.be.at.least(parseFloat(getComputedStyle(status).fontSize) * 1.2);
        if (state === 'speaking') {
          const time = part(speaker, 'time');
          expect(time.firstElementChild!.getBoundingClientRect().top).to.be.below(time.getBoundingClientRect().bottom);
        }
        await removeSpeakers();
      }
    });
  }
});

describe('The button of <svc-speaker>', () => {
  afterEach(removeSpeakers);
  afterEach(() => resetMouse());

  it('plays and pauses by mouse', async () => {
    const speaker = await make.ready();
    const playing = next(speaker, 'playing');
    await click(part(speaker, 'toggle'));
    await playing;
    const paused = next(speaker, 'pause');
    await click(part(speaker, 'toggle'));
    await paused;
    const again = next(speaker, 'playing');
    await click(part(speaker, 'toggle'));
    await again;
  });

  it('plays and pauses by keyboard', async () => {
    const speaker = await make.ready();
    await sendKeys({ press: 'Tab' });
    expect(speaker.shadowRoot!.activeElement).to.equal(part(speaker, 'toggle'));
    const playing = next(speaker, 'playing');
    await sendKeys({ press: 'Enter' });
    await playing;
    const paused = next(speaker, 'pause');
    await sendKeys({ press: 'Space' });
    await paused;
    expect(speaker.shadowRoot!.activeElement, 'it keeps the focus').to.equal(part(speaker, 'toggle'));
  });

  it('pauses before anything plays', async () => {
    const speaker = await make.connecting();
    await click(part(speaker, 'toggle'));
    expect(speaker.paused).to.equal(true);
  });

  it('is disabled, with the reason, if there is nothing to say', async () => {
    const speaker = makeSpeaker({ controls: true });
    const toggle = (): HTMLElement => part(speaker, 'toggle');
    const isDisabled = async (): Promise<boolean> => {
      await speaker.updateComplete;
      const is = toggle().getAttribute('aria-disabled') === 'true';
      expect(shown(speaker, '[part=status]')).to.equal(is ? 'Nothing to say' : 'Ready');
      const why = toggle().getAttribute('aria-describedby');
      expect(why && speaker.shadowRoot!.getElementById(why)).to.equal(is ? part(speaker, 'status') : null);
      return is;
    };
    expect(await isDisabled(), 'no source').to.equal(true);
    expect(await accessibilityProblems(speaker)).to.deep.equal([]);
    await click(toggle());
    expect(speaker.state).to.equal('idle');
    speaker.text = 'Hello.';
    expect(await isDisabled(), 'text, and still no source').to.equal(true);
    speaker.sessionProvider = () => Promise.resolve(sessionUrl(long));
    expect(await isDisabled(), 'a source').to.equal(false);
    const playing = next(speaker, 'playing');
    await click(toggle());
    await playing;
  });

  it('is disabled once a session without text has arrived, until something changes', async () => {
    const speaker = makeSpeaker({ controls: true });
    const { href: url } = new URL(sessionUrl(long));
    const session = { url, protocol: 'svctts.v1', format: 'pcm_s16le', gateway: 'g', voice_id: 'v' };
    speaker.sessionProvider = () => Promise.resolve({ ...session, sample_rate: 24_000, messages: [] });
    await speaker.updateComplete;
    const disabled = (): string | null => part(speaker, 'toggle').getAttribute('aria-disabled');
    expect(disabled(), 'the session may bring words').to.equal(null);
    const idle = async (): Promise<void> => {
      do await next(speaker, 'statechange');
      while (speaker.state !== 'idle');
    };
    const refused = idle();
    await click(part(speaker, 'toggle'));
    await refused;
    while (disabled() === null) await nextFrame();
    expect(shown(speaker, '[part=status]')).to.equal('Nothing to say');
    expect(speaker.shadowRoot!.activeElement, 'it keeps the focus').to.equal(part(speaker, 'toggle'));
    speaker.sessionRequest = { input: 'Hello.' };
    await speaker.updateComplete;
    expect(disabled(), 'another request').to.equal(null);
  });

  it('tries again after an error', async () => {
    const speaker = await make.error();
    speaker.sessionProvider = () => Promise.resolve(sessionUrl(long));
    const playing = next(speaker, 'playing');
    await click(part(speaker, 'toggle'));
    await playing;
    expect(speaker.error).to.equal(null);
  });
});

describe('The volume slider of <svc-speaker>', () => {
  afterEach(removeSpeakers);
  afterEach(() => resetMouse());

  it('shows and sets the volume by keyboard', async () => {
    const speaker = await make.ready();
    const slider = part(speaker, 'volume') as HTMLInputElement;
    expect(slider.valueAsNumber).to.equal(1);
    await sendKeys({ press: 'Tab' });
    await sendKeys({ press: 'Tab' });
    expect(speaker.shadowRoot!.activeElement).to.equal(slider);
    const changed = next(speaker, 'volumechange');
    await sendKeys({ press: 'ArrowLeft' });
    await changed;
    expect(speaker.volume).to.equal(0.95);
    await speaker.updateComplete;
    expect(slider.getAttribute('aria-valuetext')).to.equal('95%');
  });

  it('sets the volume by mouse', async () => {
    const speaker = await make.ready();
    await click(part(speaker, 'volume'));
    expect(speaker.volume).to.be.within(0.4, 0.6);
  });

  it('follows the properties, and is at 0 while muted', async () => {
    const speaker = await make.ready();
    const slider = part(speaker, 'volume') as HTMLInputElement;
    speaker.volume = 0.3;
    await speaker.updateComplete;
    expect(slider.valueAsNumber).to.equal(0.3);
    speaker.muted = true;
    await speaker.updateComplete;
    expect(slider.valueAsNumber).to.equal(0);
  });

  it('unmutes when it is moved', async () => {
    const speaker = await make.ready({ muted: true });
    expect(speaker.muted).to.equal(true);
    await click(part(speaker, 'volume'));
    expect(speaker.muted).to.equal(false);
    expect(speaker.volume).to.be.within(0.4, 0.6);
  });
});

describe('The words of <svc-speaker>', () => {
  afterEach(removeSpeakers);

  it('are replaced through slots', async () => {
    const speaker = await make.ready();
    speaker.innerHTML = `
      <span slot="play-label">Abspielen</span>
      <span slot="ready-status">Bereit</span>
      <span slot="volume-label">Lautstärke</span>`;
    expect(shown(speaker, '[part=toggle]')).to.equal('Abspielen');
    expect(shown(speaker, '[part=status]')).to.equal('Bereit');
    expect(shown(speaker, '[part=loudness]')).to.equal('Lautstärke');
    expect(await accessibilityProblems(speaker)).to.deep.equal([]);
  });

  it('are the text that play() will speak, then each utterance', async () => {
    const speaker = await make.ready();
    expect(shown(speaker, '[part=caption]')).to.equal('Hello.');
    const first = speaker.speak('One.');
    const second = speaker.speak('Two.');
    await first.started;
    await speaker.updateComplete;
    expect(shown(speaker, '[part=caption]')).to.equal('One.');
    first.cancel();
    await second.started;
    await speaker.updateComplete;
    expect(shown(speaker, '[part=caption]')).to.equal('Two.');
    speaker.close();
    speaker.text = '';
    await speaker.updateComplete;
    expect(part(speaker, 'caption').getClientRects().length, 'nothing to say').to.equal(0);
  });

  it('stay until the next utterance', async () => {
    const speaker = scriptedSpeaker(speaking({ tone: 440, seconds: 0.1 }), { controls: true });
    await speaker.speak('Once.').finished;
    await speaker.updateComplete;
    expect(shown(speaker, '[part=caption]')).to.equal('Once.');
    expect(getComputedStyle(part(speaker, 'caption')).maskImage, 'that is all').to.equal('none');
  });

  it('are replaced by the content of the caption slot', async () => {
    const speaker = makeSpeaker({ controls: true });
    await speaker.updateComplete;
    expect(part(speaker, 'caption').getClientRects().length).to.equal(0);
    speaker.innerHTML = '<span slot="caption">Hallo.</span>';
    while (part(speaker, 'caption').getClientRects().length === 0) await nextFrame();
    expect(shown(speaker, '[part=caption]')).to.equal('Hallo.');
  });

  it('scroll as they are spoken if they are long', async () => {
    const speaker = scriptedSpeaker(speaking({ tone: 440, seconds: 8 }), { controls: true });
    const words = 'The tide turns twice a day. '.repeat(20);
    speaker.speak(words);
    await speaker.updateComplete;
    const caption = part(speaker, 'caption');
    expect(caption.scrollHeight).to.be.greaterThan(4 * caption.clientHeight);
    expect(caption.scrollTop).to.equal(0);
    expect(getComputedStyle(caption).maskImage, 'there is more').to.include('gradient');
    while (caption.scrollTop < caption.scrollHeight / 4) await nextFrame();
    speaker.pause();
    // The position stands still now, so that the words reach it even if this page is drawn rarely.
    while (Math.abs(caption.scrollTop / caption.scrollHeight - speaker.currentTime / 8) > 0.3) await nextFrame();
  });

  it('scroll in a theme that has no length for the height of lines', async () => {
    const speaker = scriptedSpeaker(speaking({ tone: 440, seconds: 8 }), { controls: true });
    await speaker.updateComplete;
    const caption = part(speaker, 'caption');
    caption.style.lineHeight = 'normal';
    speaker.speak('The tide turns twice a day. '.repeat(20));
    while (getComputedStyle(caption).maskImage === 'none') await nextFrame();
    expect(getComputedStyle(caption).lineHeight).to.equal('normal');
    while (caption.scrollTop === 0) await nextFrame();
  });

  it('are measured only for another word, because that makes the browser lay the page out', async () => {
    const speaker = scriptedSpeaker(speaking({ tone: 440, seconds: 8 }), { controls: true });
    const { started } = speaker.speak('Once.');
    await started;
    await speaker.updateComplete;
    let measurements = 0;
    Object.defineProperty(part(speaker, 'caption'), 'scrollHeight', {
      get() {
        measurements++;
        return 0;
      },
    });
    for (let update = 0; update < 4; update++) {
      await next(speaker, 'timeupdate');
      await speaker.updateComplete;
    }
    expect(measurements, 'there is one word').to.be.at.most(1);
  });

  it('take as many lines as the custom property allows', async () => {
    const speaker = await make.ready();
    const { height } = part(speaker, 'caption').getBoundingClientRect();
    const bar = speaker.getBoundingClientRect().height;
    speaker.style.setProperty('--svc-speaker-caption-lines', '3');
    expect(part(speaker, 'caption').getBoundingClientRect().height).to.equal(height * 1.5);
    speaker.style.setProperty('--svc-speaker-caption-lines', '0');
    expect(speaker.getBoundingClientRect().height).to.equal(bar - height - 8);
  });

  it('never make the bar higher', async () => {
    const speaker = await make.ready();
    const { height } = speaker.getBoundingClientRect();
    speaker.innerHTML = `<span slot="ready-status">${'Noch nichts zu hören '.repeat(9)}</span>`;
    expect(speaker.getBoundingClientRect().height).to.equal(height);
  });
});

describe('The appearance of <svc-speaker>', () => {
  afterEach(removeSpeakers);
  afterEach(() => emulateMedia({ reducedMotion: 'no-preference', forcedColors: 'none' }));

  it('is mirrored from right to left', async () => {
    const speaker = await make.speaking({ dir: 'rtl' });
    const x = (name: string): number => part(speaker, name).getBoundingClientRect().x;
    expect(x('toggle')).to.be.greaterThan(x('status'));
    expect(x('status')).to.be.greaterThan(x('volume'));
    expect(getComputedStyle(canvasOf(speaker)).transform, 'time goes to the left').to.equal(
      'matrix(-1, 0, 0, 1, 0, 0)',
    );
  });

  it('follows the colour scheme of the page', async () => {
    const speaker = await make.ready();
    const surfaces = ['light', 'dark'].map((scheme) => {
      speaker.style.colorScheme = scheme;
      return getComputedStyle(part(speaker, 'controls')).backgroundColor;
    });
    expect(surfaces).to.deep.equal(['rgb(241, 244, 243)', 'rgb(29, 35, 34)']);
  });

  it('follows custom properties', async () => {
    const speaker = await make.error();
    speaker.style.cssText = `--svc-speaker-accent: rgb(1, 2, 3); --svc-speaker-surface: rgb(4, 5, 6);
      --svc-speaker-muted: rgb(7, 8, 9); --svc-speaker-error: rgb(10, 11, 12); --svc-speaker-radius: 3px;`;
    const style = (name: string): CSSStyleDeclaration => getComputedStyle(part(speaker, name));
    expect(style('toggle').backgroundColor).to.equal('rgb(1, 2, 3)');
    expect(style('controls').backgroundColor).to.equal('rgb(4, 5, 6)');
    expect(style('status').color).to.equal('rgb(7, 8, 9)');
    expect(style('error').color).to.equal('rgb(10, 11, 12)');
    expect(style('controls').borderRadius).to.equal('3px');
  });

  itUnless(preferences)('is animated unless the user prefers reduced motion', async () => {
    const speaker = await make.connecting();
    expect(getComputedStyle(part(speaker, 'meter')).animationName).to.equal('wait');
    await emulateMedia({ reducedMotion: 'reduce' });
    expect(getComputedStyle(part(speaker, 'meter')).animationName).to.equal('none');
  });

  itUnless(preferences)('has borders in forced colours', async () => {
    const speaker = await make.ready();
    await emulateMedia({ forcedColors: 'active' });
    expect(getComputedStyle(part(speaker, 'toggle')).borderTopWidth).to.equal('1px');
    for (let frame = 0; frame < 2; frame++) await nextFrame();
    const { color, fill, stroke } = getComputedStyle(canvasOf(speaker));
    expect(new Set([color, fill, stroke]), 'three colours of the system').to.have.length(3);
  });
});

describe('A page that has not loaded the controls', () => {
  afterEach(removeSpeakers);

  /** Opens a frame with the element, whose controls cannot be loaded. Returns its window. */
  async function openBareFrame(): Promise<Window & typeof globalThis> {
    const imports = { '/src/controls/controls.ts': '/nothing/here.js' };
    const frame = document.createElement('iframe');
    frame.width = '640';
    frame.srcdoc = `<script type="importmap">${JSON.stringify({ imports })}</script>
      <script type="module" src="/src/define.ts"></script>`;
    const loaded = new Promise((resolve) => frame.addEventListener('load', resolve));
    document.body.append(frame);
    await loaded;
    const view = frame.contentWindow as Window & typeof globalThis;
    await view.customElements.whenDefined('svc-speaker');
    return view;
  }

  it('reserves their size, reports the failure once, and speaks', async () => {
    const whole = [await make.ready(), scriptedSpeaker(long, { controls: true })];
    await whole[1]!.updateComplete;
    const view = await openBareFrame();
    // The error is reported to the page. WebKit gives no details.
    let failures = 0;
    const failed = new Promise<void>((resolve) => {
      view.addEventListener('error', () => {
        if (++failures === 2) resolve();
      });
    });
    const bare = [{ text: 'Hello.' }, {}].map((attributes) => {
      const speaker = view.document.createElement('svc-speaker');
      Object.assign(speaker, { controls: true, ...attributes });
      view.document.body.append(speaker);
      return speaker;
    });
    await failed;
    const sizes = [whole, bare].map((speakers) => {
      return speakers.map((speaker) => {
        const { width, height } = speaker.getBoundingClientRect();
        return [width, height];
      });
    });
    expect(sizes[1]).to.deep.equal(sizes[0]);
    const [speaker] = bare;
    speaker!.sessionProvider = () => new Promise(() => {});
    const asked = next(speaker!, 'play');
    speaker!.speak('Hello.');
    await asked;
    await speaker!.updateComplete;
    expect(failures, 'one for each speaker').to.equal(2);
    expect(speaker!.state).to.equal('connecting');
  });

  it('tries once and speaks in an engine without `reportError`', async () => {
    const view = await openBareFrame();
    Reflect.deleteProperty(view, 'reportError');
    expect(view.reportError).to.equal(undefined);
    const speaker = view.document.createElement('svc-speaker');
    speaker.controls = true;
    view.document.body.append(speaker);
    const tried = speaker.updateComplete;
    await tried;
    speaker.sessionProvider = () => new Promise(() => {});
    const asked = next(speaker, 'play');
    speaker.speak('Hello.');
    await asked;
    expect(speaker.updateComplete, 'no other attempt').to.equal(tried);
    expect(speaker.state).to.equal('connecting');
  });

  it('loads nothing for a speaker without controls', async () => {
    const frame = document.createElement('iframe');
    // Not `srcdoc`, because WebKit loads no worklet into such a frame.
    frame.src = '/test/page/support/frame.html';
    const loaded = new Promise((resolve) => frame.addEventListener('load', resolve));
    document.body.append(frame);
    await loaded;
    const view = frame.contentWindow!;
    await view.customElements.whenDefined('svc-speaker');
    const details = (): unknown[] =>
      view.performance.getEntriesByType('resource').filter(({ name }) => name.includes('/controls/controls'));
    const speaker = view.document.createElement('svc-speaker');
    view.document.body.append(speaker);
    speaker.sessionProvider = () => Promise.resolve(sessionUrl(long));
    await speaker.speak('Hello.').started; // long after it would have been loaded
    expect(details()).to.have.length(0);
    speaker.controls = true;
    await speaker.updateComplete;
    expect(details()).to.have.length(1);
  });
});
