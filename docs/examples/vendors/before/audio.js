const audio = new Audio();

/** Speaks a text with the page's own backend, which answers with a file. */
export async function say(text) {
  const response = await fetch('/say', { method: 'POST', body: text });
  audio.src = URL.createObjectURL(await response.blob());
  await audio.play();
  await new Promise((resolve) => (audio.onended = resolve));
  URL.revokeObjectURL(audio.src);
}

export function stop() {
  audio.pause();
}
