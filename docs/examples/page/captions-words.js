/** Marks the word that is heard, in an element that shows the text of the utterance and nothing else. */
export function markWords(speaker, element) {
  const marked = new Highlight();
  CSS.highlights.set('spoken', marked);
  speaker.addEventListener('word', ({ utterance, word }) => {
    marked.clear();
    if (word.isEstimated) return;
    if (element.textContent !== utterance.text) element.textContent = utterance.text;
    const range = new Range();
    range.setStart(element.firstChild, word.from);
    range.setEnd(element.firstChild, word.to);
    marked.add(range);
  });
  speaker.addEventListener('utteranceend', () => marked.clear());
}
