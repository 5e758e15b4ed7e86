import { createSignal } from 'solid-js';
import 'svc-speaker/define.js';

export function App({ workerUrl = '', workletUrl = '' }) {
  const [heard, setHeard] = createSignal(0);
  return (
    <>
      <svc-speaker
        controls
        worker-url={workerUrl}
        worklet-url={workletUrl}
        on:utteranceend={() => setHeard((count) => count + 1)}
      />
      <output>{heard()}</output>
    </>
  );
}
