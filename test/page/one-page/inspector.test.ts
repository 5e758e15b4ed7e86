import { emulateMedia, sendKeys, setViewport } from '@web/test-runner-commands';
import { expect } from 'chai';
import { playerOf, replay } from '../../../bench/playout/replay.js';
import { SpeakerPlayer } from '../../../bench/playout/speaker-player.js';
import { designResampler } from '../../../src/dsp/index.js';
import { parseRecording, SpeakerRecorder, type SvcSpeakerInspectorElement } from '../../../src/inspector/index.js';
import { type Underrun, underrunsOf } from '../../../src/inspector/measures.js';
import type { GatewayStep } from '../../../src/testing/script.js';
import { accessibilityProblems } from '../support/accessibility.js';
import { itUnless, narrowPages, preferences } from '../support/engine.js';
import { makeSpeaker, next, removeSpeakers, scriptedSpeaker } from '../support/speaker.js';

/** Longer than a busy machine delays a frame. */
const TARGET_MS = 250;
/** Long enough for an underrun of several hundred milliseconds. */
const STALL_MS = 600;

/** Sends 1 s of a tone in real time, stalls, then sends the delayed frames at once and the rest in real time. */
const stalling: GatewayStep[] = [
  { wait: 'end' },
  { frames: { tone: 440, seconds: 1, pace: 'realtime' } },
  { stall: STALL_MS },
  { frames: { tone: 440, seconds: 1.5, pace: 'realtime', from: 24000 } },
  { done: true },
];

function makeInspector(id?: string): SvcSpeakerInspectorElement {
  const inspector = document.createElement('svc-speaker-inspector');
  if (id) inspector.setAttribute('for', id);
  document.body.append(inspector);
  return inspector;
}

function plotsOf(inspector: SvcSpeakerInspectorElement): HTMLElement {
  return inspector.shadowRoot!.querySelector<HTMLElement>('[part=plots]')!;
}

function button(inspector: SvcSpeakerInspectorElement, name: string): HTMLButtonElement {
  const buttons = [...inspector.shadowRoot!.querySelectorAll('button')];
  return buttons.find((one) => (one.ariaLabel ?? one.textContent.trim()) === name)!;
}

/** Returns the time of the cursor, in seconds. */
function cursorOf(inspector: SvcSpeakerInspectorElement): number {
  return Number(plotsOf(inspector).getAttribute('aria-valuenow'));
}

/** Returns the columns of a track that contain a matching colour, as shares of its width. */
function columnsOf(
  inspector: SvcSpeakerInspectorElement,
  track: string,
  matches: (r: number, g: number, b: number) => boolean,
) {
  const canvas = inspector.shadowRoot!.querySelector<HTMLCanvasElement>(`canvas.${track}`)!;
  const { data, width, height } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
  const columns: number[] = [];
  for (let x = 0; x < width; x++) {
    for (let y = 0; y < height; y++) {
      const at = (y * width + x) * 4;
      if (data[at + 3]! > 20 && matches(data[at]!, data[at + 1]!, data[at + 2]!)) {
        columns.push(x / width);
        break;
      }
    }
  }
  return columns;
}

/** Resolves when figures and tracks show the current state. */
async function nextDrawing(inspector: SvcSpeakerInspectorElement): Promise<void> {
  await inspector.updateComplete;
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  await inspector.updateComplete;
}

/** Plays speech with a stall while an inspector records it. Returns the exported recording. */
async function recordStall(): Promise<string> {
  const inspector = makeInspector('stalling');
  const speaker = scriptedSpeaker(stalling, {
    id: 'stalling',
    'jitter-buffer': 'fixed',
    'jitter-buffer-target': TARGET_MS,
  });
  await inspector.updateComplete;
  await speaker.speak('Hello.').finished;
  return inspector.exportRecording();
}

