import { lazyPart } from "../../../navigation/lazy-page.tsx";

/** Fetched while the columns are looked at. */
export const ProblemGrid = lazyPart(() => import("./problem-grid.tsx"), "ProblemGrid");
