import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { showSource } from '../page-source.js';
import { requiredElement } from '../required-element.js';
import { App } from './app.js';

createRoot(requiredElement('app', HTMLElement)).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
void showSource();
