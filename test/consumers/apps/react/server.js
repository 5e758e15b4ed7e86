import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { SvcSpeaker } from 'svc-speaker/react.js';

const speaker = createElement(SvcSpeaker, { src: 'wss://example.com/', text: 'Hello.', controls: true, volume: 0.5 });
process.stdout.write(renderToString(speaker));
