import { render } from 'solid-js/web';
import { workerUrl, workletUrl } from 'svc-speaker/assets.js';
import { App } from './app.jsx';

render(() => <App workerUrl={workerUrl} workletUrl={workletUrl} />, document.querySelector('#app'));
