// The entry of the chunk with the editor of the dictionary and its versions.

import { useSearch } from "../../app/router/router-context.tsx";
import { DraftEditor } from "./draft-editor.tsx";
import { VersionsPage } from "./versions-page.tsx";

export function DictionaryEditor() {
  return useSearch().draft === undefined ? <VersionsPage /> : <DraftEditor />;
}
