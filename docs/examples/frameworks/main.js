import { createApp } from 'vue';
import svcSpeaker from 'svc-speaker/vue.js';
import App from './App.vue';

createApp(App).use(svcSpeaker).mount('#app');
