// Says how often a test repeats itself: a little in every run, and much more in `npm run test:deep`.

export const isDeep = Boolean(process.env.DEEP) || process.env.npm_lifecycle_event === "test:deep";

export function rounds(share: number, whole: number): number {
  return isDeep ? whole : share;
}

/** A number from 0 up to but not including 1, always the same for the same two arguments. */
export function draw(round: number, turn: number): number {
  const x = Math.sin(round * 127.1 + turn * 311.7 + 74.7) * 43_758.5453;
  return x - Math.floor(x);
}

export interface Appearance<C> {
  colours: C;
  width: number;
}

/** Colours and widths (pixels) in which pages are tested: every pair in a deep run, else each colour once with alternating widths. */
export function appearances<C>(widths: readonly [number, number], colours: readonly C[]): Appearance<C>[] {
  const each = colours.map((one, i) => ({ colours: one, width: widths[i % 2] as number }));
  return isDeep ? widths.flatMap((width) => colours.map((one) => ({ colours: one, width }))) : each;
}

export const SCHEMES = ["light", "dark"] as const;
