import { fileURLToPath } from 'node:url';
import type { Locator, Page, TestInfo } from '@playwright/test';

/** `report`: attach the pictures of the tests to their report. `docs`: write the pictures of the documentation. */
const wanted = process.env.SVC_PICTURES;

/** True if the tests take pictures. */
export const takesPictures = wanted !== undefined;

/** Device scale factor of pages whose picture may be taken: drawing at 2 costs processor time. */
export const PICTURE_SCALE = takesPictures ? 2 : 1;

/** Attaches a picture of the page to the report, with `SVC_PICTURES=report`. */
export async function reportPicture(page: Page, info: TestInfo, name: string, fullPage = true): Promise<void> {
  if (wanted !== 'report') return;
  await info.attach(name, { body: await page.screenshot({ fullPage }), contentType: 'image/png' });
}

/**
 * Writes a picture for the documentation, in `npm run docs:pictures`.
 *
 * @param file - In the folder docs.
 */
export async function docsPicture(target: Page | Locator, file: string): Promise<void> {
  if (wanted !== 'docs') return;
  await target.screenshot({ path: fileURLToPath(new URL(`../../docs/${file}`, import.meta.url)) });
}
