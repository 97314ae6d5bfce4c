// The panels of the toolbar. They come together, so that a page with none of them open is smaller by their code.

import type { ListParts } from "../query/list-url.ts";
import { ColumnsPanel } from "./columns/columns-panel.tsx";
import { ExportPanel } from "./export-panel.tsx";
import { FilterEditor } from "./filter-editor.tsx";
import { SummaryPanel } from "./summary-panel.tsx";

interface ListPanelProps extends ListParts {
  panel: keyof typeof PANELS;
  /** What the panel is for is done. */
  onDone: () => void;
}

const PANELS = { columns: ColumnsPanel, export: ExportPanel, filter: FilterEditor, summary: SummaryPanel };

export function ListPanel({ panel, ...props }: ListPanelProps) {
  const Panel = PANELS[panel];
  return <Panel {...props} />;
}
