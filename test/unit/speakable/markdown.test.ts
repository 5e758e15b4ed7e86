import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import commonmark from 'commonmark-spec';
import fc from 'fast-check';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { Markdown } from '../../../src/speakable/markdown.js';
import { originalOf, type Run, spokenOf } from '../../../src/speakable/runs.js';
import { originalPosition, spokenPosition } from '../../../src/speakable/spoken-text.js';
import { wordsOf, wordsOfHtml } from './rendered-text.js';

/** Returns the runs of a text that arrives in pieces. */
function runsOf(...pieces: readonly string[]): Run[] {
  const markdown = new Markdown();
  return [...pieces.flatMap((piece) => markdown.push(piece)), ...markdown.end()];
}

function spoken(text: string): string {
  return spokenOf(runsOf(text));
}

/**
 * Examples of CommonMark that are spoken otherwise than they are shown, by number, and why.
 */
const DIFFERENCES: Readonly<Record<string, readonly number[]>> = {
  'the names of most entities are unknown': [25],
  'text may follow the end of code': [147],
  'a name that is no element is spoken': [150, 201, 613],
  'a short word after a name is no attribute': [491],
  'marks within HTML are removed': [161, 178],
  'a definition has one line': [193, 195, 196, 198, 208, 217, 541],
  'an address in brackets ends at a mark of code': [345],
  'a number without text is no mark of a list': [283],
  'a number that begins a list is spoken as it is written': [268],
  'a list goes on with another mark': [302],
  'a star between numbers multiplies them': [356],
  'marks of emphasis that are left over are removed': [412, 417],
  'a link may contain a link': [518, 519, 520, 532, 533],
  'the label of a link is not spoken, even if nothing defines it': [545, 569, 570, 571],
};

