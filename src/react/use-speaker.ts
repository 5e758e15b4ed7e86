import { useEffect, useState } from 'react';
import type { SvcSpeakerElement } from '../index.js';
import { initialValues, type SpeakerValues, watchSpeaker } from '../wrapper/index.js';

/**
 * Values of a speaker that render the component again when they change: `const { state, heard } = useSpeaker(ref)`.
 *
 * Until there is an element in `ref`, and on a server, they are those of a speaker that has not spoken. If the element is
 * rendered later, it is noticed when the component that calls this renders again.
 *
 * @param ref - That of the `<SvcSpeaker>` or `<svc-speaker>`.
 */
export function useSpeaker(ref: { readonly current: SvcSpeakerElement | null }): SpeakerValues {
  const [values, setValues] = useState(initialValues);
  const [speaker, setSpeaker] = useState<SvcSpeakerElement | null>(null);
  // After each render, since React reports nothing when a ref gets another element.
  useEffect(() => setSpeaker(ref.current));
  useEffect(() => {
    if (!speaker) return setValues(initialValues);
    return watchSpeaker(speaker, setValues);
  }, [speaker]);
  return values;
}
