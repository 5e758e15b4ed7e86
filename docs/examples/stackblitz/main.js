import 'svc-speaker/define.js';
import recording from './recording.wav';

const text = 'You hear this recording while it is still being loaded.';
const speaker = document.querySelector('svc-speaker');
Object.assign(speaker, { src: recording, text });

/** Passes on 0.1 s of a recording (16 kHz, 16 bits) every 0.08 s, and every tenth time nothing for 0.3 s. */
function unevenNetwork() {
  let pieces = 0;
  return new TransformStream({
    async transform(bytes, controller) {
      for (let at = 0; at < bytes.length; at += 3200) {
        await new Promise((resolve) => setTimeout(resolve, ++pieces % 10 === 0 ? 300 : 80));
        controller.enqueue(bytes.subarray(at, at + 3200));
      }
    },
  });
}

document.querySelector('#uneven').onclick = async () => {
  const said = document.querySelector('#said');
  speaker.cancel();
  try {
    const { body } = await fetch(recording);
    await speaker.speakAudio(body.pipeThrough(unevenNetwork()), { text }).finished;
    said.value = 'The last sample has been heard.';
  } catch (error) {
    said.value = error.message;
  }
};
