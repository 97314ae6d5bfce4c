// Lets the user act on the headings, rows and cells of a list. It is loaded when the list is at rest.

import type { WireRecord } from "../../../core/contract/records.ts";
import { type ListParts, shownColumns } from "../query/list-url.ts";
import { CellBlock } from "./cells/cell-block.tsx";
import { ColumnHandles } from "./columns/column-handles.tsx";
import { PreviewButton } from "./preview-button.tsx";

interface ListAtRestProps extends ListParts {
  records: readonly WireRecord[] | undefined;
  isUrgent: boolean;
}

export function ListAtRest({ records = [], ...parts }: ListAtRestProps) {
  const { collection, state } = parts;
  return (
    <>
      <PreviewButton />
      <ColumnHandles {...parts} />
      <CellBlock collection={collection} columns={shownColumns(collection, state.columns)} records={records} />
    </>
  );
}
