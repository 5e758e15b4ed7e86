import type { SvcSpeakerElement } from 'svc-speaker';
import { requiredElement } from './required-element.js';

/** Connects the controls for voice, volume, speed, buffer and transport to the speaker, in both directions. */
export function connectSettings(speaker: SvcSpeakerElement): void {
  connectVoice(speaker);
  connectVolume(speaker);
  connectRate(speaker);
  connectBuffer(speaker);
  connectTransport(speaker);
}

/** The voice is a property of the session, so a change takes effect with the next one. */
function connectVoice(speaker: SvcSpeakerElement): void {
  const voice = requiredElement('voice', HTMLSelectElement);
  voice.addEventListener('change', () => {
    speaker.sessionRequest = { ...speaker.sessionRequest, voice_id: voice.value };
  });
}

function connectVolume(speaker: SvcSpeakerElement): void {
  const slider = requiredElement('volume', HTMLInputElement);
  const shown = requiredElement('volume-value', HTMLOutputElement);
  slider.addEventListener('input', () => {
    speaker.volume = slider.valueAsNumber / 100;
    speaker.muted = false;
  });
  const show = () => {
    const percent = speaker.muted ? 0 : Math.round(speaker.volume * 100);
    slider.valueAsNumber = percent;
    shown.value = speaker.muted ? 'muted' : `${percent} %`;
  };
  speaker.addEventListener('volumechange', show);
  show();
}

function connectRate(speaker: SvcSpeakerElement): void {
  const slider = requiredElement('rate', HTMLInputElement);
  const shown = requiredElement('rate-value', HTMLOutputElement);
  slider.addEventListener('input', () => {
    speaker.playbackRate = slider.valueAsNumber;
  });
  const show = () => {
    slider.valueAsNumber = speaker.playbackRate;
    shown.value = `${speaker.playbackRate.toFixed(2)} ×`;
  };
  speaker.addEventListener('ratechange', show);
  show();
}

const modeHints = {
  adaptive: 'Speech slows down slightly, in its pauses first, instead of stopping.',
  'low-delay': 'Like adaptive, but sound starts earlier.',
  fixed: 'Speech keeps its pace and stops when the buffer is empty.',
};

/** Each mode has its own default target, which the slider shows until it is moved. */
function connectBuffer(speaker: SvcSpeakerElement): void {
  const choices = document.querySelectorAll<HTMLInputElement>('input[name="buffer"]');
  const slider = requiredElement('target', HTMLInputElement);
  const shown = requiredElement('target-value', HTMLOutputElement);
  const show = () => {
    requiredElement('buffer-hint', HTMLElement).textContent = modeHints[speaker.jitterBuffer];
    slider.valueAsNumber = speaker.jitterBufferTarget;
    shown.value = `${speaker.jitterBufferTarget} ms`;
  };
  for (const choice of choices) {
    choice.addEventListener('change', () => {
      speaker.jitterBuffer = choice.value as SvcSpeakerElement['jitterBuffer'];
      speaker.removeAttribute('jitter-buffer-target');
      show();
    });
  }
  slider.addEventListener('input', () => {
    speaker.jitterBufferTarget = slider.valueAsNumber;
    show();
  });
  show();
}

function connectTransport(speaker: SvcSpeakerElement): void {
  const choices = document.querySelectorAll<HTMLInputElement>('input[name="transport"]');
  for (const choice of choices) {
    choice.addEventListener('change', () => {
      speaker.transport = choice.value as SvcSpeakerElement['transport'];
      showTransport(speaker);
    });
  }
  speaker.addEventListener('playing', () => showTransport(speaker));
  showTransport(speaker);
}

const transportHints: Record<string, string> = {
  shared: 'Samples reach the audio thread through shared memory.',
  message: 'Samples reach the audio thread through a message port.',
};

/** Shows the transport in use or, before there is one, the transport that `auto` selects on this page. */
function showTransport(speaker: SvcSpeakerElement): void {
  const inUse = transportHints[speaker.getStats().transport ?? ''];
  const isolation = crossOriginIsolated
    ? 'This page is cross-origin isolated, so auto means shared memory.'
    : 'This page is not cross-origin isolated, so auto means a message port.';
  requiredElement('path', HTMLElement).textContent = inUse ?? isolation;
}
