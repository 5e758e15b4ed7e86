/**
 * Faults that users of realtime APIs have reported in public about the playback of other programs, each as the messages that
 * the service sent, played by the recipes of the docs. The values were written down before the first run.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { ensureInstalled } from '../../scripts/install.mjs';
import type { Utterance } from '../../src/index.js';
import { long } from '../long.js';
import { bundleProgram, example, ROOT } from './example.js';
import { startHost, type Host } from './host.js';

/**
 * A message of the service. In the page, `$1` to `$9` become base64 of a tenth of a second of samples with this value, and
 * `$odd` and `$rest` that of one whose first part ends in the middle of a sample, and `$long` that of 30 s. The other steps: `begun` and `ended` wait
 * for the next event of an utterance, `interrupt` calls the function of the recipe, `close` closes the socket.
 */
type Step = object | 'begun' | 'ended' | 'interrupt' | 'close';

interface Report {
  readonly fault: string;
  readonly steps: readonly Step[];
  /** Text and audio of each utterance that has begun, as the values of its tenths of a second; or that it is cancelled. */
  readonly heard: readonly (readonly [text: string, audio: string])[];
  /** Types of the messages to the service. */
  readonly sent?: readonly string[];
}

const ids = (item: string, response: string): object => ({ response_id: response, item_id: item });
const created = (response = 'r'): object => ({ type: 'response.created', response: { id: response } });
const audio = (data: string, item = 'a', response = 'r'): object => ({
  type: 'response.output_audio.delta',
  ...ids(item, response),
  delta: data,
});
const text = (delta: string, item = 'a', response = 'r'): object => ({
  type: 'response.output_audio_transcript.delta',
  ...ids(item, response),
  delta,
});
const audioDone = (item = 'a', response = 'r'): object => ({
  type: 'response.output_audio.done',
  ...ids(item, response),
});
const textDone = (item = 'a', response = 'r'): object => ({
  type: 'response.output_audio_transcript.done',
  ...ids(item, response),
});
const itemDone = (item = 'a', response = 'r'): object => ({
  type: 'response.output_item.done',
  response_id: response,
  item: { id: item },
});
const done = (response = 'r', status = 'completed'): object => ({
  type: 'response.done',
  response: { id: response, status },
});
/** A whole answer that is played after another one, to see that nothing of that is left. */
const NEXT = [
  created('next'),
  text('Next.', 'n', 'next'),
  audio('$9', 'n', 'next'),
  audioDone('n', 'next'),
  textDone('n', 'next'),
  itemDone('n', 'next'),
  done('next'),
];
const NEXT_HEARD = ['Next.', '9'] as const;
const TRUNCATE = 'conversation.item.truncate';

