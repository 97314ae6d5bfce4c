// Layouts with a mistake, for tests.

import type { UploadMode } from "../../pipeline/model/plan.ts";
import type { FixedLayout, LayoutField } from "../layouts/layout.ts";
import { readLayout, reportMistakes } from "../layouts/validate/parse-layout.ts";
import { customers, customersLayout, employees } from "./layouts.ts";

export type BrokenLayout = [what: string, layout: unknown, expected: string];

export function mistakesOf(layout: unknown, mode?: UploadMode): string {
  const read = readLayout(typeof layout === "string" ? layout : JSON.stringify(layout), [customers, employees], mode);
  return "mistakes" in read ? reportMistakes(read.mistakes).join("\n") : "";
}

/** The layout of customers with a change that the types would not allow. */
export function changed(change: (layout: Record<string, never> & FixedLayout) => void): unknown {
  const layout = structuredClone(customersLayout());
  change(layout as Record<string, never> & FixedLayout);
  return layout;
}

export function fields(...more: Partial<LayoutField>[]): unknown {
  const { detail } = customersLayout();
  return { ...customersLayout({ recordLength: 200 }), detail: { ...detail, fields: [...detail.fields, ...more] } };
}

export function staff(field: Record<string, unknown>): unknown {
  const rest = [
    { name: "name", start: 50, length: 9 },
    { name: "permanent", constant: "true" },
  ];
  return { kind: "fixed", collection: "employees", recordLength: 80, lineEnd: "lf", detail: { fields: [...rest, field] } };
}
