import { expect } from 'chai';
import { PageText, rangeOf } from '../../../src/reader/page-text.js';
import { readableText } from '../../../src/reader/readable-text.js';
import { selectedRange } from '../../../src/reader/selected-range.js';
import { ARTICLES } from '../support/articles.js';

let place: HTMLElement;

/** Puts markup into the page, and returns the element around it. Templates with `shadowrootmode` become shadow roots. */
function show(markup: string): HTMLElement {
  place = document.createElement('div');
  place.innerHTML = markup;
  document.body.append(place);
  attachRoots(place);
  return place;
}

function attachRoots(root: ParentNode): void {
  for (const template of root.querySelectorAll<HTMLTemplateElement>('template[shadowrootmode]')) {
    const shadow = template.parentElement!.attachShadow({ mode: 'open' });
    shadow.append(template.content);
    template.remove();
    attachRoots(shadow);
  }
}

const textsOf = (markup: string): string[] => readableText(show(markup)).map(({ text }) => text);

/** Reports of users of other tools that read aloud. */
const REPORTS: readonly [string, string, readonly string[]][] = [
  [
    'johnfactotum/foliate 481: lines that a style keeps',
    `<p style="white-space: pre-line">Dear all,
     see you at ten.

     Yours <span style="white-space: normal">and
     mine</span></p>`,
    ['Dear all,\nsee you at ten.', 'Yours and mine'],
  ],
  [
    'ys-pro-duction/TtsReader 3, foobnix/LibreraReader 1313: lines that end because they are full',
    `<pre>Each of the physical devices advertises one or more queues. These
queues are categorized into different families, where each family has very specific
functionalities. For example:
graphics</pre>`,
    [
      'Each of the physical devices advertises one or more queues. These queues are categorized into different families, ' +
        'where each family has very specific functionalities. For example:\ngraphics',
    ],
  ],
  [
    'ken107/read-aloud 219: a button in a sentence',
    `<p>This word is <button>explained</button> here.</p><div><button>Share</button> <span role="button">Save</span></div>`,
    ['This word is explained here.'],
  ],
  [
    'ken107/read-aloud 182: short paragraphs, each in an element of its own',
    '<div><div>Yes.</div></div><div><div>No.</div></div><div>Why?</div>',
    ['Yes.', 'No.', 'Why?'],
  ],
  [
    'ken107/read-aloud 207, joelpurra/talkie 35: addresses',
    '<p>Look at (https://www.example.com/a/b?c=d#e), http://localhost:8080/x, or https://例え.example/道を見る。</p>',
    ['Look at (example.com), localhost:8080, or 例え.example道を見る。'],
  ],
  [
    'ken107/read-aloud 425, edrlab/thorium-reader 1941: soft hyphens and characters without width',
    '<p>pre&shy;req&shy;ui&shy;sites, zero&#8203;width, \uFEFFmark\u2060ed, nbsp&nbsp;here</p>',
    ['prerequisites, zerowidth, marked, nbsp here'],
  ],
  [
    'ken107/read-aloud 11: formulas twice',
    `<style>.MJX_Assistive_MathML { position: absolute; clip: rect(1px, 1px, 1px, 1px); overflow: hidden }</style>
     <p>For <span class="MathJax_Preview"></span><span class="MathJax"><nobr aria-hidden="true"><span class="math">a=b</span></nobr><span
       class="MJX_Assistive_MathML" role="presentation"><math><mi>a</mi><mo>=</mo><mi>b</mi></math></span></span><script type="math/tex">a=b</script> only.</p>`,
    ['For a = b only.'],
  ],
  [
    'ken107/read-aloud 344, knighty/fimfiction-issues 234: text in angle brackets',
    '<p>He thought: &lt;&lt; Run &gt;&gt; and ran.</p>',
    ['He thought: << Run >> and ran.'],
  ],
  [
    'ken107/read-aloud 450: text of a PDF, a line of the page in each span',
    '<span>2 Huts</span><br><br><span>About a century ago, in the forest, there</span><br><span>stood a cabin.</span>',
    ['2 Huts', 'About a century ago, in the forest, there\nstood a cabin.'],
  ],
  [
    'ken107/read-aloud 467: paragraphs that are separated by empty lines',
    'One.<br><br>Two.<br>\n &nbsp;<br>Three.<div>Four.</div>Five.',
    ['One.', 'Two.', 'Three.', 'Four.', 'Five.'],
  ],
  [
    'edrlab/thorium-reader 2038, ways2read/InDesignA11Y 2: words in coloured pieces, drop caps',
    `<p><span style="float:left">O</span><span>ne </span><b>crois</b><span>san</span><i>t</i>, <span style="float:right">A note beside it.</span>please.</p>`,
    ['One croissant,', 'A note beside it.', 'please.'],
  ],
  [
    'edrlab/thorium-reader 3778: numbers above and below the line',
    '<p>πr<sup>2</sup>, v<sub>1</sub>, SO<sub>4</sub><sup>2-</sup>, 2<sup>10</sup>, the 20<sup>th</sup></p>',
    ['πr2, v1, SO4 2-, 2 10, the 20th'],
  ],
  [
    'readest/readest 2886: marks of notes, and letters that are none',
    `<p>a<a href="#n"><sup>[23]</sup></a> b<sup><a href="#n">(23)</a></sup> c<sup><a href="#n">*23</a></sup> d<sup><a
      href="#n">[*23]</a></sup> e<a href="#n"><sup>(*23)</sup></a> M<sup>me</sup> f<sup>*</sup></p>`,
    ['a b c d e Mme f'],
  ],
  [
    'readest/readest 4135, readium/flutter_readium 16: marks, notes and page numbers of a book',
    `<p>It rained.<a epub:type="noteref" href="#n1">1</a> <span epub:type="pagebreak" title="5">5</span>She left.</p>
     <div epub:type="footnote" id="n1">A note.</div>`,
    ['It rained. She left.'],
  ],
  [
    'readest/readest 1334: ruby twice',
    '<p><ruby>東<rt>とう</rt>京<rp>(</rp><rt>きょう</rt></ruby>です。</p>',
    ['東京です。'],
  ],
  [
    'johnfactotum/foliate-js 115, arXiv html_feedback 3840: formulas in a sentence',
    `<p>Then <math><mrow><mo> det</mo> <mi>B</mi></mrow><mo>=</mo><mn>3</mn></math>, and
     <math aria-label="x squared"><msup><mi>x</mi><mn>2</mn></msup></math>
     <math><semantics><mi>y</mi><annotation encoding="application/x-tex">y</annotation>
       <annotation-xml encoding="MathML-Content"><apply><ci>y</ci></apply></annotation-xml></semantics></math>.</p>`,
    ['Then det B = 3, and x squared y.'],
  ],
  [
    'p0n1/epub_to_audiobook 43: headings without a full stop',
    '<div>Chapter One</div><div><b>The Title</b></div><p>It began.</p>',
    ['Chapter One', 'The Title', 'It began.'],
  ],
  [
    'mozilla/readability 183, mozilla/kitsune 5542: lists, and words with the classes of menus',
    '<ul class="nav"><li>Open <span class="menu">File</span>.</li><li>Close it.</li></ul>',
    ['Open File.', 'Close it.'],
  ],
  [
    'edrlab/thorium-reader 1559, ken107/read-aloud 438: what is hidden in each way',
    `<p hidden>a</p><p aria-hidden="true">b</p><p inert>c</p><p style="display:none">d</p>
     <p style="visibility:hidden">e</p><span class="sr-only">f</span><template>g</template><noscript>h</noscript>
     <span style="position:absolute;width:1px;height:1px;overflow:hidden">i</span><p style="position:absolute;left:-9999px">j</p>
     <p style="height:0;overflow:hidden">k</p><div style="position:fixed">l</div><div style="display:contents;overflow:hidden">m</div>
     <details><summary>More</summary><p>closed</p></details><details open><summary>Less</summary><p>open</p></details>`,
    ['m', 'More', 'Less', 'open'],
  ],
  [
    'docsy/docsy 2554, kubernetes/website 54363: notes with the role of a message',
    `<div class="alert alert-info" role="alert"><h4>Note</h4><p>Mind the gap.</p></div><div role="alert">2 new posts</div>`,
    ['Note', 'Mind the gap.'],
  ],
  [
    'w3c/aria 1362: what only screen readers read in place of what is seen, and beside what has no words or is not shown',
    `<p>A walk of <span aria-hidden="true">5 min</span><span class="sr-only">5 minutes</span><span class="sr-only">, easy</span>.
       <a href="#">Map <i class="material-icons" aria-hidden="true">open_in_new</i><span class="sr-only">(new tab)</span></a>
       <b aria-hidden="true">★</b><span class="sr-only">Best</span></p>
     <div><div aria-hidden="true" style="display:none">Menu</div><a class="sr-only" href="#">Skip</a></div>`,
    ['A walk of 5 minutes. Map'],
  ],
  [
    'mozilla/pdf.js 9554, readest/readest 3811: text of a PDF, each piece with its place',
    `<style>.textLayer span { position: absolute }</style><div class="textLayer"><span style="left: 9%; top: 8%">T</span><span
       style="left: 10%; top: 8%">race the old path, which goes by the sea and</span><br role="presentation"><span
       style="left: 9%; top: 12%">the pier.</span></div>`,
    ['Trace the old path, which goes by the sea and\nthe pier.'],
  ],
  [
    'nvaccess/nvda 17596, edrlab/thorium-reader 1831: words on a page of fixed layout, and a label on a card',
    `<style>.badge { position: absolute; top: 0; right: 0 }</style><p><span style="position:absolute;top:9px;left:9px">Once </span><span
       style="position:absolute;top:9px;left:49px">upon a ti</span><span style="position:absolute;top:9px;left:99px">me.</span></p>
     <div><span class="badge">New</span><span>A lamp</span></div>`,
    ['Once upon a time.', 'New', 'A lamp'],
  ],
  [
    'greensock/GSAP 642, davatron5000/Lettering.js 51: texts that are divided for an animation',
    `<style>.part { display: inline-block; position: relative }</style>
     <h1 aria-label="Storm over the bay"><div class="part" aria-hidden="true">Storm</div> <div class="part" aria-hidden="true">over</div>
       <div aria-hidden="true">the bay</div></h1>
     <h2 aria-label="A pier"><span aria-hidden="true">A</span><span aria-hidden="true"> </span><span aria-hidden="true">p</span><span
       aria-hidden="true">ier</span></h2>
     <h3><div class="part"><div class="part">T</div><div class="part">w</div><div class="part">o</div></div> <div class="part">boats</div></h3>
     <div class="part"><img src="data:," alt="A net"></div><div class="part">In the harbour</div><div class="part">at night</div><a href="#" aria-label="Share"><span aria-hidden="true">♥</span></a>`,
    ['Storm over the bay', 'A pier', 'Two boats', 'A net', 'In the harbour', 'at night'],
  ],
  [
    'edrlab/thorium-reader 1593: formulas with words, and with TeX',
    `<p>So <math alttext="x squared"><msup><mi>x</mi><mn>2</mn></msup></math> is not <math alttext="y^{2}"><msup><mi>y</mi><mn>2</mn></msup></math>
     <math alttext="\\alpha"><mi>α</mi></math>.</p>`,
    ['So x squared is not α.'],
  ],
  [
    'edrlab/thorium-reader 1501, 1933: drawings with a label or a title, icons without',
    `<p>See <svg role="img" aria-labelledby="t"><title id="t">Sales by month</title><text>3</text></svg> and
     <svg aria-label="a map"><title>Map</title></svg>, <img src="data:," aria-label="a plan"><svg><path/></svg>.</p>`,
    ['See Sales by month and a map, a plan.'],
  ],
  [
    'FreedomScientific/standards-support 163: a table, and a list, in a cell',
    `<table><tr><td>Ada</td><td><table><tr><td>1</td><td>2</td></tr></table></td></tr>
       <tr><td>Bo</td><td><ul><li>Three,</li><li>four</li></ul></td></tr></table>`,
    ['Ada', '1, 2', 'Bo', 'Three,', 'four'],
  ],
  [
    'thinkshout/bene 174: the source of a quotation, in its footer',
    `<blockquote><p>Plants forgive.</p><footer>My mother, <cite>Letters</cite></footer></blockquote><footer>© 2026</footer>`,
    ['Plants forgive.', 'My mother, Letters'],
  ],
];