const OPENAI: readonly Report[] = [
  // Azure-Samples/aoai-realtime-audio-sdk 54, fuwei007/OpenAI-realtimeapi-dotnetsdk 73
  {
    fault: 'audio comes after the end of the audio',
    steps: [
      created(),
      audio('$1'),
      text('One.'),
      audioDone(),
      audio('$2'),
      textDone(),
      audio('$3'),
      itemDone(),
      done(),
    ],
    heard: [['One.', '1 2 3']],
  },
  // livekit/agents 1854, hkjarral/AVA-AI-Voice-Agent-for-Asterisk 73
  {
    fault: 'an answer is only text',
    steps: [
      created(),
      { type: 'response.output_text.delta', ...ids('a', 'r'), delta: 'One.' },
      { type: 'response.output_text.done', ...ids('a', 'r'), text: 'One.' },
      itemDone(),
      done(),
    ],
    heard: [],
  },
  // livekit/agents 1988
  {
    fault: 'an answer has a transcript and no audio',
    steps: [created(), text('One.'), textDone(), done()],
    heard: [],
  },
  // livekit/agents 5808
  {
    fault: 'an answer is incomplete and ends in the middle',
    steps: [created(), text('One two'), audio('$1'), done('r', 'incomplete')],
    heard: [['One two', '1']],
  },
  // elevenlabs/packages 419
  {
    fault: 'the socket closes in the middle of an answer',
    steps: [created(), text('One two'), audio('$1'), 'close'],
    heard: [['One two', '1']],
  },
  // twilio-samples/speech-assistant-openai-realtime-api-node 37
  {
    fault: 'an answer fails before it has begun',
    steps: [created(), done('r', 'failed')],
    heard: [],
  },
  // pipecat-ai/pipecat 4465, livekit/agents 5690
  {
    fault: 'an answer has two items with audio',
    steps: [
      created(),
      text('One.'),
      audio('$1'),
      audioDone(),
      textDone(),
      itemDone(),
      'ended',
      text('Two.', 'b'),
      audio('$2', 'b'),
      audioDone('b'),
      textDone('b'),
      itemDone('b'),
      done(),
    ],
    heard: [
      ['One.', '1'],
      ['Two.', '2'],
    ],
  },
  // NousResearch/hermes-agent 100766
  {
    fault: 'the events have their earlier names',
    steps: [
      created(),
      { ...text('One.'), type: 'response.audio_transcript.delta' },
      { ...audio('$1'), type: 'response.audio.delta' },
      { ...audioDone(), type: 'response.audio.done' },
      { ...textDone(), type: 'response.audio_transcript.done' },
      done(),
    ],
    heard: [['One.', '1']],
  },
  // openai/openai-realtime-api-beta 113
  {
    fault: 'pieces of audio end in the middle of a sample',
    steps: [created(), text('One.'), audio('$odd'), audio('$rest'), audioDone(), textDone(), itemDone(), done()],
    heard: [['One.', '257']],
  },
  // openai/openai-agents-js 189
  {
    fault: 'an answer that has arrived completely is interrupted: there is nothing to cancel',
    steps: [
      created(),
      text('One.'),
      audio('$long'),
      audioDone(),
      textDone(),
      itemDone(),
      done(),
      'begun',
      'interrupt',
      { type: 'error', error: { type: 'invalid_request_error', code: 'response_cancel_not_active' } },
    ],
    heard: [['One.', 'AbortError']],
    sent: [TRUNCATE],
  },
  // livekit/agents 5703
  {
    fault: 'an answer is interrupted before it has audio',
    steps: [
      created(),
      'interrupt',
      text('One.'),
      audio('$1'),
      audioDone(),
      textDone(),
      itemDone(),
      done('r', 'cancelled'),
    ],
    heard: [],
    sent: ['response.cancel'],
  },
  // openai/openai-realtime-api-beta 54, huggingface/speech-to-speech 561
  {
    fault: 'audio of the answer, and of another item of it, comes after an interruption',
    steps: [
      created(),
      text('One.'),
      audio('$long'),
      'begun',
      'interrupt',
      audio('$7'),
      text('Two.', 'b'),
      audio('$7', 'b'),
      audioDone('b'),
      textDone('b'),
      done('r', 'cancelled'),
    ],
    heard: [['One.', 'AbortError']],
    sent: ['response.cancel', TRUNCATE],
  },
];

const content = (all: object): object => ({ serverContent: all });
const parts = (...all: string[]): object => ({
  modelTurn: {
    parts: all.map((one) =>
      one.startsWith('$') ? { inlineData: { mimeType: 'audio/pcm;rate=24000', data: one } } : { text: one },
    ),
  },
});
const said = (words: string): object => content({ outputTranscription: { text: words } });
const GENERATED = content({ generationComplete: true });
const COMPLETE = content({ turnComplete: true });
const NEXT_TURN = [said('Next.'), content(parts('$9')), GENERATED, COMPLETE];

