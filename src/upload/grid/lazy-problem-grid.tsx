import { lazyPart } from "../../app/code/lazy-page.tsx";

/** Preloaded during the columns step. */
export const ProblemGrid = lazyPart(() => import("./problem-grid.tsx"), "ProblemGrid");
