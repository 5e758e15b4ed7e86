/** A valid bundle: a face with one line. `parts` replace its members. */
export function someBundle(parts: Record<string, unknown> = {}): Record<string, unknown> {
  const colors = { '--avatar-ink': '#14262e' };
  return {
    version: 1,
    avatar: { name: 'A line' },
    svg: svgWith('<path id="avatar-mouth" stroke="var(--avatar-ink)" d="M0 5 L9 5"/>'),
    colors: { light: colors, dark: colors },
    mouth: {
      silentDb: -40,
      loudDb: -12,
      attackMs: 30,
      releaseMs: 80,
      shapes: [
        { open: 0, paths: { 'avatar-mouth': 'M0 5 L9 5' } },
        { open: 1, paths: { 'avatar-mouth': 'M0 1 L9 9' } },
      ],
    },
    ...parts,
  };
}

/** An SVG drawing with this content. */
export function svgWith(content: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">${content}</svg>`;
}
