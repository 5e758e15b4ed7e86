/** The element with a content security policy without `blob:`; see `demo/server/strict-csp.ts`. */
import { workerUrl, workletUrl } from 'svc-speaker/assets.js';
import 'svc-speaker/define.js';
import { connectSmallPage } from '../small-page.js';

const speaker = document.querySelector('svc-speaker')!;
speaker.workerUrl = workerUrl;
speaker.workletUrl = workletUrl;
connectSmallPage(speaker);
