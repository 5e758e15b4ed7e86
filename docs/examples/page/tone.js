import 'svc-speaker/define.js';
import * as Tone from 'tone';

const hall = new Tone.Reverb(3).toDestination();
const voice = new Tone.Gain().connect(hall);
const speaker = document.querySelector('svc-speaker');
speaker.audioContext = Tone.getContext();
speaker.destination = voice.input;
