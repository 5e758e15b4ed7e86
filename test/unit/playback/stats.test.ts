import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ConnectionCounters } from '../../../src/connection/command.js';
import { playingStage, RATE, sessionOf, settled, Stage } from './stage.js';

function counters(differences: Partial<ConnectionCounters>): ConnectionCounters {
  return {
    bytesReceived: 0,
    framesReceived: 0,
    framesMalformed: 0,
    sequenceGaps: 0,
    messagesIgnored: 0,
    timingsMalformed: 0,
    samplesReceived: 0,
    spilledSamples: 0,
    quiet: [],
    oldest: null,
    newest: null,
    byteOrder: 'unknown',
    protocolVersion: null,
    socketOpenMs: 0,
    ...differences,
  };
}

async function sounding(): Promise<Stage> {
  const stage = await playingStage();
  stage.played(0);
  return stage;
}

describe('Statistics of a speaker', () => {
  it('are zero or null before anything happens', () => {
    const stats = new Stage().playback.getStats();
    for (const [name, value] of Object.entries(stats)) {
      if (name === 'headerByteOrder') continue;
      assert.ok(value === 0 || value === null || name.startsWith('outputUnderrun'), `${name} is ${value}`);
    }
    assert.equal(stats.headerByteOrder, 'unknown');
  });

  it('count the underruns of the output where the browser does', async () => {
    const stage = await sounding();
    assert.equal(stage.playback.getStats().outputUnderruns, undefined);
    assert.equal(stage.playback.getStats().outputUnderrunMs, undefined);
    stage.output.playbackStats = { underrunEvents: 2, underrunDuration: 0.25 };
    assert.equal(stage.playback.getStats().outputUnderruns, 2);
    assert.equal(stage.playback.getStats().outputUnderrunMs, 250);
  });

  it('combine the counters of worker, audio thread and output', async () => {
    const stage = await sounding();
    await stage.report({
      type: 'counters',
      counters: counters({
        bytesReceived: 10,
        framesReceived: 2,
        framesMalformed: 1,
        sequenceGaps: 3,
        samplesReceived: 500,
        byteOrder: 'big',
        socketOpenMs: 77,
      }),
    });
    stage.node.counted = { ...stage.node.counted, emittedSamples: 99.6, concealedSamples: 20, underruns: 1 };
    const stats = stage.playback.getStats();
    assert.deepEqual(
      [stats.bytesReceived, stats.framesReceived, stats.framesMalformed, stats.sequenceGaps, stats.socketOpenMs],
      [10, 2, 1, 3, 77],
    );
    assert.deepEqual([stats.jitterBufferEmittedCount, stats.totalSamplesReceived, stats.underruns], [100, 520, 1]);
    assert.deepEqual(
      [stats.transport, stats.audioBackend, stats.sampleRate, stats.contextSampleRate, stats.outputLatency],
      ['shared', 'native', RATE, 48000, 0.03],
    );
    assert.equal(stats.headerByteOrder, 'big');
  });

  it('use the WebRTC names for concealed, inserted and removed samples', async () => {
    const stage = await sounding();
    const counted = { concealedSamples: 700.4, silentConcealedSamples: 300.2, insertedSamples: 41, removedSamples: 13 };
    stage.node.counted = { ...stage.node.counted, ...counted, underruns: 2 };
    const stats = stage.playback.getStats();
    assert.deepEqual(
      [stats.concealedSamples, stats.silentConcealedSamples, stats.concealmentEvents, stats.underruns],
      [700, 300, 2, 2],
    );
    assert.deepEqual([stats.insertedSamplesForDeceleration, stats.removedSamplesForAcceleration], [41, 13]);
    assert.equal(stats.totalSamplesReceived, 700); // none of them from the socket
  });

  it('accumulate over the audio nodes of a speaker', async () => {
    const stage = await sounding();
    const counted = { concealedSamples: 9, silentConcealedSamples: 7, insertedSamples: 5, removedSamples: 3 };
    stage.node.counted = { ...stage.node.counted, ...counted, jitterBufferTargetDelay: 0.5, underruns: 1 };
    await stage.send(1, 1);
    await stage.hear('end 1', 'drained');
    stage.provide = () => sessionOf({ sampleRate: 48000 });
    stage.playback.speak('Two.');
    await settled();
    await stage.connect(2);
    await stage.hear('playing', 'start 2');
    assert.equal(stage.output.nodes.length, 2);
    stage.node.counted = { ...stage.node.counted, ...counted, jitterBufferTargetDelay: 0.5, underruns: 1 };
    const stats = stage.playback.getStats();
    assert.deepEqual(
      [
        stats.concealedSamples,
        stats.silentConcealedSamples,
        stats.insertedSamplesForDeceleration,
        stats.removedSamplesForAcceleration,
        stats.jitterBufferTargetDelay,
        stats.concealmentEvents,
      ],
      [18, 14, 10, 6, 1, 2],
    );
  });

  it('measure the time from the first frame to its sound, including the output latency', async () => {
    const stage = new Stage();
    stage.playback.speak('One.');
    await settled();
    await stage.connect(1);
    await stage.report({ type: 'first-audio', serial: 1, atMs: stage.clock.now() });
    stage.clock.advance(120);
    await stage.hear('playing', 'start 1'); // plus 30 ms of output latency
    assert.equal(stage.playback.getStats().firstFrameToSoundMs, 150);
    stage.clock.advance(500);
    await stage.hear('start 1');
    assert.equal(stage.playback.getStats().firstFrameToSoundMs, 150);
  });

  it('are reset when the speaker is closed', async () => {
    const stage = await sounding();
    await stage.report({ type: 'counters', counters: counters({ bytesReceived: 10 }) });
    stage.playback.close();
    assert.equal(stage.playback.getStats().bytesReceived, 0);
    assert.equal(stage.playback.getStats().sampleRate, null);
  });
});

describe('The buffered range', () => {
  it('includes heard speech, and speech that waits in the ring and in the worker', async () => {
    const stage = await sounding();
    await stage.report({ type: 'counters', counters: counters({ spilledSamples: RATE }) });
    stage.output.latency = 0;
    stage.played(1);
    stage.node.counted.bufferedSamples = 2 * RATE;
    assert.equal(stage.playback.currentTime, 1);
    assert.equal(stage.playback.buffered.end(0), 4);
    assert.equal(stage.playback.played.end(0), 1);
    assert.equal(stage.playback.seekable.length, 0);
  });

  it('ends at the duration once that is known', async () => {
    const stage = await sounding();
    await stage.report({ type: 'received', serial: 1, samples: 3 * RATE });
    stage.output.latency = 0;
    stage.node.counted.emittedSamples = 0.5 * RATE;
    stage.node.counted.bufferedSamples = 3 * RATE;
    assert.equal(stage.playback.buffered.end(0), 3);
  });
});
