import { expect } from 'chai';
import { PageText } from '../../../src/reader/page-text.js';
import { readableText } from '../../../src/reader/readable-text.js';

let place: HTMLElement;

/** Puts markup into the page, and returns the element around it. */
function show(markup: string): HTMLElement {
  place = document.createElement('div');
  place.innerHTML = markup;
  document.body.append(place);
  return place;
}

const textsOf = (markup: string): string[] => readableText(show(markup)).map(({ text }) => text);

/** Pages in the structure that sites produce, and what a person reads aloud of them. */
const PAGES: readonly [string, string, readonly string[]][] = [
  [
    'a newspaper article, with its by-line, figure, aside and share buttons',
    `<article><header><h1>The  tide\n turns</h1><p>By <a href="#">Ann Lee</a></p></header>
     <button>Share</button><p>It <em>was</em> late.<br>Very late.</p>
     <figure><img src="data:," alt="A red boat."><figcaption>Photo: Zoe</figcaption></figure>
     <aside><h2>Read more</h2></aside><p>He left.</p></article>`,
    ['The tide turns', 'By Ann Lee', 'It was late.\nVery late.', 'A red boat.', 'Photo: Zoe', 'He left.'],
  ],
  [
    'an encyclopedia, with infobox, edit links, notes and references',
    `<table class="infobox"><tr><td>Born</td></tr></table>
     <h2>Life<span class="mw-editsection">[edit]</span></h2>
     <p>She was born in 1901.<sup class="reference"><a href="#cite1">[1]</a></sup> Area: 5 m<sup>2</sup>.</p>
     <ol class="references"><li>A book.</li></ol>`,
    ['Life', 'She was born in 1901. Area: 5 m2.'],
  ],
  [
    'a course, with a button in a sentence (ken107/read-aloud 219)',
    `<p>This word is <button>explained</button> here.</p><div><button>Share</button> <span role="button">Save</span></div>`,
    ['This word is explained here.'],
  ],
  [
    'a book, with note marks, notes and page numbers (readest 4135, flutter_readium 16)',
    `<p>It rained.<a epub:type="noteref" href="#n1">1</a> <span epub:type="pagebreak" title="5">5</span>She left.</p>
     <div epub:type="footnote" id="n1">A note.</div>`,
    ['It rained. She left.'],
  ],
  [
    'a paper, with formulas (arXiv html_feedback 3840)',
    `<p>Let <math><mi>n</mi><mo>=</mo><mn>3</mn></math>, and
     <math aria-label="x squared"><msup><mi>x</mi><mn>2</mn></msup></math>
     <math><semantics><mi>y</mi><annotation encoding="application/x-tex">y</annotation>
       <annotation-xml encoding="MathML-Content"><apply><ci>y</ci></apply></annotation-xml></semantics></math>.</p>`,
    ['Let n = 3, and x squared y.'],
  ],
  [
    'documentation, with code in a block and in a line',
    `<h2>Install</h2><p>Run <code>npm start</code>.</p><pre><code>npm start</code></pre><p>Done.</p>`,
    ['Install', 'Run npm start.', 'Done.'],
  ],
  [
    'a recipe, with lists in lists',
    `<h1>Soup</h1><ul><li>2 eggs</li><li>Salt<ul><li>fine</li></ul></li></ul><ol><li><p>Boil.</p></li><li>Eat.</li></ol>`,
    ['Soup', '2 eggs', 'Salt', 'fine', 'Boil.', 'Eat.'],
  ],
  [
    'a table, row by row',
    `<table><caption>Ships</caption><thead><tr><th>Name</th><th>Year</th></tr></thead>
     <tbody><tr><td>Ada</td><td> 1901 </td></tr><tr><td>Is it?</td><td></td><td hidden>no</td></tr></tbody></table>`,
    ['Ships', 'Name, Year', 'Ada, 1901', 'Is it?'],
  ],
  [
    'a poem, line by line',
    `<pre>The tide\n  comes in,\n\nand out.</pre><p>One<br>two</p>`,
    ['The tide\ncomes in,\nand out.', 'One\ntwo'],
  ],
  [
    'a chat',
    `<div class="chat"><div><b>Ann</b> <span>Hello!</span></div><div><b>Bob</b> <span>Hi &amp; bye</span></div></div>`,
    ['Ann Hello!', 'Bob Hi & bye'],
  ],
  [
    'Japanese, with ruby',
    `<p lang="ja"><ruby>東<rt>とう</rt>京<rp>(</rp><rt>きょう</rt></ruby>です。</p>`,
    ['東京です。'],
  ],
  ['right-to-left text', `<p dir="rtl" lang="ar">مرحبا <b>بكم</b>.</p>`, ['مرحبا بكم.']],
  [
    'a page with a cookie banner, navigation, and its own header and footer',
    `<header><p>Logo</p></header><nav><a href="#">Home</a></nav><div role="dialog"><p>We use cookies.</p></div>
     <div class="cookie-banner">Cookies!</div><main><p>Text.</p></main><footer>© 2026</footer>`,
    ['Text.'],
  ],
  [
    'what is hidden in each way',
    `<p hidden>a</p><p aria-hidden="true">b</p><p inert>c</p><p style="display:none">d</p>
     <p style="visibility:hidden">e</p><span class="sr-only">f</span><template>g</template><noscript>h</noscript>
     <span style="position:absolute;width:1px;height:1px;overflow:hidden">i</span>
     <details><summary>More</summary><p>closed</p></details><details open><summary>Less</summary><p>open</p></details>`,
    ['More', 'Less', 'open'],
  ],
  [
    'abbreviations, pictures and signs without words',
    `<p><abbr title="World Health Organization">WHO</abbr> <svg role="img" aria-label="warns"></svg> * us
     <img src="data:,"><img src="data:," alt=""></p><p>* * *</p>`,
    ['WHO warns * us'],
  ],
  ['a page without markup for paragraphs', `One.<br><br>Two.<div>Three.</div>Four.`, ['One.\nTwo.', 'Three.', 'Four.']],
];

