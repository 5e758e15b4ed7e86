import type { KeyInput } from 'puppeteer-core';
import type { Environment } from './program.js';
import { openPuppeteer } from './puppeteer.js';
import { openWebKit } from './webkit.js';

/** Engines that the element is tested in. */
export const ENGINES = ['chromium', 'firefox', 'webkit'] as const;
export type EngineName = (typeof ENGINES)[number];

/** Options for opening a browser. */
export interface BrowserOptions {
  /** True if sound may start without a user gesture. */
  readonly autoplay: boolean;
  /** True if isolated pages have SharedArrayBuffer. Only WebKitGTK can do without it; the others always have it. */
  readonly sharedMemory: boolean;
  /** Environment variables of the browser. They also select the sound card that it plays to. */
  readonly env: Environment;
}

/** A real browser, driven only through its automation protocol. */
export interface Browser {
  /** Name and version. */
  readonly version: string;
  openPage(): Promise<BrowserPage>;
  /** Closes the browser and stops the programs it needs. May be called twice. */
  close(): Promise<void>;
}

/** A page of a browser. `keyboard`, `mouse` and `setViewport` are the part of Puppeteer's API that the tests use. */
export interface BrowserPage {
  readonly keyboard: { press(key: KeyInput): Promise<void> };
  readonly mouse: {
    move(x: number, y: number): Promise<void>;
    click(x: number, y: number): Promise<void>;
    down(): Promise<void>;
    up(): Promise<void>;
    /** Releases all buttons and moves the pointer to the corner. */
    reset(): Promise<void>;
  };
  /** Navigates to `url`; resolves when the page has loaded. */
  goto(url: string): Promise<unknown>;
  url(): string | Promise<string>;
  setViewport(size: Size): Promise<void>;
  close(): Promise<void>;
}

/** Size in CSS pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Viewport of a newly opened page. */
export const VIEWPORT: Size = { width: 800, height: 600 };

/**
 * Opens a browser. Environment variables name its program: see `scripts/programs.mjs`.
 *
 * @throws {Error} If the browser does not start.
 */
export function openBrowser(engine: EngineName, options: BrowserOptions): Promise<Browser> {
  return engine === 'webkit' ? openWebKit(options) : openPuppeteer(engine, options);
}

/** Returns the engine that this process tests, from `SVC_ENGINE`. */
export function chosenEngine(): EngineName {
  const name = ENGINES.find((engine) => engine === process.env.SVC_ENGINE);
  if (!name) throw new Error(`SVC_ENGINE must be one of ${ENGINES.join(', ')}, not ${process.env.SVC_ENGINE}.`);
  return name;
}