describe('<svc-speaker-inspector>', () => {
  let exported: string;
  before(async () => {
    exported = await recordStall();
    await removeSpeakers();
  });
  afterEach(removeSpeakers);

  /** Returns an inspector that shows the recorded stall. */
  async function makeImported(): Promise<SvcSpeakerInspectorElement> {
    const inspector = makeInspector();
    inspector.importRecording(exported, 'stall.json');
    await nextDrawing(inspector);
    return inspector;
  }

  function recordedUnderrun(): Underrun {
    const { readings, events } = parseRecording(exported);
    return underrunsOf(readings, events)[0]!;
  }

  it('records a stall so that the simulator has an underrun at the same place', () => {
    const recording = parseRecording(exported);
    expect(playerOf(recording)).to.equal(`fixed:${TARGET_MS}`);
    const table = designResampler(24000, 48000, { taps: 16 });
    const samples = Int16Array.from({ length: 24000 }, (_, at) => 8000 * Math.sin((at * 2 * Math.PI * 440) / 24000));
    const speech = { voice: 'tone', samples, clean: new Float32Array(0) };
    const makePlayer = () => new SpeakerPlayer({ targetMs: TARGET_MS, adaptive: false }, table, speech);

    const passages = [...replay(recording, makePlayer, samples.length)];

    expect(passages).to.have.length(1);
    const [{ speechMs, recorded, replayed }] = passages as [(typeof passages)[0]];
    expect(speechMs).to.be.closeTo(2500, 20);
    expect(recorded.underruns).to.have.length(1);
    expect(replayed.underruns).to.have.length(1);
    const [expected] = recorded.underruns;
    const [actual] = replayed.underruns;
    // Times count from the first arrival, which a reading reports up to this much late.
    const delayMaxMs = recording.resolution.arrivalsMs + 30;
    expect(expected!.fromMs).to.be.within(1000 + TARGET_MS - delayMaxMs, 1000 + TARGET_MS + 200);
    // The interval between readings, a block of the audio device, and what a busy machine adds to both.
    expect(actual!.fromMs).to.be.closeTo(expected!.fromMs, 120);
    expect(actual!.toMs - actual!.fromMs).to.be.closeTo(expected!.toMs - expected!.fromMs, 120);
    expect(replayed.concealedMs).to.be.closeTo(recorded.concealedMs, 120);
  });

  it('records every arrival and every sample played', () => {
    const { readings } = parseRecording(exported);
    const sum = (name: 'arrivedSeconds' | 'playedSeconds') => readings.reduce((all, one) => all + one[name], 0);
    expect(sum('arrivedSeconds')).to.be.closeTo(2.5, 0.005);
    expect(sum('playedSeconds')).to.be.closeTo(2.5, 0.005);
    expect(readings.reduce((all, { underruns }) => all + underruns, 0)).to.equal(1);
  });

  it('exports an imported recording unchanged', async () => {
    const inspector = await makeImported();
    expect(inspector.exportRecording()).to.equal(exported);
    expect(inspector.shadowRoot!.textContent).to.include('stall.json');
  });

  it('draws the underrun, and silence in its place', async () => {
    const inspector = await makeImported();
    const { readings } = parseRecording(exported);
    const { fromSeconds, toSeconds } = recordedUnderrun();
    const all = readings.at(-1)!.atSeconds - readings[0]!.atSeconds;
    const share = (seconds: number) => (seconds - readings[0]!.atSeconds) / all;
    const red = columnsOf(inspector, 'arrivals', (r, g, b) => r > 150 && g < 90 && b < 90);
    expect(red[0]).to.be.closeTo(share(fromSeconds), 0.01);
    expect(red.at(-1)).to.be.closeTo(share(toSeconds), 0.01);
    const silence = columnsOf(inspector, 'heard', (r, g, b) => r > 150 && g < 90 && b < 90);
    expect(silence.at(-1)! - silence[0]!).to.be.closeTo((toSeconds - fromSeconds) / all, 0.03);
    const speech = columnsOf(inspector, 'heard', (r, g, b) => g > r + 40 && g > b);
    expect(speech.length).to.be.greaterThan(20);
  });

  it('moves the cursor by keys and describes the state there', async () => {
    const inspector = await makeImported();
    plotsOf(inspector).focus();
    await sendKeys({ press: 'Home' });
    await nextDrawing(inspector);
    expect(cursorOf(inspector)).to.equal(0);
    await sendKeys({ press: 'PageDown' });
    await nextDrawing(inspector);
    const { fromSeconds } = recordedUnderrun();
    expect(cursorOf(inspector)).to.be.closeTo(fromSeconds, 0.01);
    // Not every engine's driver supports modifier keys.
    plotsOf(inspector).dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', shiftKey: true }));
    await nextDrawing(inspector);
    const beyond = cursorOf(inspector);
    expect(beyond).to.be.greaterThan(fromSeconds + 0.2);
    await sendKeys({ press: 'ArrowLeft' });
    await nextDrawing(inspector);
    expect(cursorOf(inspector)).to.be.lessThan(beyond);
    await sendKeys({ press: 'PageUp' });
    await nextDrawing(inspector);
    expect(plotsOf(inspector).ariaValueText).to.match(/seconds, .* held, target 250 ms, .*underrun$/);
  });

  it('zooms around the cursor by keys and buttons', async () => {
    const inspector = await makeImported();
    plotsOf(inspector).focus();
    await sendKeys({ press: 'PageUp' });
    const red = async () => {
      await nextDrawing(inspector);
      const columns = columnsOf(inspector, 'arrivals', (r, g, b) => r > 150 && g < 90 && b < 90);
      return columns.at(-1)! - columns[0]!;
    };
    const whole = await red();
    await sendKeys({ press: '+' });
    expect(await red()).to.be.closeTo(2 * whole, 0.02);
    button(inspector, 'Zoom out').click();
    expect(await red()).to.be.closeTo(whole, 0.02);
    button(inspector, 'Zoom in').click();
    button(inspector, 'Show all').click();
    expect(await red()).to.be.closeTo(whole, 0.02);
  });

  it('zooms by the wheel only while it has the focus', async () => {
    const inspector = await makeImported();
    const turn = () => new WheelEvent('wheel', { deltaY: 100, bubbles: true, cancelable: true });
    expect(plotsOf(inspector).dispatchEvent(turn())).to.equal(true);
    plotsOf(inspector).focus();
    expect(plotsOf(inspector).dispatchEvent(turn()), 'default prevented').to.equal(false);
  });

  it('shows why an import failed and keeps what it shows', async () => {
    const inspector = await makeImported();
    const files = new DataTransfer();
    files.items.add(new File([exported.replace('"bufferedSeconds",', '"heldSeconds",')], 'bad.json'));
    const input = inspector.shadowRoot!.querySelector('input')!;
    input.files = files.files;
    input.dispatchEvent(new Event('change'));
    const alert = () => inspector.shadowRoot!.querySelector('[role=alert]');
    while (!alert()) await nextDrawing(inspector);
    expect(alert()!.textContent).to.equal('bad.json: "columns" has no "bufferedSeconds"');
    expect(inspector.exportRecording()).to.equal(exported);
    inspector.importRecording(exported);
    await nextDrawing(inspector);
    expect(alert()).to.equal(null);
  });

  it('passes axe in light and dark, live and imported', async () => {
    const speaker = makeSpeaker({ id: 'any' });
    for (const inspector of [makeInspector('any'), await makeImported()]) {
      for (const scheme of ['light', 'dark']) {
        document.documentElement.style.colorScheme = scheme;
        document.body.style.background = 'Canvas';
        await nextDrawing(inspector);
        expect(await accessibilityProblems(inspector), scheme).to.deep.equal([]);
      }
    }
    document.documentElement.style.colorScheme = '';
    speaker.remove();
  });

  it('draws in the colours of the colour scheme', async () => {
    const inspector = await makeImported();
    const isBright = (r: number, g: number, b: number) => g > 180 && r < 120 && b > 150;
    expect(columnsOf(inspector, 'buffer', isBright)).to.deep.equal([]);
    inspector.style.colorScheme = 'dark';
    button(inspector, 'Show all').click();
    await nextDrawing(inspector);
    expect(columnsOf(inspector, 'buffer', isBright).length).to.be.greaterThan(20);
  });

  itUnless(preferences)('draws in forced colours', async () => {
    await emulateMedia({ forcedColors: 'active' });
    const inspector = await makeImported();
    const isInk = (r: number, g: number, b: number) => r + g + b < 30 || r + g + b > 735;
    expect(columnsOf(inspector, 'buffer', isInk).length).to.be.greaterThan(20);
    await emulateMedia({ forcedColors: 'none' });
  });

  itUnless(narrowPages)('fits a narrow page', async () => {
    await setViewport({ width: 320, height: 640 });
    const inspector = await makeImported();
    expect(document.documentElement.scrollWidth).to.be.at.most(320);
    expect(plotsOf(inspector).getBoundingClientRect().right).to.be.at.most(320);
    await setViewport({ width: 800, height: 600 });
  });
});

