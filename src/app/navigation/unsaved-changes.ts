// Says whether the page has unsaved text. The sidebar reads it when someone signs out.

import { createContext, type RefObject, useContext } from "react";

export const UnsavedChangesContext = createContext<RefObject<boolean> | undefined>(undefined);

/** Returns a ref that the page sets and the sidebar reads. */
export function useUnsavedChanges(): RefObject<boolean> {
  const hasUnsaved = useContext(UnsavedChangesContext);
  if (!hasUnsaved) throw new Error("There is no UnsavedChangesContext");
  return hasUnsaved;
}