/** Structures that are in no article. */
const PAGES: readonly [string, string, readonly string[]][] = [
  [
    'rows with empty, hidden and long cells',
    `<table><tr><td>Ada</td><td> 1901 </td></tr><tr><td>Is it?</td><td></td><td hidden>no</td></tr>
     <tr><td><p hidden>no</p></td><td><p>One.</p><p>Two.</p></td></tr></table>`,
    ['Ada, 1901', 'Is it?', 'One.', 'Two.'],
  ],
  [
    'cells that end with a bracket, a percent sign, or a quotation mark',
    `<table><tr><td>play()</td><td>5 %</td><td>“Is it?”</td><td>never</td></tr></table>`,
    ['play(), 5 %, “Is it?” never'],
  ],
  [
    'abbreviations, pictures and signs without words',
    `<p><abbr title="World Health Organization">WHO</abbr> <svg role="img" aria-label="warns"></svg> * us
     <img src="data:,"><img src="data:," alt=""></p><p>* * *</p>`,
    ['WHO warns * us'],
  ],
  [
    'what is around code, and what only looks like it',
    `<div class="highlight"><p>Best of the year.</p><pre>A verse</pre></div><figure class="highlight"><pre>x = 1</pre></figure>`,
    ['Best of the year.', 'A verse'],
  ],
  [
    'a form around the page, and one in it',
    `<form id="aspnetForm"><p>${'Words. '.repeat(200).trim()}</p><form></form></form><div role="form"><p>Sign up</p></div>`,
    ['Words. '.repeat(200).trim()],
  ],
];

