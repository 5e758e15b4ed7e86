import { resetMouse, sendKeys } from '@web/test-runner-commands';
import { expect } from 'chai';
import type { SvcSpeakerElement } from '../../../src/index.js';
import { speaking } from '../../../src/testing/script.js';
import { accessibilityProblems } from '../support/accessibility.js';
import { click, part, shown } from '../support/controls.js';
import { ended, next, removeSpeakers, scriptedSessions, skipToEnd } from '../support/speaker.js';
import { withoutWaiting } from '../support/timers.js';

const SECONDS = 0.4;
const short = speaking({ tone: 440, seconds: SECONDS });

/** Creates a speaker that has spoken its text. Returns it with the sessions that it has requested; the array grows. */
async function spoken(attributes: Record<string, string | number> = {}) {
  const player = scriptedSessions([short], { controls: true, text: 'Hello.', ...attributes });
  await player.speaker.play();
  await ended(player.speaker);
  await player.speaker.updateComplete;
  return player;
}

/** Creates a speaker that has not spoken yet. */
async function ready(attributes: Record<string, string | boolean> = {}): Promise<SvcSpeakerElement> {
  const { speaker } = scriptedSessions([short], { controls: true, text: 'Hello.', ...attributes });
  await speaker.updateComplete;
  return speaker;
}

describe('The button of <svc-speaker> after the end', () => {
  afterEach(removeSpeakers);
  afterEach(() => resetMouse());

  it('plays again, without another session', async () => {
    const frames = { tone: 440, seconds: 20 };
    const { speaker, sessions } = scriptedSessions([speaking(frames)], { controls: true, text: 'Hello.' });
    await speaker.play();
    await skipToEnd(speaker);
    await speaker.updateComplete;
    expect(shown(speaker, '[part=toggle]')).to.equal('Play again');
    const playing = next(speaker, 'playing');
    await click(part(speaker, 'toggle'));
    await playing;
    await speaker.updateComplete;
    expect(shown(speaker, '[part=toggle]')).to.equal('Pause');
    await skipToEnd(speaker);
    await speaker.updateComplete;
    expect(sessions.length).to.equal(1);
    expect(await accessibilityProblems(speaker)).to.deep.equal([]);
  });

  it('plays speech of speak() again if there is no text', async () => {
    const { speaker, sessions } = scriptedSessions([short], { controls: true });
    await speaker.speak('Once.').finished;
    await ended(speaker);
    await speaker.updateComplete;
    expect(shown(speaker, '[part=toggle]')).to.equal('Play again');
    await click(part(speaker, 'toggle'));
    await ended(speaker);
    expect(sessions.length).to.equal(1);
  });

  it('speaks if there is another text', async () => {
    const { speaker, sessions } = await spoken();
    speaker.text = 'Another.';
    await speaker.updateComplete;
    expect(shown(speaker, '[part=toggle]')).to.equal('Play');
    await click(part(speaker, 'toggle'));
    await ended(speaker);
    expect(sessions.length).to.equal(2);
  });

  it('speaks if nothing is kept', async () => {
    const { speaker } = await spoken({ history: 0 });
    expect(shown(speaker, '[part=toggle]')).to.equal('Play');
  });
});

describe('The speed menu of <svc-speaker>', () => {
  afterEach(removeSpeakers);

  it('sets the rate by keyboard', async () => {
    const speaker = await ready();
    const menu = part(speaker, 'speed') as HTMLSelectElement;
    expect([...menu.options].map(({ text }) => text)).to.deep.equal(['0.5×', '0.75×', '1×', '1.25×', '1.5×', '2×']);
    expect(menu.value).to.equal('1');
    for (const { value } of menu.options) speaker.playbackRate = Number(value);
    speaker.playbackRate = 1;
    await speaker.updateComplete;
    menu.focus();
    const changed = next(speaker, 'ratechange');
    await sendKeys({ press: '2' });
    await changed;
    expect(speaker.playbackRate).to.equal(2);
  });

  it('follows the property, also to a rate that it does not offer', async () => {
    const speaker = await ready();
    const menu = part(speaker, 'speed') as HTMLSelectElement;
    speaker.playbackRate = 1.5;
    await speaker.updateComplete;
    expect(menu.value).to.equal('1.5');
    speaker.playbackRate = 1.1;
    await speaker.updateComplete;
    expect(menu.selectedOptions[0]!.text).to.equal('1.1×');
    expect([...menu.options].map(({ value }) => Number(value))).to.deep.equal([0.5, 0.75, 1, 1.1, 1.25, 1.5, 2]);
    speaker.playbackRate = 1;
    await speaker.updateComplete;
    expect([menu.value, menu.options.length]).to.deep.equal(['1', 6]);
  });
});