afterEach(() => place.remove());

describe('readableText', () => {
  for (const [name, markup, expected] of PAGES) {
    it(`reads ${name}`, () => expect(textsOf(markup)).to.deep.equal(expected));
  }

  it('reads what a component shows: its shadow root, and what is in its slots', () => {
    const host = show('<div><b>slotted</b> text</div>').firstElementChild!;
    host.attachShadow({ mode: 'open' }).innerHTML = '<p>Before <slot></slot>.</p><p><slot name="x">Default.</slot></p>';
    expect(readableText(place).map(({ text }) => text)).to.deep.equal(['Before slotted text.', 'Default.']);
  });

  it('keeps the language of each part', () => {
    const blocks = readableText(show(`<div lang="en"><p>One</p><p lang="fr">Deux</p><p>Three</p></div>`));
    expect(blocks.map(({ language }) => language)).to.deep.equal(['en', 'fr', 'en']);
  });

  it('reads an element of a kind that is left out, if that is what is wanted', () => {
    const nav = show('<nav><p>Home</p></nav>').firstElementChild!;
    expect(readableText(nav).map(({ text }) => text)).to.deep.equal(['Home']);
  });

  it('reads a range from its first character to its last', () => {
    const [first, last] = show('<p>One two</p><p>Three</p><p>Four five</p>').querySelectorAll('p:nth-child(2n + 1)');
    const range = document.createRange();
    range.setStart(first!.firstChild!, 4);
    range.setEnd(last!.firstChild!, 4);
    expect(readableText(range).map(({ text }) => text)).to.deep.equal(['two', 'Three', 'Four']);
  });

  for (const [name, markup] of PAGES) {
    it(`gives each letter its place: ${name}`, () => {
      const text = new PageText(show(markup));
      for (const block of text.blocks) {
        for (const { 0: letter, index } of block.text.matchAll(/[\p{L}\p{N}]/gu)) {
          const range = text.rangeOf(block, index, index + 1)!;
          const { startContainer: node, startOffset } = range;
          // An element stands for the letters of its label.
          if (!(node instanceof Text)) continue;
          expect(range.toString()).to.equal(letter);
          expect(text.placeOf(node, startOffset)).to.deep.equal({ block: text.blocks.indexOf(block), offset: index });
        }
      }
    });
  }
});

describe('a stored position', () => {
  const ARTICLE = '<p>It was late. The tide came in.</p><p>The tide went out. It was early.</p>';

  it('is found in the same page', () => {
    const text = new PageText(show(ARTICLE));
    const position: unknown = JSON.parse(JSON.stringify(text.positionOf({ block: 1, offset: 9 })));
    expect(text.find(position as ReturnType<PageText['positionOf']>)).to.deep.equal({ block: 1, offset: 9 });
  });

  it('is found where its text has moved to', () => {
    const position = new PageText(show(ARTICLE)).positionOf({ block: 1, offset: 9 });
    place.remove();
    const edited = new PageText(show(`<p>New.</p><p>Also new.</p>${ARTICLE.replace('It was late. ', 'Late! ')}`));
    expect(edited.find(position)).to.deep.equal({ block: 3, offset: 9 });
  });

  it('is as far into the text as it was, if its text is gone', () => {
    const position = new PageText(show(ARTICLE)).positionOf({ block: 1, offset: 9 });
    place.remove();
    const other = new PageText(show('<p>0123456789012345678901234567</p><p>something else entirely</p>'));
    expect(other.find(position).block).to.equal(1);
  });
});
