import { type SubmitEvent, useRef, useState } from 'react';
import type { SvcSpeakerElement } from 'svc-speaker';
import { SvcSpeaker } from 'svc-speaker/react.js';
import { stateTexts } from '../state-texts.js';

type Status = Pick<SvcSpeakerElement, 'state' | 'error' | 'hasSpeech'>;

/** A text box whose text is spoken, and a list of the utterances that have finished. */
export function App() {
  const speaker = useRef<SvcSpeakerElement>(null);
  const [text, setText] = useState('A component has a beginning and an end. This one also has a voice.');
  const [status, setStatus] = useState<Status>({ state: 'idle', error: null, hasSpeech: false });
  const [finished, setFinished] = useState<readonly { id: string; text: string }[]>([]);

  const showStatus = ({ state, error, hasSpeech }: Status) => setStatus({ state, error, hasSpeech });

  const speak = (event: SubmitEvent) => {
    event.preventDefault();
    if (text.trim()) speaker.current?.speak(text.trim());
  };

  return (
    <>
      <form className="land" aria-labelledby="title" onSubmit={speak}>
        <div className="desk">
          <header>
            <h1 id="title">svc-speaker in React</h1>
            <p>A component, its props and its events.</p>
          </header>
          <div className="writing">
            <label htmlFor="text">Text to speak</label>
            <textarea id="text" rows={5} value={text} onChange={(event) => setText(event.target.value)} />
          </div>
          <div className="actions">
            <button type="submit" className="primary">
              Speak
            </button>
            <button type="button" disabled={!status.hasSpeech} onClick={() => speaker.current?.cancel()}>
              Stop
            </button>
          </div>
          <SvcSpeaker
            ref={speaker}
            sessionEndpoint="/speech/session"
            sessionRequest={{ voice_id: 'slt' }}
            text={text.trim()}
            controls
            onStateChange={({ currentTarget }) => showStatus(currentTarget)}
            onError={({ currentTarget }) => showStatus(currentTarget)}
            onUtteranceEnd={({ utterance }) =>
              setFinished((before) => [{ id: utterance.contextId, text: utterance.text }, ...before])
            }
          />
        </div>
      </form>
      <div className="water">
        <section className="journal" aria-labelledby="said">
          <h2 id="said">What has been said</h2>
          <p className="state" role="status" data-state={status.state} data-tone={status.error ? 'trouble' : 'plain'}>
            {status.error?.message ?? stateTexts[status.state]}
          </p>
          <ol className="said">
            {finished.map((utterance) => (
              <li key={utterance.id}>{utterance.text}</li>
            ))}
          </ol>
          <p>
            <a href="/">The main demo page</a>, <a href="#source">the source of this page</a>
          </p>
        </section>
      </div>
    </>
  );
}
