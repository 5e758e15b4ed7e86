import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { settled, Stage } from './stage.js';

describe('Playback whose page wants other sessions', () => {
  it('tells the worker from which utterance on, once', async () => {
    const stage = new Stage();
    stage.playback.speak('One.');
    await settled();
    await stage.connect(1);
    stage.playback.speak('Two.');
    await settled();
    assert.deepEqual(stage.sent('renew'), []);
    stage.sessionWish = 'another voice';
    stage.playback.speak('Three.');
    stage.playback.speak('Four.');
    await settled();
    assert.deepEqual(stage.sent('renew'), [{ type: 'renew', serial: 3 }]);
    const order = stage.commands.map(({ type }) => type).filter((type) => type === 'renew' || type === 'enqueue');
    assert.deepEqual(order, ['enqueue', 'enqueue', 'renew', 'enqueue', 'enqueue']);
  });
});
