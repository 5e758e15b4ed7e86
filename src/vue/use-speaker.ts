import { type Ref, shallowReactive, type ToRefs, toRefs, watch } from 'vue';
import type { SvcSpeakerElement } from '../index.js';
import { initialValues, type SpeakerValues, watchSpeaker } from '../wrapper/index.js';

/**
 * Values of a speaker as refs that change with it: `const { state, heard } = useSpeaker(speaker)`.
 *
 * While there is no element, and on a server, they are the values of a speaker that has not spoken.
 *
 * @param speaker - Template ref of the `<SvcSpeaker>` or `<svc-speaker>`.
 */
export function useSpeaker(speaker: Readonly<Ref<SvcSpeakerElement | null | undefined>>): ToRefs<SpeakerValues> {
  const values = shallowReactive({ ...initialValues });
  watch(
    speaker,
    (element, _, onCleanup) => {
      Object.assign(values, initialValues);
      if (element) onCleanup(watchSpeaker(element, (changed) => Object.assign(values, changed)));
    },
    { immediate: true, flush: 'post' },
  );
  return toRefs(values);
}
