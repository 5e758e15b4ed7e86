import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Markdown } from '../../../src/speakable/markdown.js';
import { spokenOf } from '../../../src/speakable/runs.js';
import { expectSpoken } from './read-pieces.js';

describe('Text with tags and marks of models', () => {
  // openclaw/openclaw 40573, scouzi1966/maclocal-api 121, NVIDIA/TensorRT-LLM 9256, ml-explore/mlx-swift-examples 89
  it('has no marks of a model, and nothing that it does not say to the user', async () => {
    const texts = {
      '<|im_start|>assistant\nFine.<|im_end|>': '\nFine.',
      '<|assistant|>One <|tool_list_end|> two.<｜end▁of▁sentence｜>': 'One  two.',
      '[INST] Hi [/INST] Hello.<end_of_turn>': ' Hi Hello.',
      '<|channel|>analysis<|message|>So <b.<|end|><|start|>assistant<|channel|>final<|message|>Rain.<|return|>':
        'Rain.',
      '<|channel|>analysis<|message|>So.<|start|>assistant<|channel|>final<|message|>Rain.': 'Rain.',
      'Wait.<|channel|>commentary to=functions.a <|constrain|>json<|message|>{\n  "b": 1\n}<|call|> Done.':
        'Wait. Done.',
      // XNet-NGO/aiope 117, kbtit25/grok2api 1
      'A.<minimax:tool_call>\n<invoke name="a">\n- b\n</invoke>\n</minimax:tool_call> B.': 'A. B.',
      'A.<function=get_it>{"b": "c"}</function><seed:think>d</seed:think> B.': 'A. B.',
      'It rose.<grok:render card_id="6" type="a"><argument name="b">3</argument></grok:render> Then': 'It rose. Then',
      '[cite_start]It rains[cite: 1, 2], or not[reference:0].': 'It rains, or not.',
      // rhizomatics/supernotify 200
      '<amazon:effect name="whispered">Go</amazon:effect><mstts:silence type="Leading" value="1s"/>.': 'Go.',
      // vllm-project/vllm 31207, vybestack/llxprt-code 750, typeclaw/typeclaw 344
      'A.<|tool_calls_section_begin|><|tool_call_begin|>functions.get_it:0<|tool_call_argument_begin|>{"a": "<b>"}<|tool_call_end|><|tool_call_begin|>x<|tool_call_end|><|tool_calls_section_end|> B.':
        'A. B.',
      'A.<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get\n```json\n{}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜> B.':
        'A. B.',
      // NousResearch/hermes-agent 81237, lsdefine/GenericAgent 804
      'A.<｜DSML｜tool_calls>\n<｜DSML｜invoke name="a">\n<｜DSML｜parameter name="b">c</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜tool_calls> B.':
        'A. B.',
      'A.<‖DSML‖function_calls>b</‖DSML‖function_calls> B.': 'A. B.',
      // RooCodeInc/Roo-Code 8522, Pasta-Devs/Marinara-Engine 2544, raullenchai/Rapid-MLX 580
      '[THINK]I wonder.\n\n- So[1].[/THINK]Rain. [TOOL_CALLS]get_it[ARGS]{"a": "b"}': 'Rain. ',
      // laurent22/joplin 16595, odysseus-dev/odysseus 2225
      '<|turn>model\n<|channel>thought\nSo.\n<channel|>Rain.<|end_of_turn|>Wind.<|tool_call>call:a{b:1}<tool_call|> Sun.<turn|>':
        '\nRain. Wind. Sun.',
      // NousResearch/hermes-agent 12746 and 77079, anomalyco/opencode 34676
      'A.<function name="a"><parameter name="b">c</parameter></function> B.': 'A. B.',
      'A.\n<invoke name="a">\n<parameter name="b">c</parameter>\n</invoke>\nB.<tool_code>c()</tool_code>': 'A.\n\nB.',
      '<REASONING_SCRATCHPAD>So.</REASONING_SCRATCHPAD>Rain.': 'Rain.',
      // lobehub/lobehub 4257, outsourc-e/hermes-workspace 295
      '<antThinking>So.</antThinking>Here:<artifact type="html" title="b">\n<p>c</p>\n</artifact> Done.': 'Here: Done.',
      // vllm-project/vllm 16214, moltis-org/moltis 306
      '<|ref_start|>the dog<|ref_end|> and <|im_start|>Good day. <|start_header_id|>user<|end_header_id|>':
        'the dog and Good day. ',
      '<bos><start_of_turn>model\nRain.<end_of_turn><eos>': '\nRain.',
      '<|im_start|>assistant Rain.<|start|>assistant to=functions.a<|message|>': ' Rain.',
      // smg-project/smg 306, Blaizzy/mlx-vlm 1298, scouzi1966/maclocal-api 148
      '<|START_THINKING|>So.<|END_THINKING|><|START_RESPONSE|>Rain.<|END_RESPONSE|>': 'Rain.',
      '<|begin_of_thought|>a <b.<|end_of_thought|><|begin_of_solution|>Rain.<|end_of_solution|>': 'Rain.',
      '<|think|>So.<|/think|>Rain. ◁think▷So.◁/think▷Sun.': 'Rain. Sun.',
      '<scratchpad>a</scratchpad>Rain. <reflection>b</reflection> <analysis>\n\nc</analysis> Sun. <inner_thoughts>d':
        'Rain.   Sun. ',
      // raullenchai/Rapid-MLX 700 and 703, ai-dynamo/dynamo 10115
      'Rain. <|python_tag|>{"name": "a"}<|eom_id|>Sun. <|START_ACTION|>[{"a": 1}]<|END_ACTION|>Wind.':
        'Rain. Sun. Wind.',
      '<TOOLCALL>[{"a": 1}]</TOOLCALL>Rain. <function>{"a": 1}</function>Sun. <functioncall>{"a": 1}': 'Rain. Sun. ',
      '<|thought_start|>a<|thought_end|>Rain. <|tool_response>b<tool_response|>Sun. <|action_start|><|plugin|>{}<|action_end|>':
        'Rain. Sun. ',
      '<tool>{"a": 1}</tool>Rain. <chain_of_thought>b</chain_of_thought>Sun. [TOOL_RESULTS]c[/TOOL_RESULTS]':
        'Rain. Sun. ',
      '[TOOL_REQUEST]{"a": 1}[END_TOOL_REQUEST]Rain. <arg_key>a</arg_key><arg_value>b</arg_value>Sun.': 'Rain. Sun.',
    };
    await expectSpoken(texts);
    for (const text of ['Is x <| y?', '<| a |> and <||>', 'a <b_c and d> e', 'I [THINK so], f <|> g and a <b|> c'])
      await expectSpoken({ [text]: text });
  });

  // mganss/HtmlSanitizer 151 and 191, nao1215/filesql 974, 0verEngineer/InlineProblems 72, xujialiu/Zotero-TTS 96 and 127
  it('tells tags from comparisons, types and names in angle brackets', async () => {
    const texts = {
      'Is 4<n and n>2? If i<k or k>j, then p<q when r>q, or a<b>c.':
        'Is 4<n and n>2? If i<k or k>j, then p<q when r>q, or a<b>c.',
      'A Set<string>, a Map<Key, Value>, Box<T> and Vec<Option<u8>>.':
        'A Set<string>, a Map<Key, Value>, Box<T> and Vec<Option<u8>>.',
      'Copy <source> to <target_dir>/<name>.txt, dear <Last Name><Title>, at <host>:<port>.':
        'Copy source to target_dir/name.txt, dear Last Name Title, at host:port.',
      '<Eva> Good day! <Tom>Hi!\n<Eva>So?\n<your name here> signs, <имя>.':
        'Eva Good day! Tom Hi!\nEva So?\nyour name here signs, имя.',
      'The <n>th of <all>items</all>, and a <b>\nword</b>.': 'The n th of items, and a \nword.',
      'It is "<Name>", (<Name>), <Name>\'s or **<Name>**; print("<b>") and <Ctrl>+<C> or <Ctrl+C>.':
        'It is "Name", (Name), Name\'s or Name; print("b") and Ctrl+C or Ctrl+C.',
      'Put <nav>, <footer> and [<br>] below the <b> tag, and the <p> element.':
        'Put nav, footer and [br] below the b tag, and the p element.',
      'Here are <b> bold </b> and <i>so</i>, <details open>all</details><input disabled>':
        'Here are  bold  and so, \nall\n',
      '<answer> Rain.\nSun.</answer>\n<custom>\nWind.\n</custom>\nIt is <answer>so</answer>.':
        ' Rain.\nSun.\n\nWind.\n\nIt is so.',
      'Well <laugh> that <silence> is it.': 'Well  that silence is it.',
    };
    await expectSpoken(texts);
  });

  // warpdotdev/warp 14009, trentm/python-markdown2 563, openclaw/openclaw 90051
  it('goes on after a mark that the text only mentions', async () => {
    const texts = {
      'Comments begin with <!-- and end later. So.': 'Comments begin with <!-- and end later. So.',
      'Write <?php first, or <![CDATA[ there. So.\n\nAnd so.': 'Write <?php first, or <![CDATA[ there. So.\n\nAnd so.',
      'Models put "<think>" first, a <tool_call>, or (<thinking>) so. More.':
        'Models put "think" first, a tool_call, or (thinking) so. More.',
      'It rains <!-- a\nb --> here, <?xml version="1.0"?>.\n<!-- a\n\nb': 'It rains  here, .\n',
      'Hello! <think> So it\nis.</think> Rain. I see <think>The user\n\nasks': 'Hello!  Rain. I see ',
      '<think> before': '',
      '"<think>" begins it. So **<think>** does.\n\nAnd so.': '"think" begins it. So think does.\n\nAnd so.',
    };
    await expectSpoken(texts);
    const markdown = new Markdown();
    const words = 'it is so, '.repeat(120);
    const known = spokenOf(`Use <think> if ${words}`.split('').flatMap((character) => markdown.push(character)));
    assert.ok(known.startsWith('Use think if it is so'));
  });

  // n4ze3m/page-assist 753, AAswordman/Operit 727
  it('leaves out a thought up to its first end, by any of its names', async () => {
    for (const text of [
      '<think>So.</thinking>Rain.',
      '<thinking>So.</think>Rain.',
      '<thought>So.</reasoning>Rain.',
      '<think>I write <think> first.</think>Rain.',
      '<tool_call>{"a": "<tool_call>"}</tool_call>Rain.',
      '<tool_calls>{"a": 1}</tool_call>Rain.',
      '<think><analysis>So.</analysis> And so.</think>Rain.',
    ])
      await expectSpoken({ [text]: 'Rain.' });
  });

  // rany2/edge-tts 173, DrewThomasson/ebook2audiobook 1857, cheeriojs/cheerio 2841, html-to-text/node-html-to-text 71
  it('keeps the words apart that only a mark separates', async () => {
    const texts = {
      'Press<break time="1s"/>and hold.<break/>So.': 'Press and hold. So.',
      'Good night<|eot_id|>Ann</s>Tom<bos>(Eva)': 'Good night Ann Tom (Eva)',
      'I check<think>so</think>It is.<tool_call>{}</tool_call>Rain<!-- a -->or[THINK]b[/THINK]sun.':
        'I check It is. Rain or sun.',
      '<option>A</option><option>B</option><label>C</label><button>D</button>': '\nA\n\nB\nC D',
      '<main>A</main><header>B</header><title>C</title>': '\nA\n\nB\n\nC\n',
      '<item>One.</item><item>Two</item>, <s>Rain.</s><s>Sun.</s> so<break/>, “<break/>yes”':
        'One. Two, Rain. Sun. so, “yes”',
      'Un<em>do</em>, H<sub>2</sub>O, w<b>or</b>d, so<wbr>on, <a href="b">c</a>s': 'Undo, H2O, word, soon, cs',
    };
    await expectSpoken(texts);
  });
});
