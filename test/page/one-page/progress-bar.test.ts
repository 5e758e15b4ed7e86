import { resetMouse, sendKeys, sendMouse } from '@web/test-runner-commands';
import { expect } from 'chai';
import type { SvcSpeakerElement } from '../../../src/index.js';
import { speaking } from '../../../src/testing/script.js';
import { accessibilityProblems } from '../support/accessibility.js';
import { click, part, placeIn } from '../support/controls.js';
import {
  ended,
  makeSpeaker,
  next,
  nextAfter,
  removeSpeakers,
  scriptedSpeaker,
  speakingInParts,
  speakInParts,
} from '../support/speaker.js';

const SECONDS = 20;
const long = speaking({ tone: 440, seconds: SECONDS });

function progressOf(speaker: SvcSpeakerElement): HTMLInputElement {
  return part(speaker, 'progress') as HTMLInputElement;
}

/** Creates a speaker that plays speech that has arrived completely. Returns it with its progress bar. */
async function playing(attributes: Record<string, string> = {}) {
  const speaker = scriptedSpeaker(long, { controls: true, text: 'Hello.', ...attributes });
  await speaker.play();
  while (!Number.isFinite(speaker.duration) || !speaker.seekable.length) await next(speaker, 'timeupdate');
  await speaker.updateComplete;
  return { speaker, progress: progressOf(speaker) };
}

/** Creates a paused speaker as `playing` does, so that its position does not change by itself. */
async function paused(attributes: Record<string, string> = {}) {
  const player = await playing(attributes);
  const { speaker } = player;
  speaker.pause();
  await next(speaker, 'pause');
  await speaker.updateComplete;
  return player;
}

/** Times to which a speaker seeks from now on. The returned array grows. */
function seeksOf(speaker: SvcSpeakerElement): readonly number[] {
  const times: number[] = [];
  speaker.addEventListener('seeking', () => times.push(speaker.currentTime));
  return times;
}

