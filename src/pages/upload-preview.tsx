// What the service would make of the ready rows, beside the check: as parts of the bar, as a line that follows it, and as old and new values.

import type { Collection } from "../../dictionary/collections.ts";
import type { Value } from "../../dictionary/kinds.ts";
import { ADVISED_BATCH } from "../../dictionary/wire.ts";
import { count, formatNumber, formatSeconds } from "../ui/format.ts";
import type { BarPart } from "../ui/outcome-bar.tsx";
import { ScrollArea, Spoken } from "../ui/pieces.tsx";
import type { CheckSummary } from "../upload/findings.ts";
import type { MendingState, Preview, PreviewFigures } from "../upload/mending-state.ts";
import { useDeps } from "./deps.ts";

/** The parts always add up to the rows read. */
export function previewParts({ rowsRead, ready, leftOut }: CheckSummary, preview: Preview, keyTitle: string): BarPart[] {
  const rest: BarPart[] = [
    { outcome: "notSent", label: "Left out", count: leftOut },
    { outcome: "failed", label: rowsRead - ready - leftOut === 1 ? "Needs a look" : "Need a look", count: rowsRead - ready - leftOut },
  ];
  if (preview.is === "none" || preview.is === "unavailable") return [{ outcome: "ready", label: "Ready", count: ready }, ...rest];
  const { created, updated, unchanged, failed, repeats, unknown } = preview.counts;
  return [
    { outcome: "created", label: "Would be created", count: created },
    { outcome: "updated", label: "Would be updated", count: updated },
    { outcome: "unchanged", label: "Unchanged", count: unchanged },
    { outcome: "skipped", label: `Repeat an earlier ${keyTitle}`, count: repeats },
    { outcome: "refused", label: "Would be refused", count: failed },
    { outcome: "inDoubt", label: "Without an answer", count: unknown },
    { outcome: "ready", label: preview.is === "stopped" ? "Not asked" : "Not asked yet", count: Math.max(0, ready - preview.rowsDone) },
    ...rest,
  ];
}

/** Seconds are told when the preview has measured them, and never guessed. */
export function costOf(ready: number, preview: Preview): string {
  const speed = "rowsPerSecond" in preview ? preview.rowsPerSecond : 0;
  const calls = `${count(ready, "row")} in about ${count(Math.ceil(ready / ADVISED_BATCH), "call")}`;
  const seconds = speed > 0 ? ready / speed : 0;
  return seconds >= 2 ? `${calls}, about ${formatSeconds(seconds)}.` : `${calls}.`;
}

export function PreviewDetail({ collection, mending, ready }: { collection: Collection; mending: MendingState; ready: number }) {
  const { preview } = mending;
  switch (preview.is) {
    case "none":
      return <p className="small dim previewed">{ready > 0 ? "Nothing is stored yet." : ""}</p>;
    case "unavailable":
      return (
        <p className="small dim previewed">
          {`The service could not say what it would do: ${preview.why} You can upload all the same.`} <CountAgain />
        </p>
      );
    case "counting":
    case "stopped":
    case "done":
      return (
        <>
          <p className="small dim previewed">
            {inWords(preview)}
            {preview.is === "stopped" && (
              <>
                {" "}
                <CountAgain />
              </>
            )}
            {preview.counts.repeats > 0 &&
              ` Rows that repeat an earlier ${collection.key.title} cannot be foretold: they change what that row wrote, or nothing.`}
          </p>
          <Spoken>{spoken(preview)}</Spoken>
          {preview.changes.length > 0 && <Changes collection={collection} preview={preview} />}
        </>
      );
  }
}

type Figures = Extract<Preview, PreviewFigures>;

function inWords(preview: Figures): string {
  const [done, total] = [formatNumber(preview.rowsDone), count(preview.rowsTotal, "row")];
  switch (preview.is) {
    case "counting":
      return `Asking the service what it would do: ${done} of ${total}. Nothing is stored; you need not wait.`;
    case "stopped":
      return `So says the service of the first ${done} of ${total}; then it stopped: ${preview.why} Nothing is stored yet, and you can upload all the same.`;
    case "done":
      return "So says the service. Nothing is stored yet.";
  }
}

function CountAgain() {
  const { desk } = useDeps();
  return (
    <button type="button" className="link" onClick={desk.foretell}>
      Count again
    </button>
  );
}

function spoken({ is, counts, rowsDone, rowsTotal }: Figures): string {
  if (is === "counting") return rowsDone > 0 ? `${Math.floor((10 * rowsDone) / Math.max(1, rowsTotal)) * 10} % foretold` : "";
  const { created, updated, unchanged, failed } = counts;
  const of = is === "stopped" ? `Of the first ${formatNumber(rowsDone)} of ${count(rowsTotal, "row")} would` : "Would";
  return `${of} be created ${formatNumber(created)}, updated ${formatNumber(updated)}, unchanged ${formatNumber(unchanged)}, refused ${formatNumber(failed)}`;
}

function Changes({ collection, preview }: { collection: Collection; preview: PreviewFigures }) {
  const { changes, counts } = preview;
  const shown = changes.length < counts.updated ? `the first ${formatNumber(changes.length)} of ${formatNumber(counts.updated)}` : "all";
  return (
    <details className="changes">
      <summary>
        What would change <span className="dim">{`— ${count(counts.updated, collection.noun)}`}</span>
      </summary>
      <ScrollArea label="What would change">
        <table aria-label="What would change">
          <thead>
            <tr>
              <th>{collection.key.title}</th>
              <th>Field</th>
              <th>Now</th>
              <th>Would become</th>
            </tr>
          </thead>
          <tbody>
            {changes.flatMap(({ key, fields }) =>
              fields.map(({ field, old, now }, i) => (
                <tr key={`${key} ${field}`}>
                  <td className="id">{i === 0 ? String(key) : ""}</td>
                  <td>{collection.byName.get(field)?.title ?? field}</td>
                  <td className="dim">
                    <Written value={old} />
                  </td>
                  <td>
                    <Written value={now} />
                  </td>
                </tr>
              )),
            )}
          </tbody>
        </table>
      </ScrollArea>
      {changes.length < counts.updated && <p className="small dim">{`These are ${shown}.`}</p>}
    </details>
  );
}

function Written({ value }: { value: Value | null }) {
  return value === null ? <span className="dim">empty</span> : <bdi>{String(value)}</bdi>;
}
