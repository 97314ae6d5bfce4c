// The rows that need a look, as a grid that is edited in place: drawn as far as it is seen, walked by keyboard, with the way to the next problem.

import { useVirtualizer } from "@tanstack/react-virtual";
import { type CSSProperties, useEffect, useMemo, useRef, useState } from "react";
import type { Collection } from "../../dictionary/collections.ts";
import { formatNumber } from "../ui/format.ts";
import type { CheckSummary } from "../upload/findings.ts";
import { type CellPlace, type MendingState, shownFields } from "../upload/mending-state.ts";
import { useDeps } from "./deps.ts";
import { aim, type GridCommand } from "./grid-keys.ts";
import { GridTools, useShortcuts } from "./grid-tools.tsx";
import { GridLine } from "./upload-grid-row.tsx";
import { useGridRows } from "./use-grid-rows.ts";

interface ProblemGridProps {
  collection: Collection;
  columns: readonly (string | null)[];
  check: CheckSummary;
  mending: MendingState;
  /** The group whose rows are shown; undefined: all. */
  group: string | undefined;
  onAll: () => void;
}

const ROW_HEIGHT = 44; // px, until it is measured

export interface Editing {
  /** What stands in the input when it opens; undefined: the cell's text. */
  text?: string | undefined;
}

export function ProblemGrid({ collection, columns, check, mending, group, onAll }: ProblemGridProps) {
  const { desk } = useDeps();
  const shown = useMemo(() => shownFields(collection, columns), [collection, columns]);
  const scroller = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState<CellPlace>({ index: 0, field: 0 });
  const [editing, setEditing] = useState<Editing>();
  const wantsFocus = useRef(false);
  const [total, setTotal] = useState(check.listed);
  const rows = useVirtualizer({
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 6,
    useFlushSync: false,
    rangeExtractor: ({ startIndex, endIndex, overscan, count }) => {
      const from = Math.max(0, startIndex - overscan);
      const to = Math.min(count - 1, endIndex + overscan);
      const inSight = Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);
      // The row with the focus stays, wherever one scrolls: what has the focus must not vanish.
      if (at.index < count && (at.index < from || at.index > to)) inSight.push(at.index);
      return inSight.sort((a, b) => a - b);
    },
  });
  const items = rows.getVirtualItems();
  const inSight = rows.range ?? { startIndex: 0, endIndex: 20 };
  // An answer that came while someone types would put another row under the text.
  const window = { first: inSight.startIndex, last: inSight.endIndex, isHeld: editing !== undefined };
  const got = useGridRows(group, mending.revision, window);
  useEffect(() => setTotal(got.total), [got.total]);

  // The keyboard stays with its row when rows before it come or go.
  const here = useRef<number>(undefined);
  const rowHere = got.rowAt(at.index)?.row;
  useEffect(() => {
    const moved = here.current === undefined || here.current === rowHere ? -1 : got.indexOf(here.current);
    if (moved !== -1) setAt((place) => ({ ...place, index: moved }));
    else here.current = rowHere;
  });

  // After every drawing, as the cell may only just have come
  useEffect(() => {
    if (!wantsFocus.current || editing) return;
    const cell = scroller.current?.querySelector<HTMLElement>(`[data-place="${at.index} ${at.field}"]`);
    if (!cell) return;
    wantsFocus.current = false;
    cell.focus({ preventScroll: true });
    cell.scrollIntoView({ block: "nearest", inline: "nearest" });
  });

  function go(place: CellPlace, edit?: Editing): void {
    here.current = got.rowAt(place.index)?.row;
    setAt(place);
    setEditing(edit);
    wantsFocus.current = edit === undefined;
    rows.scrollToIndex(place.index, { align: "auto" });
  }

  async function goToNext(by: 1 | -1): Promise<void> {
    const { at: next } = await desk.ask({ for: "next", group, at, by });
    if (next) go(next);
    else scroller.current?.focus();
  }

  function obey(command: GridCommand): void {
    const actions = 1 + Number(got.rowAt(at.index)?.isOfOtherShape ?? false);
    if (command.is === "edit") setEditing({ text: command.text });
    else if (command.is === "next") void goToNext(command.by);
    else if (command.is === "move") go(aim(at, command, total, shown.length + actions));
  }

  function write({ index, field }: CellPlace, text: string): void {
    const [row, column] = [got.rowAt(index)?.row, shown[field]?.column];
    if (row !== undefined && column !== undefined) desk.act({ do: "edit", row, column, text });
  }

  useShortcuts((command) => (command === "undo" || command === "redo" ? desk.act({ do: command }) : void goToNext(command)));

  const [first, last] = [items[0], items.at(-1)];
  return (
    <section aria-label="Rows that need a look">
      <GridTools isGroup={group !== undefined} onAll={onAll} onNext={() => void goToNext(1)} mending={mending} />
      <div className="grid-area" ref={scroller} tabIndex={total === 0 ? 0 : -1}>
        <table
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table whose cells are edited is a grid (ARIA 1.2)
          role="grid"
          aria-label="Rows that need a look"
          aria-rowcount={total + 1}
          aria-colcount={shown.length + 3}
          style={{ "--width": `${460 + 130 * shown.length}px` } as CSSProperties}
        >
          <thead>
            <tr aria-rowindex={1}>
              <th className="num row-number">Row</th>
              {shown.map(({ field }) => (
                <th key={field.name}>{field.title}</th>
              ))}
              <th className="why">What is wrong</th>
              <th className="row-acts">
                <span className="hidden">Leave out</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {first && first.start > 0 && <Gap height={first.start} />}
            {items.map((item, i) => {
              const before = items[i - 1];
              const gap = before ? item.start - before.end : 0;
              const isHere = at.index === item.index;
              return (
                <GridLine
                  key={item.index}
                  measure={rows.measureElement}
                  gap={gap > 0 ? <Gap height={gap} /> : null}
                  index={item.index}
                  row={got.rowAt(item.index)}
                  shown={shown}
                  at={isHere ? at.field : undefined}
                  editing={isHere ? editing : undefined}
                  revision={got.revision}
                  onCommand={obey}
                  onLeave={() => setEditing(undefined)}
                  onPlace={(field, edit) => go({ index: item.index, field }, edit)}
                  onWrite={(field, text) => write({ index: item.index, field }, text)}
                />
              );
            })}
            {last && rows.getTotalSize() > last.end && <Gap height={rows.getTotalSize() - last.end} />}
          </tbody>
        </table>
        {total === 0 && <p className="dim small none-left">No row needs a look any more.</p>}
      </div>
      {check.unlisted > 0 && (
        <p className="small dim">
          {`These are the first ${formatNumber(check.listed)} of ${formatNumber(check.listed + check.unlisted)}. Mend what is common first; then the others come up.`}
        </p>
      )}
    </section>
  );
}

/** The room of rows that are not drawn. */
function Gap({ height }: { height: number }) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it takes the focus
    <tr aria-hidden="true" className="gap">
      <td style={{ height: `${height}px` }} />
    </tr>
  );
}
