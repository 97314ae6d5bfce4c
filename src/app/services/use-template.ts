import { useMutation } from "@tanstack/react-query";
import type { Client } from "../../../client/http-client.ts";
import { templatePath } from "../../../core/contract/paths.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { download } from "./download.ts";
import { useServices } from "./services.ts";

export function useTemplate(collection: Collection): { download(): void; error: Error | null } {
  const { client } = useServices();
  const { mutate, error } = useMutation({
    mutationFn: () => fetchTemplate(client, collection),
    onSuccess: (blob) => download(blob, `${collection.name}-template.csv`),
  });
  return { download: () => mutate(), error };
}

/** A CSV file with only the header row, for users to fill in. */
async function fetchTemplate(client: Client, collection: Collection): Promise<Blob> {
  const { text } = await client.request("GET", templatePath(collection.name), { headers: { Accept: "text/csv" } });
  // Response.text() removes the BOM; without it a spreadsheet would guess the encoding.
  return new Blob(["\uFEFF", text], { type: "text/csv" });
}
