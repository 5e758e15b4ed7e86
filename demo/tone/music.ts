import * as Tone from 'tone';

/** Loudness with nobody speaking, and under a voice, in dB. */
const LOUDNESS = { up: -14, ducked: -30 } as const;
/** Down before the first word is over; up slowly enough not to be noticed. In seconds. */
const RAMP = { down: 0.25, up: 1.2 } as const;

/** Two calm chords, note by note, each for half a bar. */
const NOTES = ['D3', 'A3', 'E4', 'F#4', 'A4', 'F#4', 'E4', 'A3', 'B2', 'F#3', 'D4', 'E4', 'A4', 'E4', 'D4', 'F#3'];

/** A quiet loop for under a voice. */
export class Music {
  /** What it leaves by; connected to the destination. */
  readonly output = new Tone.Volume(LOUDNESS.up).toDestination();
  #isOn = false;
  #isDucked = false;

  constructor() {
    const oscillator = { type: 'triangle' } as const;
    const envelope = { attack: 0.03, decay: 1.5, sustain: 0.1, release: 2 };
    const synth = new Tone.PolySynth(Tone.Synth, { oscillator, envelope, volume: -6 }).connect(this.output);
    new Tone.Sequence((time, note) => synth.triggerAttackRelease(note, '4n', time), NOTES, '4n').start(0);
    Tone.getTransport().bpm.value = 96;
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  get isDucked(): boolean {
    return this.#isDucked;
  }

  /** Begins, or ends with the notes that sound. Audible only after `Tone.start()` in a gesture. */
  toggle(): void {
    this.#isOn = !this.#isOn;
    if (this.#isOn) Tone.getTransport().start();
    else Tone.getTransport().stop();
  }

  /** Makes way for a voice, or comes back. */
  duck(down: boolean): void {
    this.#isDucked = down;
    this.output.volume.rampTo(down ? LOUDNESS.ducked : LOUDNESS.up, down ? RAMP.down : RAMP.up);
  }
}
