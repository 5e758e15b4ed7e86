import { svcSpeaker } from './svc-speaker.mjs';

export default svcSpeaker('message');
