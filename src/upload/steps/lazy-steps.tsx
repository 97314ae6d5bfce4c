import { lazyPart } from "../../app/code/lazy-page.tsx";
import { once } from "../../app/code/once.ts";
import { ColumnFacts, ColumnTools, RecipeChoice } from "../recipes/lazy-recipes.tsx";

const checkSteps = once(() => import("./check-step.tsx"));

// It is fetched while the worker looks at the file.
export const ColumnsStep = lazyPart(async () => {
  // They are drawn together: what comes later moves the button below it, perhaps while it is being pressed.
  const [step] = await Promise.all([
    import("./columns-step.tsx"),
    ...[RecipeChoice, ColumnTools, ColumnFacts].map((part) => part.preload()),
  ]);
  return step;
}, "ColumnsStep");
export const CheckingStep = lazyPart(() => checkSteps().then(({ CheckingStep }) => ({ CheckingStep })), "CheckingStep");
export const CheckedStep = lazyPart(() => checkSteps().then(({ CheckedStep }) => ({ CheckedStep })), "CheckedStep");
// It is fetched while the undo runs.
export const UndoneStep = lazyPart(() => import("./undone-step.tsx"), "UndoneStep");
