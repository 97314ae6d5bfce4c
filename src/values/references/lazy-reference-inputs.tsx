// Loads what some forms need: inputs of references, people, files and several values, and rules' language.

import { useEffect, useState } from "react";
import { areRulesLoaded, loadRules } from "../../../core/dictionary/ask-rules.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { lazyPart } from "../../app/code/lazy-page.tsx";
import { holdKeys } from "../../ui/keyboard/held-keys.ts";
import type { FormListProps, ListValue as OpenedListValue } from "../lists/list-input.tsx";
import type { InputOfForm } from "../picker.tsx";
import type { FormFileProps } from "../record-files/file-input.tsx";
import type { FormReferenceProps, ReferenceValue as OpenedReferenceValue } from "./reference-input.tsx";
import type { ReferenceNameProps } from "./reference-name.tsx";

export const OpenReference = lazyPart<"OpenReference", ReferenceNameProps>(
  () => import("./reference-name.tsx"),
  "OpenReference",
  () => null,
);
export const ReferenceValue = lazyPart<"ReferenceValue", React.ComponentProps<typeof OpenedReferenceValue>>(
  () => import("./reference-input.tsx"),
  "ReferenceValue",
);
export const FormList = lazyPart<"FormList", FormListProps>(() => import("../lists/list-input.tsx"), "FormList");
export const ListValue = lazyPart<"ListValue", React.ComponentProps<typeof OpenedListValue>>(
  () => import("../lists/list-input.tsx"),
  "ListValue",
);
export const FormPerson = lazyPart<"FormPerson", InputOfForm>(() => import("../people/person-input.tsx"), "FormPerson");
export const FormFile = lazyPart<"FormFile", FormFileProps>(() => import("../record-files/form-file.tsx"), "FormFile");
export const FormReference = lazyPart<"FormReference", FormReferenceProps>(() => import("./reference-input.tsx"), "FormReference");

/**
 * Says whether what a form of the collection needs besides is loaded, the inputs of references, people, files and several values and the language of rules: a form that waits
 * for them never moves its focus.
 */
export function useFormParts(collection: Collection): boolean {
  const { references, fields } = collection;
  const hasLists = fields.some(({ item, file }) => item && !file);
  const hasPeople = fields.some(({ isPerson }) => isPerson);
  const hasFiles = fields.some(({ file }) => file);
  const [isReady, setReady] = useState(references.length === 0 && !hasLists && !hasPeople && !hasFiles && areRulesLoaded(collection));
  useEffect(() => {
    let isMounted = true;
    if (isReady) return;
    const release = holdKeys();
    const inputs = references.length > 0 ? [FormReference.preload(), OpenReference.preload()] : [];
    if (hasLists) inputs.push(FormList.preload());
    if (hasPeople) inputs.push(FormPerson.preload());
    if (hasFiles) inputs.push(FormFile.preload());
    void Promise.all([...inputs, loadRules(collection)]).then(() => isMounted && setReady(true));
    return () => {
      isMounted = false;
      release(true);
    };
  }, [isReady, references, hasLists, hasPeople, hasFiles, collection]);
  return isReady;
}
