import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Markdown } from '../../../src/speakable/markdown.js';
import { spokenOf } from '../../../src/speakable/runs.js';
import { expectSpoken } from './read-pieces.js';

describe('Text of notes and chats', () => {
  // joethei/obsidian-tts 44, adrianlyjak/obsidian-aloud-tts 63
  it('has no properties before it', async () => {
    const texts = {
      '---\ntitle: Tides\nmy tags:\n  - a\n- b\n\n# c\ndate: 2024-01-05\n---\nRain: so.': 'Rain: so.',
      '+++\r\ntítulo = "a"\r\n[b]\r\n+++\r\n\nRain.': '\nRain.',
      '---\ntitle: a\n---\n```md\nRain.\n```': 'Rain.\n',
      '---\nRain. And sun: so.\n\n---\nWind.': 'Rain. And sun: so.\n\nWind.',
      '---\n\ntitle: a\n\n---\nRain.\n\n---\nb: c\n\n---': '\ntitle: a\n\nRain.\n\nb: c\n\n',
      '---\nMind: it rains.\nSo.': 'Mind: it rains.\nSo.',
      '---': '',
    };
    await expectSpoken(texts);
    const markdown = new Markdown();
    const known = spokenOf(
      `---\n${'It rains here, '.repeat(20)}`.split('').flatMap((character) => markdown.push(character)),
    );
    assert.ok(known.startsWith('It rains here'));
  });

  // joethei/obsidian-tts 37
  it('has no comments', async () => {
    await expectSpoken({
      'Rain %%a%% falls.': 'Rain falls.',
      'It is 5 %, or 6 %% of it.': 'It is 5 %, or 6 %% of it.',
    });
  });

  it('has the words of messages in a chat', async () => {
    const texts = {
      // slack-notifier/slack-notifier 1
      'Read <https://a.org/b|the notes>, <mailto:c@a.org|Cid>, <#C12|general> and <@U12|Ann Lee>; <!here> so.':
        'Read the notes, Cid, general and Ann Lee;  so.',
      // moonstar-x/discord-tts-bot 51
      'So <@12>, <@!12>, <#12> and <:blob:12>: at <t:1700000000:R><a:b:12>.': 'So , ,  and : at .',
      'It is ||so|| (||and so||), a || b, a||b, f(x)||g(y), 5 | 6.':
        'It is so (and so), a || b, a||b, f(x)||g(y), 5 | 6.',
      'Done :tada::fire: and :+1:, so :sun_with_face:! At 10:30: std::move, a:b:, :c d: and e::f: here.':
        'Done and, so! At 10:30: std::move, a:b:, :c d: and e::f: here.',
    };
    await expectSpoken(texts);
  });
});
