import type { KeyInput } from 'puppeteer-core';
import type { Environment } from './program.js';
import { openPuppeteer } from './puppeteer.js';
import { openWebKit } from './webkit.js';

/** The engines that the element is tested in, and the program of each. */
export const ENGINES = ['chromium', 'firefox', 'webkit'] as const;
export type EngineName = (typeof ENGINES)[number];

/** How to open a browser. */
export interface BrowserOptions {
  /** Sound may start without a gesture of the user. */
  readonly autoplay: boolean;
  /** Isolated pages have SharedArrayBuffer. WebKitGTK can do without; the others always have it. */
  readonly sharedMemory: boolean;
  /** Environment of the browser; says where its sound goes. */
  readonly env: Environment;
}

/** A real browser, with nothing between it and its pages but the way to lead them. */
export interface Browser {
  /** Name and version. */
  readonly version: string;
  openPage(): Promise<BrowserPage>;
  /** Ends the browser and what it needed. May be called twice. */
  close(): Promise<void>;
}

/** A page of a browser. Keyboard, mouse and viewport are Puppeteer's, so far as tests use them. */
export interface BrowserPage {
  readonly keyboard: { press(key: KeyInput): Promise<void> };
  readonly mouse: {
    move(x: number, y: number): Promise<void>;
    click(x: number, y: number): Promise<void>;
    down(): Promise<void>;
    up(): Promise<void>;
    /** Lets go of all buttons, and moves to the corner. */
    reset(): Promise<void>;
  };
  /** Goes there; resolves when the page has loaded. */
  goto(url: string): Promise<unknown>;
  url(): string | Promise<string>;
  setViewport(size: Size): Promise<void>;
  close(): Promise<void>;
}

/** In CSS pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Of a page that has just been opened. */
export const VIEWPORT: Size = { width: 800, height: 600 };

/**
 * Opens a browser. Environment variables name its program: see `scripts/programs.mjs`.
 *
 * @throws {Error} If it does not start.
 */
export function openBrowser(engine: EngineName, options: BrowserOptions): Promise<Browser> {
  return engine === 'webkit' ? openWebKit(options) : openPuppeteer(engine, options);
}

/** The engine that this process is to test: `SVC_ENGINE`. */
export function chosenEngine(): EngineName {
  const name = ENGINES.find((engine) => engine === process.env.SVC_ENGINE);
  if (!name) throw new Error(`SVC_ENGINE must be one of ${ENGINES.join(', ')}, not ${process.env.SVC_ENGINE}.`);
  return name;
}
