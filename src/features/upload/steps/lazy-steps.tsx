import { lazyPart } from "../../../navigation/lazy-page.tsx";
import { once } from "../../../navigation/once.ts";

const checkSteps = once(() => import("./check-step.tsx"));

// Fetched while the worker looks at the file.
export const ColumnsStep = lazyPart(() => import("./columns-step.tsx"), "ColumnsStep");
export const CheckingStep = lazyPart(() => checkSteps().then(({ CheckingStep }) => ({ CheckingStep })), "CheckingStep");
export const CheckedStep = lazyPart(() => checkSteps().then(({ CheckedStep }) => ({ CheckedStep })), "CheckedStep");
