import { useEffect, useState } from 'react';
import type { SvcSpeakerElement } from '../index.js';
import { initialValues, type SpeakerValues, watchSpeaker } from '../wrapper/index.js';

/**
 * Values of a speaker; a change renders the component again: `const { state, heard } = useSpeaker(ref)`.
 *
 * Until `ref` has an element, and on a server, they are the values of a speaker that has not spoken. An element that is
 * rendered later is noticed at the next render of the component that calls this hook.
 *
 * @param ref - The ref of the `<SvcSpeaker>` or `<svc-speaker>`.
 */
export function useSpeaker(ref: { readonly current: SvcSpeakerElement | null }): SpeakerValues {
  const [values, setValues] = useState(initialValues);
  const [speaker, setSpeaker] = useState<SvcSpeakerElement | null>(null);
  // Runs after each render, because React does not report that a ref has another element.
  useEffect(() => setSpeaker(ref.current));
  useEffect(() => {
    if (!speaker) return setValues(initialValues);
    return watchSpeaker(speaker, setValues);
  }, [speaker]);
  return values;
}
