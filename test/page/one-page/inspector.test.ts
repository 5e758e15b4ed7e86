import { emulateMedia, sendKeys, setViewport } from '@web/test-runner-commands';
import { expect } from 'chai';
import { SAMPLES_PER_MS, totalSamples } from '../../../bench/playout/arrivals.js';
import { passagesOf } from '../../../bench/playout/recorded.js';
import { playerOf } from '../../../bench/playout/replay.js';
import { parseRecording, SpeakerRecorder, type SvcSpeakerInspectorElement } from '../../../src/inspector/index.js';
import { type Underrun, underrunsOf, untilSound } from '../../../src/inspector/measures.js';
import { READING_INTERVAL_MS } from '../../../src/inspector/recording.js';
import { accessibilityProblems } from '../support/accessibility.js';
import { itUnless, narrowPages, preferences } from '../support/engine.js';
import {
  makeSpeaker,
  next,
  nextAfter,
  removeSpeakers,
  scriptedSpeaker,
  speakerOf,
  speakingInParts,
  speakInParts,
} from '../support/speaker.js';
import { heard, heardFor, openContexts } from '../support/tap.js';

/** Almost the whole first part, so that playback runs dry only at its end. */
const TARGET_MS = 900;
/** Resolution of times in Chromium and Firefox is at least this fine. */
const ROUNDING_SECONDS = 0.002;
/** Minimum silence of the stall. */
const STALL_SECONDS = 0.3;

/** Speech of one second, and more of it after an underrun. */
const stalling = speakingInParts({ tone: 440, seconds: 1 }, { tone: 440, seconds: 1.5, from: 24000 });

function makeInspector(id?: string): SvcSpeakerInspectorElement {
  const inspector = document.createElement('svc-speaker-inspector');
  if (id) inspector.setAttribute('for', id);
  document.body.append(inspector);
  return inspector;
}

function plots(inspector: SvcSpeakerInspectorElement): HTMLElement {
  return inspector.shadowRoot!.querySelector<HTMLElement>('[part=plots]')!;
}

function button(inspector: SvcSpeakerInspectorElement, name: string): HTMLButtonElement {
  const buttons = [...inspector.shadowRoot!.querySelectorAll('button')];
  return buttons.find((one) => (one.ariaLabel ?? one.textContent.trim()) === name)!;
}

/** Time at the cursor, in seconds. */
function cursor(inspector: SvcSpeakerInspectorElement): number {
  return Number(plots(inspector).getAttribute('aria-valuenow'));
}

/** Columns of a track's picture with a pixel for which `isIt` returns true, as fractions of its width. */
function columnsOf(
  inspector: SvcSpeakerInspectorElement,
  track: string,
  isIt: (r: number, g: number, b: number) => boolean,
) {
  const canvas = inspector.shadowRoot!.querySelector<HTMLCanvasElement>(`canvas.${track}`)!;
  const { data, width, height } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
  const columns: number[] = [];
  for (let x = 0; x < width; x++) {
    for (let y = 0; y < height; y++) {
      const at = (y * width + x) * 4;
      if (data[at + 3]! > 20 && isIt(data[at]!, data[at + 1]!, data[at + 2]!)) {
        columns.push(x / width);
        break;
      }
    }
  }
  return columns;
}

/** Resolves when the pictures show the current state. */
async function drawn(inspector: SvcSpeakerInspectorElement): Promise<void> {
  await inspector.updateComplete;
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  await inspector.updateComplete;
}

/**
 * Records speech with a stall in it.
 *
 * @returns The exported recording, and the maximum error of its times in milliseconds. There is an error if the machine
 *   was busy: the audio device lost time, or the page read the speaker's state late.
 */
