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
  let answer: { id: string; input: SpeechInput; unfinished: number } | null = null;

  /** Returns the events that the SDK handles. */
  function take(event: ServerEvent): ServerEvent[] {
    if (event.type === 'audio-delta' || event.type === 'audio-transcript-delta') {
      if (event.itemId !== answer?.id) {
        answer = { id: event.itemId, input: speaker.openInput({ sampleRate }), unfinished: 2 };
      }
      if (event.type === 'audio-delta') {
        answer.input.write(event.delta); // base64
        return [];
      }
      answer.input.addText(event.delta);
    } else if (event.type === 'audio-done' || event.type === 'audio-transcript-done') {
      if (event.itemId === answer?.id && --answer.unfinished === 0) answer.input.end();
    } else if (event.type === 'speech-started' && answer && speaker.hasSpeech) {
      const { seconds } = answer.input.utterance.heard;
      speaker.cancel();
      const audioEndMs = Math.floor(seconds * 1000);
      send({ type: 'conversation-item-truncate', itemId: answer.id, contentIndex: 0, audioEndMs });
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
