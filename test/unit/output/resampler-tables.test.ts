import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { designResampler, ecoResampler } from '../../../src/dsp/index.js';
import { resamplerTable } from '../../../src/output/resampler-tables.js';

describe('Resampler tables', () => {
  it('are designed once for all callers with the same parameters', () => {
    const table = resamplerTable(24000, 48000, 'fine', false);
    assert.equal(resamplerTable(24000, 48000, 'fine', false), table);
    for (const other of [
      resamplerTable(24000, 44100, 'fine', false),
      resamplerTable(16000, 48000, 'fine', false),
      resamplerTable(24000, 48000, 'eco', false),
      resamplerTable(24000, 48000, 'fine', true),
    ]) {
      assert.notEqual(other, table);
    }
  });

  it('match the requested quality', () => {
    assert.deepEqual(resamplerTable(24000, 48000, 'fine', false), designResampler(24000, 48000));
    assert.deepEqual(resamplerTable(24000, 48000, 'eco', false), designResampler(24000, 48000, ecoResampler));
  });

  it('are in shared memory if the page is isolated', () => {
    const shared = resamplerTable(24000, 48000, 'fine', true);
    assert.ok(shared.coefficients.buffer instanceof SharedArrayBuffer);
    assert.deepEqual([...shared.coefficients], [...designResampler(24000, 48000).coefficients]);
  });

  it('are evicted after many other rates, unless they are in use', () => {
    const inUse = resamplerTable(24000, 48000, 'fine', false);
    const first = resamplerTable(24001, 48000, 'eco', false);
    for (let rate = 24002; rate < 24022; rate++) {
      resamplerTable(rate, 48000, 'eco', false);
      assert.equal(resamplerTable(24000, 48000, 'fine', false), inUse);
    }
    assert.notEqual(resamplerTable(24001, 48000, 'eco', false), first);
  });
});