describe('The progress bar of <svc-speaker>', () => {
  afterEach(removeSpeakers);
  afterEach(() => resetMouse());

  it('is disabled while there is no history', async () => {
    const speaker = makeSpeaker({ controls: true, text: 'Hello.' });
    await speaker.updateComplete;
    expect(progressOf(speaker).disabled).to.equal(true);
    const focused: unknown[] = [];
    for (let presses = 0; presses < 4; presses++) {
      await sendKeys({ press: 'Tab' });
      focused.push(speaker.shadowRoot!.activeElement?.getAttribute('part'));
    }
    expect(focused).to.include.members(['toggle', 'volume', 'speed']);
    expect(focused).not.to.include('progress');
  });

  it('is disabled for a speaker without a history', async () => {
    const speaker = scriptedSpeaker(long, { controls: true, text: 'Hello.', history: 0 });
    await speaker.play();
    await next(speaker, 'timeupdate');
    await speaker.updateComplete;
    expect(progressOf(speaker).disabled).to.equal(true);
  });

  it('shows the speech in the history, and the position', async () => {
    const { speaker, progress } = await playing();
    expect([progress.disabled, progress.min, progress.max]).to.deep.equal([false, '0', String(SECONDS)]);
    speaker.currentTime = 3;
    await next(speaker, 'seeking');
    await speaker.updateComplete;
    expect(progress.valueAsNumber).to.be.closeTo(3, 0.1);
    expect(progress.ariaValueText).to.equal('3 seconds of 20 seconds');
    while (progress.valueAsNumber < 3.5) await next(speaker, 'timeupdate');
    expect(await accessibilityProblems(speaker)).to.deep.equal([]);
  });

  it('grows while more arrives', async () => {
    const frames = { tone: 440, seconds: 20 };
    // The third part never comes, so no end is known.
    const speaker = scriptedSpeaker(speakingInParts(frames, frames, frames), { controls: true });
    const { utterance, goOn } = speakInParts(speaker, 3);
    await utterance.started;
    await speaker.updateComplete;
    const progress = progressOf(speaker);
    while (Number(progress.max) !== 20) await next(speaker, 'timeupdate');
    expect(progress.ariaValueText, 'no end is known').to.match(/^\d+ seconds?$/);
    goOn();
    while (Number(progress.max) !== 40) await next(speaker, 'timeupdate');
    expect(speaker.duration).to.equal(Number.POSITIVE_INFINITY);
  });

  it('shows the audio that is buffered beyond the position', async () => {
    const { speaker, progress } = await paused();
    speaker.currentTime = 5;
    await next(speaker, 'seeked');
    await speaker.updateComplete;
    expect(Number(progress.style.getPropertyValue('--_value'))).to.be.closeTo(0.25, 0.001);
    expect(Number(progress.style.getPropertyValue('--_buffered'))).to.equal(1);
  });

  for (const [key, from, to] of [
    ['ArrowRight', 7, 12],
    ['ArrowUp', 7, 12],
    ['ArrowLeft', 7, 2],
    ['ArrowDown', 7, 2],
    ['ArrowLeft', 2, 0],
    ['PageUp', 7, 17],
    ['PageUp', 17, SECONDS],
    ['PageDown', 13, 3],
    ['Home', 7, 0],
    ['End', 7, SECONDS],
  ] as const) {
    it(`seeks by the keyboard: ${key} at ${from} s`, async () => {
      const { speaker, progress } = await paused();
      speaker.currentTime = from;
      await next(speaker, 'seeked');
      progress.focus();
      const seeked = next(speaker, 'seeked');
      await sendKeys({ press: key });
      expect(speaker.currentTime).to.equal(to);
      expect(progress.valueAsNumber).to.equal(to);
      await seeked;
    });
  }

  it('seeks by the keyboard in the direction of the text', async () => {
    const { speaker, progress } = await paused({ dir: 'rtl' });
    speaker.currentTime = 7;
    progress.focus();
    await sendKeys({ press: 'ArrowLeft' });
    expect(speaker.currentTime).to.equal(12);
    await sendKeys({ press: 'ArrowDown' });
    expect(speaker.currentTime).to.equal(7);
  });

  it('seeks by a click, and continues from there', async () => {
    const { speaker, progress } = await playing();
    const seeks = seeksOf(speaker);
    const goesOn = nextAfter(speaker, 'seeked', 'playing');
    await click(progress, 0.5);
    await goesOn;
    expect(seeks).to.have.length(1);
    expect(seeks[0]).to.be.closeTo(SECONDS / 2, 0.5);
  });

  it('seeks after the end', async () => {
    const speaker = scriptedSpeaker(speaking({ tone: 440, seconds: 0.4 }), { controls: true, text: 'Hello.' });
    await speaker.play();
    await ended(speaker);
    await speaker.updateComplete;
    const seeked = next(speaker, 'seeked');
    await click(progressOf(speaker), 0.5);
    await seeked;
    expect(speaker.state).to.equal('paused');
    expect(speaker.currentTime).to.be.closeTo(0.2, 0.05);
  });

  it('follows the pointer rather than the speaker while it is dragged, and seeks once', async () => {
    const { speaker, progress } = await playing();
    const seeks = seeksOf(speaker);
    await sendMouse({ type: 'move', position: placeIn(progress, 0.3) });
    await sendMouse({ type: 'down' });
    await sendMouse({ type: 'move', position: placeIn(progress, 0.75) });
    const { value } = progress;
    expect(Number(value)).to.be.closeTo(0.75 * SECONDS, 0.7);
    for (let updates = 0; updates < 3; updates++) {
      await next(speaker, 'timeupdate');
      await speaker.updateComplete;
      expect(progress.value).to.equal(value);
    }
    expect(progress.ariaValueText).to.match(/^1[45] seconds of 20 seconds$/);
    expect(part(speaker, 'time').textContent).to.match(/^0:1[45] /);
    expect(seeks).to.deep.equal([]);
    const seeked = next(speaker, 'seeked');
    await sendMouse({ type: 'up' });
    await seeked;
    expect(seeks).to.have.length(1);
    expect(seeks[0]).to.be.closeTo(Number(value), 0.2);
    while (progress.valueAsNumber < Number(value) + 0.3) await next(speaker, 'timeupdate');
  });

  it('follows the speaker again after it was dragged back to its start', async () => {
    const { speaker, progress } = await playing();
    await sendMouse({ type: 'move', position: placeIn(progress, 0.5) });
    await sendMouse({ type: 'down' });
    await sendMouse({ type: 'move', position: placeIn(progress, 0.75) });
    await sendMouse({ type: 'move', position: placeIn(progress, 0.5) });
    await sendMouse({ type: 'up' });
    while (progress.valueAsNumber < SECONDS / 2 + 0.5) await next(speaker, 'timeupdate');
  });

  it('does not seek if the drag is cancelled, as by a page that scrolls', async () => {
    const { speaker, progress } = await playing();
    const seeks = seeksOf(speaker);
    progress.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, composed: true }));
    progress.value = '15';
    progress.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
    progress.dispatchEvent(new PointerEvent('pointercancel', { bubbles: true, composed: true }));
    while (progress.valueAsNumber === 15) await next(speaker, 'timeupdate');
    expect(progress.valueAsNumber).to.be.closeTo(speaker.currentTime, 1);
    expect(seeks).to.deep.equal([]);
  });

  it('takes its words from slots', async () => {
    const { speaker, progress } = await paused();
    speaker.innerHTML = `<span slot="progress-label">Stelle</span>
      <span slot="progress-value">{time} von {duration}</span>`;
    speaker.currentTime = 4;
    await next(speaker, 'seeked');
    await speaker.updateComplete;
    expect(progress.ariaValueText).to.equal('0:04 von 0:20');
    expect(progress.labels![0]!.querySelector('slot')!.assignedNodes()[0]!.textContent).to.equal('Stelle');
  });
});
