import { setViewport } from '@web/test-runner-commands';
import { expect } from 'chai';
import '../../../src/define.js';
import '../../../src/reader/index.js';
import type { SvcReaderElement } from '../../../src/reader/index.js';
import type { SvcSpeakerElement } from '../../../src/index.js';
import { speaking } from '../../../src/testing/script.js';
import { accessibilityProblems } from '../support/accessibility.js';
import { itUnless, narrowPages } from '../support/engine.js';
import { next, removeSpeakers, scriptedSpeaker } from '../support/speaker.js';
import { nextFrame } from '../support/tap.js';

const ARTICLE = `<article>
  <h1>The tide</h1>
  <p>It was late. The tide had turned.</p>
  <p>Nobody had ever seen the <a href="#boat">boat</a>.</p>
</article>`;

let place: HTMLElement;

/** Shows an article, a speaker whose utterances last `seconds`, and a bar. */
function show(seconds: number, attributes: Readonly<Record<string, string>> = {}) {
  place = document.createElement('div');
  place.innerHTML = ARTICLE;
  const speaker = scriptedSpeaker(speaking({ tone: 440, seconds }));
  const reader = document.createElement('svc-reader');
  for (const [name, value] of Object.entries({ for: 'article', ...attributes })) reader.setAttribute(name, value);
  place.append(reader);
  document.body.append(place);
  return { speaker, reader };
}

/** Returns a part of the bar, once it is drawn. */
async function part(reader: SvcReaderElement, name: string): Promise<HTMLElement> {
  for (;;) {
    const found = reader.shadowRoot!.querySelector<HTMLElement>(`[part=${name}]`);
    if (found) return found;
    await nextFrame();
  }
}

/** Waits until a condition holds, which is checked in each frame. */
async function until(condition: () => unknown): Promise<void> {
  while (!condition()) await nextFrame();
}

/** Resolves with the text of the utterance that begins next. */
async function begun(speaker: SvcSpeakerElement): Promise<string> {
  return (await next(speaker, 'utterancestart')).utterance.text;
}

/** Clicks on the middle of a range, or of all of an element. The page does not go anywhere. */
function click(element: Element, range: Range | Element = element): void {
  const { x, y, width, height } = range.getBoundingClientRect();
  const at = { clientX: x + width / 2, clientY: y + height / 2 };
  // After the reader's listener.
  document.addEventListener('click', (event) => event.preventDefault(), { once: true });
  element.dispatchEvent(new MouseEvent('click', { ...at, bubbles: true, composed: true, cancelable: true }));
}

