const speaker = document.querySelector('svc-speaker');

// #region gemini
/** Plays the answers of a Live session of Gemini, whose audio has 24 kHz. */
export function playGemini(socket) {
  socket.binaryType = 'arraybuffer'; // It sends its JSON as bytes.
  let answer = null;
  socket.addEventListener('message', ({ data }) => {
    const { serverContent } = JSON.parse(typeof data === 'string' ? data : new TextDecoder().decode(data));
    if (!serverContent) return;
    const { modelTurn, outputTranscription, interrupted, turnComplete } = serverContent;
    for (const { inlineData } of modelTurn?.parts ?? []) {
      if (!inlineData) continue;
      answer ??= speaker.openInput({ sampleRate: 24000 });
      answer.write(inlineData.data); // base64
    }
    if (outputTranscription) answer?.addText(outputTranscription.text);
    if (interrupted) answer?.cancel();
    else if (turnComplete) answer?.end();
    if (interrupted || turnComplete) answer = null;
  });
}
// #endregion

// #region elevenlabs
/** Plays the answers of an agent of ElevenLabs. */
export function playElevenLabsAgent(socket) {
  let sampleRate = 16000;
  let answer = null;
  let interrupted = -1;
  socket.addEventListener('message', ({ data }) => {
    const event = JSON.parse(data);
    if (event.type === 'conversation_initiation_metadata') {
      sampleRate = Number(event.conversation_initiation_metadata_event.agent_output_audio_format.replace('pcm_', ''));
    } else if (event.type === 'audio' && event.audio_event.event_id > interrupted) {
      answer ??= speaker.openInput({ sampleRate });
      answer.write(event.audio_event.audio_base_64);
    } else if (event.type === 'agent_response') {
      answer?.addText(event.agent_response_event.agent_response);
    } else if (event.type === 'interruption') {
      interrupted = event.interruption_event.event_id;
      answer?.cancel();
      answer = null;
    } else if (event.type === 'user_transcript') {
      answer?.end(); // There is no event for the end of an answer.
      answer = null;
    } else if (event.type === 'ping') {
      socket.send(JSON.stringify({ type: 'pong', event_id: event.ping_event.event_id }));
    }
  });
}
// #endregion

// #region deepgram
/** Plays the answers of Deepgram's voice agent: samples in binary messages, as `audio.output` of the settings says. */
export function playDeepgramAgent(socket, sampleRate = 24000) {
  socket.binaryType = 'arraybuffer';
  let answer = null;
  socket.addEventListener('message', ({ data }) => {
    if (data instanceof ArrayBuffer) {
      answer ??= speaker.openInput({ sampleRate });
      answer.write(data);
      return;
    }
    const { type, role, content } = JSON.parse(data);
    if (type === 'ConversationText' && role === 'assistant') answer?.addText(content);
    if (type === 'UserStartedSpeaking') answer?.cancel();
    if (type === 'AgentAudioDone') answer?.end();
    if (type === 'UserStartedSpeaking' || type === 'AgentAudioDone') answer = null;
  });
}
// #endregion
