// main.js
import 'svc-speaker/define.js';

const speaker = document.querySelector('svc-speaker');
document.querySelector('#greet').onclick = async () => {
  const utterance = speaker.speak('Hello. You hear this while it is still being made.');
  await utterance.finished;
  document.querySelector('#said').textContent = 'The last sample has been heard.';
};