describe('Markdown as it is spoken', () => {
  it('has the words of CommonMark’s examples', () => {
    const known = new Set(Object.values(DIFFERENCES).flat());
    const { tests: examples } = commonmark;
    const wrong = examples.filter(({ number, markdown, html }) => {
      const text = markdown.replaceAll('→', '\t');
      return (wordsOf(spoken(text)) !== wordsOfHtml(html)) !== known.has(number);
    });
    assert.deepEqual(wrong, []);
    assert.equal(examples.length, 652);
  });

  it('has no marks that only format', () => {
    const texts = {
      'Drink **plenty** of _water_, and ***now***.': 'Drink plenty of water, and now.',
      '# One\n\n## Two ##\n': 'One\n\nTwo\n',
      '- one\n- two\n  - three\n': 'one\ntwo\nthree\n',
      '1. one\n2. two\n': 'one\ntwo\n',
      '- [ ] open\n- [x] done\n': 'open\ndone\n',
      '- a long item which has no stop at the end of it all\n- another':
        'a long item which has no stop at the end of it all\n\nanother',
      '> A quote\n> of two lines.\n': 'A quote\nof two lines.\n',
      'Above\n\n---\n\nBelow': 'Above\n\n\nBelow',
      'See [the guide](https://example.org/g "Guide") and ![a map](m.png).': 'See the guide and a map.',
      'Ask <https://example.org/a> or https://example.org/b?c=d.': 'Ask example.org or example.org.',
      // erusev/parsedown 904, pulldown-cmark/pulldown-cmark 170
      'Ask <mailto:ann@example.org?subject=a>, <bob@example.org> or <tel:+1-562-867>.':
        'Ask ann@example.org, bob@example.org or +1-562-867.',
      '(https://en.example.org/wiki/A_(b))': '(en.example.org)',
      'Use `npm start` or ``a ` b``.': 'Use npm start or a ` b.',
      'Is ~~old~~ ==new==, ~5 minutes': 'Is old new, ~5 minutes',
      '5 &lt; 6 &amp; 7 &euro;': '5 < 6 & 7 €',
      'caf&eacute; &Scaron;koda &le; &iquest;': 'café Škoda ≤ ¿',
      'A note.[^1]\n\n[^1]: Its text.\n': 'A note.\n\nIts text.\n',
      '\\*not emphasis\\*': '*not emphasis*',
      'one<br>two': 'one\ntwo',
    };
    for (const [text, expected] of Object.entries(texts)) assert.equal(spoken(text), expected);
  });

  it('has no marks of emphasis beside letters and marks of Chinese, Japanese and Korean', () => {
    const texts = {
      // commonmark/commonmark-spec 650
      '私は**⻲田太郎**と申します。選択肢**㋐**: 次': '私は⻲田太郎と申します。選択肢㋐: 次',
      // futuregene/future-os 675 and 744, anomalyco/opencode 38490
      '**复现：**10 轮，**注意：**正文，含**「重点」**内容': '复现：10 轮，注意：正文，含「重点」内容',
      // NousResearch/hermes-agent 92814, markedjs/marked 3838
      '**“공개”**는 원칙입니다. **历经10年，**a。*b*': '“공개”는 원칙입니다. 历经10年，a。b',
      '字**🎉字**字, w**🎉x**y, __粗__文字': '字🎉字字, w🎉xy, 粗文字',
      // livekit/agents 5481
      '**Frankie**! (**1**), **date**, a ** b, snake_case': 'Frankie! (1), date, a ** b, snake_case',
    };
    for (const [text, expected] of Object.entries(texts)) assert.equal(spoken(text), expected);
  });

  it('has no marks for sources', () => {
    const texts = {
      'It is so.[1] And so[2][3], or “so”[4, 5]; so[6-8].': 'It is so. And so, or “so”; so.',
      'The sky is blue [1]. It is wide [2] [3], and high [4][5].': 'The sky is blue. It is wide, and high.',
      '**Bold**[1] text [^2], and a note[^a b].': 'Bold text, and a note.',
      'See it【4:0†source】, or that 【12†notes.pdf】.': 'See it, or that.',
      'Rain today. \uE200cite\uE202turn0search1\uE202turn0news2\uE201 Sun.': 'Rain today. Sun.',
      'So[[1]](https://example.org/a). Next.': 'So. Next.',
      'Wide [1](https://example.org/a), high [[2]](https://example.org/b) [3](https://example.org/c).': 'Wide, high.',
      '空は青い[1]。海も【3†a】。': '空は青い。海も。',
      // thunderbird/thunderbolt 364, glific/glific 4011
      '海は青い【6】。第【6】条も。': '海は青い。第【6】条も。',
      // open-webui/open-webui 19060, ssnangua/ColorTxt 71
      '海水[1]很咸，风[2]、[3]和云[2][3]也大。波[4](https://a.org)高。': '海水很咸，风、和云也大。波高。',
      'レーダー[1]では雨【2】が、「風」[3,4]は。비[1]가 온다.': 'レーダーでは雨が、「風」は。비가 온다.',
      'ฝน[1]ตกหนัก': 'ฝนตกหนัก',
      'Rain[1]–[3] and wind[2]-[4] came^[5]^. It is [1] [2] so.': 'Rain and wind came. It is [1] [2] so.',
      'A sea [1] [2] and rain [3]': 'A sea and rain',
      // cubeplexai/cubeplex 125, blader/humanizer 127
      '雨【1-2】です。【3-4】': '雨です。',
      '【1-2】節': '【1-2】節',
      'Rain [oai_citation:0‡a.com](https://a.com) and [web:1] wind[page:2](https://b.com), as [page 2].':
        'Rain and wind, as [page 2].',
      // pionxzh/chatgpt-exporter 276, lidge-jun/opencodex 3150, IgorWarzocha/howaboua-pi-stuff 226
      'Rain :contentReference[oaicite:0]{index=0}. Wind citeturn0search1turn2news3.': 'Rain. Wind.',
      '\uE203Rain\uE204 falls. Some cite turns: in C# or 9:contents.':
        'Rain falls. Some cite turns: in C# or 9:contents.',
      // infiniflow/ragflow 8817 and 13474, smg-project/smg 308
      'Rain ##0$$ ##12$$. Wind [ID:3][ID: 4].': 'Rain. Wind.',
      'Is <co>rain</co: 0:[1,2],1:[0]> or <co: 1>sun</co: 1>': 'Is rain or sun',
      // adrianlyjak/obsidian-aloud-tts 38
      'Rain [see @smith2020, p. 3] {>> note to self <<} ^[A note.] falls.': 'Rain falls.',
      'Ask [@anna42](https://example.com/anna42) for [@types/node] and {name}.':
        'Ask @anna42 for [@types/node] and {name}.',
      '- Blue [1]\n- Wide. [2] [3]\n\nHigh [4]  \nDeep [5]': 'Blue\nWide.\n\nHigh  \nDeep',
      '| Sea [1] | Sky[2] |\n|---|---|\n| blue [3] | wide |\n': 'Sea, Sky\nblue, wide\n',
      'Rain [1], [2]. Sun ([3], [4]) or wind[5], [6].': 'Rain,. Sun (,) or wind,.',
      'Rain[citation:1][citation:2] and wind[cite: 3, 4] in spring[doc1] and fall[1†L2-L5].':
        'Rain and wind in spring and fall.',
      'Sun <sup>[1]</sup> and rain<sup>[2]</sup>.': 'Sun  and rain.',
    };
    for (const [text, expected] of Object.entries(texts)) assert.equal(spoken(text), expected);
  });

  // github/cmark-gfm 83, openchamber/openchamber 3039, ubugeeei-prod/ox-content 1138, Prism-Shadow/penguin-harness 437
  it('has the words that follow an address without a space', () => {
    const texts = {
      '见 https://github.com/a/b。谢谢，再见！': '见 github.com。谢谢，再见！',
      '访问 https://example.com/docs（中文说明）了解更多': '访问 example.com（中文说明）了解更多',
      '全角（https://example.com/a）です。読点: https://example.com/b、続き。':
        '全角（example.com）です。読点: example.com、続き。',
      '中文https://penguin.ooo英文，https://penguin.ooo/a英文': '中文penguin.ooo英文，penguin.ooo英文',
      '자세한 것은 https://example.com/docs에서 확인하세요.': '자세한 것은 example.com에서 확인하세요.',
      'See https://example.org/a—it is new. “https://example.org/b” and https://example.org/c…':
        'See example.org—it is new. “example.org” and example.org…',
      // akiomik/mado 420
      'HTTPS://Example.org/a, Http://x.org, ftp://y.org/a.zip or WWW.z.org/b. FTP and Http.':
        'Example.org, x.org, y.org or WWW.z.org. FTP and Http.',
      // codefirst/AsakusaSatellite 204, colloquy/colloquy 257
      'http://www.bing.com/search?q=日本語 https://ja.wikipedia.org/wiki/日本語 https://de.wikipedia.org/wiki/Köln':
        'www.bing.com ja.wikipedia.org de.wikipedia.org',
    };
    for (const [text, expected] of Object.entries(texts)) assert.equal(spoken(text), expected);
  });

  // nearai/nearai 863, aws/aws-sdk-java-v2 4015, JosephJMWalker-MBA/performance-manuscript 27
  it('has no address, however long it is', () => {
    const token = 'FwoGZXIvYXdz%2F'.repeat(200);
    const texts = {
      [`![A map](data:image/png;base64,${token}=) shows [the way](https://a.org/b?c=${token}).`]:
        'A map shows the way.',
      [`See https://example.org/a?token=${token} now (https://example.org/${token}).`]:
        'See example.org now (example.org).',
      [`[a](b${'x '.repeat(600)})`]: `[a](b${'x '.repeat(600)})`,
      [`One.\n\n[image1]: <data:image/png;base64,${token}=>\n\nTwo.`]: 'One.\n\n\nTwo.',
      // An answer that was cut off.
      'See [the guide](https://example.o': 'See the guide',
    };
    for (const [text, expected] of Object.entries(texts)) {
      assert.equal(spoken(text), expected);
      assert.equal(spokenOf(runsOf(...text.split(''))), expected);
      assert.equal(originalOf(runsOf(text)), text);
    }
  });

  // kylepelham/Drift 81, Blockether/vis 149
  it('has the numbers to which no list leads', () => {
    const texts = {
      '42. That is the answer.': '42. That is the answer.',
      '> 1986. It was a good year.\n\n20456. it is fixed': '1986. It was a good year.\n\n20456. it is fixed',
      '1914. War begins.\n1918. War ends.': '1914. War begins.\n1918. War ends.',
      '10. Step\n\n    More text.': '10. Step\n\nMore text.',
      // docling-project/docling 4134
      '1. Install.\n2. Set.\n\nRestart.\n\n3. Run.\n4. Check.': 'Install.\nSet.\n\nRestart.\n\nRun.\nCheck.',
      '0) a\n1) b\n   1. x\n   2. y\n2) c': 'a\nb\nx\ny\nc',
    };
    for (const [text, expected] of Object.entries(texts)) assert.equal(spoken(text), expected);
  });

  // 404-novel-project/novel-downloader 970, NousResearch/hermes-agent 25956, travisvn/openai-edge-tts 11
  it('has no rules and gaps that are drawn with characters', () => {
    assert.equal(spoken('One.\n\n=======\n\nTwo.\n──────\nThree.\n═══\n'), 'One.\n\n\nTwo.\nThree.\n');
    assert.equal(spoken('The ____ is ______.'), 'The  is .');
    assert.equal(spoken('┌───┐\n│ a │\n└───┘\nb ├─ c ███░░ 60%'), '\n a \n\nb  c  60%');
    assert.equal(spoken('それは──彼だ ─ a━b'), 'それは──彼だ ─ a━b');
  });

  // C-Loftus/talon-ai-tools 160
  it('has headings without a space', () => {
    assert.equal(spoken('##One\n###**Two**\n#three\n####### four'), 'One\nTwo\n#three\n####### four');
  });

  it('has the words of notes between colons', () => {
    const texts = {
      ':::tip Mind this\nOne.\n:::\n\n::: {.callout-note}\nTwo.\n:::': 'tip Mind this\nOne.\n\n\n\nTwo.\n',
      'a ::: b\n:: c\n: d': 'a ::: b\n:: c\n: d',
    };
    for (const [text, expected] of Object.entries(texts)) assert.equal(spoken(text), expected);
  });

  // richardr1126/openreader 114, signalwire/docs-legacy 691
  it('has no bullets', () => {
    assert.equal(spoken('First:\n• One\n  ◦ Two\n▪ Three\n●Four'), 'First:\nOne\nTwo\nThree\nFour');
    assert.equal(spoken('Rock • Folk'), 'Rock • Folk');
  });

  // joethei/obsidian-tts 38, chrisurf/obsidian-voice 3, quailyquaily/obsidian-quail 13
  it('has the words of links and notes of wikis', () => {
    const texts = {
      'Use [[AI *now*]], [[a/b|the page]] and ![[map]].': 'Use AI now, the page and map.',
      // joethei/obsidian-tts 10 and 37, zoni/obsidian-export 2
      'See ![[a map.png|200]]![[b.jpg]], ![[c.svg|The sun|20x30]] ![a map|300](c.png), [[2024-01-05]], [[7 days|a week]].':
        'See , The sun a map, 2024-01-05, a week.',
      '%%a\nb%% Rain %% c %% falls, 100%% sure and 5%% off; [[1, 2]] ![a|b](c).':
        ' Rain falls, 100%% sure and 5%% off; [[1, 2]] a|b.',
      '> [!NOTE]\n> One.\n\n> [!warning]- Mind\n> Two.': 'note:\nOne.\n\nwarning: Mind\nTwo.',
      'if [[ -f a ]] then [!b]': 'if [[ -f a ]] then [!b]',
    };
    for (const [text, expected] of Object.entries(texts)) assert.equal(spoken(text), expected);
  });

  it('keeps numbers in brackets that may be words', () => {
    for (const text of [
      '[1] Smith, A tale.',
      'Press [1] for sales, or [2] for support.',
      'x in [0, 1], or [1, 5].',
      'a[0] and b[1] = 2',
      'm[1]n and m[1] + n',
      'In [2024]. At [12:30].',
      '【12】 and 【a】, and †',
      'See chapter [3]. Select option [2], or say [1].',
      'Choose [1], [2] or [3]. Options: [1], [2], [3].',
      'As shown in [2], and according to [1], it is.',
      'Siehe [3]. Selon [2]. Según [1].',
      'The array a[1], a[2] and x[3]. Set my_list[1]; userIds[2].',
      'Press F[10] now. World War I[4] began.',
      'He said "[1]", “[2]” and ([3] first, [4] second).',
      'Step [1]: do. Warning [404]: not found. list = [1].',
      'x[[1]] and [[1]]',
      '第[1]章、図[2]は【3】。根据[1]的研究，如[2]所示，见[3]。选择[1]或[2]。按[1]键。data[1]を、a[1]を。',
      'Rain[1][2]bow, [1]–[3] and sun [4]–[6] here.',
      'Yan et al. [2004] analysed it.', // nipunsadvilkar/pySBD 86
    ]) {
      assert.equal(spoken(text), text);
    }
  });

  it('shows powers as characters, and leaves out aids for reading', () => {
    const texts = {
      // edrlab/thorium-reader 3778
      'SO<sub>4</sub><sup>2-</sup> and $Na^+$, $SO_4^{2-}$': 'SO4²⁻ and Na⁺, SO₄²⁻',
      '10<sup>6</sup> and 10<sup>-3</sup>, H<sub>2</sub>O, 1<sup>st</sup> x<sup>n</sup>': '10⁶ and 10⁻³, H2O, 1st xn',
      '5 km<sup>2</sup>, (a)<sup>2</sup> and notes<sup>1</sup>.<sup>2</sup>': '5 km², (a)² and notes.',
      // readest/readest 2886
      'Notes<sup>(23)</sup> of M<sup>me</sup> Li<sup>*2</sup>, so<sup>†</sup>.': 'Notes of Mme Li, so.',
      // AwesomeTTS/awesometts-anki-addon 9, Richasy/Rodel.Reader.Public 70
      '<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp>字<RT lang="ja">じ</RT></ruby>です': '漢字です',
    };
    for (const [text, expected] of Object.entries(texts)) assert.equal(spoken(text), expected);
  });

  it('keeps signs that mean something', () => {
    for (const text of [
      'Use snake_case, 2 * 3 and 5*3.',
      'if a < b and b > c then stop',
      '[laughs] Oh no. (sighs)',
      'It costs $3.50, and $4 more.',
      'A $$ place, 5$ or $5/each, A$, $AAPL and $HOME is.',
      'Well-known C# and F#, at 50 % & more',
      'It is 5 | 6.',
      'matrix[0][1] = a[i]',
      '#hashtag and @name',
      'Wait... what?! No!',
      'if x==5 or y == 6 ==',
    ])
      assert.equal(spoken(text), text);
  });

  // adrianlyjak/obsidian-aloud-tts 133, THU-MAIC/OpenMAIC 394 and 1564, coqui-ai/TTS 3398, pnnbao97/VieNeu-TTS 178
  it('reads formulas as signs', () => {
    const formulas = {
      '6{x}_{1} + 4{x}_{2} \\leq {24}': '6x₁ + 4x₂ ≤ 24',
      'n^2 = \\frac{7}{10}': 'n² = 7/10',
      '\\int_{b}^{a} f(x)\\,dx = F(b)-F(a)': '∫ b → a f(x) dx = F(b) − F(a)',
      '\\sum_{i=1}^{n} a_i^2': '∑ i = 1 → n a i²',
      '\\int x^2\\,dx': '∫ x² dx',
      'A \\cup B^2': 'A ∪ B²',
      'x = \\frac{-b \\pm \\sqrt{b^2-4ac}}{2a}': 'x = (−b ± √(b² − 4ac)) ÷ 2a',
      '\\lim_{x \\to 0} \\frac{\\sin x}{x}': 'lim x → 0 (sin x) ÷ x',
      '\\sqrt[3]{ABC} \\cdot 90^\\circ': '∛ABC × 90°',
      "e^{i\\pi}, x^{-1}, f'(x), 50\\%": "e^(i pi), x⁻¹, f'(x), 50%",
      '\\text{speed} = \\frac{\\text{distance}}{t}': 'speed = distance ÷ t',
      '\\left( \\vec{v} \\right.': '(v',
      '\\begin{array}{cc} a & b \\\\ c & d \\end{array}': 'a b, c d',
      '\\binom{n}{k} * \\varepsilon': '(n, k) × epsilon',
      '\\constructor \\sqrt[5]{x}': 'constructor 5 √x',
    };
    for (const [tex, expected] of Object.entries(formulas)) {
      for (const written of [`$${tex}$`, `$$${tex}$$`, `\\(${tex}\\)`, `\\[\n${tex}\n\\]`]) {
        assert.equal(spoken(`So ${written}, and $5 more.`), `So ${expected}, and $5 more.`);
      }
    }
    assert.equal(spoken('Is $x$ in \\(see above\\)?'), 'Is x in (see above)?');
    // open-webui/open-webui 410, CherryHQ/cherry-studio 1018
    assert.equal(
      spoken('So:\n\\begin{aligned} x_1 &= 2 \\\\ y &= 3 \\end{aligned}\nIt is \\boxed{42}, in C:\\boxes.'),
      'So:\nx₁ = 2, y = 3\nIt is 42, in C:\\boxes.',
    );
    // ggml-org/llama.cpp 21795
    assert.equal(spoken('Pay $\\$0.60$ for $p = \\$1$.'), 'Pay $0.60 for p = $1.');
    // osaurus-ai/osaurus 2368, esengine/DeepSeek-Reasonix 9532, ollama/ollama 17090
    const short = {
      'As $2 + 9 = 11$, and $8 \\times 2 = 16$; $7 - 3$ or $2 < 3$.': 'As 2 + 9 = 11, and 8 × 2 = 16; 7 − 3 or 2 < 3.',
      "$g(y)$, $O(n^2)$, $CD$, $k + m$, $p/q$, $g'(y)$, $P(X|Y)$, $(p, q)$, $n!$":
        "g(y), O(n²), CD, k + m, p/q, g'(y), P(X|Y), (p, q), n!",
      '$$g(y)$$ \\(CD\\) \\( k, m \\) $$ 42 $$ $$k + m$$': 'g(y) CD k, m 42 k + m',
      'The $k$th is $O(n log n)$, $x$/$y$.': 'The kth is O(n log n), x/y.',
    };
    for (const [text, expected] of Object.entries(short)) {
      assert.equal(spoken(text), expected);
      assert.equal(spokenOf(runsOf(...text.split(''))), expected);
    }
    // Zettlr/Zettlr 482, vellum-ai/vellum-assistant 32934, siteboon/claudecodeui 912
    for (const prices of [
      'This $30K puts you $3.2K over.',
      '$12K–$17K, $1M+ and $80 + $50 = $130',
      '从 $113 跌到 $5.51，跌 95%',
      'It is $7 or $8 - a bargain. He has $3 = three dollars, and I 4$.',
      'Set $LANG, $PATH=$HOME/bin:$PATH, $a=$b or $USER/$HOST.',
      'From $$ or $$$ to $$. It is $A/$B, $5/$6, ($GME)($AMC), US$5-US$6.',
      'It costs $20 (or 18$), $5/mo to 6$, or $7 + tax to $8 + tax.',
    ])
      assert.equal(spoken(prices), prices);
  });

  it('reads a table row by row', () => {
    const table = '| Name | Age |\n| :--- | ---: |\n| Ann | 5 |\n| Bob \\| Co | |\n\nAfter.';
    assert.equal(spoken(table), 'Name, Age\nAnn, 5\nBob | Co\n\nAfter.'.replace('Bob | Co', 'Bob | Co, '));
    assert.equal(spoken('a | b\n--- | ---\n1 | 2\n'), 'a, b\n1, 2\n');
    assert.equal(spoken('a | b\nno table'), 'a | b\nno table');
  });

  it('leaves out code blocks, comments, tags, and what a model thinks', () => {
    for (const text of [
      'Before.\n```js\nlet x = 1;\n\n# no\n```\nAfter.',
      'Before.\n~~~\ncode\n~~~\nAfter.',
      'Before.\n\n    code\n\nAfter.',
      'Before.\n<!-- a > b -->\nAfter.',
      '<think>a < b and b > c\n\n- so\n</think>Before.\nAfter.',
      'Before.\n<Thinking effort="high">One two</Thinking>After.',
      '<reasoning>\n```\n</reasoning>\nBefore.\nAfter.',
      '<speak>Before.<break time="1s"/>\n<emphasis level="strong">After.</emphasis></speak>',
      'Before.\nAfter.<think>never closed',
      // fluxerapp/fluxer 2088, commenthol/markedpp 4
      'Before. ```js\nlet x = 1;\n\n# no\n```\nAfter.',
      '- Before: ```sh\n  ls\n  ```\n- After.',
      'Before.\n```js\nlet x = 1;```\nAfter.',
      'Before ```one\ntwo``` After',
      // gptme/gptme-contrib 1320, hail-hq/hail 52
      'Before. <tool_call>{"name": "a > b"}</tool_call> After.',
      '<function_calls>\n<invoke name="a">\n\n- b\n</invoke>\n</function_calls>\nBefore.\nAfter.<tool-use id="1">x',
      '<details type="reasoning" done="true"><summary>Thought</summary>x > y</details>\nBefore.\nAfter.',
      '<thought>so</thought>Before. <details><summary>After</summary></details>',
      'Before.\nAfter.\n```\nnever closed',
    ])
      assert.equal(wordsOf(spoken(text)), 'Before After', text);
    assert.equal(wordsOf(spoken('```js\nlet x = 1;\n``` Use it.')), 'Use it');
    // laurent22/joplin 1620
    assert.equal(
      spoken('# In a <script>: x\n\nClose <style> tags. So.\n'),
      'In a script: x\n\nClose style tags. So.\n',
    );
    assert.equal(spoken('Run <script>b()</script> now: <pre>\nc\n</pre> Done.'), 'Run  now:  Done.');
    // nesquena/hermes-webui 1438
    assert.equal(spoken('Use ```one``` or\n```two``` now.'), 'Use one or\ntwo now.');
    assert.equal(spoken('The tag `<think>` is code.'), 'The tag <think> is code.');
    const markdown = new Markdown();
    assert.equal(spokenOf(markdown.push('```\n42')), '');
    assert.equal(markdown.held, '');
    assert.equal(spokenOf([...markdown.settle(), ...markdown.end()]), '');
  });
});

