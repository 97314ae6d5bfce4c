// What every run does, and what only `npm run test:deep` has the time for. For tests only.

export const isDeep = Boolean(process.env.DEEP) || process.env.npm_lifecycle_event === "test:deep";

export function rounds(share: number, whole: number): number {
  return isDeep ? whole : share;
}

/** 0 ≤ n < 1, the same for the same two numbers. */
export function draw(round: number, turn: number): number {
  const x = Math.sin(round * 127.1 + turn * 311.7 + 74.7) * 43_758.5453;
  return x - Math.floor(x);
}

export interface Appearance<C> {
  colours: C;
  width: number;
}

/** Colours and widths (pixels) at which pages are looked at: every pair, or each colour once, wide and narrow by turns. */
export function appearances<C>(widths: readonly [number, number], colours: readonly C[]): Appearance<C>[] {
  const each = colours.map((one, i) => ({ colours: one, width: widths[i % 2] as number }));
  return isDeep ? widths.flatMap((width) => colours.map((one) => ({ colours: one, width }))) : each;
}

export const SCHEMES = ["light", "dark"] as const;
