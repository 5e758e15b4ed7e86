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
 */
export function playedBy(
  speaker: SvcSpeakerElement,
  model: RealtimeModel,
  send: (event: ClientEvent) => void,
  sampleRate = 24000,
): RealtimeModel {
  /** Answers that were not heard to their end, by their items. One may arrive while another is still heard. */
  const answers = new Map<string, { input: SpeechInput; unfinished: number; isOver: boolean }>();

  function begin(id: string): SpeechInput {
    const answer = { input: speaker.openInput({ sampleRate }), unfinished: 2, isOver: false };
    answers.set(id, answer);
    answer.input.utterance.finished.then(
      () => answers.delete(id),
      () => (answer.isOver = true), // interrupted or failed: later audio of it is ignored
    );
    return answer.input;
  }

  /** Returns the events that the SDK handles. */
  function take(event: ServerEvent): ServerEvent[] {
    if (event.type === 'audio-delta') {
      (answers.get(event.itemId)?.input ?? begin(event.itemId)).write(event.delta); // base64
      return [];
    }
    if (event.type === 'audio-transcript-delta') {
      (answers.get(event.itemId)?.input ?? begin(event.itemId)).addText(event.delta);
    } else if (event.type === 'audio-done' || event.type === 'audio-transcript-done') {
      const answer = answers.get(event.itemId);
      if (answer && --answer.unfinished === 0) answer.input.end();
    } else if (event.type === 'speech-started') {
      for (const [itemId, answer] of answers) {
        if (answer.isOver) continue;
        const { seconds } = answer.input.utterance.heard;
        answer.isOver = true;
        answer.input.cancel();
        send({ type: 'conversation-item-truncate', itemId, contentIndex: 0, audioEndMs: Math.floor(seconds * 1000) });
      }
    }
    return [event];
  }

  const parser = model.createServerEventParser?.() ?? model.parseServerEvent.bind(model);
  const parse = (raw: unknown): ServerEvent[] => [parser(raw)].flat().flatMap(take);
  return new Proxy(model, {
    get(target, name) {
      if (name === 'parseServerEvent') return parse;
      if (name === 'createServerEventParser') return undefined;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
