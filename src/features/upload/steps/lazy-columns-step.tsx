import { lazyPart } from "../../../navigation/lazy-page.tsx";

// Fetched while the worker looks at the file.
export const ColumnsStep = lazyPart(() => import("./columns-step.tsx"), "ColumnsStep");
