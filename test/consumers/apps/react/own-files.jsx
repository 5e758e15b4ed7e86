import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { workerUrl, workletUrl } from 'svc-speaker/assets.js';
import { App } from './app.jsx';

createRoot(document.querySelector('#app')).render(
  <StrictMode>
    <App workerUrl={workerUrl} workletUrl={workletUrl} />
  </StrictMode>,
);
