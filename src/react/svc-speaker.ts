import {
  createElement,
  forwardRef,
  type ForwardRefExoticComponent,
  type HTMLAttributes,
  type RefAttributes,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { SvcSpeakerElement } from '../index.js';
import { applyProps, attributesOf, speakerPropNames, type SpeakerProps } from '../wrapper/index.js';
import { type EventHandlers, EventRelay, handlerNames } from './event-handlers.js';

/**
 * Props of {@link SvcSpeaker}: the element's properties, a handler for each of its events, and HTML's own (`className`,
 * `style`, `id`, `data-…`, `children` for its slots).
 */
export interface SvcSpeakerProps
  extends
    SpeakerProps,
    EventHandlers,
    Omit<HTMLAttributes<SvcSpeakerElement>, keyof SpeakerProps | keyof EventHandlers> {}

/** What React is not to set. */
const ours: ReadonlySet<string> = new Set([...speakerPropNames, ...Object.values(handlerNames)]);

/** React 18 complains of a layout effect where there is no layout. */
const useBrowserEffect = typeof document === 'undefined' ? useEffect : useLayoutEffect;

/**
 * `<svc-speaker>` in React. `ref` is the element: `ref.current.speak('…')`.
 *
 * Handlers and a `sessionProvider` may be new functions in each render; nothing starts again for that. Rendered on a
 * server it is the tag with what can be an attribute; the rest is set when React takes it over.
 */
export const SvcSpeaker: ForwardRefExoticComponent<SvcSpeakerProps & RefAttributes<SvcSpeakerElement>> = forwardRef(
  function SvcSpeaker(props, ref) {
    const element = useRef<SvcSpeakerElement>(null);
    const attributes = attributesOf(props);
    // React sees them once, in time for markup and for what the element does when it is put in. A change is not left to
    // it: version 19 sets what has gone to undefined, and version 18 knows only attributes.
    const [first] = useState(attributes);
    const [relay] = useState(() => new EventRelay());

    useBrowserEffect(() => {
      relay.handlers = props;
      relay.listenTo(element.current!);
      applyProps(element.current!, props, attributes);
    });
    useImperativeHandle(ref, () => element.current!, []);

    return createElement('svc-speaker', { ...htmlProps(props), ...first, ref: element });
  },
);

/** What is React's to set. */
function htmlProps(props: SvcSpeakerProps): Record<string, unknown> {
  const html: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(props)) {
    if (ours.has(name)) continue;
    if (name === 'className') html.class = value;
    // React 18 writes `hidden="false"`, which hides.
    else if (name !== 'hidden' || value) html[name] = value;
  }
  return html;
}
