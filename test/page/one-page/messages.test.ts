import { resetMouse, sendKeys } from '@web/test-runner-commands';
import { expect } from 'chai';
import type { SvcSpeakerElement } from '../../../src/index.js';
import arabic from '../../../src/messages/ar.js';
import german from '../../../src/messages/de.js';
import { speaking } from '../../../src/testing/script.js';
import { accessibilityProblems } from '../support/accessibility.js';
import { serveAudio } from '../support/audio-file.js';
import { click, part, shown } from '../support/controls.js';
import { itUnless, mirroredKeys } from '../support/engine.js';
import { makeSpeaker, next, removeSpeakers, scriptedSpeaker } from '../support/speaker.js';

const SECONDS = 20;
const long = speaking({ tone: 440, seconds: SECONDS });
const { error: logError } = console;

function valueText(speaker: SvcSpeakerElement, name: string): string {
  return part(speaker, name).ariaValueText!.replaceAll(/\s/g, ' ');
}

/** A speaker with controls that has not spoken, with these messages. */
async function ready(messages: unknown = null): Promise<SvcSpeakerElement> {
  const speaker = scriptedSpeaker(long, { controls: true, text: 'Hello.' });
  Reflect.set(speaker, 'messages', messages);
  await speaker.updateComplete;
  return speaker;
}

/** A speaker that is paused, of whose speech everything is kept. */
async function paused(attributes: Record<string, string> = {}): Promise<SvcSpeakerElement> {
  const speaker = scriptedSpeaker(long, { controls: true, text: 'Hello.', ...attributes });
  await speaker.play();
  while (!Number.isFinite(speaker.duration) || !speaker.seekable.length) await next(speaker, 'timeupdate');
  speaker.pause();
  await next(speaker, 'pause');
  await speaker.updateComplete;
  return speaker;
}

/** A speaker whose endpoint answers with an HTTP status, and what the console got. */
async function refused(status: number, messages: SvcSpeakerElement['messages'] = null) {
  const logged: unknown[] = [];
  console.error = (value: unknown) => logged.push(value);
  const answer = new TextEncoder().encode(JSON.stringify({ detail: 'For developers.' }));
  const { path } = await serveAudio(answer, { status, type: 'application/json' });
  const speaker = makeSpeaker({ controls: true, text: 'Hello.', 'session-endpoint': path });
  speaker.messages = messages;
  await speaker.play().catch(() => {});
  await speaker.updateComplete;
  return { speaker, error: speaker.error, logged };
}

describe('The messages of <svc-speaker>', () => {
  afterEach(removeSpeakers);
  afterEach(() => void (console.error = logError));

  it('are English, and marked as English', async () => {
    const speaker = await ready();
    expect(speaker.messages).to.equal(null);
    expect(shown(speaker, '[part=toggle]')).to.equal('Play');
    for (const name of ['toggle', 'status', 'tools']) {
      expect(part(speaker, name).closest('[lang]')!.getAttribute('lang'), name).to.equal('en');
    }
    expect(part(speaker, 'caption').closest('[lang]'), 'the words are in the language of the page').to.equal(null);
  });

  it('are drawn again when they are set, and English again without them', async () => {
    const speaker = await ready();
    speaker.messages = german;
    await speaker.updateComplete;
    expect(speaker.messages).to.equal(german);
    expect(shown(speaker, '[part=toggle]')).to.equal('Abspielen');
    expect(shown(speaker, '[part=status]')).to.equal('Bereit');
    expect(part(speaker, 'toggle').lang).to.equal('de');
    const labels = ['volume', 'progress', 'speed'].map(
      (name) => (part(speaker, name) as HTMLInputElement).labels![0]!.querySelector('slot')!.textContent,
    );
    expect(labels).to.deep.equal(['Lautstärke', 'Abspielposition', 'Geschwindigkeit']);
    expect(shown(speaker, '[part=download]')).to.equal('Herunterladen');
    expect(valueText(speaker, 'volume')).to.equal('100 %');
    expect([...part(speaker, 'speed').children].map((option) => option.textContent)).to.include('1,25×');
    for (const none of [undefined, null]) {
      speaker.messages = none;
      expect(speaker.messages).to.equal(null);
      await speaker.updateComplete;
      expect(shown(speaker, '[part=toggle]')).to.equal('Play');
    }
  });

  it('replace only those that are given', async () => {
    const speaker = await ready({ playLabel: 'Listen' });
    expect(shown(speaker, '[part=toggle]')).to.equal('Listen');
    expect(shown(speaker, '[part=status]')).to.equal('Ready');
  });

  it('give way to slots', async () => {
    const speaker = await ready(german);
    speaker.innerHTML = '<span slot="play-label">Los</span>';
    expect(shown(speaker, '[part=toggle]')).to.equal('Los');
    expect(shown(speaker, '[part=status]')).to.equal('Bereit');
  });

  it('may be set before the element is in the page', async () => {
    const speaker = document.createElement('svc-speaker');
    speaker.messages = german;
    speaker.controls = true;
    document.body.append(speaker);
    await speaker.updateComplete;
    expect(shown(speaker, '[part=status]')).to.equal('Nichts zu sprechen');
  });

  it('have no accessibility problem', async () => {
    const speaker = await ready(arabic);
    speaker.dir = 'rtl';
    expect(await accessibilityProblems(speaker)).to.deep.equal([]);
  });

  for (const [value, type, message] of [
    ['de', TypeError, 'messages must be an object or null, not the string de.'],
    [5, TypeError, 'messages must be an object or null, not the number 5.'],
    [{ playLabel: 5 }, TypeError, 'messages.playLabel must be a string, not 5.'],
    [{ lang: null }, TypeError, 'messages.lang must be a string, not null.'],
    [{ lang: 'no language' }, RangeError, 'no language'],
  ] as const) {
    it(`throw at the call, and stay as they were: ${JSON.stringify(value)}`, async () => {
      const speaker = await ready(german);
      expect(() => Reflect.set(speaker, 'messages', value)).to.throw(type, message);
      expect(speaker.messages).to.equal(german);
    });
  }

  it('say how far speech is, in words', async () => {
    const speaker = await paused();
    speaker.messages = german;
    speaker.currentTime = 4;
    await next(speaker, 'seeked');
    await speaker.updateComplete;
    expect(valueText(speaker, 'progress')).to.equal('4 Sekunden von 20 Sekunden');
    expect(part(speaker, 'time').textContent).to.equal('0:04 / 0:20');
    speaker.messages = { ...arabic, lang: 'ar-EG' };
    await speaker.updateComplete;
    expect(part(speaker, 'time').textContent).to.equal('٠:٠٤ / ٠:٢٠');
  });

  it('tell the user in a sentence what the console has for developers, once', async () => {
    const { speaker, error, logged } = await refused(401);
    expect(part(speaker, 'error').textContent).to.equal('Sign in to hear the speech.');
    expect(error!.message).to.include('the user has to log in').and.to.include('For developers.');
    speaker.volume = 0.5;
    await speaker.updateComplete;
    expect(logged).to.deep.equal([error]);
  });

  it('tell the user in the language of the messages', async () => {
    const { speaker } = await refused(403, german);
    expect(part(speaker, 'error').textContent).to.equal(german.accessError);
    expect(part(speaker, 'error').lang).to.equal('de');
    speaker.messages = null;
    await speaker.updateComplete;
    expect(part(speaker, 'error').textContent).to.equal('You do not have access to this speech.');
  });

  it('tell the user that speech was interrupted', async () => {
    console.error = () => {};
    const script = [{ wait: 'end' }, { frames: { tone: 440, seconds: 1.5 } }, { close: 4500 }] as const;
    const speaker = scriptedSpeaker(script, { controls: true });
    speaker.speak('Hello.').finished.catch(() => {});
    await next(speaker, 'playing');
    if (!speaker.paused) await next(speaker, 'pause');
    await speaker.updateComplete;
    expect(part(speaker, 'error').textContent).to.equal('The speech was interrupted. Try again.');
  });

  it('leave the console alone without controls', async () => {
    const logged: unknown[] = [];
    console.error = (value: unknown) => logged.push(value);
    const speaker = makeSpeaker({ text: 'Hello.' });
    speaker.sessionProvider = () => Promise.reject(new Error('For developers.'));
    await speaker.play().catch(() => {});
    await speaker.updateComplete;
    expect(speaker.state).to.equal('error');
    expect(logged).to.deep.equal([]);
  });
});

