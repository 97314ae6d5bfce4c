import { useSyncExternalStore } from "react";
import type { Field } from "../../../../core/dictionary/fields.ts";
import { useServices } from "../../../app/services/services.ts";
import { type ListParts, shownColumns } from "../../query/list-url.ts";
import type { ColumnWidths } from "../../query/views.ts";

/** Returns the columns of a list, and how they are changed. What is chosen for all records is also what the collection opens with. */
export function useColumns({ collection, state, go }: ListParts) {
  const { views } = useServices();
  const { widths } = useSyncExternalStore(views.subscribe, () => views.of(collection));
  const shown = shownColumns(collection, state.columns);

  function show(columns: readonly Field[] | undefined): void {
    const names = columns?.map(({ name }) => name);
    if (!state.view) views.put(collection, { ...views.of(collection), columns: names?.join(",") });
    go({ columns: names, cursor: state.cursor }, true);
  }

  return {
    shown,
    show,
    widths,
    move(from: number, to: number): void {
      const next = [...shown];
      const [moved] = next.splice(from, 1);
      if (moved) next.splice(to, 0, moved);
      show(next);
    },
    /** Undefined: as wide as each column needs. */
    size: (next: ColumnWidths | undefined) => views.put(collection, { ...views.of(collection), widths: next }),
  };
}
