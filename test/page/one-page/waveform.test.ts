import { emulateMedia } from '@web/test-runner-commands';
import { expect } from 'chai';
import type { SvcSpeakerElement } from '../../../src/index.js';
import type { GatewayStep } from '../../../src/testing/script.js';
import { canvasOf, make, shown } from '../support/controls.js';
import { itUnless, preferences } from '../support/engine.js';
import { allReceived, next, removeSpeakers, scriptedSpeaker, skipToEnd } from '../support/speaker.js';
import { nextFrame } from '../support/tap.js';

/** Height of the waveform's bars in CSS pixels, for each column of device pixels. */
function barHeights(speaker: SvcSpeakerElement): number[] {
  const canvas = canvasOf(speaker);
  const { width, height } = canvas;
  const { data } = canvas.getContext('2d')!.getImageData(0, 0, width, height);
  return Array.from({ length: width }, (_, x) => {
    const painted = Array.from({ length: height }, (__, y) => data[(y * width + x) * 4 + 3]! > 0);
    return painted.filter(Boolean).length / devicePixelRatio;
  });
}

/**
 * Maximum heights of a dot and of a bar of buffered audio, which are drawn 2.5 and 7 pixels high in the middle of 28
 * pixels. See waveform.ts.
 */
const DOT = 4;
const BUFFERED = 8;

/** Resolves when the waveform is drawn and no longer changes. */
async function untilDrawn(speaker: SvcSpeakerElement): Promise<void> {
  while (Math.max(...barHeights(speaker)) === 0) await nextFrame();
  while ((await paintsIn(speaker, 6)) > 0);
}

/** Number of the next `frames` frames in which the waveform is painted. */
async function paintsIn(speaker: SvcSpeakerElement, frames: number): Promise<number> {
  const context = canvasOf(speaker).getContext('2d')!;
  const { clearRect } = context;
  let paints = 0;
  context.clearRect = (...box) => {
    paints++;
    clearRect.apply(context, box);
  };
  for (let frame = 0; frame < frames; frame++) await nextFrame();
  context.clearRect = clearRect;
  return paints;
}

