// Gives a collection's template file to the browser's downloads, from whichever page asks.

import { useMutation } from "@tanstack/react-query";
import type { Collection } from "../../dictionary/collections.ts";
import { fetchTemplate } from "../api/dictionary.ts";
import { useDeps } from "./deps.ts";
import { saveFile } from "./save-file.ts";

export function useTemplate(collection: Collection): { download(): void; error: Error | null } {
  const { client } = useDeps();
  const { mutate, error } = useMutation({
    mutationFn: () => fetchTemplate(client, collection),
    onSuccess: (blob) => saveFile(blob, `${collection.name}-template.csv`),
  });
  return { download: () => mutate(), error };
}
