/** The element on a page without cross-origin isolation; see `demo/server/cross-origin-isolation.ts`. */
import 'svc-speaker/define.js';
import { connectSmallPage } from '../small-page.js';

connectSmallPage(document.querySelector('svc-speaker')!);
