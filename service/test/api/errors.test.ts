import assert from 'node:assert/strict';
import { it } from 'node:test';
import Fastify from 'fastify';
import { addErrors } from '../../src/api/errors.js';

it('reports an error that the client did not cause, and does not explain it to the client', async () => {
  const reported: unknown[] = [];
  const app = Fastify();
  addErrors(app, (error) => reported.push(error));
  const bug = new Error('password of the database');
  const lost = Object.assign(new Error('no route to 10.0.0.7'), { code: 'unreachable' });
  const refused = Object.assign(new Error('This name is taken.'), { statusCode: 409 });
  const errors = { bug, lost, refused };
  for (const [name, error] of Object.entries(errors)) app.get(`/${name}`, () => Promise.reject(error));
  const answers: unknown[] = [];
  for (const name of Object.keys(errors)) {
    const { statusCode, body } = await app.inject(`/${name}`);
    answers.push([statusCode, JSON.parse(body)]);
  }
  assert.deepEqual(answers, [
    [500, { detail: 'The service failed.' }],
    [503, { detail: 'The service cannot reach its database: try again later.' }],
    [409, { detail: 'This name is taken.' }],
  ]);
  assert.deepEqual(reported, [bug, lost]);
  await app.close();
});
