/** The element inside media-chrome's `<media-controller>`. */
import 'media-chrome';
import 'svc-speaker/define.js';
import { connectSmallPage } from '../small-page.js';

connectSmallPage(document.querySelector('svc-speaker')!);
