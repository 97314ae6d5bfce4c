// Inputs that only the forms of collections that refer to others load.

import { useEffect, useState } from "react";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { lazyPart } from "../../app/code/lazy-page.tsx";
import { holdKeys } from "../../ui/keyboard/held-keys.ts";
import type { FormReferenceProps } from "./reference-input.tsx";
import type { ReferenceNameProps } from "./reference-name.tsx";
import type { ReferenceValueProps } from "./reference-value.tsx";

export const OpenReference = lazyPart<"OpenReference", ReferenceNameProps>(
  () => import("./reference-name.tsx"),
  "OpenReference",
  () => null,
);
export const ReferenceValue = lazyPart<"ReferenceValue", ReferenceValueProps>(() => import("./reference-value.tsx"), "ReferenceValue");
export const FormReference = lazyPart<"FormReference", FormReferenceProps>(() => import("./reference-input.tsx"), "FormReference");

/** Says whether the inputs of the collection's references are loaded, or it has none: a form that waits for them never moves its focus. */
export function useReferenceInputs({ references }: Collection): boolean {
  const [isReady, setReady] = useState(references.length === 0);
  useEffect(() => {
    let isMounted = true;
    if (isReady) return;
    const release = holdKeys();
    void Promise.all([FormReference.preload(), OpenReference.preload()]).then(() => isMounted && setReady(true));
    return () => {
      isMounted = false;
      release(true);
    };
  }, [isReady]);
  return isReady;
}
