/** The element's controls with the themes of `docs/themes/`. */
import 'svc-speaker/define.js';
import { showSource } from '../page-source.js';

for (const choice of document.querySelectorAll<HTMLInputElement>('input[name=scheme]')) {
  choice.addEventListener('change', () => {
    document.documentElement.style.colorScheme = choice.value;
  });
}

// One speaker at a time.
const speakers = [...document.querySelectorAll('svc-speaker')];
for (const speaker of speakers) {
  speaker.addEventListener('play', () => {
    for (const other of speakers) if (other !== speaker) other.pause();
  });
}

void showSource();
