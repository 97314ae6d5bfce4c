import { createContext, useContext } from "react";

/** How the ids of a form's inputs begin: a form over another one needs its own. */
export const FieldIdContext = createContext("field-");

/** The id of the input of a field, by its name. */
export function useFieldId(): (name: string) => string {
  const prefix = useContext(FieldIdContext);
  return (name) => prefix + name;
}
