const speaker = document.querySelector('svc-speaker');
const said = document.querySelector('#said');

document.querySelector('#greet').onclick = async () => {
  try {
    await speaker.speak('Hello. You hear this while it is still being made.').finished;
    said.textContent = 'The last sample has been heard.';
  } catch (error) {
    said.textContent = error.message;
  }
};
