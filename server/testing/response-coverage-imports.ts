// Finds a request for each answer that the OpenAPI document promises about imports.

import type { PlannedRequest, Promised } from "./response-coverage.ts";
import type { TestService } from "./service.ts";

const FILE = "name\nAda\n";
let last = 0;

/** Returns undefined for an answer that is about something else. `valid`: gets its body here. */
export async function requestOfImport(
  service: TestService,
  { template, status, method }: Promised,
  valid: PlannedRequest,
): Promise<PlannedRequest | undefined> {
  if (template === "/v1/runs/{id}/import") return requestOfOne(service, status, valid);
  if (method !== "POST" || !template.endsWith("/imports")) return undefined;
  const own = { path: valid.path, headers: { ...valid.headers, "content-type": "text/csv" }, body: FILE };
  const withHeader = (name: string, value: string) => ({ ...own, headers: { ...own.headers, [name]: value } });
  switch (status) {
    case 400:
      return { ...own, path: `${own.path}?nonsense=1` };
    case 413:
      return withHeader("content-length", "99999999999");
    case 415:
      return withHeader("content-encoding", "br");
    case 422: {
      const again = withHeader("idempotency-key", `import-${++last}`);
      await service.raw("POST", again.path, again.headers, again.body);
      return { ...again, path: `${again.path}?dryRun=true` };
    }
    case 202:
    case 404: // with a service that keeps no files
      return own;
    default:
      return undefined;
  }
}

async function requestOfOne(service: TestService, status: number, valid: PlannedRequest): Promise<PlannedRequest | undefined> {
  if (status === 404) return { ...valid, path: "/v1/runs/none/import" };
  if (status !== 200) return undefined;
  const [{ name } = { name: "" }] = service.collections;
  const { json } = await service.raw("POST", `/v1/${name}/imports`, { ...valid.headers, "content-type": "text/csv" }, FILE);
  return { ...valid, path: `/v1/runs/${json.id}/import` };
}
