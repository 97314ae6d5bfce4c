// Addresses within the editor of the dictionary.

import { useParams, useSearch } from "../../app/router/router-context.tsx";

/** Returns the address of a part of the editor. `of`: the collection that is edited, which the dictionary may not have yet. */
export function useEditorTarget() {
  const { collection = "" } = useParams();
  const { draft, of } = useSearch();
  return (part: string | undefined, more: Readonly<Record<string, string | undefined>> = {}) =>
    ({ to: "/$collection/dictionary", params: { collection }, search: withoutUndefined({ draft, of, part, ...more }) }) as const;
}

const withoutUndefined = (search: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined));
