import { AgentElement } from '@deepgram/browser-agent';
import type { FedPlayer } from '../player.mjs';

const agent = new AgentElement();

/**
 * The element, initialised as when it connects, except for the microphone, which is not measured: its nodes are
 * connected, its context runs, and each message of the socket goes to its own handler.
 */
export default {
  open: async () => {
    // As in the example of its documentation. Without the second one, the element would end the session at the first
    // silence.
    agent.setAttribute('output-sample-rate', '24000');
    agent.setAttribute('idle-timeout-ms', '10000');
    document.body.append(agent);
    agent.ttsAnalyser!.connect(agent.ttsContext!.destination);
    await agent.ttsContext!.resume();
  },
  feed: (data) => agent.handleSocketMessage(new MessageEvent('message', { data })),
  cancel: () => agent.handleSocketMessage(new MessageEvent('message', { data: '{"type":"UserStartedSpeaking"}' })),
} satisfies FedPlayer;