const GEMINI: readonly Report[] = [
  // strands-agents/harness-sdk 3725
  {
    fault: 'the message of an interruption has audio',
    steps: [said('One.'), content(parts('$long')), 'begun', content({ interrupted: true, ...parts('$7') }), COMPLETE],
    heard: [['One.', 'AbortError']],
  },
  // Project-N-E-K-O/N.E.K.O 1777, mastra-ai/mastra 17434
  {
    fault: 'an interrupted turn is never complete',
    steps: [
      said('One.'),
      content(parts('$long')),
      'begun',
      content({ interrupted: true }),
      content(parts('$7')),
      content({ inputTranscription: { text: 'Wait.' } }),
    ],
    heard: [['One.', 'AbortError']],
  },
  // livekit/agents 6431
  {
    fault: 'a turn is complete only when the service thinks that it was heard',
    steps: [said('One.'), content(parts('$1')), GENERATED, 'ended', COMPLETE],
    heard: [['One.', '1']],
  },
  // googleapis/python-genai 2117, googleapis/js-genai 707
  {
    fault: 'a turn is complete in the middle of a sentence',
    steps: [said('One'), content(parts('$1')), COMPLETE, said(' two.'), content(parts('$2')), COMPLETE],
    heard: [
      ['One', '1'],
      [' two.', '2'],
    ],
  },
  // googleapis/python-genai 2117, langwatch/scenario 726
  {
    fault: 'a turn has a transcript and no audio',
    steps: [said('Lost.'), COMPLETE],
    heard: [],
  },
  // agno-agi/agno 10131, bielcarpi/hermes-live-voice 53
  {
    fault: 'a message has several parts with audio, and text between them',
    steps: [said('One.'), content(parts('$1', 'a thought', '$2')), GENERATED, COMPLETE],
    heard: [['One.', '1 2']],
  },
  // livekit/agents 5742, 7195
  {
    fault: 'audio follows a call of a tool',
    steps: [
      said('One.'),
      content(parts('$1')),
      { toolCall: { functionCalls: [{ id: '1', name: 'tool', args: {} }] } },
      content({ outputTranscription: { finished: true } }),
      content(parts('$2')),
      GENERATED,
      COMPLETE,
    ],
    heard: [['One.', '1 2']],
  },
  {
    fault: 'audio and text follow the end of the generation',
    steps: [said('One '), content(parts('$1')), GENERATED, said('two.'), content(parts('$2')), COMPLETE],
    heard: [
      ['One ', '1'],
      ['two.', '2'],
    ],
  },
  // googleapis/js-genai 1189
  {
    fault: 'the socket closes in the middle of a turn',
    steps: [said('One'), content(parts('$1')), 'close'],
    heard: [['One', '1']],
  },
  // googleapis/python-genai 2333
  {
    fault: 'an interruption comes without speech, after a turn',
    steps: [said('One.'), content(parts('$1')), GENERATED, COMPLETE, 'ended', content({ interrupted: true }), COMPLETE],
    heard: [['One.', '1']],
  },
];

const INFO = {
  type: 'conversation_initiation_metadata',
  conversation_initiation_metadata_event: { agent_output_audio_format: 'pcm_24000' },
};
const response = (agent_response: string): object => ({
  type: 'agent_response',
  agent_response_event: { agent_response },
});
const sound = (audio_base_64: string, event_id: number): object => ({
  type: 'audio',
  audio_event: { audio_base_64, event_id },
});
const interruption = (event_id: number): object => ({ type: 'interruption', interruption_event: { event_id } });
const USER = { type: 'user_transcript', user_transcription_event: { user_transcript: 'Go on.' } };
const NEXT_ANSWER = [response('Next.'), sound('$9', 9), USER];

const ELEVENLABS: readonly Report[] = [
  // elevenlabs/elevenlabs-python 829
  {
    fault: 'the reply has the number of the interruption',
    steps: [
      INFO,
      response('One.'),
      sound('$long', 1),
      'begun',
      interruption(2),
      sound('$7', 1),
      response('Two.'),
      sound('$2', 2),
      USER,
    ],
    heard: [
      ['One.', 'AbortError'],
      ['Two.', '2'],
    ],
  },
  // elevenlabs/packages 685
  {
    fault: 'an interruption of an earlier answer comes late',
    steps: [INFO, response('One.'), sound('$1', 3), interruption(2), sound('$2', 3), USER],
    heard: [['One.', '1 2']],
  },
];

/** Interruptions are tested with the session of the SDK, whose model does not read earlier names of events. */
const AI_SDK = OPENAI.filter(({ steps, fault }) => !steps.includes('interrupt') && !fault.includes('earlier names'));

/** Returns a module that plays the messages of a socket through the AI SDK's model of OpenAI. */
async function aiSdkPlayer(): Promise<string> {
  await ensureInstalled('docs/examples/vendors');
  const program = `
    import { createOpenAI } from '@ai-sdk/openai';
    import { playedBy } from './vendors/ai-sdk.ts';
    const openai = createOpenAI({ apiKey: 'none' }).experimental_realtime('gpt-realtime');
    export function playSdkAnswers(socket: WebSocket) {
      const speaker = document.querySelector('svc-speaker')!;
      const { model, end } = playedBy(speaker, openai, (event) => socket.send(JSON.stringify(event)));
      socket.addEventListener('message', ({ data }) => model.parseServerEvent(JSON.parse(data)));
      socket.addEventListener('close', end);
    }`;
  return bundleProgram(program, { nodePaths: [join(ROOT, 'docs/examples/vendors/node_modules')] });
}

