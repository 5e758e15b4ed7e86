import { workerUrl, workletUrl } from 'svc-speaker/assets.js';
import { mount } from 'svelte';
import App from './app.svelte';

mount(App, { target: document.querySelector('#app'), props: { workerUrl, workletUrl } });
