// Requests of the dictionary's drafts and versions for the answers that the OpenAPI document promises.

import { MAX_DRAFTS } from "../../core/contract/dictionary.ts";
import { CONVERSIONS_PATH, DRAFTS_PATH, RETIRED_PATH, VERSIONS_PATH } from "../../core/contract/paths.ts";
import { randomId } from "../people/auth/random-codes.ts";
import type { PlannedRequest, Promised } from "./response-coverage.ts";
import type { TestService } from "./service.ts";

interface DataPackage {
  resources: { schema: { fields: { name?: string; retired?: boolean; title?: string; type?: string }[] } }[];
}

const DRAFTS = `/v1${DRAFTS_PATH}`;
const CONVERSIONS = `/v1${CONVERSIONS_PATH}`;
const RETIRED = `/v1${RETIRED_PATH}`;

/** The id in the path. */
export async function idOfDictionary(service: TestService, template: string): Promise<string | undefined> {
  if (template.startsWith(`/v1${VERSIONS_PATH}/`)) return "1";
  if (template.startsWith(`${CONVERSIONS}/`)) return newConversion(service, "done");
  if (template.startsWith(`${RETIRED}/`)) return "0123456789";
  return template.startsWith(`${DRAFTS}/`) ? newDraft(service, () => undefined) : undefined;
}

/** A body that is accepted. */
export function bodyOfDraft(template: string): object | undefined {
  if (template === CONVERSIONS) return { field: "nothing.at", to: { type: "string" } };
  return template === DRAFTS || template === `${DRAFTS}/{id}` ? { title: "A change" } : undefined;
}

/** Beside the service, which may take one request a second. */
async function newDraft({ store }: TestService, change: (dataPackage: DataPackage) => unknown): Promise<string> {
  const newest = await store.versions.readOther(0);
  if (!newest) throw new Error("the store keeps no dictionary");
  const dataPackage = JSON.parse(newest.text);
  change(dataPackage);
  const id = randomId();
  const made = { createdAt: Date.now(), createdBy: { type: "key", id: "ab", name: "ab" } as const, updatedAt: Date.now(), editedBy: "ab" };
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

/** One of fields that are not there. */
async function newConversion({ store }: TestService, state: "running" | "done"): Promise<string> {
  const [id, now] = [randomId(), Date.now()];
  await store.conversions.addConversion({
    ...{ id, collection: "customers", from: randomId(), to: randomId(), column: randomId(), name: "phone" },
    ...{ fromKind: "string", toKind: "date", reads: {}, undoes: null, by: { type: "key", id: "ab" }, at: now, state },
    ...{ after: null, seen: 0, total: 0, converted: 0, left: 0, empty: 0, leftRecords: [], detail: "", touchedAt: now + 3_600_000 },
  });
  return id;
}

/** A field that is stored as text, and was added for the request. */
async function newField(service: TestService, words: object = {}): Promise<string> {
  const name = `added${++last}`;
  const id = await newDraft(service, ({ resources }) => resources[0]?.schema.fields.push({ name, title: name, type: "string", ...words }));
  const { status, text } = await service.call("POST", `${DRAFTS}/${id}/apply`);
  if (status !== 200) throw new Error(`the field cannot be added: ${text}`);
  added.push(name);
  return name;
}

const added: string[] = []; // in one of the services

/** The document of the test does not know what was added: it is retired before another request. */
export async function retireAdded(service: TestService): Promise<void> {
  for (let isLeft = added.length > 0; isLeft; ) {
    const { resources }: DataPackage = JSON.parse((await service.store.versions.readOther(0))?.text ?? "");
    isLeft = resources.some(({ schema }) => schema.fields.some(({ name, retired }) => !retired && added.includes(String(name))));
    if (!isLeft) break;
    const id = await newDraft(service, ({ resources }) => {
      for (const field of resources[0]?.schema.fields ?? []) if (added.includes(String(field.name))) field.retired = true;
    });
    await service.call("POST", `${DRAFTS}/${id}/apply`); // it is refused while one of them is converted
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function converted(service: TestService, order: object): Promise<string> {
  const { json } = await service.call("POST", CONVERSIONS, order);
  for (;;) {
    const { state } = (await service.call("GET", `${CONVERSIONS}/${json.id}`)).json;
    if (state === "done") return json.id;
    if (state !== "running") throw new Error(`the conversion is ${state}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function requestOfConversion(
  service: TestService,
  { template, method, status }: Promised,
  valid: PlannedRequest,
): Promise<PlannedRequest> {
  const [collection] = service.collections;
  const of = (id: string) => ({ ...valid, path: template.replace("{id}", id) });
  const order = (field: string, more: object = {}) => ({ field: `${collection?.name}.${field}`, to: { type: "date" }, ...more });
  if (status === 404) return of("0123456789abcdef");
  if (template === CONVERSIONS && method === "POST") {
    const field = status === 409 ? String(collection?.key.name) : await newField(service);
    return { ...valid, body: JSON.stringify(order(field, { dryRun: status === 200, ...(status === 422 && { to: { type: "nothing" } }) })) };
  }
  if (status === 204) return of(await newConversion(service, "running"));
  if (status === 201) return of(await converted(service, order(await newField(service))));
  return valid;
}

async function requestOfRetired(service: TestService, { status }: Promised, valid: PlannedRequest): Promise<PlannedRequest> {
  if (status === 404) return valid;
  const name = await newField(service, status === 409 ? {} : { retired: true });
  const { text } = (await service.store.versions.readOther(0)) ?? { text: "{}" };
  const { id } = (JSON.parse(text) as { resources: { schema: { fields: { name: string; id: string }[] } }[] }).resources
    .flatMap(({ schema }) => schema.fields)
    .find((field) => field.name === name) ?? { id: "" };
  return { ...valid, path: `${RETIRED}/${id}?confirm=${status === 422 ? "other" : name}` };
}

export async function requestOfDraft(service: TestService, promised: Promised, valid: PlannedRequest): Promise<PlannedRequest | undefined> {
  const { template, status } = promised;
  if (template.startsWith(CONVERSIONS)) return requestOfConversion(service, promised, valid);
  if (template.startsWith(`${RETIRED}/`)) return requestOfRetired(service, promised, valid);
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
