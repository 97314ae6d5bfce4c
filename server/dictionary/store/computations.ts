// Keeps by what collections' values were computed, each in a row of the settings. Both engines use the same statements.

import type { ComputationState } from "../../../core/contract/dictionary.ts";
import { ask, lockByName, type Script } from "../../engine/script/script.ts";

/** Times in ms since 1970. */
export interface StoredComputation {
  collection: string;
  /** Names the writes in the history, and says why: "formulas-7" of version 7 of the dictionary, or "day-2026-11-30". */
  run: string;
  /** The version of the dictionary whose formulas these are. */
  version: number;
  /** Holds the formulas as `formulasText` has them. */
  formulas: string;
  /** Counts how often they had been changed. */
  changes: number;
  /** The day of `today`; null where no formula reads it. */
  day: string | null;
  state: ComputationState;
  at: number;
  /** The key of the last record that was looked at. */
  after: number | null;
  seen: number;
  total: number;
  changed: number;
  /** Says when a process last went on with it. */
  touchedAt: number;
}

const ROW = "computation";

/** Lists the latest first. */
function* readComputations(): Script<StoredComputation[]> {
  const { rows } = yield* ask(`SELECT value FROM settings WHERE name LIKE '${ROW} %'`);
  const found = rows.map(([value]) => JSON.parse(Buffer.from(value as Uint8Array).toString()) as StoredComputation);
  return found.sort((a, b) => b.at - a.at);
}

/** Keeps it, unless another process has gone on with it: the row must have been touched last at `touchedAt`, undefined for none. */
function* saveComputation(computation: StoredComputation, touchedAt: number | undefined): Script<boolean> {
  yield* lockByName(ROW);
  const stored = (yield* readComputations()).find(({ collection }) => collection === computation.collection);
  if (stored?.touchedAt !== touchedAt) return false;
  const sql = "INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value";
  yield* ask(sql, `${ROW} ${computation.collection}`, Buffer.from(JSON.stringify(computation)));
  return true;
}

export const COMPUTATION_SCRIPTS = { reads: { readComputations }, writes: { saveComputation } };
