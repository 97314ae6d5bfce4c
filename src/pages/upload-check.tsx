// Step 3: the check while it runs, and what it found: rows that are ready, problems in groups, the first rows that have one.

import type { Collection } from "../../dictionary/collections.ts";
import { ADVISED_BATCH } from "../../dictionary/wire.ts";
import { count, formatBytes, formatNumber, formatSeconds } from "../ui/format.ts";
import { type BarPart, Legend, OutcomeBar } from "../ui/outcome-bar.tsx";
import { Notice, ScrollArea } from "../ui/pieces.tsx";
import type { BadRow, CheckSummary, ProblemGroup } from "../upload/check.ts";
import type { UploadState } from "../upload/run.ts";
import { useDeps } from "./deps.ts";
import type { DeskState } from "./upload-desk.ts";
import { DamageNote, StrayNote } from "./upload-notes.tsx";
import { Milestones } from "./upload-sending.tsx";

export function CheckingStep({ state }: { state: Extract<UploadState, { step: "checking" }> }) {
  const { desk } = useDeps();
  const { rowsRead, bytesRead, bytesTotal } = state;
  const parts: BarPart[] = [{ outcome: "ready", label: "read", count: bytesRead }];
  return (
    <div className="figure">
      <div className="big">
        {formatNumber(rowsRead)} <small>rows checked · {`${formatBytes(bytesRead)} of ${formatBytes(bytesTotal)}`}</small>
      </div>
      <OutcomeBar parts={parts} whole={bytesTotal} />
      <Milestones done={bytesRead} whole={bytesTotal} verb="checked" />
      <div className="savebar">
        <button type="button" className="button" onClick={desk.cancel}>
          Cancel
        </button>
      </div>
    </div>
  );
}

export function CheckedStep({ collection, state, check }: { collection: Collection; state: DeskState; check: CheckSummary }) {
  const { desk } = useDeps();
  const { rowsRead, ready, groups, badRows, seconds } = check;
  const wrong = rowsRead - ready;
  const parts: BarPart[] = [
    { outcome: "ready", label: "Ready", count: ready },
    { outcome: "failed", label: wrong === 1 ? "Needs a look" : "Need a look", count: wrong },
  ];
  return (
    <>
      <div className="figure">
        <div className="big">
          {ready === 0 ? "No row is ready" : `${count(ready, "row")} ${ready === 1 ? "is" : "are"} ready`}{" "}
          <small>
            {wrong > 0
              ? `${formatNumber(wrong)} ${wrong === 1 ? "needs" : "need"} a look`
              : `of ${formatNumber(rowsRead)}, checked in ${formatSeconds(seconds)}`}
          </small>
        </div>
        <OutcomeBar parts={parts} whole={rowsRead} />
        <Legend parts={parts} />
      </div>
      {check.stray && <StrayNote stray={check.stray} />}
      {check.damage && <DamageNote damage={check.damage} />}
      {wrong > 0 && (
        <>
          <section aria-label="Problems">
            <ul className="groups">
              {groups.map((group) => (
                <Group key={`${group.field} ${group.code}`} group={group} />
              ))}
            </ul>
          </section>
          <BadRows collection={collection} state={state} rows={badRows} total={wrong} />
        </>
      )}
      {ready === 0 && (
        <Notice tone="doubt">
          There is nothing to upload. Mend the rows in the file, or go back and look whether each column has the right field; then check
          again.
        </Notice>
      )}
      <div className="savebar">
        {ready > 0 && (
          <button type="button" className="button primary" onClick={desk.upload}>
            Upload
          </button>
        )}
        <button type="button" className="button quiet" onClick={() => desk.lookAgain(state.choices)}>
          Back to columns
        </button>
        <button type="button" className="button quiet" onClick={desk.close}>
          Choose another file
        </button>
        {ready > 0 && (
          <span className="dim small">
            {`${count(ready, "row")} in about ${count(Math.ceil(ready / ADVISED_BATCH), "call")}.`}
            {wrong > 0 && ` The ${wrong === 1 ? "other one stays" : `${formatNumber(wrong)} others stay`} here; the report lists them.`}
          </span>
        )}
      </div>
    </>
  );
}

function Group({ group }: { group: ProblemGroup }) {
  return (
    <li className="group">
      <span>
        {group.message}{" "}
        <span className="dim">
          — {group.count === 1 ? "row" : "rows"}{" "}
          {group.ranges.map(([from, to]) => (from === to ? formatNumber(from) : `${formatNumber(from)}–${formatNumber(to)}`)).join(", ")}
          {group.more > 0 && ` and ${formatNumber(group.more)} more`}
        </span>
      </span>
      <b>{formatNumber(group.count)}</b>
    </li>
  );
}

function BadRows({ collection, state, rows, total }: { collection: Collection; state: DeskState; rows: BadRow[]; total: number }) {
  const shown = collection.fields.flatMap((field) => {
    const column = state.plan?.columns.indexOf(field.name) ?? -1;
    return column < 0 ? [] : [{ field, column }];
  });
  return (
    <ScrollArea label="Rows that need a look">
      <table aria-label="Rows that need a look">
        <thead>
          <tr>
            <th className="num">Row</th>
            <th className="num">Line</th>
            <th>What is wrong</th>
            {shown.map(({ field }) => (
              <th key={field.name}>{field.title}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.row}>
              <td className="num dim">{formatNumber(row.row)}</td>
              <td className="num dim">{formatNumber(row.line)}</td>
              <td className="wrap">{row.problems.map((problem) => problem.message).join(" ")}</td>
              {shown.map(({ field, column }) => {
                const isWrong = row.problems.some((problem) => problem.field === field.name);
                const cell = row.cells[column] ?? "";
                return (
                  <td key={field.name}>
                    <bdi>{isWrong ? <mark>{cell === "" ? "missing" : cell}</mark> : cell}</bdi>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {total > rows.length && <p className="small dim">These are the first {rows.length}.</p>}
    </ScrollArea>
  );
}
