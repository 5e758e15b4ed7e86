import { startDemo } from './demo-server.js';
import { expect, test } from './demo-test.js';
import { long } from './long.js';

test('npm start prints one line on stdout, and ends on SIGTERM', long, async () => {
  const { url, lines, stop } = await startDemo();
  expect(lines).toEqual([`ready ${url}`]);
  expect(await stop()).toBe(0);
});

test('npm start reports a port that is taken, and what to do', async ({ demo }) => {
  const { port } = new URL(demo.url);

  await expect(startDemo({ PORT: port })).rejects.toThrow(
    new RegExp(`ended with code 1:\\s*Port ${port} is taken.*PORT=\\d+ npm start`, 's'),
  );
});

test('npm start with a service but no key reports which variable is missing', async () => {
  const started = startDemo({ SVC_BASE_URL: 'https://speech.example', SVC_API_KEY: '' });

  await expect(started).rejects.toThrow(/SVC_API_KEY/);
});
