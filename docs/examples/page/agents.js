// #region answers
const speaker = document.querySelector('svc-speaker');

/** Plays the answers of an agent, one after the other. Text that comes before the audio of its answer waits for it. */
export function createAnswers() {
  let answer = null;
  let text = '';
  const forget = () => {
    answer = null;
    text = '';
  };
  return {
    end() {
      answer?.end();
      forget();
    },
    write(audio, sampleRate) {
      if (!answer) {
        answer = speaker.openInput({ sampleRate });
        answer.addText(text);
      }
      answer.write(audio);
    },
    addText(part) {
      if (answer) answer.addText(part);
      else text += part;
    },
    interrupt() {
      speaker.cancel(); // Also an answer that has ended, and is still heard.
      forget();
    },
  };
}
// #endregion

// #region gemini
/** Plays the answers of a Live session of Gemini. */
export function playGemini(socket) {
  socket.binaryType = 'arraybuffer'; // It sends its JSON as bytes.
  const answers = createAnswers();
  socket.addEventListener('close', answers.end);
  let isLate = false;
  socket.addEventListener('message', ({ data }) => {
    const { serverContent } = JSON.parse(typeof data === 'string' ? data : new TextDecoder().decode(data));
    const { modelTurn, outputTranscription, inputTranscription, interrupted } = serverContent ?? {};
    const { generationComplete, turnComplete } = serverContent ?? {};
    if (interrupted) {
      answers.interrupt();
      isLate = true; // Until the turn is complete or the user has spoken, audio of it may still arrive.
    } else if (inputTranscription) isLate = false;
    if (!isLate) {
      if (outputTranscription?.text) answers.addText(outputTranscription.text);
      for (const { inlineData } of modelTurn?.parts ?? []) {
        const [, rate = 24000] = /rate=(\d+)/.exec(inlineData?.mimeType) ?? [];
        if (inlineData) answers.write(inlineData.data, Number(rate)); // base64
      }
    }
    // A turn is complete only when the service thinks that it was heard.
    if (generationComplete || turnComplete) answers.end();
    if (turnComplete) isLate = false;
  });
}
// #endregion

// #region elevenlabs
/** Plays the answers of an agent of ElevenLabs, from its events. Without the first one, the rate must be given. */
export function createElevenLabsAnswers(sampleRate = 16000) {
  const answers = createAnswers();
  /** Numbers of the newest audio, and of the newest interruption. The reply to an interruption may have its number. */
  let newest = 0;
  let interrupted = 0;
  return {
    end: answers.end,
    receive(event) {
      if (event.type === 'conversation_initiation_metadata') {
        sampleRate = Number(event.conversation_initiation_metadata_event.agent_output_audio_format.replace('pcm_', ''));
      } else if (event.type === 'audio' && event.audio_event.event_id >= interrupted) {
        newest = event.audio_event.event_id;
        answers.write(event.audio_event.audio_base_64, sampleRate);
      } else if (event.type === 'agent_response') {
        answers.addText(event.agent_response_event.agent_response);
      } else if (event.type === 'interruption' && event.interruption_event.event_id >= newest) {
        interrupted = event.interruption_event.event_id;
        answers.interrupt();
      } else if (event.type === 'user_transcript') {
        answers.end(); // There is no event for the end of an answer.
      }
    },
  };
}

/** Plays the answers of an agent of ElevenLabs, from a socket of the page. */
export function playElevenLabsAgent(socket) {
  const { receive, end } = createElevenLabsAnswers();
  socket.addEventListener('close', end);
  socket.addEventListener('message', ({ data }) => {
    const event = JSON.parse(data);
    receive(event);
    if (event.type === 'ping') socket.send(JSON.stringify({ type: 'pong', event_id: event.ping_event.event_id }));
  });
}
// #endregion

// #region deepgram
/** Plays the answers of Deepgram's voice agent: samples in binary messages, as `audio.output` of the settings says. */
export function playDeepgramAgent(socket, sampleRate = 24000) {
  socket.binaryType = 'arraybuffer';
  const answers = createAnswers();
  socket.addEventListener('close', answers.end);
  let isLate = false;
  socket.addEventListener('message', ({ data }) => {
    if (data instanceof ArrayBuffer) {
      if (!isLate) answers.write(data, sampleRate);
      return;
    }
    const { type, role, content } = JSON.parse(data);
    if (type === 'UserStartedSpeaking') {
      answers.interrupt();
      isLate = true; // Until there is text of the next turn, audio of this one may still arrive.
    } else if (type === 'ConversationText') {
      isLate = false;
      if (role === 'assistant') answers.addText(content);
    } else if (type === 'AgentAudioDone') {
      answers.end();
    }
  });
}
// #endregion