describe('The controls of <svc-speaker> from right to left', () => {
  afterEach(removeSpeakers);
  afterEach(() => resetMouse());
  afterEach(() => void (document.documentElement.dir = 'ltr'));

  for (const place of ['the element', 'an ancestor'] as const) {
    it(`have their parts in the other order: direction of ${place}`, async () => {
      if (place === 'an ancestor') document.documentElement.dir = 'rtl';
      const speaker = await paused(place === 'the element' ? { dir: 'rtl' } : {});
      speaker.messages = arabic;
      await speaker.updateComplete;
      const right = (name: string): number => part(speaker, name).getBoundingClientRect().right;
      const rows = [
        ['toggle', 'meter', 'loudness'],
        ['toggle', 'status', 'time'],
        ['progress', 'speed', 'download'],
      ];
      for (const row of rows) {
        const places = row.map(right);
        expect(places, row.join()).to.deep.equal(places.toSorted((one, other) => other - one));
        expect(new Set(places), row.join()).to.have.length(3);
      }
    });

    it(`fill their sliders from the right: direction of ${place}`, async () => {
      if (place === 'an ancestor') document.documentElement.dir = 'rtl';
      const speaker = await paused(place === 'the element' ? { dir: 'rtl' } : {});
      for (const name of ['volume', 'progress']) {
        expect(getComputedStyle(part(speaker, name)).getPropertyValue('--_to').trim(), name).to.equal('left');
      }
    });
  }

  it('show the time before the duration, read from the right', async () => {
    const speaker = await paused({ dir: 'rtl' });
    const [time, duration] = [...part(speaker, 'time').children].map((span) => span.getBoundingClientRect());
    expect(time!.left).to.be.at.least(duration!.right - 0.5);
  });

  itUnless(mirroredKeys)('change the volume by the keyboard in the direction of the text', async () => {
    const speaker = await paused({ dir: 'rtl' });
    speaker.volume = 0.5;
    await speaker.updateComplete;
    part(speaker, 'volume').focus();
    await sendKeys({ press: 'ArrowLeft' });
    expect(speaker.volume, 'louder').to.equal(0.55);
    await sendKeys({ press: 'ArrowRight' });
    await sendKeys({ press: 'ArrowRight' });
    expect(speaker.volume, 'lower').to.equal(0.45);
  });

  it('seek by a click from the right', async () => {
    const speaker = await paused({ dir: 'rtl' });
    const seeking = next(speaker, 'seeking');
    await click(part(speaker, 'progress'), 0.25);
    await seeking;
    expect(speaker.currentTime).to.be.closeTo(0.75 * SECONDS, 0.7);
  });

  it('change the volume by a click from the right', async () => {
    const speaker = await paused({ dir: 'rtl' });
    await click(part(speaker, 'volume'), 0.25);
    expect(speaker.volume).to.be.within(0.65, 0.85);
  });
});