async function recordStall(): Promise<{ exported: string; lateMs: number }> {
  const inspector = makeInspector('stalling');
  const speaker = scriptedSpeaker(stalling, {
    id: 'stalling',
    'jitter-buffer': 'fixed',
    'jitter-buffer-target': TARGET_MS,
  });
  await inspector.updateComplete;
  const dry = nextAfter(speaker, 'playing', 'waiting');
  const playing = next(speaker, 'playing');
  const { utterance, goOn } = speakInParts(speaker, 2);
  await playing;
  const [context] = openContexts();
  const behindMs = (): number => performance.now() - context!.currentTime * 1000;
  const atFirstMs = behindMs();
  await dry;
  await heard();
  await heardFor(STALL_SECONDS);
  // The page may have noticed the first part late, so this waits until the recording shows the stall as well.
  const recorder = SpeakerRecorder.of(speaker);
  const first = recorder.readings.find(({ arrivedSeconds }) => arrivedSeconds > 0)!;
  while (recorder.nowSeconds < first.atSeconds + 1.3) await drawn(inspector);
  goOn();
  await utterance.finished;
  const lostMs = Math.max(0, behindMs() - atFirstMs);
  const exported = inspector.exportRecording();
  const times = parseRecording(exported).readings.map(({ atSeconds }) => atSeconds);
  const pauses = times.map((time, index) => time - (times[index - 1] ?? time));
  return { exported, lateMs: lostMs + 1000 * Math.max(...pauses) };
}

