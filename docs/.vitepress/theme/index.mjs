// Without the theme's own font: text is set in what the reader's system has, like the demo.
import { h } from 'vue';
import Theme from 'vitepress/theme-without-fonts';
import LiveSpeaker from './live-speaker.vue';
import ReadAloud from './read-aloud.vue';
import { labelSearchButton } from './search-button.mjs';
import './style.css';

/** VitePress's theme in the colours of the demo, a reader on each page, and a speaker that can be used in any page. */
export default {
  extends: Theme,
  Layout: () => h(Theme.Layout, null, { 'doc-before': () => h(ReadAloud) }),
  setup: labelSearchButton,
  enhanceApp: ({ app }) => void app.component('LiveSpeaker', LiveSpeaker),
};
