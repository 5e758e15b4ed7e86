import type { Picture } from './picture.js';
import type { Reading } from './reading.js';

type Heard = 'speech' | 'concealed' | 'silence';

/** What was heard: speech as a bar, what was made up as a full one, silence in its place as an empty one. */
export function drawHeard(picture: Picture): void {
  const { first, last } = picture;
  const { readings } = picture.data;
  let kind: Heard | null = null;
  let from = 0;
  for (let i = Math.max(1, first); i <= last + 1; i++) {
    const now = i <= last ? heardIn(readings[i]!) : null;
    if (now === kind) continue;
    const x = picture.x(readings[i - 1]!.atSeconds);
    if (kind) drawBar(picture, kind, from, x - from);
    kind = now;
    from = x;
  }
}

/** What most of what was heard before a reading was; null if there was nothing. */
function heardIn({ playedSeconds, concealedSeconds, silentSeconds }: Reading): Heard | null {
  if (playedSeconds + concealedSeconds === 0) return null;
  const madeUp = concealedSeconds - silentSeconds;
  if (silentSeconds > Math.max(playedSeconds, madeUp)) return 'silence';
  return madeUp > playedSeconds ? 'concealed' : 'speech';
}

function drawBar(picture: Picture, kind: Heard, from: number, width: number): void {
  const { context } = picture;
  const { colors } = picture.data;
  const height = picture.height - 6;
  context.fillStyle = { speech: colors.buffer, concealed: colors.concealed, silence: colors.trouble }[kind];
  if (kind === 'silence') {
    context.fillRect(from, 3, width, 1.5);
    context.fillRect(from, 1.5 + height, width, 1.5);
    return;
  }
  context.globalAlpha = kind === 'speech' ? 0.55 : 1;
  context.fillRect(from, 3, width, height);
  context.globalAlpha = 1;
}