const WORD = fc.constantFrom('one', 'Two', 'three', 'Ünïcode', '42', '漢字', 'naïve', 'e.g.', 'don’t', 'snake_case');
const EMPHASIS = fc
  .tuple(fc.constantFrom('*', '**', '_', '__', '~~'), WORD)
  .map(([mark, text]) => `${mark}${text}${mark}`);
const { block } = fc.letrec<{ inline: string; block: string }>((tie) => ({
  inline: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    WORD,
    fc.tuple(tie('inline'), tie('inline')).map((parts) => parts.join(' ')),
    EMPHASIS,
    WORD.map((code) => `\`${code} * _x_\``),
    EMPHASIS.map((text) => `[${text}](https://example.org/a_(b) "A *title*")`),
    WORD.map((name) => `![${name}](image.png)`),
    fc.constantFrom('<b>bold</b>', '&amp;', '\\*', '<https://example.org/x>', 'https://example.org/a?b=c', 'a < b'),
  ),
  block: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    tie('inline'),
    fc.tuple(fc.integer({ min: 1, max: 6 }), tie('inline')).map(([level, text]) => `${'#'.repeat(level)} ${text}`),
    fc.array(tie('block'), { minLength: 1, maxLength: 3 }).map((items) => items.map(indentItem('- ')).join('\n')),
    fc.array(tie('block'), { minLength: 1, maxLength: 3 }).map((items) => items.map(indentItem('1. ')).join('\n')),
    tie('block').map((text) => text.replaceAll(/^/gm, '> ')),
    fc.tuple(WORD, tie('inline')).map(([info, code]) => `\`\`\`${info}\n${code}\n\`\`\``),
    fc.constantFrom('---', '- [ ] task', '| a | b |\n|---|:-:|\n| 1 | *2* |', '<!-- a\n\nb -->', '<div>\nhtml\n</div>'),
    fc.tuple(tie('block'), tie('block')).map((blocks) => blocks.join('\n\n')),
  ),
}));

