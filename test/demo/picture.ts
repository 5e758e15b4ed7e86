import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Locator, Page, TestInfo } from '@playwright/test';
import { animatedPng, decodePng, type Pixels } from './animated-png.js';

/** `report`: attach the pictures of the tests to their report. `docs`: write the pictures of the documentation. */
const wanted = process.env.SVC_PICTURES;

/** True if the tests take pictures. */
export const takesPictures = wanted !== undefined;

/** Device scale factor of pages whose picture may be taken: drawing at 2 costs processor time. */
export const PICTURE_SCALE = takesPictures ? 2 : 1;

/** Limit for an animation. */
const ANIMATION_MAX_BYTES = 400_000;

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
  await target.screenshot({ path: pathInDocs(file) });
}

/** Writes an animation for the documentation, in `npm run docs:pictures`; otherwise does nothing. */
export class DocsAnimation {
  readonly #frameMs: number;
  readonly #frames: Pixels[] = [];
  #first = -1;

  /** @param frameMs - Duration of a frame, in milliseconds. */
  constructor(frameMs: number) {
    this.#frameMs = frameMs;
  }

  /**
   * Adds a frame. The first one with `isStill` begins the loop, because viewers without animations show it alone; those
   * before it end the loop.
   */
  async add(page: Page, isStill: boolean): Promise<void> {
    if (wanted !== 'docs') return;
    if (isStill && this.#first < 0) this.#first = this.#frames.length;
    this.#frames.push(decodePng(await page.screenshot({ animations: 'disabled' })));
  }

  /**
   * @param file - In the folder docs.
   * @throws {RangeError} If the file would be too large for a page.
   */
  write(file: string): void {
    if (wanted !== 'docs') return;
    const first = Math.max(0, this.#first);
    const png = animatedPng([...this.#frames.slice(first), ...this.#frames.slice(0, first)], this.#frameMs);
    if (png.length > ANIMATION_MAX_BYTES) throw new RangeError(`${file} has ${png.length} bytes: take fewer frames.`);
    writeFileSync(pathInDocs(file), png);
  }
}

function pathInDocs(file: string): string {
  return fileURLToPath(new URL(`../../docs/${file}`, import.meta.url));
}
