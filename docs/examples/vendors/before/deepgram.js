import '@deepgram/browser-agent';

/** Starts a conversation. `agent` is the `<deepgram-agent>` of the page; removing its `config` ends it. */
export async function converse(agent, settings) {
  const { access_token } = await (await fetch('/agent/token', { method: 'POST' })).json();
  agent.token = access_token;
  agent.setAttribute('url', 'wss://agent.deepgram.com/v1/agent/converse');
  agent.setAttribute('output-sample-rate', settings.audio.output.sample_rate);
  agent.setAttribute('config', JSON.stringify(settings)); // connects, and opens the microphone
}
