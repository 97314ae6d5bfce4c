import { useMutation } from "@tanstack/react-query";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { fetchTemplate } from "../../service/dictionary.ts";
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
