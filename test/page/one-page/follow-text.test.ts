import { expect } from 'chai';
import { TextFollower } from '../../../src/reader/follow-text.js';
import { nextFrame } from '../support/tap.js';

/** Frames in which a scroll that must not happen would have begun. */
const FRAMES = 10;

let place: HTMLElement;
let follower: TextFollower;

/** Shows markup, and returns a range around the text of its `<p>`. */
function show(markup: string): Range {
  place = document.createElement('div');
  place.innerHTML = markup;
  document.body.append(place);
  follower = new TextFollower(window);
  const range = document.createRange();
  range.selectNodeContents(place.querySelector('p')!);
  return range;
}

const isInWindow = (range: Range): boolean => {
  const { top, bottom } = range.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight;
};

describe('TextFollower', () => {
  afterEach(() => {
    follower.close();
    place.remove();
    scrollTo(0, 0);
  });

  it('shows text that is out of sight, once (brave/brave-browser 33712)', async () => {
    const range = show('<div style="height:4000px"></div><p>Far below.</p><div style="height:4000px"></div>');
    follower.follow(range);
    while (!isInWindow(range)) await nextFrame();
  });

  for (const isInComponent of [false, true]) {
    const whose = isInComponent ? 'a component' : 'the page';
    it(`shows text of ${whose} that is out of sight in a box of the page that scrolls`, async () => {
      const range = show(
        '<div id="box" style="height:60px;overflow:auto"><div style="height:150px"></div><p>Below.</p></div>',
      );
      const box = place.querySelector('#box')!;
      if (isInComponent) {
        const component = document.createElement('section');
        component.attachShadow({ mode: 'open' }).append('Below.');
        box.querySelector('p')!.replaceWith(component);
        range.selectNodeContents(component.shadowRoot!.firstChild!);
      }
      expect(isInWindow(range)).to.equal(true);
      follower.follow(range);
      while (box.scrollTop === 0) await nextFrame();
    });
  }

  it('does not scroll for text that is in sight (AndBible/and-bible 3013)', async () => {
    const range = show('<div style="height:60px"></div><p>Here.</p><div style="height:4000px"></div>');
    follower.follow(range);
    for (let frame = 0; frame < FRAMES; frame++) await nextFrame();
    expect(scrollY).to.equal(0);
  });

  it('does not scroll against the user (HnDK0/NoveLA 132)', async () => {
    const range = show('<div style="height:4000px"></div><p>Far below.</p>');
    dispatchEvent(new WheelEvent('wheel'));
    follower.follow(range);
    for (let frame = 0; frame < FRAMES; frame++) await nextFrame();
    expect(scrollY).to.equal(0);
  });
});
