// svc-speaker.stories.js
import 'svc-speaker/define.js';

export default {
  title: 'svc-speaker',
  component: 'svc-speaker',
  args: {
    controls: true,
    text: 'Hello. You hear this while it is still being made.',
    sessionEndpoint: '/speech/session',
  },
};

export const Controls = {
  render: (args) => Object.assign(document.createElement('svc-speaker'), args),
};