const ALL = [...ARTICLES.map(({ name, markup, expected }) => [name, markup, expected] as const), ...REPORTS, ...PAGES];

afterEach(() => place.remove());

describe('readableText', () => {
  for (const [name, markup, expected] of ALL) {
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

  it('knows languages of XHTML (edrlab/thorium-reader 1130)', () => {
    const [outer, inner] = show('<div><p>Deux <i>words</i></p><p>Drei</p></div>').querySelectorAll('div, p + p');
    outer!.setAttributeNS('http://www.w3.org/XML/1998/namespace', 'xml:lang', 'fr');
    inner!.setAttributeNS('http://www.w3.org/XML/1998/namespace', 'xml:lang', 'de');
    expect(readableText(outer!).map(({ language }) => language)).to.deep.equal(['fr', 'de']);
  });

  it('takes the language of most of a paragraph (edrlab/thorium-reader 1921)', () => {
    const blocks = readableText(
      show(`<p lang="en"><i lang="la">Sterna</i> is a bird.</p><p lang="en"><span lang="fr">Oui.</span></p>`),
    );
    expect(blocks.map(({ language }) => language)).to.deep.equal(['en', 'fr']);
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

  it('reads what is selected in a component, and in one within it', () => {
    const outer = show(`<div><template shadowrootmode="open"><p>Two three</p><p>Four five</p><div>
      <template shadowrootmode="open"><p>Six seven eight</p></template></div></template></div>`).firstElementChild!;
    const [first, last] = outer.shadowRoot!.querySelectorAll('p');
    const inner = outer.shadowRoot!.querySelector('div')!.shadowRoot!.querySelector('p')!.firstChild!;
    const selection = getSelection()!;
    selection.setBaseAndExtent(first!.firstChild!, 4, last!.firstChild!, 4);
    expect(readableText(selectedRange(selection)!).map(({ text }) => text)).to.deep.equal(['three', 'Four']);
    selection.setBaseAndExtent(inner, 4, inner, 9);
    expect(readableText(selectedRange(selection)!).map(({ text }) => text)).to.deep.equal(['seven']);
    selection.collapse(inner, 4);
    expect(selectedRange(selection)).to.equal(null);
    selection.selectAllChildren(place);
    expect(readableText(selectedRange(selection)!).map(({ text }) => text)).to.deep.equal([
      'Two three',
      'Four five',
      'Six seven eight',
    ]);
    selection.removeAllRanges();
    expect(selectedRange(selection)).to.equal(null);
  });

  for (const [name, markup] of ALL) {
    it(`gives each letter its place: ${name}`, () => {
      const text = new PageText(show(markup));
      for (const block of text.blocks) {
        for (const { 0: letter, index } of block.text.matchAll(/[\p{L}\p{N}]/gu)) {
          const range = rangeOf(block, index, index + 1)!;
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

describe('the block after one that is read', () => {
  const ARTICLE = '<p>One.</p><p>Two.</p><p>Three.</p><p>Four.</p>';

  /** Changes the article while its first paragraph is read, and returns the text that follows. */
  const afterFirst = (change: (paragraphs: readonly Element[]) => void): string | undefined => {
    const older = new PageText(show(ARTICLE));
    change([...place.children]);
    const page = new PageText(place);
    return page.blocks[page.after(older.blocks[0]!, older)]?.text;
  };

  /** Replaces the text node of a paragraph, as Google Translate does. */
  const translate = (paragraph: Element): void => {
    paragraph.innerHTML = `<font><font>${paragraph.textContent.toUpperCase()}</font></font>`;
  };

  it('is the next one of a page that was translated, also of a part (deep-learning-indaba/Baobab 1092)', () => {
    expect(afterFirst((paragraphs) => paragraphs.forEach(translate))).to.equal('TWO.');
    place.remove();
    expect(afterFirst((paragraphs) => paragraphs.slice(0, 3).forEach(translate))).to.equal('TWO.');
    place.remove();
    expect(afterFirst(([first]) => translate(first!))).to.equal('Two.');
  });

  it('is the next one where a part was rendered again (readest/readest 6071)', () => {
    const renderAgain = (paragraph: Element): void => paragraph.replaceChildren(paragraph.textContent);
    expect(afterFirst((paragraphs) => paragraphs.slice(0, 2).forEach(renderAgain))).to.equal('Two.');
  });

  it('is the first one that is still there if others were removed', () => {
    expect(afterFirst(([first, second]) => [first!, second!].forEach((one) => one.remove()))).to.equal('Three.');
    place.remove();
    expect(afterFirst(() => place.replaceChildren('Another article.'))).to.equal(undefined);
  });
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
