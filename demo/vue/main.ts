import { createApp } from 'vue';
import svcSpeaker from 'svc-speaker/vue.js';
import { showSource } from '../page-source.js';
import App from './app.vue';

createApp(App).use(svcSpeaker).mount('#app');
void showSource();
