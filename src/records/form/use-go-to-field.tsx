// Goes from anywhere on the page to a field of its form.

import { useState } from "react";
import { flushSync } from "react-dom";
import type { Field } from "../../../core/dictionary/fields.ts";
import { openedPart } from "../../app/code/lazy-page.tsx";
import { type Shortcuts, useShortcuts } from "../../ui/keyboard/shortcuts.ts";
import { goToInput, useFieldId } from "../../values/field-id.ts";
import type { GoToFieldProps } from "./go-to-field.tsx";

const GoToField = openedPart<"GoToField", GoToFieldProps>(
  () => import("./go-to-field.tsx"),
  "GoToField",
  () => null,
);

/** Its key asks for the name of a field, whose input gets the focus with its text selected: typing replaces it. Another one goes to the field that a search has found, or the first. */
export function useGoToField(fields: readonly Field[], keys: Shortcuts): React.ReactNode {
  const idOf = useFieldId();
  const [before, setBefore] = useState<Element | null>(); // what had the focus when it was opened
  useShortcuts(keys, {
    goToField: fields.length === 0 ? undefined : () => setBefore(document.activeElement),
    editRecord:
      fields.length === 0
        ? undefined
        : () => {
            const inputs = fields.flatMap(({ name }) => document.getElementById(idOf(name)) ?? []).filter((input) => !isFixed(input));
            goTo(inputs.find((input) => input.closest("[data-found]")) ?? inputs[0]);
          },
  });
  if (before === undefined) return null;
  return (
    <GoToField
      fields={fields}
      onClose={(chosen) => {
        flushSync(() => setBefore(undefined)); // behind an open dialog nothing takes the focus
        goTo(chosen ? document.getElementById(idOf(chosen.name)) : before);
      }}
    />
  );
}

function goTo(input: Element | null | undefined): void {
  goToInput(input);
  if (input instanceof HTMLInputElement && !isFixed(input)) input.select();
}

function isFixed(input: Element): boolean {
  return input instanceof HTMLInputElement && input.readOnly;
}