function indentItem(mark: string): (text: string) => string {
  return (text) => mark + text.replaceAll('\n', `\n${' '.repeat(mark.length)}`);
}

describe('Any Markdown', () => {
  it('has the words that a parser shows', () => {
    fc.assert(
      fc.property(block, (text) => {
        const html = micromark(text, { allowDangerousHtml: true, extensions: [gfm()], htmlExtensions: [gfmHtml()] });
        assert.equal(wordsOf(spoken(text)), wordsOfHtml(html), html);
      }),
      { numRuns: process.env.SVC_LONG ? 20_000 : 500 },
    );
  });
});

/** Parts of the texts in the properties below. */
const PARTS = [
  ['word ', 'a_b ', 'Ünï ', '漢字', '👩‍🚀 ', '5', '. ', '! ', ', ', ' ', '\n', '\n\n', '\r\n', '\t', '    '],
  [
    '*',
    '**',
    '_',
    '__',
    '`',
    '``',
    '```\n',
    '~~',
    '~',
    '==',
    '=',
    '#',
    '## ',
    '- ',
    '+ ',
    '1. ',
    '> ',
    '---\n',
    '===\n',
    '| ',
  ],
  [
    '[',
    ']',
    '(',
    ')',
    '[a](b)',
    '![a](b "c")',
    '[^1]',
    '[a]: b\n',
    '- [ ] ',
    '|---|\n',
    '| a | b |\n|---|---|\n| 1 | 2 |\n',
  ],
  ['<', '>', '<b>', '</b>', '<think>', '</think>', '<!--', '-->', '&amp;', '&', '\\', 'http', ':', 'www.'],
  ['[1]', ' [2]', '[3, 4]', '【4:0†a】', '【', '†', '】', '\uE200', '\uE200a\uE201', '1', '[[', ']]', ':', 'in', '𝒂'],
  ['2. ', '3) ', '1986. ', '<sup>', '</sup>', '<rt>', '</rt>', '<tool_call>', '<tool_use a>', '</tool_call>', '-'],
  [
    '<|im_end|>',
    '<|channel|>',
    'final',
    '<|',
    '|>',
    '<|end|>',
    '<a_b>',
    '<a:b c="d">',
    '</a_b>',
    '[[a|b]]',
    '[!NOTE]',
    '===',
    ':::',
    '[oai_citation:0‡a](b)',
    ' citeturn0search1',
    ' cite',
    ':contentReference[oaicite:0]{index=0}',
    ':con',
    ' ##0$$',
    '##',
    '{>> a <<}',
    '{',
    '^[a]',
    '[@a20]',
    '[ID:3]',
    '<co: 1>',
    '</co: 0:[1,2]>',
    '【1-2】',
    '─',
    '│',
  ],
  [
    '```md\n',
    '```js\n',
    '~~~\n',
    '• ',
    '  ▪ ',
    '<|tool_call_begin|>',
    '<|tool_call_end|>',
    '[THINK]',
    '[/THINK]',
    '<|channel>thought',
    '<channel|>',
    '<script>',
    '</script>',
    '<｜DSML｜tool_calls>',
    '\\$',
    '\\begin{a}',
    '\\end{a}',
    '\\boxed{',
  ],
  [
    '<url>',
    '<First Name>',
    'x<y>z',
    '<b> ',
    ' <br> ',
    ' <think> ',
    '</thinking>',
    ' <!-- ',
    '<?',
    '<|START_THINKING|>',
    '<|END_THINKING|>',
    '<|im_start|>',
    'user',
    '<https://a.org|b>',
    '<:a:1>',
    '◁think▷',
    '◁/think▷',
    '<function>',
    '<item>',
    '</item>',
    '<a and b>',
    ':tada:',
    ':a',
    '||',
    '<@1|',
    '%%',
    '![[a.png|20]]',
    '![a|20](b)',
    '---\na: b\n',
    '---\n',
    '    The sun set.\n',
    '<𝒂 b>',
  ],
  [
    'https://example.org/a?b',
    'FTP',
    '://a.org',
    '。',
    '—',
    '———',
    '───\n',
    '___ ',
    '다',
    '$',
    '$$',
    '\\(',
    '\\)',
    '\\[',
    '\\]',
    '^',
    '{',
    '}',
    '\\frac',
    '$x^2$',
    '$5 ',
  ],
].flat();
const TEXT = fc.array(fc.constantFrom(...PARTS), { maxLength: 30 }).map((parts) => parts.join(''));

