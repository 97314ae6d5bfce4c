// Compares what the header of a file says with today and with the files that were loaded before it.

import { count } from "../../core/text/count.ts";
import type { HeaderFacts } from "../../layouts/formats/header-trailer.ts";
import { dayIn } from "../../layouts/layouts/time-zones.ts";
import type { Options } from "../console/arguments.ts";
import { AlreadyLoaded, EXIT } from "../console/exit-codes.ts";
import { countStored } from "../console/outcome-groups.ts";
import type { Source } from "../files/source-file.ts";
import type { CheckedFile } from "./check-pass.ts";
import type { Runs, StoredRun, Summary } from "./run-registry.ts";

const DAY = 86_400_000; // ms

/** Returns what is kept of the header with the run. */
export function controlsOf({ offset: _, end: __, ...controls }: HeaderFacts): NonNullable<StoredRun["header"]> {
  return controls;
}

/**
 * Compares the sequence in the header with that of the latest file of this sender and file: yesterday's must not overwrite today's. Returns
 * a sentence where some are missing between them. Rejects have the sequence of their file. Throws CommandError.
 */
export async function requireNextSequence(
  { name }: Source,
  runs: Runs,
  { reading, job }: CheckedFile,
  { again }: Pick<Options, "again">,
): Promise<string | undefined> {
  const { is } = reading.layout ?? {};
  const { sender, fileId, sequence = "" } = reading.header ?? {};
  const control = is?.header?.sequence;
  if (again || !control || control.constant !== undefined || !/^\d+$/.test(sequence)) return undefined;
  const isOfSender = ({ header, collection }: Pick<StoredRun, "header" | "collection">) =>
    collection === job.collection.name && header?.sender === sender && header?.fileId === fileId && /^\d+$/.test(header?.sequence ?? "");
  const last = await latestStored(runs, isOfSender);
  if (!last) return undefined;
  const [before, own] = [BigInt(last.header?.sequence ?? 0), BigInt(sequence)];
  const room = is?.kind === "fixed" ? is.header?.sequence?.length : undefined; // a cell of a delimited file has room for any number
  const isRestart = room !== undefined && before === 10n ** BigInt(room) - 1n && own <= 1n; // all nines, and the count begins again
  if (isRestart || (own === before && name.endsWith(".rejects"))) return undefined;
  const latest = `the last one of this sender and file, ${last.fileName}, had ${before} (run ${last.id})`;
  if (own <= before)
    throw new AlreadyLoaded(
      EXIT.nothing,
      `Nothing of ${name} was stored: its sequence is ${own}, and ${latest}. To load it all the same, add --again.`,
    );
  return own === before + 1n
    ? undefined
    : `Its sequence is ${own}, and ${latest}: ${own === before + 2n ? "one file is" : "files are"} missing between them.`;
}

/** The file of another day may be an old one, or one too early. Rejects have the day of their file. `now`: epoch milliseconds. Throws CommandError. */
export function requireBusinessDate({ name }: Source, { reading }: CheckedFile, { again }: Pick<Options, "again">, now: number): void {
  const { is } = reading.layout ?? {};
  const place = is?.kind === "fixed" ? is.header?.businessDate : undefined;
  const { businessDate: day } = reading.header ?? {};
  if (!place || day === undefined || again || name.endsWith(".rejects")) return;
  const today = dayIn(place.zone, now);
  const atDays = (days: number) => new Date(Date.parse(today) + days * DAY).toISOString().slice(0, 10);
  const [first, last] = [atDays(-place.days), atDays(place.days)];
  if (first <= day && day <= last) return;
  const allowed = place.days === 0 ? `only ${today}, today` : `only ${first} to ${last}, ${count(place.days, "day")} before or after today`;
  throw new AlreadyLoaded(
    EXIT.nothing,
    `Nothing of ${name} was stored: its business date is ${day}, and ${allowed} in ${place.zone}, is allowed. To load it all the same, add --again.`,
  );
}

/** Resolves to the latest of these runs that loaded its file. No other one is read. */
export async function latestStored(runs: Runs, isMeant: (summary: Summary) => boolean): Promise<StoredRun | undefined> {
  for (const summary of await runs.summaries()) {
    const run = isMeant(summary) ? await runs.get(summary.id) : undefined;
    if (run && isStored(run)) return run;
  }
  return undefined;
}

/** Says whether the run loaded its file: not one whose records were all refused, that has sent nothing yet, or that was taken back. */
function isStored(run: StoredRun): boolean {
  const { isUndone, begun, endedAt, rowsTotal, report } = run;
  return !isUndone && !begun && (endedAt === undefined || takenBy(run) + (report?.counts.inDoubt ?? 0) > 0 || rowsTotal === 0);
}

/** Counts the records that are stored, as far as this program knows. */
export function takenBy({ report }: StoredRun): number {
  return report ? countStored(report.counts) : 0;
}
