import type { Picture } from './picture.js';

/** Events that say what the speaker does or what happened to it, in the words that are shown. */
const flags: Partial<Record<string, string>> = {
  loadstart: 'asked',
  loadedmetadata: 'socket open',
  canplay: 'first frame',
  playing: 'sound',
  waiting: 'waiting',
  pause: 'pause',
  ended: 'ended',
  emptied: 'emptied',
  blocked: 'blocked',
  utterancestart: 'utterance',
  underrun: 'underrun',
  socketclose: 'closed',
  error: 'error',
};

/** In this order names get the room that there is; all others come after them. */
const ranks = ['error', 'underrun', 'playing', 'idle', 'waiting', 'canplay'];

function rankOf(type: string): number {
  const rank = ranks.indexOf(type);
  return rank < 0 ? ranks.length : rank;
}

/** A mark for each event, and its name where there is room: that of trouble first. */
export function drawEvents(picture: Picture): void {
  const { context, width, fromSeconds } = picture;
  const { events, view, colors } = picture.data;
  const taken: [number, number][] = [];
  const inside = events.filter(({ atSeconds }) => atSeconds >= fromSeconds && atSeconds <= view.toSeconds);
  for (const { type, atSeconds, durationMs = 0 } of inside.toSorted((a, b) => rankOf(a.type) - rankOf(b.type))) {
    const label = type === 'idle' ? `${(durationMs / 1000).toFixed(durationMs < 10_000 ? 1 : 0)} s idle` : flags[type];
    if (label === undefined) continue;
    const x = picture.x(atSeconds);
    const bad = type === 'underrun' || type === 'error';
    context.fillStyle = bad ? colors.trouble : colors.muted;
    context.fillRect(Math.round(x), 0, bad ? 2 : 1, 5);
    const to = x + context.measureText(label).width + 8;
    if (to > width || taken.some(([begin, end]) => x < end && to > begin)) continue;
    context.fillText(label, x + 1, 15);
    taken.push([x, to]);
  }
}
