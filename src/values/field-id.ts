import { createContext, useContext } from "react";

/** Begins the ids of a form's inputs: a form over another one needs its own. */
export const FieldIdContext = createContext("field-");

/** Returns the id of the input of a field, by its name. */
export function useFieldId(): (name: string) => string {
  const prefix = useContext(FieldIdContext);
  return (name) => prefix + name;
}

/** Moves the focus to an input. The section of the form in which it stands is opened before: what is closed takes no focus. */
export function goToInput(input: Element | null | undefined): void {
  const section = input?.closest("details");
  if (section) section.open = true;
  if (input instanceof HTMLElement) input.focus();
}
