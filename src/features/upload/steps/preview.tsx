// What the service would make of the ready rows, beside the check: as parts of the bar, as a line that follows it, and as old and new values.

import type { Collection } from "../../../../core/dictionary/collections.ts";
import type { Value } from "../../../../core/dictionary/kinds.ts";
import { say, sayCount } from "../../../../core/i18n/translate.ts";
import type { CheckSummary } from "../../../../pipeline/checking/findings.ts";
import type { MendingState, Preview, PreviewFigures } from "../../../../pipeline/correction/correction-state.ts";
import { Spoken } from "../../../components/live-region.tsx";
import type { BarPart } from "../../../components/outcome-bar.tsx";
import { ScrollArea } from "../../../components/scroll-area.tsx";
import { useDeps } from "../../../context/services.ts";
import { count, formatNumber } from "../../../fields/format.ts";
import { countOf } from "../../../fields/record-name.ts";

/** The parts always add up to the rows read. */
export function previewParts({ rowsRead, ready, leftOut }: CheckSummary, preview: Preview, keyTitle: string): BarPart[] {
  const rest: BarPart[] = [
    { outcome: "notSent", label: say("Left out"), count: leftOut },
    {
      outcome: "failed",
      label: sayCount(rowsRead - ready - leftOut, "Needs a look", "Need a look"),
      count: rowsRead - ready - leftOut,
    },
  ];
  if (preview.is === "none" || preview.is === "unavailable") return [{ outcome: "ready", label: say("Ready"), count: ready }, ...rest];
  const { created, updated, unchanged, failed, repeats, unknown } = preview.counts;
  return [
    { outcome: "created", label: say("Would be created"), count: created },
    { outcome: "updated", label: say("Would be updated"), count: updated },
    { outcome: "unchanged", label: say("Unchanged"), count: unchanged },
    { outcome: "skipped", label: say("Repeat an earlier {key}", { key: keyTitle }), count: repeats },
    { outcome: "refused", label: say("Would be refused"), count: failed },
    { outcome: "inDoubt", label: say("Without an answer"), count: unknown },
    {
      outcome: "ready",
      label: preview.is === "stopped" ? say("Not asked") : say("Not asked yet"),
      count: Math.max(0, ready - preview.rowsDone),
    },
    ...rest,
  ];
}

export function PreviewDetail({ collection, mending, ready }: { collection: Collection; mending: MendingState; ready: number }) {
  const { preview } = mending;
  switch (preview.is) {
    case "none":
      return ready > 0 && <p className="small dim previewed">{say("Nothing is stored yet.")}</p>;
    case "unavailable":
      return (
        <p className="small dim previewed">
          {say("The service could not say what it would do: {why} You can upload all the same.", { why: preview.why })} <CountAgain />
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
              ` ${say("Rows that repeat an earlier {key} cannot be foretold: they change what that row wrote, or nothing.", { key: collection.key.title })}`}
          </p>
          <Spoken>{aloud(preview)}</Spoken>
          {preview.changes.length > 0 && <Changes collection={collection} preview={preview} />}
        </>
      );
  }
}

type Figures = Extract<Preview, PreviewFigures>;

function inWords(preview: Figures): string {
  const [done, total] = [formatNumber(preview.rowsDone), count(preview.rowsTotal, "{n} row", "{n} rows")];
  switch (preview.is) {
    case "counting":
      return say("Asking the service what it would do: {done} of {total}. Nothing is stored; you need not wait.", { done, total });
    case "stopped":
      return say(
        "So says the service of the first {done} of {total}; then it stopped: {why} Nothing is stored yet, and you can upload all the same.",
        { done, total, why: preview.why },
      );
    case "done":
      return say("So says the service. Nothing is stored yet.");
  }
}

function CountAgain() {
  const { desk } = useDeps();
  return (
    <button type="button" className="link" onClick={desk.foretell}>
      {say("Count again")}
    </button>
  );
}

function aloud({ is, counts, rowsDone, rowsTotal }: Figures): string {
  if (is === "counting") return rowsDone > 0 ? say("{n} % foretold", { n: Math.floor((10 * rowsDone) / Math.max(1, rowsTotal)) * 10 }) : "";
  const { created, updated, unchanged, failed } = counts;
  const figures = {
    created: formatNumber(created),
    updated: formatNumber(updated),
    unchanged: formatNumber(unchanged),
    failed: formatNumber(failed),
  };
  if (is === "done") return say("Would be created {created}, updated {updated}, unchanged {unchanged}, refused {failed}", figures);
  const whole = count(rowsTotal, "{n} row", "{n} rows");
  const of = { ...figures, done: formatNumber(rowsDone), whole };
  return say("Of the first {done} of {whole} would be created {created}, updated {updated}, unchanged {unchanged}, refused {failed}", of);
}

function Changes({ collection, preview }: { collection: Collection; preview: PreviewFigures }) {
  const { changes, counts } = preview;
  return (
    <details className="changes">
      <summary>
        {say("What would change")} <span className="dim">{`— ${countOf(collection, counts.updated)}`}</span>
      </summary>
      <ScrollArea label={say("What would change")}>
        <table aria-label={say("What would change")}>
          <thead>
            <tr>
              <th>{collection.key.title}</th>
              <th>{say("Field")}</th>
              <th>{say("Now")}</th>
              <th>{say("Would become")}</th>
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
      {changes.length < counts.updated && (
        <p className="small dim">
          {say("These are the first {n} of {whole}.", { n: formatNumber(changes.length), whole: formatNumber(counts.updated) })}
        </p>
      )}
    </details>
  );
}

function Written({ value }: { value: Value | null }) {
  return value === null ? <span className="dim">{say("empty")}</span> : <bdi>{String(value)}</bdi>;
}
