import * as Tone from 'tone';

/** Volume without and with speech, in dB. */
const VOLUME = { up: -14, ducked: -30 } as const;
/** Duration of the ramps, in seconds. */
const RAMP = { down: 0.25, up: 1.2 } as const;

/** Two chords, note by note. */
const NOTES = ['D3', 'A3', 'E4', 'F#4', 'A4', 'F#4', 'E4', 'A3', 'B2', 'F#3', 'D4', 'E4', 'A4', 'E4', 'D4', 'F#3'];

/** A quiet loop for under speech. */
export class Music {
  /** Output node, connected to the destination. */
  readonly output = new Tone.Volume(VOLUME.up).toDestination();
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

  /** Starts or stops the loop. Audible only after `Tone.start()` in a user gesture. */
  toggle(): void {
    this.#isOn = !this.#isOn;
    if (this.#isOn) Tone.getTransport().start();
    else Tone.getTransport().stop();
  }

  /** Lowers the volume, or restores it. */
  duck(down: boolean): void {
    this.#isDucked = down;
    this.output.volume.rampTo(down ? VOLUME.ducked : VOLUME.up, down ? RAMP.down : RAMP.up);
  }
}
