// Requests of the dictionary's drafts and versions for the answers that the OpenAPI document promises.

import { MAX_DRAFTS } from "../../core/contract/dictionary.ts";
import { DRAFTS_PATH, VERSIONS_PATH } from "../../core/contract/paths.ts";
import { randomId } from "../people/auth/random-codes.ts";
import type { PlannedRequest, Promised } from "./response-coverage.ts";
import type { TestService } from "./service.ts";

interface DataPackage {
  resources: { schema: { fields: { title?: string; type?: string }[] } }[];
}

const DRAFTS = `/v1${DRAFTS_PATH}`;

/** The id in the path. */
export async function idOfDictionary(service: TestService, template: string): Promise<string | undefined> {
  if (template.startsWith(`/v1${VERSIONS_PATH}/`)) return "1";
  return template.startsWith(`${DRAFTS}/`) ? newDraft(service, () => undefined) : undefined;
}

/** A body that is accepted. */
export function bodyOfDraft(template: string): object | undefined {
  return template === DRAFTS || template === `${DRAFTS}/{id}` ? { title: "A change" } : undefined;
}

/** Beside the service, which may take one request a second. */
async function newDraft({ store }: TestService, change: (dataPackage: DataPackage) => unknown): Promise<string> {
  const newest = await store.versions.readOther(0);
  if (!newest) throw new Error("the store keeps no dictionary");
  const dataPackage = JSON.parse(newest.text);
  change(dataPackage);
  const id = randomId();
  const made = { createdAt: Date.now(), createdBy: { type: "key", id: "ab", name: "ab" } as const, updatedAt: Date.now() };
  await store.drafts.addDraft(
    { id, title: "A change", comment: "", base: newest.version, text: JSON.stringify(dataPackage), ...made },
    1e6,
  );
  return id;
}

const titled = (title: string) => (dataPackage: DataPackage) => {
  Object.assign(dataPackage.resources[0]?.schema.fields[1] ?? {}, { title });
};

let last = 0;

export async function requestOfDraft(
  service: TestService,
  { template, status }: Promised,
  valid: PlannedRequest,
): Promise<PlannedRequest | undefined> {
  if (!template.startsWith(DRAFTS)) return undefined;
  const of = (id: string) => ({ ...valid, path: template.replace("{id}", id) });
  if (template === DRAFTS && status === 409) {
    while ((await service.call("POST", DRAFTS, { title: "One more" })).status === 201); // as many as there may be
    return valid;
  }
  for (const { id } of (await service.call("GET", DRAFTS)).json.drafts.slice(MAX_DRAFTS / 2))
    await service.call("DELETE", `${DRAFTS}/${id}`);
  if (status === 404) return of("0123456789abcdef");
  if (status === 422 && template !== DRAFTS && template !== `${DRAFTS}/{id}`)
    return of(await newDraft(service, ({ resources }) => Object.assign(resources[0]?.schema.fields[1] ?? {}, { type: "nothing" })));
  if (status === 409) {
    const mine = await newDraft(service, titled(`Mine ${++last}`));
    const theirs = await newDraft(service, titled(`Theirs ${last}`));
    await service.call("POST", `${DRAFTS}/${theirs}/apply`);
    return of(mine);
  }
  return undefined;
}
