import { workerUrl, workletUrl } from 'svc-speaker/assets.js';
import { createApp } from 'vue';
import App from './app.vue';

createApp(App, { workerUrl, workletUrl }).mount('#app');
