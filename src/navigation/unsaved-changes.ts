// Whether the page holds text that is not saved, for the frame around it: signing out would take it along.

import { createContext, type RefObject, useContext } from "react";

export const UnsavedChangesContext = createContext<RefObject<boolean> | undefined>(undefined);

/** The frame's mark; the page sets it, the frame reads it when someone signs out. */
export function useUnsavedChanges(): RefObject<boolean> {
  const hasUnsaved = useContext(UnsavedChangesContext);
  if (!hasUnsaved) throw new Error("UnsavedContext is missing above this page");
  return hasUnsaved;
}
