import type { SvcSpeakerElement } from 'svc-speaker';
import { requiredElement } from '../required-element.js';
import { explainMicrophone, openMicrophone } from './microphone.js';
import { makeShortNoise } from './short-noise.js';
import type { VoiceDetector } from './detector/voice-detector.js';

/** Length of the frames that the detector judges. */
export const FRAME_MS = 32;

/** Sample rate of the short noise in Hz. */
const NOISE_RATE = 24_000;

/**
 * Connects the controls that choose what the page listens to: the microphone or a recording. If there is no microphone,
 * the page explains why and offers the recording.
 *
 * @param visitor - Speaker that plays the recording.
 * @param heard - Called for each frame of {@link FRAME_MS}, with the probability of voice in it.
 * @returns A function that starts to listen if the page does not listen yet. Never rejects.
 */
export function connectListening(
  visitor: SvcSpeakerElement,
  heard: (probability: number) => void,
): () => Promise<void> {
  const source = requiredElement('listen-to', HTMLSelectElement);
  const echo = requiredElement('echo', HTMLSelectElement);
  const button = requiredElement('listen', HTMLButtonElement);
  const status = requiredElement('listening', HTMLParagraphElement);
  const recording = requiredElement('recording', HTMLElement);
  /** Null if the page does not listen. */
  let listening: Promise<VoiceDetector | null> | null = null;

  const show = (text: string, tone: 'plain' | 'trouble' = 'plain'): void => {
    status.textContent = text;
    status.dataset.tone = tone;
    button.ariaPressed = String(listening !== null);
  };
  /** Shows why the microphone cannot be used, and the buttons of the recording. */
  const offerRecording = (reason: string): void => {
    recording.hidden = false;
    show(`${reason} Or play a recording in its place, below.`, 'trouble');
  };

  const open = async (): Promise<VoiceDetector | null> => {
    const isRecording = source.value === 'recording';
    let stream: MediaStream;
    try {
      stream = isRecording ? visitor.captureStream() : await openMicrophone(echo.value);
    } catch (error) {
      listening = null;
      offerRecording(explainMicrophone(error));
      return null;
    }
    try {
      // The development server installs the detector at the first import.
      const { detectVoice } = await import('./detector/voice-detector.js');
      const detector = await detectVoice(stream, heard);
      stream.getTracks()[0]!.addEventListener('ended', () => {
        void stop();
        if (!isRecording) offerRecording('The microphone is gone.');
      });
      show(isRecording ? 'Listening to the recording.' : 'Listening to the microphone.');
      return detector;
    } catch (error) {
      listening = null;
      for (const track of stream.getTracks()) track.stop();
      show(`The voice detector could not be loaded: ${(error as Error).message}`, 'trouble');
      return null;
    }
  };
  const start = async (): Promise<void> => {
    if (!listening) {
      listening = open();
      show('Opening…');
    }
    await listening;
  };
  const stop = async (): Promise<void> => {
    const detector = listening;
    listening = null;
    show('Not listening.');
    await (await detector)?.close();
  };
  const restart = async (): Promise<void> => {
    recording.hidden = source.value !== 'recording';
    await stop();
    await start();
  };
  /** Listens to the recording, and plays what `speak` requests. */
  const playRecording = async (speak: () => { readonly finished: Promise<void> }): Promise<void> => {
    if (source.value !== 'recording') {
      source.value = 'recording';
      await restart();
    }
    await start();
    await speak().finished.catch((error: Error) => show(`The recording failed: ${error.message}`, 'trouble'));
  };

  button.addEventListener('click', () => void (listening ? stop() : start()));
  source.addEventListener('change', () => void restart());
  echo.addEventListener('change', () => void (listening && restart()));
  requiredElement('say-stop', HTMLButtonElement).addEventListener('click', () => {
    void playRecording(() => visitor.speak('Stop, please.'));
  });
  requiredElement('make-noise', HTMLButtonElement).addEventListener('click', () => {
    void playRecording(() => visitor.speakAudio(makeShortNoise(NOISE_RATE).buffer, { sampleRate: NOISE_RATE }));
  });
  return start;
}
