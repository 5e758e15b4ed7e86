const METHODS = ['play', 'pause', 'speak', 'cancel', 'close', 'duck', 'unduck'];

/** The part of a `word` event that is marked. */
interface WordEvent extends Event {
  readonly word: { readonly text: string };
}

/** Receives what happens to the speakers of a page. */
export interface SpeakerListener {
  /** Current frame of each context. */
  readonly frames: number[];
  mark(name: string, frames?: readonly number[]): void;
}

/** The speakers of a page, and the nodes that are their destinations. */
export class Speakers {
  readonly #speakers = new Set<Element>();
  readonly #destinations = new WeakSet<object>();

  /** Returns the speaker whose output a node is; null if there is none. */
  ownerOf(node: AudioNode): Element | null {
    return [...this.#speakers].find((speaker) => Reflect.get(speaker, 'outputNode') === node) ?? null;
  }

  /**
   * Returns true if the speaker hides its native node, as with standardized-audio-context. Nodes without an owner then
   * count as the speaker's.
   */
  hidesNode(speaker: Element): boolean {
    const node: unknown = Reflect.get(speaker, 'outputNode') ?? null;
    return node !== null && !(node instanceof AudioNode);
  }

  isDestination(node: unknown): boolean {
    return this.#destinations.has(node as object);
  }

  /** Watches the speakers of each custom element that is defined from now on. */
  watch(listener: SpeakerListener): void {
    const { define } = CustomElementRegistry.prototype;
    const watched = new WeakSet<object>();
    const watchOnce = (prototype: HTMLElement): void => {
      let base: object | null = prototype;
      while (base && !watched.has(base)) base = Object.getPrototypeOf(base) as object | null;
      if (base || !('outputNode' in prototype && 'speak' in prototype)) return;
      watched.add(prototype);
      this.#watchCalls(prototype, listener);
      this.#watchLife(prototype, listener);
      this.#watchDestination(prototype);
    };
    CustomElementRegistry.prototype.define = function (this: CustomElementRegistry, name, constructor, options) {
      watchOnce(constructor.prototype as HTMLElement);
      define.call(this, name, constructor, options);
    };
  }

  #watchCalls(prototype: HTMLElement, listener: SpeakerListener): void {
    for (const name of METHODS) {
      const method = Reflect.get(prototype, name) as (...args: unknown[]) => unknown;
      Reflect.set(prototype, name, function (this: Element, ...args: unknown[]) {
        listener.mark(name);
        return method.apply(this, args);
      });
    }
  }

  /** Marks the words of a speaker, and its removal from the page. */
  #watchLife(prototype: HTMLElement, listener: SpeakerListener): void {
    const speakers = this.#speakers;
    const markWord = (event: Event): void => listener.mark(`word: ${(event as WordEvent).word.text}`);
    const lifecycle = prototype as unknown as Record<
      'connectedCallback' | 'disconnectedCallback',
      (() => void) | undefined
    >;
    const { connectedCallback, disconnectedCallback } = lifecycle;
    lifecycle.connectedCallback = function (this: HTMLElement) {
      speakers.add(this);
      this.addEventListener('word', markWord);
      connectedCallback?.call(this);
    };
    lifecycle.disconnectedCallback = function (this: HTMLElement) {
      const { frames } = listener;
      disconnectedCallback?.call(this);
      // An element that is being moved is connected again by then.
      queueMicrotask(() => {
        if (!this.isConnected) listener.mark('remove', frames);
      });
    };
  }

  #watchDestination(prototype: HTMLElement): void {
    const [speakers, destinations] = [this.#speakers, this.#destinations];
    const destination = Object.getOwnPropertyDescriptor(prototype, 'destination');
    if (!destination?.set) return;
    Object.defineProperty(prototype, 'destination', {
      ...destination,
      set(this: Element, node: AudioNode | null) {
        speakers.add(this);
        if (node instanceof AudioNode) destinations.add(node);
        destination.set!.call(this, node);
      },
    });
  }
}