/** Cuts a text into pieces, at positions given as parts of its length. */
function cut(text: string, places: readonly number[]): string[] {
  const positions = [...places.map((place) => Math.floor(place * text.length)).toSorted((a, b) => a - b), text.length];
  return positions.map((position, index) => text.slice(positions[index - 1] ?? 0, position));
}

const PLACES = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 });

describe('Any text', () => {
  it('is spoken the same in any pieces, and nothing of it is lost', () => {
    fc.assert(
      fc.property(TEXT, PLACES, (text, places) => {
        const whole = runsOf(text);
        assert.equal(originalOf(whole), text);
        const runs = runsOf(...cut(text, places));
        assert.equal(spokenOf(runs), spokenOf(whole));
        assert.equal(originalOf(runs), text);
        assert.equal(spokenOf(runsOf(...text.split(''))), spokenOf(whole));
      }),
      { numRuns: process.env.SVC_LONG ? 100_000 : 2000 },
    );
  });

  it('has positions that correspond in order', () => {
    fc.assert(
      fc.property(TEXT, (text) => {
        const runs = runsOf(text);
        const { length } = spokenOf(runs);
        let last = 0;
        for (let count = 0; count <= length; count++) {
          const position = originalPosition(runs, count);
          assert.ok(position >= last && position <= text.length);
          assert.ok(spokenPosition(runs, position) <= length);
          last = position;
        }
        assert.equal(originalPosition(runs, length), text.length);
      }),
      { numRuns: 300 },
    );
  });

  it('of marks that nothing closes is kept', () => {
    for (const mark of [
      '[',
      '*a',
      '`',
      '<a ',
      '![',
      '**',
      '> ',
      '(',
      '| ',
      '$x',
      '$$x=',
      '\\(',
      '&',
      '[a](',
      '<think>',
    ]) {
      const text = mark.repeat(1000);
      assert.equal(originalOf(runsOf(text)), text);
    }
  });
});
