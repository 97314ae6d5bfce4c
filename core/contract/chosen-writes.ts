// Changes and deletions of the records that filters choose: first a dry run, then the same request with its token.

/** Says for how many seconds the token of a dry run holds. */
export const CHOICE_SECONDS = 1_800;

/**
 * Holds what the answer of a dry run has besides its results. `token` does what was tried. `run`: under which its history finds all parts, to take
 * them back. `next` is the cursor of the further records, null after the last. `total`: how many match in all, with the first part alone.
 */
export interface ChosenDryRun {
  token: string;
  expiresAt: string;
  run: string;
  next: string | null;
  total?: number;
  totalIsAtLeast?: true;
}