describe('<svc-reader>', () => {
  afterEach(async () => {
    place.remove();
    await removeSpeakers();
    localStorage.clear();
  });

  it('reads on a click, says how long it takes, and pauses', async () => {
    const { speaker, reader } = show(20);
    const toggle = await part(reader, 'toggle');
    expect(toggle.textContent.trim()).to.equal('Play');
    expect(await part(reader, 'next')).to.have.property('disabled', true);
    const first = begun(speaker);
    toggle.click();
    expect(await first).to.equal('The tide');
    await until(() => toggle.textContent.trim() === 'Pause');
    expect((await part(reader, 'time')).textContent).to.match(/^0:0\d left$/);
    expect(await part(reader, 'next')).to.have.property('disabled', false);
    toggle.click();
    await until(() => toggle.textContent.trim() === 'Play');
    expect(speaker.paused).to.equal(true);
    expect(reader.reading === null).to.equal(false);
  });

  it('goes to sentences, and to a word that is clicked, but not for a click on a link', async () => {
    const { speaker, reader } = show(20);
    void reader.play();
    await begun(speaker);
    const following = begun(speaker);
    (await part(reader, 'next')).click();
    expect(await following).to.equal('It was late. The tide had turned.');
    const later = begun(speaker);
    const [text] = place.querySelectorAll('p')[1]!.childNodes;
    const range = document.createRange();
    range.setStart(text!, 'Nobody had ever '.length);
    range.setEnd(text!, 'Nobody had ever seen'.length);
    click(place.querySelector('a')!);
    click(text!.parentElement!, range);
    expect(await later).to.equal('seen the boat.');
    const before = begun(speaker);
    (await part(reader, 'previous')).click();
    expect(await before).to.equal('Nobody had ever seen the boat.');
  });

  it('goes to a word that is clicked in a component, but not for a click on its link', async () => {
    const { speaker, reader } = show(20);
    const component = document.createElement('section');
    component.attachShadow({ mode: 'open' }).innerHTML = '<p>The boat <a href="#lay">lay</a> behind the pier.</p>';
    place.querySelector('article')!.append(component);
    const [text, link] = component.shadowRoot!.querySelector('p')!.childNodes;
    void reader.play();
    await begun(speaker);
    const clicked = begun(speaker);
    const range = document.createRange();
    range.setStart(text!, 'The '.length);
    range.setEnd(text!, 'The boat'.length);
    click(link as Element);
    click(text!.parentElement!, range);
    expect(await clicked).to.equal('boat lay behind the pier.');
  });

  it('reads what a component shows only later, and goes on where it renders its text again', async () => {
    const { speaker, reader } = show(0.4);
    const component = document.createElement('section');
    const root = component.attachShadow({ mode: 'open' });
    place.querySelector('article')!.replaceChildren(component);
    root.innerHTML = '<p>One.</p><p>Two words are requested by then.</p>';
    void reader.play();
    const reading = reader.reading!;
    const places: string[] = [];
    reading.addEventListener('paragraph', () => places.push(reading.position.after));
    // After the listener of the reader.
    speaker.addEventListener('utterancestart', ({ utterance }) => {
      if (utterance.text === 'One.') root.innerHTML += '<p>Three.</p>';
      else speaker.pause();
    });
    const shown = (): string => [...CSS.highlights.get('svc-sentence')!].map(String).join();
    for (const sentence of ['Two words are requested by then.', 'Three.']) {
      await until(() => speaker.paused && shown() === sentence);
      void speaker.play();
    }
    await reading.finished;
    expect(places).to.deep.equal(['One.', 'Two words are requested by then.', 'Three.']);
  });

  it('goes on by as many sentences as there were clicks, and not from a word that is clicked after them', async () => {
    const { speaker, reader } = show(20);
    void reader.play();
    await begun(speaker);
    const second = begun(speaker);
    const button = await part(reader, 'next');
    button.click();
    button.click();
    expect(await second).to.equal('The tide had turned.');
    const clicked = begun(speaker);
    button.click();
    reader.reading!.seekTo(place.querySelector('h1')!.firstChild!, 'The t'.length);
    expect(await clicked).to.equal('tide');
  });

  it('goes to the word that is clicked in a script without spaces (LegadoTeam/legado 961)', async () => {
    const { speaker, reader } = show(20);
    const paragraph = place.querySelector('p')!;
    paragraph.lang = 'ja_JP';
    paragraph.textContent = '今日は東京に行きました。明日も行きます。';
    void reader.play();
    await begun(speaker);
    const clicked = begun(speaker);
    reader.reading!.seekTo(paragraph.firstChild!, '今日は東'.length);
    expect(await clicked).to.equal('東京に行きました。明日も行きます。');
  });

  it('shows the sentence to which it goes while playback is paused', async () => {
    const { speaker, reader } = show(20);
    void reader.play();
    await begun(speaker);
    reader.pause();
    (await part(reader, 'next')).click();
    (await part(reader, 'next')).click();
    const shown = () => [...(CSS.highlights.get('svc-sentence') ?? [])].map(String).join('|');
    await until(() => shown() === 'The tide had turned.');
    expect(speaker.paused).to.equal(true);
    const heard = begun(speaker);
    void reader.play();
    expect(await heard).to.equal('The tide had turned.');
  });

  it('continues where it was stopped, also after a reload with `remember`, and forgets the place at the end', async () => {
    const { speaker, reader } = show(0.2, { remember: '' });
    void reader.play();
    await new Promise<void>((stopped) =>
      speaker.addEventListener('utterancestart', ({ utterance }) => {
        if (utterance.text !== 'It was late. The tide had turned.') return;
        // In the same task, in which words may begin, too.
        reader.stop();
        stopped();
      }),
    );
    expect(reader.reading === null).to.equal(true);
    speaker.remove();
    place.remove();
    const again = show(0.2, { remember: '' });
    void again.reader.play();
    expect(await begun(again.speaker)).to.equal('It was late. The tide had turned.');
    await again.reader.reading!.finished;
    expect(Object.keys(localStorage).filter((key) => key.startsWith('svc-reader'))).to.deep.equal([]);
  });

  it('reports an error in words, and reads on from there at the next click', async () => {
    const { speaker, reader } = show(0.2);
    const works = speaker.sessionProvider;
    speaker.sessionProvider = () => Promise.reject(new Error('The backend is away.'));
    await reader.play().catch(() => {});
    await until(() => reader.shadowRoot!.querySelector('[role=alert]'));
    expect((await part(reader, 'status')).textContent).to.contain('could not be loaded');
    expect((await part(reader, 'toggle')).textContent.trim()).to.equal('Try again');
    speaker.sessionProvider = works;
    const first = begun(speaker);
    (await part(reader, 'toggle')).click();
    expect(await first).to.equal('The tide');
  });

  it('takes the `id` of its speaker as a property, too, as frameworks set it', () => {
    const { speaker, reader } = show(0.2);
    reader.speaker = 'other';
    expect(reader.speaker === null).to.equal(true);
    speaker.id = 'other';
    expect(reader.speaker === speaker).to.equal(true);
    reader.speaker = null;
    expect(reader.hasAttribute('speaker')).to.equal(false);
  });

  it('says what is missing', async () => {
    const { speaker, reader } = show(0.2, { for: 'nothing-here' });
    const failure = (): Promise<unknown> => reader.play().catch((error: unknown) => error);
    expect(await failure())
      .to.be.instanceOf(DOMException)
      .with.property('message')
      .that.contains('an element to read');
    speaker.remove();
    const error = await failure();
    expect(error).to.be.instanceOf(DOMException).with.property('message').that.contains('a registered <svc-speaker>');
  });

  it('reads and follows clicks in another text when `for` changes', async () => {
    const { speaker, reader } = show(20, { for: 'later' });
    await part(reader, 'bar');
    place.insertAdjacentHTML('beforeend', '<p id="later">A lamp was lit by somebody.</p>');
    void reader.play();
    expect(await begun(speaker)).to.equal('A lamp was lit by somebody.');
    const [text] = place.querySelector('#later')!.childNodes;
    const range = document.createRange();
    range.setStart(text!, 'A lamp was lit by '.length);
    range.setEnd(text!, 'A lamp was lit by somebody'.length);
    const { x, y, width, height } = range.getBoundingClientRect();
    const following = begun(speaker);
    const at = { clientX: x + width / 2, clientY: y + height / 2, bubbles: true };
    text!.parentElement!.dispatchEvent(new MouseEvent('click', at));
    expect(await following).to.equal('somebody.');
  });

  it('requests short blocks together, and others one ahead, each once', async () => {
    const { speaker, reader } = show(0.2);
    place.querySelector('article')!.innerHTML =
      `<h2>One</h2><ul><li>Two</li><li>Three</li></ul>${'<p>A paragraph that takes as long as a request.</p>'.repeat(3)}`;
    const requested: string[] = [];
    const speak = speaker.speak.bind(speaker);
    speaker.speak = (text, options) => {
      requested.push(text as string);
      return speak(text, options);
    };
    const counts: number[] = [];
    // After the listener of the reader, which requests the next blocks.
    void reader.play();
    speaker.addEventListener('utterancestart', () => counts.push(requested.length));
    await reader.reading!.finished;
    expect(counts).to.deep.equal([4, 4, 4, 5, 6, 6]);
    expect(requested).to.deep.equal(['One', 'Two', 'Three', ...requested.slice(3)]);
    expect(requested.length).to.equal(6);
  });

  it('pauses after headings and paragraphs, and not at the end', async () => {
    const { speaker, reader } = show(0.2);
    const lengths: number[] = [];
    speaker.addEventListener('utteranceend', ({ utterance }) => lengths.push(utterance.endTime - utterance.startTime));
    void reader.play();
    await reader.reading!.finished;
    expect(lengths.map((length) => length.toFixed(2))).to.deep.equal(['0.90', '0.60', '0.20']);
  });

  itUnless(narrowPages)('fits a page that is 320 pixels wide', async () => {
    await setViewport({ width: 320, height: 600 });
    const { reader } = show(20);
    void reader.play();
    await part(reader, 'time');
    expect(document.documentElement.scrollWidth).to.equal(320);
    expect((await part(reader, 'bar')).scrollWidth).to.be.at.most(320);
    await setViewport({ width: 800, height: 600 });
  });

  it('has no problem that axe finds', async () => {
    const { reader } = show(20);
    void reader.play();
    await part(reader, 'time');
    expect(await accessibilityProblems(reader)).to.deep.equal([]);
  });
});
