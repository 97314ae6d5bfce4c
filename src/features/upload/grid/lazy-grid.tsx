import { lazyPart } from "./lazy-page.tsx";

/** Fetched while the columns are looked at. */
export const ProblemGrid = lazyPart(() => import("./upload-grid.tsx"), "ProblemGrid");