describe('<svc-speaker-inspector>', () => {
  let exported: string;
  let lateMs: number;
  before(async () => {
    ({ exported, lateMs } = await recordStall());
    await removeSpeakers();
  });
  afterEach(removeSpeakers);

  /** Creates an inspector that shows the stall. */
  async function imported(): Promise<SvcSpeakerInspectorElement> {
    const inspector = makeInspector();
    inspector.importRecording(exported, 'stall.json');
    await drawn(inspector);
    return inspector;
  }

  function theUnderrun(): Underrun {
    const { readings, events } = parseRecording(exported);
    return underrunsOf(readings, events)[0]!;
  }

  // For the replay of a recording see test/unit/inspector/replay.test.ts.
  it('records a stall for the simulator: one passage, with one underrun', () => {
    const recording = parseRecording(exported);
    expect(playerOf(recording)).to.equal(`fixed:${TARGET_MS}`);
    const passages = [...passagesOf(recording)];
    expect(passages).to.have.length(1);
    const [{ arrivals, underruns }] = passages as [(typeof passages)[0]];
    expect(totalSamples(arrivals) / SAMPLES_PER_MS).to.be.closeTo(2500, 20);
    expect(underruns).to.have.length(1);
    expect(underruns[0]!.toMs - underruns[0]!.fromMs).to.be.at.least(STALL_SECONDS * 1000 - 10);
  });

  it('accounts for everything that arrived', () => {
    const { readings } = parseRecording(exported);
    const sum = (name: 'arrivedSeconds' | 'playedSeconds') => readings.reduce((all, one) => all + one[name], 0);
    expect(sum('arrivedSeconds')).to.be.closeTo(2.5, 0.005);
    expect(sum('playedSeconds')).to.be.closeTo(2.5, 0.005);
    expect(readings.reduce((all, { underruns }) => all + underruns, 0)).to.equal(1);
  });

  it('exports what it imported', async () => {
    const inspector = await imported();
    expect(inspector.exportRecording()).to.equal(exported);
    expect(inspector.shadowRoot!.textContent).to.include('stall.json');
  });

  it('draws the underrun and the concealment at their positions', async () => {
    const inspector = await imported();
    const { readings } = parseRecording(exported);
    const { fromSeconds, toSeconds } = theUnderrun();
    const all = readings.at(-1)!.atSeconds - readings[0]!.atSeconds;
    const share = (seconds: number) => (seconds - readings[0]!.atSeconds) / all;
    const red = columnsOf(inspector, 'arrivals', (r, g, b) => r > 150 && g < 90 && b < 90);
    expect(red[0]).to.be.closeTo(share(fromSeconds), 0.01);
    expect(red.at(-1)).to.be.closeTo(share(toSeconds), 0.01);
    const silence = columnsOf(inspector, 'heard', (r, g, b) => r > 150 && g < 90 && b < 90);
    const late = lateMs / 1000 / all;
    expect(silence.at(-1)! - silence[0]!).to.be.closeTo((toSeconds - fromSeconds) / all, 0.03 + late);
    const speech = columnsOf(inspector, 'heard', (r, g, b) => g > r + 40 && g > b);
    expect(speech.length).to.be.greaterThan(20);
  });

  it('moves its cursor by keys, and describes the moment', async () => {
    const inspector = await imported();
    plots(inspector).focus();
    await sendKeys({ press: 'Home' });
    await drawn(inspector);
    // A slow page reads the speaker's state for the first time some milliseconds after the recording has begun.
    expect(cursor(inspector)).to.be.closeTo(parseRecording(exported).readings[0]!.atSeconds, 0.005);
    await sendKeys({ press: 'PageDown' });
    await drawn(inspector);
    const { fromSeconds } = theUnderrun();
    expect(cursor(inspector)).to.be.closeTo(fromSeconds, 0.01);
    // Not every engine's driver supports key combinations.
    plots(inspector).dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', shiftKey: true }));
    await drawn(inspector);
    const beyond = cursor(inspector);
    expect(beyond).to.be.greaterThan(fromSeconds + 0.2);
    await sendKeys({ press: 'ArrowLeft' });
    await drawn(inspector);
    expect(cursor(inspector)).to.be.lessThan(beyond);
    await sendKeys({ press: 'PageUp' });
    await drawn(inspector);
    expect(plots(inspector).ariaValueText).to.match(/seconds, .* held, target 900 ms, .*underrun$/);
  });

  it('zooms by keys and buttons, about the cursor', async () => {
    const inspector = await imported();
    plots(inspector).focus();
    await sendKeys({ press: 'PageUp' });
    let first = 0;
    const red = async () => {
      await drawn(inspector);
      const columns = columnsOf(inspector, 'arrivals', (r, g, b) => r > 150 && g < 90 && b < 90);
      first = columns[0]!;
      return columns.at(-1)! - first;
    };
    const whole = await red();
    await sendKeys({ press: '+' });
    // On a busy machine, the recorded gap may be too long to be shown whole.
    expect(await red()).to.be.closeTo(Math.min(2 * whole, 1 - first), 0.02);
    button(inspector, 'Zoom out').click();
    expect(await red()).to.be.closeTo(whole, 0.02);
    button(inspector, 'Zoom in').click();
    button(inspector, 'Show all').click();
    expect(await red()).to.be.closeTo(whole, 0.02);
  });

  it('leaves the wheel to the page unless it has the focus', async () => {
    const inspector = await imported();
    const turn = () => new WheelEvent('wheel', { deltaY: 100, bubbles: true, cancelable: true });
    expect(plots(inspector).dispatchEvent(turn())).to.equal(true);
    plots(inspector).focus();
    expect(plots(inspector).dispatchEvent(turn()), 'it zooms instead').to.equal(false);
  });

  it('reports a malformed file, and keeps what it shows', async () => {
    const inspector = await imported();
    const files = new DataTransfer();
    files.items.add(new File([exported.replace('"bufferedSeconds",', '"heldSeconds",')], 'bad.json'));
    const input = inspector.shadowRoot!.querySelector('input')!;
    input.files = files.files;
    input.dispatchEvent(new Event('change'));
    const alert = () => inspector.shadowRoot!.querySelector('[role=alert]');
    while (!alert()) await drawn(inspector);
    expect(alert()!.textContent).to.equal('bad.json: "columns" has no "bufferedSeconds"');
    expect(inspector.exportRecording()).to.equal(exported);
    inspector.importRecording(exported);
    await drawn(inspector);
    expect(alert()).to.equal(null);
  });

  it('has no accessibility problem in light and dark, live and imported', async () => {
    const speaker = makeSpeaker({ id: 'any' });
    for (const inspector of [makeInspector('any'), await imported()]) {
      for (const scheme of ['light', 'dark']) {
        document.documentElement.style.colorScheme = scheme;
        document.body.style.background = 'Canvas';
        await drawn(inspector);
        expect(await accessibilityProblems(inspector), scheme).to.deep.equal([]);
      }
    }
    document.documentElement.style.colorScheme = '';
    speaker.remove();
  });

  it('draws in the colours of the scheme', async () => {
    const inspector = await imported();
    const isBright = (r: number, g: number, b: number) => g > 180 && r < 120 && b > 150;
    expect(columnsOf(inspector, 'buffer', isBright)).to.deep.equal([]);
    inspector.style.colorScheme = 'dark';
    button(inspector, 'Show all').click();
    await drawn(inspector);
    expect(columnsOf(inspector, 'buffer', isBright).length).to.be.greaterThan(20);
  });

  itUnless(preferences)('draws in forced colours', async () => {
    await emulateMedia({ forcedColors: 'active' });
    const inspector = await imported();
    const isInk = (r: number, g: number, b: number) => r + g + b < 30 || r + g + b > 735;
    expect(columnsOf(inspector, 'buffer', isInk).length).to.be.greaterThan(20);
    await emulateMedia({ forcedColors: 'none' });
  });

  itUnless(preferences)('has a mark of its own for each thing in forced colours', async () => {
    await emulateMedia({ forcedColors: 'active' });
    const inspector = await imported();
    const groups = inspector.shadowRoot!.querySelectorAll('.track, [part=latency] > div');
    for (const group of groups) {
      const marks = [...group.querySelectorAll<HTMLElement>('.key')].map((key) => {
        const { color, backgroundColor, backgroundImage, borderTopStyle, borderRadius, rotate } = getComputedStyle(key);
        const paint = backgroundImage === 'none' ? backgroundColor : backgroundImage;
        expect(color, 'visible').not.to.equal(getComputedStyle(inspector).backgroundColor);
        return [color, paint, borderTopStyle, borderRadius, rotate].join(' ');
      });
      expect(new Set(marks).size, marks.join('\n')).to.equal(marks.length);
    }
    await emulateMedia({ forcedColors: 'none' });
  });

  itUnless(narrowPages)('fits a narrow page', async () => {
    await setViewport({ width: 320, height: 640 });
    const inspector = await imported();
    expect(document.documentElement.scrollWidth).to.be.at.most(320);
    expect(plots(inspector).getBoundingClientRect().right).to.be.at.most(320);
    await setViewport({ width: 800, height: 600 });
  });
});

