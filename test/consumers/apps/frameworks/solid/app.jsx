import { createSignal } from 'solid-js';
import 'svc-speaker/define.js';

export function App({ workerUrl = '', workletUrl = '', sessionProvider, audioContext }) {
  const [heard, setHeard] = createSignal(0);
  return (
    <>
      <svc-speaker
        controls
        worker-url={workerUrl}
        worklet-url={workletUrl}
        // Undefined here, as the optional props of an app's component often are.
        prop:sessionProvider={sessionProvider}
        prop:audioContext={audioContext}
        on:utteranceend={() => setHeard((count) => count + 1)}
      />
      <output>{heard()}</output>
    </>
  );
}
