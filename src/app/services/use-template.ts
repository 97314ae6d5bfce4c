import { useMutation } from "@tanstack/react-query";
import type { Client } from "../../../client/http-client.ts";
import { templatePath } from "../../../core/contract/paths.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { download } from "./download.ts";
import { useServices } from "./services.ts";

type TemplateForm = "csv" | "xlsx";

export function useTemplate(collection: Collection): { download(form?: TemplateForm): void; error: Error | null } {
  const { client } = useServices();
  const { mutate, error } = useMutation({
    mutationFn: (form: TemplateForm) => (form === "csv" ? fetchTemplate(client, collection) : makeWorkbook(collection)),
    onSuccess: (blob, form) => download(blob, `${collection.name}-template.${form}`),
  });
  return { download: (form = "csv") => mutate(form), error };
}

async function makeWorkbook(collection: Collection): Promise<Blob> {
  const { templateWorkbook } = await import("../../../pipeline/containers/template-workbook.ts");
  return new Blob([templateWorkbook(collection)], { type: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet" });
}

/** Returns a CSV file with only the header row, for users to fill in. */
async function fetchTemplate(client: Client, collection: Collection): Promise<Blob> {
  const { text } = await client.request("GET", templatePath(collection.name), { headers: { Accept: "text/csv" } });
  // Response.text() removes the BOM; without it a spreadsheet would guess the encoding.
  return new Blob(["\uFEFF", text], { type: "text/csv" });
}
