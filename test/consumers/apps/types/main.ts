/** Compiled, never run: imports from the subpaths of the package, compiled as in a user's project. */
import {
  SpeakerError,
  type SpeakerMessages,
  SvcSpeakerElement,
  type SessionResponse,
  UtteranceEvent,
} from 'svc-speaker';
import { workerUrl, workletUrl } from 'svc-speaker/assets.js';
import { createSpeechBackend, nodeHandler, SvcApiError, SvcClient } from 'svc-speaker/backend.js';
import manifest from 'svc-speaker/custom-elements.json' with { type: 'json' };
import 'svc-speaker/define.js';
import { parseRecording, type SpeakerRecording, SvcSpeakerInspectorElement } from 'svc-speaker/inspector.js';
import german from 'svc-speaker/messages/de.js';
import { decodeFrameHeader, parseSessionResponse } from 'svc-speaker/protocol.js';
import { expect, record, type Reply, test, tone } from 'svc-speaker/testing.js';

export const speaker: SvcSpeakerElement = document.createElement('svc-speaker');
export const inspector: SvcSpeakerInspectorElement = document.createElement('svc-speaker-inspector');
export const recording: SpeakerRecording = parseRecording(inspector.exportRecording());
const found: SvcSpeakerElement | null = document.querySelector('svc-speaker');
speaker.workerUrl = workerUrl;
speaker.workletUrl = workletUrl;
speaker.messages = { ...german, playLabel: 'Anhören' } satisfies SpeakerMessages;
// @ts-expect-error -- a message is a string
speaker.messages = { playLabel: 1 };

speaker.addEventListener('utteranceend', (event) => {
  const { contextId, text }: { contextId: string; text: string } = event.utterance;
  console.log(contextId, text, event satisfies UtteranceEvent);
});
speaker.addEventListener('underrun', ({ durationMs }) => durationMs.toFixed());
speaker.addEventListener('click', (event: MouseEvent) => event.clientX);
// @ts-expect-error -- this event has no utterance
speaker.addEventListener('socketclose', ({ utterance }) => utterance);
// @ts-expect-error -- no such transport
speaker.transport = 'pigeon';
// @ts-expect-error -- read-only
speaker.duration = 1;

export async function speak(): Promise<number> {
  try {
    await found?.speak('Hello.', { contextId: 'greeting' }).finished;
  } catch (error) {
    if (error instanceof SpeakerError && error.reason === 'output-failed') return error.code;
  }
  return speaker.getStats().jitterBufferDelay;
}

const client = new SvcClient({ baseUrl: 'https://example.com', apiKey: 'key' });
export const session: Promise<SessionResponse> = client.createSession({ voice_id: 'anna' });
export const handler = nodeHandler(
  createSpeechBackend({ baseUrl: 'https://example.com', apiKey: 'key', authorize: () => true }),
);
export const fromEnvironment = createSpeechBackend({
  baseUrl: process.env['SVC_BASE_URL'],
  apiKey: process.env['SVC_API_KEY'],
  authorize: () => true,
});
speaker.session = undefined;
speaker.sessionProvider = undefined;
export const status = (error: unknown): number | null => (error instanceof SvcApiError ? error.status : null);

export const parsed = parseSessionResponse({});
export const header = decodeFrameHeader(new Uint8Array(12), 'big');
export const schemaVersion: string = manifest.schemaVersion;

export const reply: Reply = { audio: tone(440, 2), network: 'stalls', seed: 2 };
test.use({ contextSampleRate: 48_000 });
test('the kit', async ({ page, gateway }) => {
  gateway.reply(reply);
  const recording = await gateway.record(page.locator('svc-speaker'));
  await expect(recording).toMatchAudio(gateway.sent(), { snr: 60 });
  await expect(await record(page)).toHavePlayed({ seconds: 2 });
  // @ts-expect-error -- there is no such network
  gateway.reply({ network: 'tin cans' });
});
