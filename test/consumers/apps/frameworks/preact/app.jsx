import { useState } from 'preact/hooks';
import 'svc-speaker/define.js';

export function App() {
  const [heard, setHeard] = useState(0);
  return (
    <>
      <svc-speaker controls onutteranceend={() => setHeard((count) => count + 1)} />
      <output>{heard}</output>
    </>
  );
}