describe('The download button of <svc-speaker>', () => {
  const { click: clickLink } = HTMLAnchorElement.prototype;
  afterEach(removeSpeakers);
  afterEach(() => resetMouse());
  afterEach(() => (HTMLAnchorElement.prototype.click = clickLink));

  /** Resolves with the link that a script clicks next. */
  function nextDownload(): Promise<HTMLAnchorElement> {
    return new Promise((resolve) => {
      HTMLAnchorElement.prototype.click = function (this: HTMLAnchorElement) {
        resolve(this);
      };
    });
  }

  it('is disabled until something has been heard', async () => {
    const speaker = await ready();
    const button = part(speaker, 'download') as HTMLButtonElement;
    expect(button.disabled).to.equal(true);
    await speaker.play();
    while (button.disabled) await next(speaker, 'timeupdate');
    const emptied = next(speaker, 'emptied');
    speaker.close();
    await emptied;
    await speaker.updateComplete;
    expect(button.disabled).to.equal(true);
  });

  it('saves what is kept as a WAV file with the first words as its name', async () => {
    const { speaker } = await spoken({ text: 'The tide: it turns twice a day, and nobody has to ask it.' });
    const download = nextDownload();
    await click(part(speaker, 'download'));
    const link = await download;
    expect(link.download).to.equal('The tide it turns twice a.wav');
    const blob = await (await fetch(link.href)).blob();
    expect([blob.type, blob.size]).to.deep.equal(['audio/wav', 44 + 2 * 24_000 * SECONDS]);
  });

  it('has a button for the captions of that file beside it, if there are words', async () => {
    const text = 'The tide: it turns twice a day.';
    const { speaker } = await spoken({ text });
    const download = nextDownload();
    await click(part(speaker, 'download-captions'));
    const link = await download;
    expect(link.download).to.equal('The tide it turns twice a.vtt');
    const blob = await (await fetch(link.href)).blob();
    expect(blob.type).to.equal('text/vtt');
    expect((await blob.text()).split('\n')).to.include.members(['WEBVTT', text]);
    expect(shown(speaker, '[part=download-captions]')).to.equal('Download captions');
    speaker.text = '';
    speaker.close();
    await speaker.updateComplete;
    expect(part(speaker, 'download-captions'), 'without words').to.equal(null);
  });

  it('is disabled if nothing is kept any more when it is clicked', async () => {
    const { speaker } = await spoken();
    const button = part(speaker, 'download') as HTMLButtonElement;
    speaker.clearHistory();
    button.click();
    await speaker.toBlob().catch(() => {}); // The rejection of the button's own call came before.
    await speaker.updateComplete;
    expect(button.disabled).to.equal(true);
    expect(part(speaker, 'error')).to.equal(null);
  });

  it('reports a failure until the next click or utterance', async () => {
    const { speaker } = await spoken();
    const { createObjectURL } = URL;
    const { error } = console;
    const full = new Error('The disk is full.');
    try {
      URL.createObjectURL = () => {
        throw full;
      };
      const logged = new Promise((resolve) => (console.error = resolve));
      part(speaker, 'download').click();
      expect(await logged).to.equal(full);
    } finally {
      URL.createObjectURL = createObjectURL;
      console.error = error;
    }
    expect(shown(speaker, '[part=error]')).to.equal('The speech could not be loaded. Try again.');
    expect(part(speaker, 'caption').hidden).to.equal(true);
    expect(await accessibilityProblems(speaker)).to.deep.equal([]);
    const download = nextDownload();
    part(speaker, 'download').click();
    await download;
    expect(part(speaker, 'error')).to.equal(null);
  });

  it('releases the file some time later', async () => {
    const { speaker } = await spoken();
    const download = nextDownload();
    part(speaker, 'download').click();
    const { href } = await download;
    const { revokeObjectURL } = URL;
    try {
      // Other tests have files, too, so only this one counts.
      const revoked = new Promise<void>((resolve) => {
        URL.revokeObjectURL = (url) => url === href && resolve();
      });
      await withoutWaiting(() => revoked, 40_000);
    } finally {
      URL.revokeObjectURL = revokeObjectURL;
    }
  });
});

describe('controlslist of <svc-speaker>', () => {
  afterEach(removeSpeakers);

  it('leaves out controls', async () => {
    const speaker = await ready({ controlslist: 'nodownload' });
    expect(part(speaker, 'download')).to.equal(null);
    expect(part(speaker, 'speed')).not.to.equal(null);
    speaker.controlsList.add('noplaybackrate');
    await speaker.updateComplete;
    expect(part(speaker, 'speed')).to.equal(null);
    speaker.controlsList.remove('nodownload');
    await speaker.updateComplete;
    expect(part(speaker, 'download')).not.to.equal(null);
    expect(speaker.getAttribute('controlslist')).to.equal('noplaybackrate');
  });
});
