import { createSSRApp, h } from 'vue';
import { renderToString } from 'vue/server-renderer';
import { SvcSpeaker } from 'svc-speaker/vue.js';

const speaker = h(SvcSpeaker, { src: 'wss://example.com/', text: 'Hello.', controls: true, volume: 0.5 });
process.stdout.write(await renderToString(createSSRApp(() => speaker)));
