import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeVtt } from '../../../src/element/web-vtt.js';

const TEXT = 'One <b> & two.\n\nThree!  ';
const WORDS = [
  { from: 0, to: 3, startTime: 0.1, endTime: 0.4 },
  { from: 10, to: 13, startTime: 0.5, endTime: 0.9 },
  { from: 16, to: 21, startTime: 3661.2345, endTime: 3661.2345 },
];

describe('makeVtt', () => {
  it('has a cue for each sentence', async () => {
    assert.equal(
      await makeVtt([{ text: TEXT, words: WORDS }], 'sentence', ''),
      'WEBVTT\n\n00:00:00.100 --> 00:00:00.900\nOne &lt;b&gt; &amp; two.\n\n' +
        '01:01:01.235 --> 01:01:01.236\nThree!\n',
    );
  });

  // osk/node-webvtt 9, videojs/video.js 7956, rany2/edge-tts 36
  it('has cues that take time, and end where the next one begins', async () => {
    const text = 'One. Two. Three.';
    const words = [
      { from: 0, to: 3, startTime: 0.0095, endTime: 0.0095 },
      { from: 5, to: 8, startTime: 1, endTime: 2.5 },
      { from: 10, to: 15, startTime: 2, endTime: 3 },
    ];
    for (const by of ['word', 'sentence'] as const) {
      assert.deepEqual(
        (await makeVtt([{ text, words }], by, '')).split('\n').filter((line) => line.includes('-->')),
        ['00:00:00.010 --> 00:00:00.011', '00:00:01.000 --> 00:00:02.000', '00:00:02.000 --> 00:00:03.000'],
      );
    }
  });

  it('has a cue for each word', async () => {
    const vtt = await makeVtt([{ text: TEXT, words: WORDS }], 'word', '');
    assert.deepEqual(
      vtt.split('\n').filter((line) => /^\w+$/.test(line)),
      ['WEBVTT', 'One', 'two', 'Three'],
    );
  });

  it('has the cues of several texts, one after the other', async () => {
    const later = [{ from: 0, to: 2, startTime: 4, endTime: 5 }];
    const vtt = await makeVtt(
      [
        { text: 'One.', words: WORDS.slice(0, 1) },
        { text: 'No. 2', words: later },
      ],
      'sentence',
      '',
    );
    assert.equal(vtt, 'WEBVTT\n\n00:00:00.100 --> 00:00:00.400\nOne.\n\n00:00:04.000 --> 00:00:05.000\nNo. 2\n');
  });

  it('has no cue without a word', async () => {
    assert.equal(await makeVtt([{ text: '… !', words: [] }], 'sentence', ''), 'WEBVTT\n');
  });

  // papnkukn/subsrt 12, videojs/vtt.js 64: an empty line, of any kind, ends a cue.
  it('has no empty line in a cue', async () => {
    for (const line of ['\n', '\r', '\r\n']) {
      const words = [
        { from: 0, to: 3, startTime: 0, endTime: 1 },
        { from: 3 + 2 * line.length, to: 6 + 2 * line.length, startTime: 1, endTime: 2 },
      ];
      const vtt = await makeVtt([{ text: `One${line}${line}two -->`, words }], 'sentence', '');
      const cues = vtt.split(/\r\n|[\r\n]/).filter((text) => text && !text.includes(' --> '));
      assert.equal(cues.join(' '), 'WEBVTT One two --&gt;');
      assert.doesNotMatch(vtt, /\r/);
    }
  });
});
