import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Texts } from '../../../src/controls/texts.js';
import german from '../../../src/messages/de.js';
import french from '../../../src/messages/fr.js';
import japanese from '../../../src/messages/ja.js';

/** Some languages write a space that does not break. */
const withPlainSpaces = (text: string): string => text.replaceAll(/\s/g, ' ');

describe('The texts of the controls', () => {
  it('are English without messages', () => {
    const texts = new Texts(null);
    assert.equal(texts.get('playLabel'), 'Play');
    assert.equal(texts.get('lang'), 'en');
  });

  it('are English where a message is missing or undefined', () => {
    const texts = new Texts({ playLabel: 'Listen', pauseLabel: undefined as never });
    assert.deepEqual([texts.get('playLabel'), texts.get('pauseLabel')], ['Listen', 'Pause']);
  });

  it('keep a message that is empty', () => assert.equal(new Texts({ readyStatus: '' }).get('readyStatus'), ''));

  for (const [time, clock, spoken] of [
    [0, '0:00', '0 seconds'],
    [1.9, '0:01', '1 second'],
    [5, '0:05', '5 seconds'],
    [60, '1:00', '1 minute'],
    [65, '1:05', '1 minute, 5 seconds'],
    [3599, '59:59', '59 minutes, 59 seconds'],
    [72_000, '1200:00', '1,200 minutes'],
  ] as const) {
    it(`show ${time} s as ${clock}, and say ${spoken}`, () => {
      const texts = new Texts(null);
      assert.deepEqual([texts.clock(time), texts.spokenTime(time)], [clock, spoken]);
    });
  }

  it('say times as the language does', () => {
    const said = [german, french, japanese].map((messages) => withPlainSpaces(new Texts(messages).spokenTime(65)));
    assert.deepEqual(said, ['1 Minute, 5 Sekunden', '1 minute et 5 secondes', '1 分 5 秒']);
  });

  it('write numbers as the language does', () => {
    const texts = new Texts(german);
    assert.equal(texts.number(1.25), '1,25');
    assert.equal(withPlainSpaces(texts.percent(0.4)), '40 %');
  });

  it('have the digits of the language', () => assert.equal(new Texts({ lang: 'ar-EG' }).clock(65), '١:٠٥'));
});