describe('A fault that users of realtime APIs have reported', { concurrency: 2 }, () => {
  let host: Host;

  before(async () => {
    host = await startHost();
  });

  after(() => host.close());

  const read = (file: string) => () => readFile(example(file), 'utf8');
  for (const [recipe, load, reports, next, asBytes, options] of [
    ['playAnswers', read('page/realtime-audio.js'), OPENAI, NEXT, false, {}],
    ['playGemini', read('page/agents.js'), GEMINI, NEXT_TURN, true, {}],
    ['playElevenLabsAgent', read('page/agents.js'), ELEVENLABS, NEXT_ANSWER, false, {}],
    ['playSdkAnswers', aiSdkPlayer, AI_SDK, NEXT, false, long],
  ] as const) {
    it(`does no harm to the playback of ${recipe}()`, options, async (t) => {
      const script = `import 'svc-speaker/define.js'; import * as all from './example.js'; globalThis.example = all;`;
      const { page, log } = await host.open(t, `<svc-speaker></svc-speaker><script type="module">${script}</script>`, {
        'example.js': await load(),
      });
      await page.waitForFunction(() => 'example' in globalThis);
      await page.evaluate('globalThis.__name = (named) => named');
      for (const { fault, steps, heard, sent = [] } of reports) {
        const outcome = await page.evaluate(
          async ({ name, all, bytes }) => {
            const speaker = document.querySelector('svc-speaker')!;
            speaker.clearHistory();
            const messages: string[] = [];
            const socket = Object.assign(new EventTarget(), {
              send: (json: string) => messages.push((JSON.parse(json) as { type: string }).type),
            });
            const interrupt = globalThis.example[name]!(socket as never) as () => void;
            const base64 = (...samples: number[]): string =>
              btoa(String.fromCharCode(...new Uint8Array(Int16Array.from(samples).buffer)));
            /** Three samples are six bytes, or eight characters. */
            const same = (value: number, tenths = 1): string => base64(value, value, value).repeat(800 * tenths);
            const data = (step: object): string =>
              JSON.stringify(step)
                .replaceAll(/\$(\d)/g, (_, value) => same(Number(value)))
                .replaceAll('$long', same(1, 300))
                .replaceAll('$odd', 'AQEB') // three bytes
                .replaceAll('$rest', `AQEB${same(257).slice(8)}`);
            const utterances: Utterance[] = [];
            const onStart = ({ utterance }: { utterance: Utterance }): number => utterances.push(utterance);
            speaker.addEventListener('utterancestart', onStart);
            const until = async (isTrue: () => boolean): Promise<void> => {
              const begin = performance.now();
              while (!isTrue()) {
                if (performance.now() - begin > 120_000) throw new Error(`Never true: ${isTrue}`);
                await new Promise((resolve) => setTimeout(resolve, 10));
              }
            };
            for (const step of all) {
              if (step === 'begun') await until(() => utterances.length > 0);
              else if (step === 'ended') await until(() => utterances.length > 0 && !speaker.hasSpeech);
              else if (step === 'interrupt') interrupt();
              else if (step === 'close') socket.dispatchEvent(new Event('close'));
              else {
                const json = data(step);
                const message = bytes ? new TextEncoder().encode(json).buffer : json;
                socket.dispatchEvent(new MessageEvent('message', { data: message }));
              }
            }
            await until(() => utterances.at(-1)?.text === 'Next.' && !speaker.hasSpeech);
            speaker.removeEventListener('utterancestart', onStart);
            const outcomes = utterances.map(async (utterance) => {
              const end = await utterance.finished.then(
                () => '',
                (error: Error) => error.name,
              );
              if (end) return [utterance.text, end];
              const wav = await (await utterance.toBlob()).arrayBuffer();
              const values = new Int16Array(wav.slice(44));
              const tenths = Array.from({ length: values.length / 2400 }, (_, at) => [
                ...new Set(values.subarray(at * 2400, (at + 1) * 2400)),
              ]);
              return [utterance.text, tenths.join(' ')];
            });
            return { heard: await Promise.all(outcomes), sent: messages };
          },
          { name: recipe, all: [...steps, ...next], bytes: asBytes },
        );
        assert.deepEqual(outcome, { heard: [...heard, NEXT_HEARD], sent }, fault);
        assert.deepEqual(log, [], fault);
      }
    });
  }
});
