import { onMounted, ref } from 'vue';

/**
 * Finds out if there may be a speech service beside the site. `npm run docs:serve` has one. Where it is missing, the first
 * speech fails: a request before would leave an error in the console.
 */
export function useSpeechService() {
  const served = ref(false);
  onMounted(() => (served.value = ['localhost', '127.0.0.1'].includes(location.hostname)));
  return {
    served,
    /** Notes the error of a speaker. @param {Event} event */
    failed: ({ target }) => {
      if (target.error?.httpStatus === 404) served.value = false;
    },
  };
}
