import { requiredElement } from './required-element.js';

/**
 * Connects the form for audio from other sources: a URL, or a file that is chosen or dropped on the page.
 *
 * @param play - Calls `speaker.speakAudio()`. `name` is the caption.
 */
export function connectAudioForm(play: (audio: string | File, name: string) => void): void {
  const form = requiredElement('audio', HTMLFormElement);
  const address = requiredElement('audio-address', HTMLInputElement);
  const submit = requiredElement('audio-play', HTMLButtonElement);
  const fileInput = requiredElement('audio-file', HTMLInputElement);

  const playFile = (file: File | null | undefined): boolean => {
    if (file) play(file, file.name);
    return Boolean(file);
  };
  const playAddress = (url: string): void => {
    address.value = url;
    const name = url.replace(/[?#].*$/s, '').replace(/^.*\//s, '');
    play(url, name || url);
  };

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    playAddress(address.value.trim());
  });
  fileInput.addEventListener('change', () => playFile(fileInput.files?.item(0)));
  // Without this, choosing the same file again would fire no `change` event.
  fileInput.addEventListener('click', () => (fileInput.value = ''));
  const isIntoText = ({ target, dataTransfer }: DragEvent): boolean =>
    (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) &&
    !dataTransfer?.types.includes('Files');
  document.addEventListener('dragover', (event) => {
    if (!isIntoText(event)) event.preventDefault();
  });
  document.addEventListener('drop', (event) => {
    if (isIntoText(event)) return;
    event.preventDefault();
    if (playFile(event.dataTransfer?.files.item(0))) return;
    const url = event.dataTransfer?.getData('text/uri-list');
    if (url) playAddress(url);
  });
  submit.disabled = false;
}