describe('<svc-speaker-inspector>, live', () => {
  afterEach(removeSpeakers);

  it('finds a speaker that is added later, and one that gets its id later', async () => {
    const inspector = makeInspector('late');
    await inspector.updateComplete;
    expect(inspector.speaker).to.equal(null);
    expect(inspector.recording).to.equal(null);
    expect(() => inspector.exportRecording()).to.throw(DOMException, 'no speaker');
    const speaker = makeSpeaker({ id: 'late' });
    while (!inspector.speaker) await nextDrawing(inspector);
    expect(inspector.speaker).to.equal(speaker);
    const other = makeSpeaker();
    inspector.htmlFor = 'other';
    expect(inspector.speaker).to.equal(null);
    other.id = 'other';
    while (!inspector.speaker) await nextDrawing(inspector);
    expect(inspector.speaker).to.equal(other);
  });

  it('pauses the tracks while it records on, and follows the current time again', async () => {
    const inspector = makeInspector('any');
    const speaker = scriptedSpeaker([{ wait: 'end' }, { frames: { tone: 440, seconds: 20 } }], { id: 'any' });
    speaker.speak('Hello.');
    await next(speaker, 'playing');
    await nextDrawing(inspector);
    expect(inspector.following).to.equal(true);
    button(inspector, 'Pause').click();
    await nextDrawing(inspector);
    const held = cursorOf(inspector);
    const recorded = inspector.recording!.readings.length;
    while (inspector.recording!.readings.length < recorded + 10) await nextDrawing(inspector);
    expect(cursorOf(inspector)).to.equal(held);
    button(inspector, 'Live').click();
    await nextDrawing(inspector);
    expect(cursorOf(inspector)).to.be.greaterThan(held + 0.1);
    expect(inspector.following).to.equal(true);
  });

  it('stops the clock while the speaker is idle and after its own removal', async () => {
    const inspector = makeInspector('any');
    const speaker = scriptedSpeaker([{ wait: 'end' }, { frames: { tone: 440, seconds: 0.2 } }, { done: true }], {
      id: 'any',
    });
    await speaker.speak('Hello.').finished;
    const recorder = SpeakerRecorder.of(speaker);
    while (recorder.running) await nextDrawing(inspector);
    const { length } = recorder.readings;
    const { nowSeconds } = recorder;
    await nextDrawing(inspector);
    expect(recorder.nowSeconds).to.equal(nowSeconds);
    speaker.speak('Again.');
    await next(speaker, 'playing');
    expect(
      recorder.events.some(({ type }) => type === 'idle'),
      'the clock was stopped',
    ).to.equal(true);
    expect(recorder.readings.length).to.be.greaterThan(length);
    inspector.remove();
    expect(recorder.running).to.equal(false);
    const { length: left } = recorder.readings;
    await next(speaker, 'utteranceend');
    expect(recorder.readings.length).to.equal(left);
  });
});
