import { Children, type ReactNode } from "react";
import { ScrollArea } from "./scroll-area.tsx";
import * as stackedTableStyles from "./stacked-table.module.css";
import * as textStyles from "./text.module.css";

interface StackedTableProps {
  label: string;
  /** The name of what scrolls, unless it is that of the table. */
  area?: string;
  heads: readonly ReactNode[];
  /** Names the last column, of buttons, to those who do not see it. */
  actions?: string | undefined;
  className?: string | undefined;
  /** The rows. */
  children: ReactNode;
}

/** Draws a table of rows that are too long for a narrow screen: there each cell has a line of its own. */
export function StackedTable({ label, area = label, heads, actions, className = "", children }: StackedTableProps) {
  return (
    <ScrollArea label={area}>
      <table className={`${stackedTableStyles.stacked} ${className}`} aria-label={label}>
        <thead>
          <tr>
            {Children.map(heads, (head) => (
              <th>{head}</th>
            ))}
            {actions !== undefined && (
              <th>
                <span className={textStyles.hidden}>{actions}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </ScrollArea>
  );
}
