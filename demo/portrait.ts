import type { SvcSpeakerElement } from 'svc-speaker';
import { AvatarFace } from './avatar-face.js';
import { loadAvatar, type Avatar } from './avatar.js';
import { readDrawing } from './drawing.js';

/** The only accepted syntax of colours: others could load a URL. */
const HEX = /^#[0-9a-f]{6}$/i;

/**
 * Shows the avatar in `frame` and moves its mouth with the speech. If there is no avatar, hides the frame and shows why.
 *
 * @param remark - Element that shows why; hidden until then.
 */
export async function showPortrait(speaker: SvcSpeakerElement, frame: HTMLElement, remark: HTMLElement): Promise<void> {
  try {
    const avatar = await loadAvatar();
    const drawing = readDrawing(avatar.svg);
    applyColors(frame, avatar);
    // The frame has the accessible name; a title in the drawing would be a tooltip.
    drawing.querySelector(':scope > title')?.remove();
    frame.setAttribute('aria-label', `${avatar.avatar.name}, who speaks the text`);
    frame.replaceChildren(drawing);
    frame.dataset.state = 'shown';
    new AvatarFace(speaker, avatar, drawing).start();
  } catch (error) {
    frame.hidden = true;
    remark.textContent = `The avatar cannot be shown: ${error instanceof Error ? error.message : String(error)}`;
    remark.hidden = false;
  }
}

/** Sets the colours of the drawing, and sets them again when the colour scheme changes. */
function applyColors(frame: HTMLElement, { colors }: Avatar): void {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const set = () => {
    for (const [name, color] of Object.entries(dark.matches ? colors.dark : colors.light)) {
      if (name.startsWith('--avatar-') && HEX.test(color)) frame.style.setProperty(name, color);
    }
  };
  dark.addEventListener('change', set);
  set();
}