describe('The waveform of <svc-speaker>', () => {
  afterEach(removeSpeakers);
  afterEach(() => emulateMedia({ reducedMotion: 'no-preference' }));

  it('is drawn while audio plays', async () => {
    const speaker = await make.ready();
    await untilDrawn(speaker);
    expect(Math.max(...barHeights(speaker)), 'dots').to.be.at.most(DOT);
    await speaker.play();
    while (Math.max(...barHeights(speaker)) < 15) await nextFrame();
    await allReceived(speaker);
    speaker.pause();
    await next(speaker, 'pause');
    await speaker.updateComplete;
    await untilDrawn(speaker);
    expect(await paintsIn(speaker, 20), 'no more than for a last event').to.be.at.most(2);
    expect(Math.max(...barHeights(speaker)), 'it stays').to.be.at.least(15);
  });

  it('is not drawn while nothing changes', async () => {
    const speaker = await make.ready();
    await untilDrawn(speaker);
    expect(await paintsIn(speaker, 10)).to.equal(0);
  });

  it('is not drawn while it is out of view, and then shows what was heard meanwhile', async () => {
    const speaker = await make.speaking({ style: 'position: fixed; bottom: 200%' });
    const before = speaker.currentTime;
    while ((await paintsIn(speaker, 5)) > 0);
    expect(await paintsIn(speaker, 20)).to.equal(0);
    while (speaker.currentTime < before + 0.3) await nextFrame();
    speaker.removeAttribute('style');
    while (Math.max(...barHeights(speaker)) === 0) await nextFrame();
    expect(barHeights(speaker).filter((height) => height >= 15)).to.have.length.above(5);
  });

  it('has dots for muted speech', async () => {
    const speaker = await make.ready({ muted: true });
    await speaker.play();
    while (speaker.currentTime < 0.3) await nextFrame();
    const heights = barHeights(speaker);
    expect(Math.max(...heights.slice(0, heights.length / 2))).to.be.at.most(DOT);
  });

  it('shows what is buffered', async () => {
    // There is at most one `progress` event in 350 ms. The pause makes one follow the last frame.
    const frames: GatewayStep[] = [{ frames: { tone: 440, seconds: 0.1 } }, { wait: 500 }];
    // Frames without samples, after each of which the worker reports.
    const empty: GatewayStep = { repeat: 'always', steps: [{ bytes: [1, ...new Uint8Array(11)] }, { wait: 500 }] };
    const speaker = scriptedSpeaker([{ wait: 'end' }, ...frames, ...frames, empty], {
      controls: true,
      'jitter-buffer-target': 4000,
    });
    const buffered = (): number => barHeights(speaker).filter((height) => height > DOT && height <= BUFFERED).length;
    await speaker.updateComplete;
    await untilDrawn(speaker);
    expect(buffered()).to.equal(0);
    speaker.speak('Hello.');
    // Bars of 50 ms, each 2 to 4 columns wide. The last one may be incomplete.
    while (buffered() < 4 * 2 * devicePixelRatio) await nextFrame();
    expect(buffered()).to.be.at.most(5 * 4 * devicePixelRatio);
  });

  it('is cleared when the text is spoken again', async () => {
    const speaker = await make.ready();
    await speaker.play();
    while (Math.max(...barHeights(speaker)) < 15) await nextFrame();
    await skipToEnd(speaker);
    speaker.muted = true;
    await speaker.play();
    while (speaker.currentTime < 0.5) await nextFrame();
    while ((await paintsIn(speaker, 1)) === 0); // the picture may be older
    const heights = barHeights(speaker);
    expect(Math.max(...heights.slice(0, 0.7 * heights.length)), 'left of what is buffered').to.be.at.most(DOT);
  });

  it('has the current colours of the page', async () => {
    const speaker = await make.ready();
    const color = (): string => {
      const canvas = canvasOf(speaker);
      const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
      const at = data.findIndex((value, index) => index % 4 === 3 && value === 255);
      return data.slice(at - 3, at).join();
    };
    while (color() === '') await nextFrame();
    speaker.style.setProperty('--svc-speaker-track', 'rgb(1, 2, 3)');
    while (color() !== '1,2,3') await nextFrame();
    speaker.style.removeProperty('--svc-speaker-track');
    speaker.style.colorScheme = 'dark';
    while (color() !== '63,75,73') await nextFrame();
  });

  it('is drawn in device pixels', async () => {
    const speaker = await make.ready();
    await untilDrawn(speaker);
    const { width, height } = canvasOf(speaker).getBoundingClientRect();
    expect(canvasOf(speaker).height).to.equal(height * devicePixelRatio);
    expect(canvasOf(speaker).width).to.be.closeTo(width * devicePixelRatio, 1);
    speaker.style.width = '280px';
    const narrow = canvasOf(speaker).getBoundingClientRect().width;
    expect(narrow).to.be.lessThan(width);
    while (Math.abs(canvasOf(speaker).width - narrow * devicePixelRatio) > 1) await nextFrame();
  });

  it('may be removed while it moves, and added again', async () => {
    const speaker = await make.speaking();
    const emptied = next(speaker, 'emptied');
    speaker.remove();
    await emptied;
    expect(await paintsIn(speaker, 10)).to.equal(0);
    document.body.append(speaker);
    await speaker.updateComplete;
    expect(shown(speaker, '[part=status]')).to.not.equal('Speaking');
    await speaker.play();
    await speaker.updateComplete;
    expect(shown(speaker, '[part=status]')).to.equal('Speaking');
  });

  itUnless(preferences)('changes in steps if the user prefers reduced motion', async () => {
    await emulateMedia({ reducedMotion: 'reduce' });
    const speaker = await make.speaking();
    await allReceived(speaker);
    const from = speaker.currentTime;
    const pictures = new Set<string>();
    let frames = 0;
    for (; speaker.currentTime < from + 1.2 || pictures.size < 2; frames++) {
      await nextFrame();
      pictures.add(canvasOf(speaker).toDataURL());
    }
    // Two for each half second, because the last bar is incomplete at first. The picture may be ahead of the position by
    // the interval of its reports.
    const steps = Math.floor((speaker.currentTime + 0.25) / 0.5) - Math.floor(from / 0.5) + 1;
    expect(pictures.size, `of ${frames} frames`).to.be.at.most(2 * steps);
  });
});
