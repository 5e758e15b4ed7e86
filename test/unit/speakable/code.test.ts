import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { spokenOf } from '../../../src/speakable/runs.js';
import { readPieces } from './read-pieces.js';

describe('Code in Markdown', () => {
  const texts = {
    // FiligranHQ/filigran-ui 289, openai/codex 44407: a block of Markdown that contains others
    'Here:\n```markdown\n# A\n```bash\nls\n```\nb\n~~~\nc\n```\nDone.': 'Here:\nDone.',
    'Here:\n````md\n```js\nx\n```\n````\nDone.': 'Here:\nDone.',
    '```js\n```py\n```\nDone.': 'Done.',
    // Fighter90/career-ops-ui 274: one that is all of the answer
    '```markdown\n# Plan\n\nDo **this**.\n```js\nx\n```\nThen that.\n```\nDone.': 'Plan\n\nDo this.\nThen that.\nDone.',
    'Hi.\n\n```md\n# Plan\n```\n': 'Hi.\n\n',
    // NousResearch/hermes-agent 43981
    '```sh\npwd\n```It shows the folder.\nThen go on.': 'It shows the folder.\nThen go on.',
    'So:\n```\npwd\n```. It shows\nit.': 'So:\n. It shows\nit.',
    '```sh\npwd\n```：然后\n继续。': '：然后\n继续。',
    '~~~\npwd\n~~~Done.\nGo on.': 'Done.\nGo on.',
    '````\n```It is so.\n```js\n```js app.js\n```{r, a}\n````\nDone.': 'Done.',
    '```\nx\n```js app\n```python main.py\ny\n```\nDone.': 'Done.',
    // SillyTavern/SillyTavern 5406: authors indent paragraphs
    '    if (x) {\n      Return the value.\n    }\n\n\tlet y = 1;\n\nDone.': '\n\nDone.',
    '    $ make all\n    SELECT a FROM b WHERE c\n    Foo.bar(x).\n    Class A extends B\n\n    Name: value\n\nDone.':
      '\n\nDone.',
    '    The sun set.\n    Nobody spoke.\n\n\tThen it *rained*.': 'The sun set.\n    Nobody spoke.\n\nThen it rained.',
    '    “Stop!” she said.\n\n    — Oui.\n\n    天黑了。\n\n    Yes.':
      '“Stop!” she said.\n\n— Oui.\n\n天黑了。\n\nYes.',
    [`    So it goes. ${'And on, '.repeat(200)}\n    Yes.`]: `So it goes. ${'And on, '.repeat(200)}\n    Yes.`,
    '- One.\n\n      So it goes, with hey and ho,\n': 'One.\n\nSo it goes, with hey and ho,\n',
    // ndycode/oc-codex-multi-auth 84, markup-carve/carve 646, BrokkAi/brokk-app 1682
    '1. Run:\n   ```sh\n   ls\n```\n2. Then.': 'Run:\nThen.',
    '1. Run:\n   ```sh\nls\n   ```\n2. Then.': 'Run:\nThen.',
    '- ```\nx\n```\n- Then.': 'Then.',
    '1. Run:\n```sh\nls\n```\n2. Then.': 'Run:\nThen.',
  };
  for (const [text, expected] of Object.entries(texts)) {
    it(`is not spoken: ${JSON.stringify(text)}`, async () => {
      for (const pieces of [[text], text.split('')]) {
        const { runs } = await readPieces(...pieces);
        assert.equal(spokenOf(runs), expected);
      }
    });
  }
});
