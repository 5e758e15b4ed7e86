import { startDemo } from './demo-server.js';
import { expect, test } from './demo-test.js';

test('npm start prints one line on stdout, and ends when it is asked to', async () => {
  const { url, lines, stop } = await startDemo();
  expect(lines).toEqual([`ready ${url}`]);
  expect(await stop()).toBe(0);
});

test('npm start on a port that is taken says so, and what to do', async ({ demo }) => {
  const { port } = new URL(demo.url);

  await expect(startDemo({ PORT: port })).rejects.toThrow(
    new RegExp(`ended with code 1:\\s*Port ${port} is taken.*PORT=\\d+ npm start`, 's'),
  );
});

test('npm start with a service but no key for it says which variable is missing', async () => {
  const started = startDemo({ SVC_BASE_URL: 'https://speech.example', SVC_API_KEY: '' });

  await expect(started).rejects.toThrow(/SVC_API_KEY/);
});
