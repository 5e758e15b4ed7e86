import type { SvcSpeakerElement } from 'svc-speaker';
import { AvatarFace } from './avatar-face.js';
import { loadAvatar, type Avatar } from './avatar.js';
import { readDrawing } from './drawing.js';

/** What a colour must be; anything else could lead outside. */
const HEX = /^#[0-9a-f]{6}$/i;

/**
 * Shows the avatar in `frame`, its mouth moving with the speech. Where there is none, the page does without: the frame
 * goes, and a line beside it says why.
 *
 * @param remark - For that line; hidden as long as there is nothing to say.
 */
export async function showPortrait(speaker: SvcSpeakerElement, frame: HTMLElement, remark: HTMLElement): Promise<void> {
  try {
    const avatar = await loadAvatar();
    const drawing = readDrawing(avatar.svg);
    colour(frame, avatar);
    // The name is that of the frame; a title of the drawing would show as a tooltip.
    drawing.querySelector(':scope > title')?.remove();
    frame.setAttribute('aria-label', `${avatar.avatar.name}, who speaks the text`);
    frame.replaceChildren(drawing);
    frame.dataset.state = 'shown';
    new AvatarFace(speaker, avatar, drawing).follow();
  } catch (error) {
    frame.hidden = true;
    remark.textContent = `No face to it: ${error instanceof Error ? error.message : String(error)}`;
    remark.hidden = false;
  }
}

/** Sets the colours of the drawing, and again whenever the page changes to dark or to light. */
function colour(frame: HTMLElement, { colors }: Avatar): void {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const set = () => {
    for (const [name, color] of Object.entries(dark.matches ? colors.dark : colors.light)) {
      if (name.startsWith('--avatar-') && HEX.test(color)) frame.style.setProperty(name, color);
    }
  };
  dark.addEventListener('change', set);
  set();
}
