import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import english from '../../../src/messages/en.js';
import type { SpeakerMessages } from '../../../src/messages/speaker-messages.js';

const root = new URL('../../../', import.meta.url);
const names = Object.keys(english) as (keyof SpeakerMessages)[];

/** Languages with a module, by the names of the files. */
const languages = readdirSync(new URL('src/messages/', root))
  .filter((file) => file.endsWith('.ts') && file !== 'en.ts' && file !== 'speaker-messages.ts')
  .map((file) => file.slice(0, -'.ts'.length));

/** Words that a language has in common with English. */
const SAME: Readonly<Record<string, readonly string[]>> = { fr: ['pauseLabel', 'volumeLabel'] };

async function messagesOf(language: string): Promise<SpeakerMessages> {
  const module = (await import(`../../../src/messages/${language}.ts`)) as { default: SpeakerMessages };
  return module.default;
}

describe('The languages of the controls', () => {
  it('are German, French, Spanish, Japanese and Arabic', () => {
    assert.deepEqual(languages.toSorted(), ['ar', 'de', 'es', 'fr', 'ja']);
  });

  it('are exported by the package, with types', () => {
    const { exports, typesVersions } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as {
      exports: Record<string, unknown>;
      typesVersions: { '*': Record<string, unknown> };
    };
    for (const language of languages) {
      const file = `./dist/messages/${language}`;
      assert.deepEqual(exports[`./messages/${language}.js`], { types: `${file}.d.ts`, default: `${file}.js` });
      assert.deepEqual(typesVersions['*'][`messages/${language}.js`], [`${file}.d.ts`]);
    }
  });

  for (const language of languages) {
    it(`have every message: ${language}`, async () => {
      const messages = await messagesOf(language);
      assert.deepEqual(Object.keys(messages).toSorted(), names.toSorted());
      const empty = names.filter((name) => messages[name].trim() !== messages[name] || messages[name] === '');
      assert.deepEqual(empty, []);
    });

    it(`have no English message: ${language}`, async () => {
      const messages = await messagesOf(language);
      const same = names.filter((name) => messages[name].toLowerCase() === english[name].toLowerCase());
      assert.deepEqual(same, SAME[language] ?? []);
    });

    it(`say both times of the progress bar once: ${language}`, async () => {
      const { progressValue } = await messagesOf(language);
      for (const place of ['{time}', '{duration}']) assert.equal(progressValue.split(place).length, 2, place);
    });

    it(`end each sentence about an error as the language does: ${language}`, async () => {
      const messages = await messagesOf(language);
      const end = language === 'ja' ? '。' : '.';
      const sentences = names.filter((name) => name.endsWith('Error'));
      assert.ok(sentences.length > 5);
      assert.deepEqual(
        sentences.filter((name) => !messages[name].endsWith(end)),
        [],
      );
    });

    it(`name themselves: ${language}`, async () => assert.equal((await messagesOf(language)).lang, language));
  }
});
