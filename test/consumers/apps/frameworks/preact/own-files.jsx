import { render } from 'preact';
import { useState } from 'preact/hooks';
import { workerUrl, workletUrl } from 'svc-speaker/assets.js';
import { SvcSpeaker } from 'svc-speaker/react.js';

/** Uses the React component in Preact. */
function App() {
  const [heard, setHeard] = useState(0);
  return (
    <>
      <SvcSpeaker
        controls
        workerUrl={workerUrl}
        workletUrl={workletUrl}
        onUtteranceEnd={() => setHeard((count) => count + 1)}
      />
      <output>{heard}</output>
    </>
  );
}

render(<App />, document.querySelector('#app'));
