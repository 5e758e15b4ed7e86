import { measureStep } from '../base/measure-step.js';

/** Time between two checks. The clock of a rendering context advances every 3 to 100 ms. */
const INTERVAL_MS = 500;
const INTERVALS_UNTIL_FROZEN = 3;

/**
 * Detects a context that renders nothing although its state is `running`: its clock does not advance.
 *
 * Quirk `webkit-frozen-clock`: after an interruption by another program, WebKit may report `running` while
 * `currentTime` does not advance. https://bugs.webkit.org/show_bug.cgi?id=263627 In WebKitGTK, about one of a
 * hundred resumed contexts does so for good. Any engine does the same when its device hangs. No test can cause this
 * at will; test/page/moving.test.ts imitates it.
 *
 * Main thread. It compares the clock several times, so that a blocked page is not mistaken for a frozen context.
 */
export class ContextWatch {
  readonly #context: BaseAudioContext;
  readonly #onChange: (isFrozen: boolean) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lastTime = -1;
  #intervalsWithoutProgress = 0;
  #isFrozen = false;

  /** @param onChange - Called with true when the clock has stopped, and with false when it advances again. */
  constructor(context: BaseAudioContext, onChange: (isFrozen: boolean) => void) {
    this.#context = context;
    this.#onChange = onChange;
    measureContext(context);
  }

  /** Watches until `stop`. */
  start(): void {
    this.stop();
    this.#lastTime = -1;
    this.#check();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #check(): void {
    const { currentTime, state } = this.#context;
    const isStill = state === 'running' && currentTime === this.#lastTime;
    this.#intervalsWithoutProgress = isStill ? this.#intervalsWithoutProgress + 1 : 0;
    this.#lastTime = currentTime;
    this.#timer = setTimeout(() => this.#check(), INTERVAL_MS);
    const isFrozen = this.#intervalsWithoutProgress >= INTERVALS_UNTIL_FROZEN;
    if (isFrozen === this.#isFrozen) return;
    this.#isFrozen = isFrozen;
    this.#onChange(isFrozen);
  }
}

/** Measures the time from the making of a context of this package, which has set a mark, until it runs. */
function measureContext(context: BaseAudioContext): void {
  const mark = 'svc-speaker context';
  // The measure of an earlier context has the same name.
  const made = (performance as Partial<Performance>).getEntriesByName?.(mark, 'mark')[0];
  if (!made) return;
  performance.clearMarks(mark);
  const { startTime } = made;
  // It has run for this long. The clock may be ahead of the time, because the context renders in advance.
  if (context.state === 'running') {
    measureStep('context', startTime, Math.max(startTime, performance.now() - 1000 * context.currentTime));
  } else {
    const measure = (): void => {
      if (context.state === 'running') measureStep('context', startTime);
    };
    context.addEventListener('statechange', measure, { once: true });
  }
}
