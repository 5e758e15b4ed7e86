/** An article in the structure that real sites produce, and what a person reads aloud of it. */
interface Article {
  readonly name: string;
  /** Shadow roots are written as templates with `shadowrootmode`. */
  readonly markup: string;
  readonly expected: readonly string[];
}

const HIDDEN_STYLE = 'position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0 0 0 0)';
const CARD = `<template shadowrootmode="open"><section><h2><slot name="title">Untitled</slot></h2>
  <div><slot></slot></div><footer>Filed under <slot name="tags"><em>nothing</em></slot></footer></section></template>`;

/** Written for this test, except for lines of Dickinson, Soseki and Genesis. */
export const ARTICLES: readonly Article[] = [
  {
    name: 'a newspaper: drop cap, soft hyphens, sharing, caption twice, form',
    markup: `<style>.drop { float: left; font-size: 3em; margin-right: 0.1em } .kicker { display: block }</style>
      <a class="skip-link" style="position:absolute;left:-9999px" href="#story">Skip to main content</a>
      <main id="story"><article itemscope itemtype="https://schema.org/NewsArticle"><header>
        <a class="kicker" href="/harbour">Harbour</a>
        <h1 class="headline"><span>The ferry that </span><span>would not&nbsp;sink</span></h1>
        <p class="standfirst">A crew of three kept an old ship alive for&shy;ty days.</p>
        <div class="byline"><span>By </span><a rel="author" href="/ann">Ann Lee</a><time style="margin-left:8px">2 March 2026</time></div>
        <ul class="share"><li><a href="https://www.facebook.com/sharer/sharer.php?u=x"><svg aria-hidden="true"></svg><span>Facebook</span></a></li>
          <li><a href="https://twitter.com/intent/tweet?url=x">Tweet</a></li><li><a href="mailto:?subject=x">Email</a></li></ul>
      </header>
      <figure><picture><source srcset="data:,"><img loading="lazy" src="data:," alt="The ferry at dawn."></picture>
        <figcaption>The ferry at dawn. <span class="credit">Photograph: Zoe Hart</span></figcaption></figure>
      <p><span class="drop">“N</span>obody slept,” said the captain, 61.</p>
      <div class="ad-slot" aria-label="Advertisement"><span>Advertisement</span></div>
      <p>The pumps ran on die&shy;sel and <a href="/luck">good luck</a><span class="sr-only"> (opens in a new window)</span>.</p>
      <aside><h2>Read more</h2><p>Ten ships that sank</p></aside>
      <form class="newsletter"><h2>Our letter</h2><p>Every Friday.</p><input type="email"><button>Sign up</button></form>
      <p>On Monday the ship reached <abbr title="Saint">St</abbr> Ives.</p>
      <footer><p>Ann Lee writes about the sea.</p></footer></article></main>`,
    expected: [
      'Harbour',
      'The ferry that would not sink',
      'A crew of three kept an old ship alive forty days.',
      'By Ann Lee 2 March 2026',
      'The ferry at dawn. Photograph: Zoe Hart',
      '“Nobody slept,” said the captain, 61.',
      'The pumps ran on diesel and good luck.',
      'On Monday the ship reached St Ives.',
      'Ann Lee writes about the sea.',
    ],
  },
  {
    name: 'a blog: contents, emoji images, a file name as alt, an icon font, an address, related posts',
    markup: `<article class="post hentry"><header class="entry-header"><h1 class="entry-title"><a href="#" rel="bookmark">Why I moved my garden indoors</a></h1>
      <div class="entry-meta"><span class="posted-on"><span class="screen-reader-text">Posted on </span><time>May 3, 2026</time></span><span
        class="sep" aria-hidden="true"> | </span><span class="byline">by <a href="#">Tom</a></span></div></header>
      <div id="ez-toc-container" class="ez-toc-container"><p>Contents</p><ul><li><a href="#light">Light</a></li></ul></div>
      <div class="entry-content"><p>It began with a <em>lem</em>on tree<img class="emoji" alt="🍋" src="data:,">.
        Photos on https://photos.example.com/albums/2026/05?id=7&amp;size=l.</p>
      <figure class="wp-block-image"><img loading="lazy" class="lazyload" src="data:," data-src="a.jpg" alt="IMG_2034.JPG"><noscript><img
        src="data:," alt="IMG_2034.JPG"></noscript></figure>
      <h2 class="wp-block-heading" id="light"><span class="ez-toc-section">Light</span></h2>
      <p>First line.<br />Second line.</p><p>&nbsp;</p>
      <blockquote class="wp-block-quote"><p>Plants forgive.</p><cite>My mother</cite></blockquote>
      <p>Water <i class="material-icons">water_drop</i> weekly.</p>
      <div class="sharedaddy sd-sharing-enabled"><h3>Share this:</h3><ul><li><a href="?share=x">X</a></li></ul></div>
      <div id="jp-relatedposts" class="jp-relatedposts"><h3>Related</h3><p>Moss</p></div></div></article>`,
    expected: [
      'Why I moved my garden indoors',
      'May 3, 2026 by Tom',
      'It began with a lemon tree. Photos on photos.example.com.',
      'Light',
      'First line.\nSecond line.',
      'Plants forgive.',
      'My mother',
      'Water weekly.',
    ],
  },
  {
    name: 'documentation by Sphinx: signs beside headings, code blocks, cells with paragraphs',
    markup: `<div role="main"><div itemprop="articleBody"><section id="install">
      <h1>Install<a class="headerlink" href="#install" title="Link to this heading">¶</a></h1>
      <p>You need <span class="pre">Python</span> 3.9 or later. Call <a class="reference internal" href="#run"><code
        class="xref py"><span class="pre">app.run()</span></code></a>.</p>
      <div class="highlight-python notranslate"><div class="highlight"><pre><span></span><span class="kn">import</span> app
app.run()
</pre></div></div>
      <div class="admonition note"><p class="admonition-title">Note</p><p>Ports below 1024 need rights.<a
        class="footnote-reference brackets" href="#id2" role="doc-noteref"><span class="fn-bracket">[</span>1<span>]</span></a></p></div>
      <dl class="py function"><dt class="sig"><code class="descname">run</code><span>(</span><em>port</em><span>)</span><a
        class="headerlink" href="#run">¶</a></dt><dd><p>Starts the server.</p></dd></dl>
      <table class="docutils"><thead><tr class="row-odd"><th class="head"><p>Option</p></th><th class="head"><p>Default</p></th></tr></thead>
        <tbody><tr><td><p>port</p></td><td><p>8000</p></td></tr></tbody></table>
      <aside class="footnote-list brackets"><aside class="footnote" role="doc-footnote"><p>On Linux.</p></aside></aside>
      </section></div></div>`,
    expected: [
      'Install',
      'You need Python 3.9 or later. Call app.run().',
      'Note',
      'Ports below 1024 need rights.',
      'run(port)',
      'Starts the server.',
      'Option, Default',
      'port, 8000',
    ],
  },
  {
    name: 'documentation by VitePress or Docusaurus: breadcrumbs, labels of code, tabs, keys, icons of links',
    markup: `<ul class="breadcrumbs"><li>Docs</li></ul><div class="toc-mobile"><button>On this page</button></div>
      <main class="vp-doc"><h1 id="routes" tabindex="-1">Routes <a class="header-anchor" href="#routes" aria-label="Permalink">&#8203;</a></h1>
      <p>A route maps a <code>path</code> to a hand<wbr>ler, such as <code>/users/&#8203;:id</code>.</p>
      <div class="language-js vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">js</span><pre
        class="shiki" tabindex="0"><code><span class="line">app.get('/')</span></code></pre><div aria-hidden="true">1</div></div>
      <div class="tip custom-block"><p class="custom-block-title">TIP</p><p>Press <kbd>Ctrl</kbd>+<kbd>K</kbd> to search.</p></div>
      <div class="tabs"><ul role="tablist"><li role="tab">npm</li><li role="tab">yarn</li></ul>
        <div role="tabpanel"><p>Run npm install.</p></div><div role="tabpanel" hidden><p>Run yarn.</p></div></div>
      <details class="details custom-block"><summary>Why?</summary><p>History.</p></details>
      <h2 id="order"><a href="#order">Order</a> <a class="hash-link" href="#order">#</a></h2>
      <p>First match wins, says the <a href="https://example.com/rfc" target="_blank">RFC<svg role="img"
        aria-label="(opens in new tab)"></svg></a>.</p></main><div class="pagination"><a href="#">Next page</a></div>`,
    expected: [
      'Routes',
      'A route maps a path to a handler, such as /users/:id.',
      'TIP',
      'Press Ctrl+K to search.',
      'Run npm install.',
      'Why?',
      'Order',
      'First match wins, says the RFC.',
    ],
  },
  {
    name: 'an encyclopedia: hatnote, maintenance box, infobox, marks of notes, references, categories',
    markup: `<div class="mw-parser-output"><div role="note" class="hatnote navigation-not-searchable">For the town, see <a href="#">Tern</a>.</div>
      <table class="box-Refimprove plainlinks metadata ambox" role="presentation"><tbody><tr><td>This article needs citations.</td></tr></tbody></table>
      <table class="infobox vcard"><tbody><tr><th colspan="2">Arctic tern</th></tr></tbody></table>
      <p>The <b>Arctic tern</b> (<i lang="la">Sterna paradisaea</i>) flies 71,000&nbsp;km each year.<sup id="cite_ref-1" class="reference"><a
        href="#cite_note-1"><span class="cite-bracket">[</span>1<span class="cite-bracket">]</span></a></sup><sup class="reference"><a
        href="#n">[note 2]</a></sup> It weighs 100&#8201;g,<sup class="noprint">[<i><a href="#">citation needed</a></i>]</sup>
        or 10<sup>−1</sup>&nbsp;kg.</p>
      <div id="toc" class="toc" role="navigation"><h2>Contents</h2></div>
      <div class="mw-heading mw-heading2"><h2 id="Range">Range</h2><span class="mw-editsection">[<a href="#">edit</a>]</span></div>
      <figure typeof="mw:File/Thumb"><a href="#"><img class="mw-file-element" src="data:,"></a><figcaption>Breeding range</figcaption></figure>
      <p>It breeds in <span class="nowrap">the north</span>.</p>
      <h2>References</h2><div class="reflist"><ol class="references"><li>Hatch, 2002.</li></ol></div>
      <div class="navbox" role="navigation">Terns</div><div id="catlinks" class="catlinks">Categories: Birds</div></div>`,
    expected: [
      'The Arctic tern (Sterna paradisaea) flies 71,000 km each year. It weighs 100 g, or 10 −1 kg.',
      'Range',
      'Breeding range',
      'It breeds in the north.',
      'References',
    ],
  },
  {
    name: 'a recipe: microdata, ingredients to tick off, fractions, a rating',
    markup: `<div class="entry"><h1>Lentil soup</h1><a class="wprm-recipe-jump" href="#recipe">Jump to Recipe</a>
      <div id="recipe" itemscope itemtype="https://schema.org/Recipe"><meta itemprop="name" content="Lentil soup">
      <div class="rating" role="img" aria-label="Rated 4.5 out of 5"><span>★★★★½</span></div>
      <p>Serves <span itemprop="recipeYield">4</span>, takes <time itemprop="totalTime" datetime="PT40M">40 minutes</time>.</p>
      <h2>Ingredients</h2><ul>
      <li itemprop="recipeIngredient"><label><input type="checkbox"><span class="amount">1</span> <span>cup</span> <span>red lentils</span></label></li>
      <li itemprop="recipeIngredient"><input type="checkbox" id="i2"><label for="i2"><span>½&nbsp;tsp</span> cumin</label></li>
      <li>1<sup>1</sup>⁄<sub>4</sub> lemons</li></ul>
      <h2>Method</h2><ol itemprop="recipeInstructions"><li itemscope itemtype="https://schema.org/HowToStep"><h3 class="step">Step 1</h3>
        <p itemprop="text">Rinse the lentils; heat the oven to 180<span>°</span>C.</p><img src="data:," alt=""></li><li><p>Simmer.</p></li></ol>
      <button type="button">Print</button></div></div>`,
    expected: [
      'Lentil soup',
      'Rated 4.5 out of 5',
      'Serves 4, takes 40 minutes.',
      'Ingredients',
      '1 cup red lentils',
      '½ tsp cumin',
      '1 1⁄4 lemons',
      'Method',
      'Step 1',
      'Rinse the lentils; heat the oven to 180°C.',
      'Simmer.',
    ],
  },
  {
    name: 'a poem: lines and stanzas, numbers of lines and pages',
    markup: `<div class="poem"><div class="stanza"><span class="i0">A word is dead<br></span><span class="i2">When it is said,<br></span><span
        class="i4">Some say.<span class="linenum" style="float:right">3</span></span></div></div>
      <p class="verse">I say it just<br/>&nbsp;&nbsp;&nbsp;Begins to live<br/>That day.<span class="pagenum"><a id="Page_12">[Pg 12]</a></span></p>
      <pre class="poem-text">Hope is the thing
  with feathers

That perches</pre><p>Rain,<br><br>
      then sun.</p><hr><p>* * *</p>`,
    expected: [
      'A word is dead\nWhen it is said,\nSome say.',
      'I say it just\nBegins to live\nThat day.',
      'Hope is the thing\nwith feathers',
      'That perches',
      'Rain,',
      'then sun.',
    ],
  },
  {
    name: 'a chat: names and times without space, reactions, an address in pieces, typing',
    markup: `<style>.name { font-weight: 700 } .at { margin-left: 6px }</style>
      <ol class="log" role="log"><li><h3><span class="name">Ann</span><time class="at">10:02</time></h3>
        <div class="body">Is the boat back<span class="edited"> (edited)</span>?</div>
        <div class="reactions"><button aria-label="3 reactions"><img alt=":wave:" src="data:,"><span>3</span></button></div></li>
      <li><h3><span class="name">Bo</span><time class="at">10:03</time></h3><div class="body"><span class="mention">@Ann</span> no 😀 see
        <a href="https://boats.example.org/log/17?x=1">https://boats.example.org/<wbr>log/17?x=1</a></div>
        <div class="toolbar" role="toolbar"><button>Reply</button></div></li>
      <li><span class="divider" role="separator">Today</span></li></ol><div role="status">Bo is typing…</div>`,
    expected: ['Ann 10:02', 'Is the boat back (edited)?', 'Bo 10:03', '@Ann no 😀 see boats.example.org', 'Today'],
  },
  {
    name: 'Hebrew: marks of direction, points, another direction within',
    markup: `<article dir="rtl" lang="he"><h1>&rlm;בראשית&rlm;</h1>
      <p>בְּרֵאשִׁית <b>בָּרָא</b> אֱלֹהִים, <bdi>Genesis&lrm;</bdi> א׳.<sup><a href="#h1">1</a></sup></p><p lang="en" dir="ltr">In the beginning.</p>
      <ul class="share"><li><a href="https://wa.me/?text=x">שתפו</a></li></ul></article>`,
    expected: ['בראשית', 'בְּרֵאשִׁית בָּרָא אֱלֹהִים, Genesis א׳.', 'In the beginning.'],
  },
  {
    name: 'Japanese: ruby, a character that is an image, lines of the source',
    markup: `<div lang="ja"><h1>吾輩は猫である</h1><h2 class="author">夏目漱石</h2><div class="main_text"><p>　<ruby><rb>吾輩</rb><rp>（</rp><rt>わがはい</rt><rp>）</rp></ruby>は猫である。
名前はまだ無い。<br />
　どこで<ruby>生<rt>うま</rt></ruby>れたかとんと<ruby>見<rt>けん</rt>当<rt>とう</rt></ruby>がつかぬ。<ruby><rb><img class="gaiji" src="data:," alt="喰"></rb><rt>く</rt></ruby>う。
</p></div></div>`,
    expected: [
      '吾輩は猫である',
      '夏目漱石',
      '吾輩は猫である。名前はまだ無い。\nどこで生れたかとんと見当がつかぬ。喰う。',
    ],
  },
  {
    name: 'web components: a shell with its header, cards with slots and default contents',
    markup: `<app-shell><template shadowrootmode="open"><style>:host { display: block }</style><header><slot name="logo"></slot></header>
        <nav><slot name="menu"></slot></nav><main><slot></slot></main></template>
      <img slot="logo" alt="Acme" src="data:,"><a slot="menu" href="#">Home</a>
      <app-card>${CARD}<span slot="title">Tides</span>The sea <b>rises</b>.</app-card>
      <app-card>${CARD}It falls.</app-card><app-badge hidden>new</app-badge></app-shell>`,
    expected: ['Tides', 'The sea rises.', 'Filed under nothing', 'Untitled', 'It falls.', 'Filed under nothing'],
  },
  {
    name: 'a page with a cookie banner, advertisements, dialogs and a chat widget',
    markup: `<style>#onetrust-banner-sdk, .support { position: fixed; bottom: 0 }</style>
      <div id="onetrust-consent-sdk"><div id="onetrust-banner-sdk" role="region"><p>We value your privacy.</p><button>Accept all</button></div></div>
      <div role="banner"><a href="/">Daily Fog</a></div><div class="content"><h1>Fog for a week</h1>
      <div class="ad-container"><p>Advertisement</p><ins class="adsbygoogle"></ins></div>
      <p>Ships <mark>wait</mark> outside.</p><div class="OUTBRAIN"><p>You may like</p></div>
      <div class="paywall" role="dialog"><p>Subscribe to go on.</p></div><dialog open><p>Join 10,000 readers.</p></dialog>
      <p>Trains run.</p></div><div class="support"><p>Need help?</p></div><div role="contentinfo"><p>© Daily Fog</p></div>`,
    expected: ['Fog for a week', 'Ships wait outside.', 'Trains run.'],
  },
  {
    name: 'questions and answers: details, headings that are buttons, closed panels',
    markup: `<h1>Questions</h1><details open><summary><h2>Do you ship abroad?</h2></summary><p>Yes, by sea.</p></details>
      <details><summary>Is it free?</summary><p>No.</p></details>
      <div class="accordion"><h2 class="accordion-header"><button type="button" aria-expanded="true" aria-controls="c1">Can I return it?<svg
        aria-hidden="true"></svg></button></h2><div id="c1" class="show"><div class="accordion-body">Within <strong>30</strong>&nbsp;days.</div></div>
      <h2 class="accordion-header"><button aria-expanded="false">Who pays?</button></h2>
      <div style="max-height:0;overflow:hidden"><div>We do.</div></div></div>
      <dl class="faq"><dt><button type="button" aria-expanded="true">Is there a shop?</button></dt><dd><p>In Oslo.</p></dd></dl>`,
    expected: [
      'Questions',
      'Do you ship abroad?',
      'Yes, by sea.',
      'Is it free?',
      'Can I return it?',
      'Within 30 days.',
      'Who pays?',
      'Is there a shop?',
      'In Oslo.',
    ],
  },
  {
    name: 'a report of tables: headers that sort, row headers, totals, notes',
    markup: `<h1>Results</h1><table><caption>Revenue, <small>in millions</small></caption><colgroup><col></colgroup>
      <thead><tr><th scope="col"><button type="button">Region<span aria-hidden="true"> ▲</span></button></th><th>2025</th><th>2026</th></tr></thead>
      <tbody><tr><th scope="row">North</th><td>12&#8239;400</td><td>13&#8239;100<sup>*</sup></td></tr>
        <tr><th scope="row">South</th><td>—</td><td></td></tr><tr><td colspan="3">Source: the ministry.</td></tr></tbody>
      <tfoot><tr><th>Total</th><td><p>12&#8239;400</p></td><td><div><strong>13&#8239;100</strong></div></td></tr></tfoot></table><p>* Estimate.</p>`,
    expected: [
      'Results',
      'Revenue, in millions',
      'Region, 2025, 2026',
      'North, 12 400, 13 100',
      'South, —',
      'Source: the ministry.',
      'Total, 12 400, 13 100',
      '* Estimate.',
    ],
  },
  {
    name: 'lists in lists, tasks, and lists by role',
    markup: `<h1>Packing</h1><ol><li>Clothes<ul><li>Two shirts</li><li><p>Socks:</p><ol type="a"><li>warm</li><li>dry</li></ol></li></ul></li>
      <li><span>Tools</span> <a class="anchor" href="#tools" aria-hidden="true">#</a></li>
      <li class="task-list-item"><input type="checkbox" disabled> Sharpen the axe</li><li></li></ol>
      <div role="list"><div role="listitem">Rope</div><div role="listitem">Tar</div></div>`,
    expected: ['Packing', 'Clothes', 'Two shirts', 'Socks:', 'warm', 'dry', 'Tools', 'Sharpen the axe', 'Rope', 'Tar'],
  },
  {
    name: 'an essay with notes: marks by Pandoc, Substack and journals, notes in the margin and at the end',
    markup: `<p>Salt was money.<a href="#fn1" class="footnote-ref" id="fnref1" role="doc-noteref"><sup>1</sup></a> Soldiers were paid
        in it,<a href="#n2"><sup>2</sup></a> they say.<a class="footnote-anchor" href="#footnote-3">3</a></p>
      <p>Later work<sup><a href="#r4">4</a>,<a href="#r5">5</a>–<a href="#r7">7</a></sup> disagrees: 2<sup>10</sup> pages<label for="sn-1"
        class="margin-toggle sidenote-number"></label><input type="checkbox" id="sn-1" class="margin-toggle"><span
        class="sidenote">All of them dull.</span> of it. See chapter <a href="#c3">3</a>.</p>
      <section data-footnotes class="footnotes"><h2 class="sr-only">Footnotes</h2><ol><li id="fn1"><p>Pliny. <a href="#fnref1">↩</a></p></li></ol></section>
      <div class="footnote"><a href="#a3" class="footnote-number">3</a><div class="footnote-content"><p>By whom?</p></div></div>`,
    expected: [
      'Salt was money. Soldiers were paid in it, they say.',
      'Later work disagrees: 2 10 pages of it. See chapter 3.',
    ],
  },
  {
    name: 'an essay of pictures: galleries, diagrams, backgrounds, decoration',
    markup: `<figure class="gallery"><div><img src="data:," alt="A net" loading="lazy"></div><div><img src="data:," alt="A buoy,&#10; red"></div>
        <figcaption><p>Two finds.</p><small>© Zoe Hart</small></figcaption></figure>
      <p>The beach<img src="data:," alt=""> was <img src="data:," role="presentation" alt="spacer"> empty:
        <a href="#"><img src="data:," alt="Map of the beach"></a>.</p>
      <figure><svg role="img" aria-label="Finds per month: 3 in May."><text>3</text></svg></figure>
      <figure aria-hidden="true"><img alt="Spiral" src="data:,"></figure><div role="img" aria-label="Waves at night" class="hero"></div>
      <video controls><p>Your browser cannot play this.</p></video>
      <figure><img src="data:," alt="Rope on sand"><figcaption>Rope on sand</figcaption></figure>
      <figure><table><caption>Weights</caption><tr><td>Net</td><td>2 kg</td></tr></table></figure>
      <p class="wp-caption-text">Below: a crate.</p><progress value="3" max="4">75%</progress>`,
    expected: [
      'A net',
      'A buoy, red',
      'Two finds.',
      '© Zoe Hart',
      'The beach was empty: Map of the beach.',
      'Finds per month: 3 in May.',
      'Waves at night',
      'Rope on sand',
      'Weights',
      'Net, 2 kg',
      'Below: a crate.',
    ],
  },
  {
    name: 'a paper: formulas by KaTeX, MathJax and MediaWiki',
    markup: `<style>.katex-mathml, mjx-assistive-mml { position: absolute; clip: rect(1px, 1px, 1px, 1px); overflow: hidden }
        .katex-mathml { width: 1px; height: 1px } mjx-assistive-mml { display: block }</style>
      <p>Let <span class="katex"><span class="katex-mathml"><math><semantics><mrow><mi>n</mi><mo>=</mo><mn>3</mn></mrow><annotation
        encoding="application/x-tex">n=3</annotation></semantics></math></span><span class="katex-html" aria-hidden="true"><span
        class="base">n=</span><span class="base">3</span></span></span> boats sail.</p>
      <p>Then <mjx-container class="MathJax" jax="CHTML"><mjx-math aria-hidden="true"><mjx-mi></mjx-mi></mjx-math><mjx-assistive-mml
        display="inline"><math><mi>k</mi><mo>&lt;</mo><mi>n</mi></math></mjx-assistive-mml></mjx-container> return.</p>
      <p>So <span class="mwe-math-element"><span style="display:none"><math alttext="x^{2}"><msup><mi>x</mi><mn>2</mn></msup></math></span><img
        src="data:," alt="{\\displaystyle x^{2}}" aria-hidden="true"></span> is large.</p>
      <p>And <math aria-label="x squared"><msup><mi>x</mi><mn>2</mn></msup></math> grows.</p>
      <div class="equation"><math display="block"><mfrac><mn>1</mn><mi>n</mi></mfrac></math></div><p>E = mc<sup>2</sup>, H<sub>2</sub>O.</p>`,
    expected: ['Let n = 3 boats sail.', 'Then k < n return.', 'So is large.', 'And x squared grows.', 'E = mc2, H2O.'],
  },
  {
    name: 'comments: names, times, replies within replies, a form',
    markup: `<section id="comments" class="comments-area"><h2>2 comments</h2><ol class="comment-list"><li class="comment"><article class="comment-body">
      <footer class="comment-meta"><div class="vcard"><img class="avatar" alt="" src="data:,"><b class="fn">Ann</b> <span>says:</span></div>
        <div><a href="#comment-1"><time>May 4, 2026 at 9:10</time></a> <a class="comment-edit-link" href="#">Edit</a></div></footer>
      <div class="comment-content"><p>Lovely :)<br>Thanks!</p></div>
      <div class="reply"><a rel="nofollow" class="comment-reply-link" href="#respond" aria-label="Reply to Ann">Reply</a></div></article>
      <ol class="children"><li class="comment"><article><b>Tom</b><p>See <a href="https://www.example.com/p/1">https://www.example.com/p/1</a>!</p>
        <button>👍 <span>3</span></button></article></li></ol></li></ol>
      <div id="respond" class="comment-respond"><h3>Leave a reply</h3><form><p>Your email is not shown.</p><textarea></textarea></form></div></section>`,
    expected: ['2 comments', 'Ann says:', 'May 4, 2026 at 9:10', 'Lovely :)\nThanks!', 'Tom', 'See example.com!'],
  },
  {
    name: 'a letter by email: hidden first lines, tables for layout',
    markup: `<div class="preheader" style="font-size:1px;line-height:1px;max-height:0;opacity:0;overflow:hidden">Boats and more&#847;&zwnj;</div>
      <table role="presentation" width="100%"><tr><td align="center"><table role="presentation"><tr><td><img alt="The Fog Letter" src="data:,"></td></tr>
      <tr><td>Hello Ann,<br><br>this week was grey.</td></tr>
      <tr><td width="50%">Boats: 12</td><td width="20">&nbsp;</td><td>A second story</td></tr>
      <tr><td><table><tbody><tr><td><a href="#">Read on &raquo;</a></td></tr></tbody></table></td></tr>
      <tr><td style="font-size:10px">You receive this since May. <a href="https://x.example/u">Unsubscribe</a></td></tr></table></td></tr></table>`,
    expected: [
      'The Fog Letter',
      'Hello Ann,',
      'this week was grey.',
      'Boats: 12',
      'A second story',
      'Read on »',
      'You receive this since May. Unsubscribe',
    ],
  },
  {
    name: 'a live blog: times, posts of others, news of the page',
    markup: `<div role="feed"><article><header><time><span class="rel">3m ago</span><span style="margin-left:4px">10.12</span></time>
        <h2>Ferry leaves</h2></header><p>The <strong>first</strong> ferry left.</p>
      <blockquote class="twitter-tweet"><p lang="no">Endelig!</p>— Kari (@kari) <a href="https://twitter.com/kari/status/1">May 4</a></blockquote>
      <script>x()</script><div class="share-tools"><button>Share</button></div></article>
      <article class="key-event"><div class="label">Key event</div><p>Harbour opens again.</p></article></div>
      <div role="alert">2 new updates</div><button>Load more</button>`,
    expected: [
      '3m ago 10.12',
      'Ferry leaves',
      'The first ferry left.',
      'Endelig!',
      '— Kari (@kari) May 4',
      'Key event',
      'Harbour opens again.',
    ],
  },
  {
    name: 'a shop: a price and a drop cap for the eyes, and their words for screen readers',
    markup: `<ol itemscope itemtype="https://schema.org/BreadcrumbList"><li>Lamps</li></ol>
      <h1>Storm <span aria-hidden="true">L</span><span class="sr-only">L</span>amp</h1>
      <p>Now <span class="price"><span style="${HIDDEN_STYLE}">$19.99</span><span aria-hidden="true"><sup>$</sup>19<sup>99</sup></span></span>,
        was <s>$25</s>.<span role="tooltip" style="${HIDDEN_STYLE}">Price of May</span></p>`,
    expected: ['Storm Lamp', 'Now $19.99, was $25.'],
  },
];
