import { expect, test } from '../demo-test.js';

test('demo/talk-back/ explains that there is no microphone, and plays a recording in its place', async ({
  page,
  demo,
}) => {
  await page.goto(`${demo.url}demo/talk-back/`);
  await page.getByRole('button', { name: 'Speak', exact: true }).click();
  const listening = page.locator('#listening');
  await expect(listening).toHaveText(/microphone .*\. Or play a recording in its place, below\.$/);
  const events = page.getByRole('list', { name: 'Events' }).locator('.what');
  await expect(events.first()).toHaveText('speaks');

  await page.getByRole('button', { name: 'Make a short noise' }).click();
  await expect(listening).toHaveText('Listening to the recording.');
  await expect(events.first()).toHaveText('restored it was a noise');
  await page.getByRole('button', { name: 'Say “Stop, please.”' }).click();
  await expect(events.first()).toHaveText(/^stopped after \d/);
  await expect(page.locator('#story mark')).not.toBeEmpty();
});

test('demo/talk-back/ explains that its microphone was unplugged', async ({ page, demo }) => {
  await page.goto(`${demo.url}demo/talk-back/`);
  // The stream of a recording in the place of the microphone's, which a test cannot unplug.
  await page.evaluate(() => {
    const { stream } = new AudioContext().createMediaStreamDestination();
    navigator.mediaDevices.getUserMedia = () => Promise.resolve(stream);
    Object.assign(window, { unplug: () => stream.getTracks()[0]!.dispatchEvent(new Event('ended')) });
  });
  await page.getByRole('button', { name: 'Listen' }).click();
  const listening = page.locator('#listening');
  await expect(listening).toHaveText('Listening to the microphone.');
  await page.evaluate(() => (window as unknown as { unplug: () => void }).unplug());
  await expect(listening).toHaveText('The microphone was unplugged. Or play a recording in its place, below.');
  await expect(page.getByRole('button', { name: 'Listen' })).toHaveAttribute('aria-pressed', 'false');
});
