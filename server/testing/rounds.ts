/** Says how often a test repeats itself: `share` in every run, `whole` with DEEP=1, as `npm run test:deep` sets it. */
export function rounds(share: number, whole: number): number {
  return process.env.DEEP ? whole : share;
}

export function randomInt(below: number): number {
  return Math.floor(Math.random() * below);
}
