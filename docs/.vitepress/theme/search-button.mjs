import { onMounted } from 'vue';

/**
 * Gives assistive technology the shortcut of the search button as one, and takes it out of the button's text, which is
 * also its name. The style sheet draws the key.
 */
export function labelSearchButton() {
  onMounted(() => {
    const button = document.querySelector('.DocSearch-Button');
    const key = button?.querySelector('.DocSearch-Button-Key:last-child');
    button?.setAttribute('aria-keyshortcuts', 'Control+K Meta+K');
    if (key) key.textContent = '';
  });
}
