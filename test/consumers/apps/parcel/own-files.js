import 'svc-speaker/define.js';
import { workerUrl, workletUrl } from 'svc-speaker/assets.js';

const speaker = document.querySelector('svc-speaker');
speaker.workerUrl = workerUrl;
speaker.workletUrl = workletUrl;