describe('<svc-speaker-inspector>, live', () => {
  afterEach(removeSpeakers);

  it('has no figures before there is speech', async () => {
    makeSpeaker({ id: 'silent' });
    const inspector = makeInspector('silent');
    await drawn(inspector);
    const figures = [...inspector.shadowRoot!.querySelectorAll('.value, .figure, h3 span')].map(
      (one) => one.textContent,
    );
    expect(figures.length).to.be.greaterThan(8);
    // The target is a setting, so it has a value.
    expect(new Set(figures)).to.deep.equal(new Set(['–', '120 ms']));
  });

  it('shows the parts of a start where they were, and what was there before as unknown', async () => {
    const speaker = speakerOf({ tone: 440, seconds: 0.5 });
    const inspector = makeInspector();
    inspector.speaker = speaker;
    for (const text of ['First.', 'Second.']) {
      const over = next(speaker, 'ended');
      await speaker.speak(text).finished;
      await over;
    }
    const { readings, events } = inspector.recording!;
    const { seconds: total, parts } = untilSound(readings, events, Infinity);
    const known = parts.filter(({ seconds }) => seconds !== null);
    expect(known.map(({ name }) => name)).to.deep.equal(['session', 'socket', 'service', 'start', 'output']);
    for (const { name, fromSeconds, seconds } of known) {
      expect(fromSeconds! + seconds!, name).to.be.within(0, total! + ROUNDING_SECONDS);
    }
    // The page draws the present later. An imported recording is drawn with the next update.
    inspector.importRecording(inspector.exportRecording());
    await inspector.updateComplete;
    expect(inspector.shadowRoot!.querySelectorAll('.start .bar i').length).to.equal(known.length);
  });

  it('exports texts only if the user agrees', async () => {
    const speaker = scriptedSpeaker(stalling, { id: 'said' });
    const inspector = makeInspector('said');
    await inspector.updateComplete;
    const { utterance, goOn } = speakInParts(speaker, 2);
    await utterance.started;
    goOn();
    await utterance.finished;
    await drawn(inspector);
    const textsIn = (recording: string): (string | undefined)[] =>
      parseRecording(recording).events.flatMap(({ type, text }) => (type === 'utteranceend' ? [text] : []));
    expect(textsIn(inspector.exportRecording())).to.deep.equal([undefined]);
    expect(JSON.stringify(inspector.recording)).not.to.include(utterance.text);
    expect(textsIn(inspector.exportRecording({ texts: true }))).to.deep.equal([utterance.text]);

    const saved: Blob[] = [];
    const { createObjectURL } = URL;
    URL.createObjectURL = (blob: Blob) => createObjectURL.call(URL, saved[saved.push(blob) - 1]!);
    button(inspector, 'Export').click();
    inspector.shadowRoot!.querySelector<HTMLInputElement>('input[name=texts]')!.click();
    button(inspector, 'Export').click();
    URL.createObjectURL = createObjectURL;
    expect(await Promise.all(saved.map(async (blob) => textsIn(await blob.text())))).to.deep.equal([
      [undefined],
      [utterance.text],
    ]);
    inspector.importRecording(await saved[1]!.text());
    expect(textsIn(inspector.exportRecording()), 'not passed on unasked').to.deep.equal([undefined]);
  });

  it('finds a speaker that is added later, and one that gets its id later', async () => {
    const inspector = makeInspector('late');
    await inspector.updateComplete;
    expect(inspector.speaker).to.equal(null);
    expect(inspector.recording).to.equal(null);
    expect(() => inspector.exportRecording()).to.throw(DOMException, 'no speaker');
    const speaker = makeSpeaker({ id: 'late' });
    while (!inspector.speaker) await drawn(inspector);
    expect(inspector.speaker).to.equal(speaker);
    const other = makeSpeaker();
    inspector.htmlFor = 'other';
    expect(inspector.speaker).to.equal(null);
    other.id = 'other';
    while (!inspector.speaker) await drawn(inspector);
    expect(inspector.speaker).to.equal(other);
  });

  it('holds the pictures while it records, and follows the present again', async () => {
    const inspector = makeInspector('any');
    const speaker = scriptedSpeaker([{ wait: 'end' }, { frames: { tone: 440, seconds: 20 } }], { id: 'any' });
    speaker.speak('Hello.');
    await next(speaker, 'playing');
    await drawn(inspector);
    expect(inspector.following).to.equal(true);
    button(inspector, 'Pause').click();
    await drawn(inspector);
    const held = cursor(inspector);
    const recorded = inspector.recording!.readings.length;
    while (inspector.recording!.readings.length < recorded + 10) await drawn(inspector);
    expect(cursor(inspector)).to.equal(held);
    button(inspector, 'Live').click();
    await drawn(inspector);
    expect(cursor(inspector)).to.be.greaterThan(held + 0.1);
    expect(inspector.following).to.equal(true);
  });

  it('stops reading while nothing changes, and after it is removed', async () => {
    const inspector = makeInspector('any');
    const speaker = scriptedSpeaker([{ wait: 'end' }, { frames: { tone: 440, seconds: 0.2 } }, { done: true }], {
      id: 'any',
    });
    const closed = next(speaker, 'socketclose');
    await speaker.speak('Hello.').finished;
    await closed;
    const recorder = SpeakerRecorder.of(speaker);
    while (recorder.running) await drawn(inspector);
    const { length } = recorder.readings;
    const { nowSeconds } = recorder;
    // A stop is recorded only if it is longer than the interval of the readings, and two frames may be shorter.
    const seenMs = performance.now();
    while (performance.now() - seenMs < 2 * READING_INTERVAL_MS) await drawn(inspector);
    expect(recorder.nowSeconds).to.equal(nowSeconds);
    const over = nextAfter(speaker, 'playing', 'utteranceend');
    speaker.speak('Again.');
    await next(speaker, 'playing');
    expect(recorder.events.map(({ type }) => type)).to.include('idle');
    expect(recorder.readings.length).to.be.greaterThan(length);
    inspector.remove();
    expect(recorder.running).to.equal(false);
    const { length: left } = recorder.readings;
    await over;
    expect(recorder.readings.length).to.equal(left);
  });
});
