import { lazyPart } from "../../../navigation/lazy-page.tsx";

// Fetched while the worker looks at the file.
export const ColumnsStep = lazyPart(() => import("./columns-step.tsx"), "ColumnsStep");
export const CheckingStep = lazyPart(() => import("./check-step.tsx").then(({ CheckingStep }) => ({ CheckingStep })), "CheckingStep");
export const CheckedStep = lazyPart(() => import("./check-step.tsx").then(({ CheckedStep }) => ({ CheckedStep })), "CheckedStep");
