import type {
  Experimental_RealtimeClientEvent as ClientEvent,
  Experimental_RealtimeModel as RealtimeModel,
  Experimental_RealtimeServerEvent as ServerEvent,
} from 'ai';
import type { SpeechInput, SvcSpeakerElement } from 'svc-speaker';

/**
 * Returns a model whose answers are played by a speaker instead of the AI SDK. When the user begins to speak, the speaker
 * is silent, and the model receives how much was heard.
 *
 * @param send - Sends an event on the session of the model: `sendEvent` of `useRealtime()`.
 * @returns The model, and a function to call when its session is not connected any more: what has arrived is played to its end.
 */
export function playedBy(
  speaker: SvcSpeakerElement,
  model: RealtimeModel,
  send: (event: ClientEvent) => void,
  sampleRate = 24000,
): { model: RealtimeModel; end: () => void } {
  /** Answers that were not heard to their end, by their items. One may arrive while another is still heard. */
  const answers = new Map<string, { input: SpeechInput; responseId: string }>();
  /** The response that is arriving, and the last one that was interrupted, of which audio may still arrive. */
  let arriving: string | null = null;
  let interrupted: string | null = null;

  function inputOf({ itemId, responseId }: { itemId: string; responseId: string }): SpeechInput {
    const known = answers.get(itemId);
    if (known) return known.input;
    const input = speaker.openInput({ sampleRate });
    answers.set(itemId, { input, responseId });
    input.utterance.finished.then(
      () => answers.delete(itemId),
      () => {}, // Later audio of it is ignored.
    );
    return input;
  }

  function interrupt(): void {
    interrupted = arriving ?? interrupted;
    for (const [itemId, { input }] of answers) {
      const audioEndMs = Math.floor(input.utterance.heard.seconds * 1000);
      input.cancel();
      send({ type: 'conversation-item-truncate', itemId, contentIndex: 0, audioEndMs });
    }
    answers.clear();
  }

  function end(): void {
    arriving = null;
    for (const { input } of answers.values()) input.end();
  }

  /** Returns the events that the SDK handles. */
  function take(event: ServerEvent): ServerEvent[] {
    if (event.type === 'response-created') arriving = event.responseId;
    else if (event.type === 'speech-started') interrupt();
    else if (event.type === 'output-item-done') answers.get(event.itemId)?.input.end();
    else if (event.type === 'response-done') {
      arriving = null;
      for (const { input, responseId } of answers.values()) if (responseId === event.responseId) input.end();
    } else if (event.type === 'audio-delta') {
      if (event.responseId !== interrupted) inputOf(event).write(event.delta); // base64
      return [];
    } else if (event.type === 'audio-transcript-delta' && event.responseId !== interrupted) {
      inputOf(event).addText(event.delta);
    }
    return [event];
  }

  const parser = model.createServerEventParser?.() ?? model.parseServerEvent.bind(model);
  const parse = (raw: unknown): ServerEvent[] => [parser(raw)].flat().flatMap(take);
  const played = new Proxy(model, {
    get(target, name) {
      if (name === 'parseServerEvent') return parse;
      if (name === 'createServerEventParser') return undefined;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return { model: played, end };
}
