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
 * Props of {@link SvcSpeaker}: the element's properties, a handler for each of its events, and HTML's global attributes
 * (`className`, `style`, `id`, `data-…`, `children` for its slots).
 */
export interface SvcSpeakerProps
  extends
    SpeakerProps,
    EventHandlers,
    Omit<HTMLAttributes<SvcSpeakerElement>, keyof SpeakerProps | keyof EventHandlers> {}

/** Props that this component handles itself. */
const handledProps: ReadonlySet<string> = new Set([...speakerPropNames, ...Object.values(handlerNames)]);

/** React 18 warns about layout effects on a server. */
const useIsomorphicLayoutEffect = typeof document === 'undefined' ? useEffect : useLayoutEffect;

/**
 * `<svc-speaker>` in React. `ref` is the element: `ref.current.speak('…')`.
 *
 * Handlers and `sessionProvider` may be new functions in each render; nothing restarts. On a server it renders the tag
 * with the props that can be attributes; hydration sets the others.
 */
export const SvcSpeaker: ForwardRefExoticComponent<SvcSpeakerProps & RefAttributes<SvcSpeakerElement>> = forwardRef(
  function SvcSpeaker(props, ref) {
    const element = useRef<SvcSpeakerElement>(null);
    const attributes = attributesOf(props);
    // React gets the attributes of the first render only, for markup and for the element's insertion. `applyProps` makes
    // all changes, because React 19 sets removed properties to undefined and React 18 supports only attributes.
    const [initialAttributes] = useState(attributes);
    const [relay] = useState(() => new EventRelay());

    useIsomorphicLayoutEffect(() => {
      relay.handlers = props;
      relay.listenTo(element.current!);
      applyProps(element.current!, props, attributes);
    });
    useImperativeHandle(ref, () => element.current!, []);

    return createElement('svc-speaker', { ...htmlProps(props), ...initialAttributes, ref: element });
  },
);

/** Returns the props that React sets. */
function htmlProps(props: SvcSpeakerProps): Record<string, unknown> {
  const html: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(props)) {
    if (handledProps.has(name)) continue;
    if (name === 'className') html.class = value;
    // React 18 writes `hidden="false"`, which hides the element.
    else if (name !== 'hidden' || value) html[name] = value;
  }
  return html;
}
