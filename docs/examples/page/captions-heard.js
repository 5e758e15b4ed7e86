/** Shows a text, with the part that has been heard. Call it at each `timeupdate`, and at the end. */
export function showHeard(utterance, element) {
  const { length } = utterance.heard.text;
  const heard = document.createElement('mark');
  heard.textContent = utterance.text.slice(0, length);
  element.replaceChildren(heard, utterance.text.slice(length));
}
