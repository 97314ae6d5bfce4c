import { lazyPart } from "../../../navigation/lazy-page.tsx";

// The table of columns does not wait for this.
const load = () => import("./column-tools.tsx");
export const ColumnTools = lazyPart(() => load().then(({ columnParts: { ColumnTools } }) => ({ ColumnTools })), "ColumnTools");
export const ColumnFacts = lazyPart(
  () => load().then(({ columnParts: { ColumnFacts } }) => ({ ColumnFacts })),
  "ColumnFacts",
  () => null,
);
