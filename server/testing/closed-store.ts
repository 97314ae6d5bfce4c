// Fills a store with something of everything that a later version must keep, and reads it again.

import { VERSION_JUMP } from "../engine/renew-words.ts";

/** Seals the secrets in each kept store. */
export const CLOSED_SECRETS_KEY = "kV9xQ2mT7rLw4ZcE8nJb1HsY6pGdU0aFo3iRMtXCvWy";
export const CLOSED_PERSON = { email: "anna@example.com", password: "seven quiet lanterns" };
/** Is sent again to the upgraded store, which must answer with what it answered then. */
export const ONCE = {
  path: "/customers",
  body: { lastName: "Once", accountID: "A-ONCE" },
  headers: { "idempotency-key": "closed-version" },
};

type Json = Record<string, unknown>;
interface Resource extends Json {
  name: string;
  schema: { fields: (Json & { name: string })[] };
}
interface Package extends Json {
  resources: Resource[];
}

/** Resolves to the JSON of an answer. Throws for one that tells of no success. */
export type Call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Json>;

/** Calls a service with these headers. */
export function callerOf(url: string, headers: Record<string, string>): Call {
  return async (method, path, body, more = {}) => {
    const reply = await fetch(`${url}/v1${path}`, {
      method,
      headers: { "content-type": "application/json", ...headers, ...more },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${text}`);
    return text ? JSON.parse(text) : {};
  };
}

/** Fills an empty store whose service was started without DICTIONARY. */
export async function fillStore(call: Call): Promise<void> {
  await apply(call, ({ resources: [customers, ...others], ...more }) => ({
    ...more,
    timeZone: "Europe/Berlin",
    resources: [withMoreFields(customers as Resource), CONTACTS, ...others],
  }));
  const people = (from: number, to: number) =>
    numbers(from, to).map((i) => ({ objectId: i, lastName: `Ångström ${i}`, accountID: `A-${i}`, level: `${i}` }));
  await call("POST", "/customers", people(1, 40), { "intake-source": "upload; run=closedrun1" });
  await call("POST", "/customers", people(41, 45), { "intake-source": "upload; run=closedrun2" });
  await call("POST", "/customers/undo", { run: "closedrun2" });
  await call(
    "POST",
    "/contacts",
    numbers(1, 3).map((i) => ({ id: i, name: `Ángela ${i}`, email: `a${i}@example.com`, customerId: i, since: "2026-02-28" })),
  );
  await call("PATCH", "/contacts/1?acknowledge=usualShare", { share: "75" });
  await call("PATCH", "/customers/1", { firstName: "Märta", note: "calls on Mondays" });
  await call("PATCH", "/customers/1", { firstName: "Marta", level: "12" });
  await call("DELETE", "/customers/40");
  await call("DELETE", "/customers/39");
  await call("POST", "/customers/39/restore", { version: 1 });
  await call("POST", "/customers/38/erasure");
  await call("POST", ONCE.path, ONCE.body, ONCE.headers);
  await fillPeople(call);
  await call("PATCH", "/organisation", { name: "Quiet Lanterns", accent: "#0f766e" });
  await call("POST", "/views", { collection: "customers", name: "Level 12", isShared: true, search: { level: "12" } });
  await call("POST", "/recipes", { collection: "customers", name: "Monthly", headings: ["Name"], content: { columns: ["lastName"] } });
  await call("POST", "/webhooks", { url: "https://example.com/hook", collections: ["customers"], enabled: false });
  await apply(call, (now) => changeFields(now, (field) => ({ ...field, ...(field.name === "firstName" && { name: "givenName" }) })));
  await apply(call, (now) => changeFields(now, (field) => ({ ...field, ...(field.name === "note" && { retired: true }) })));
  const conversion = await call("POST", "/dictionary/conversions", { field: "customers.level", to: { type: "integer" } });
  while ((await call("GET", `/dictionary/conversions/${conversion.id}`)).state === "running")
    await new Promise((resolve) => setTimeout(resolve, 50));
  const { version: _, ...now } = await call("GET", "/dictionary");
  await call("POST", "/dictionary/drafts", { title: "Not yet applied", comment: "", package: { ...now, title: "Lanterns" } });
}

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

function withMoreFields({ schema, ...customers }: Resource): Resource {
  const more = [
    { name: "level", title: "Level" },
    { name: "note", title: "Note", format: "multiline" },
  ];
  return { ...customers, schema: { ...schema, fields: [...schema.fields, ...more] } };
}

const CONTACTS: Resource = {
  name: "contacts",
  singular: "contact",
  title: "Contacts",
  rules: [
    { name: "notBefore", when: "!isEmpty(until)", must: "until >= since", message: "The end must not be before the start." },
    { name: "usualShare", must: "share <= 50", severity: "warning", message: "More than half is unusual." },
  ],
  schema: {
    fields: [
      { name: "id", type: "integer" },
      { name: "name", constraints: { required: true } },
      { name: "email", format: "email", constraints: { unique: true } },
      { name: "customerId", type: "integer" },
      { name: "since", type: "date" },
      { name: "until", type: "date", requiredIf: 'name == "gone"' },
      { name: "share", type: "number", decimals: 2 },
      { name: "size", type: "integer", computed: "size(name)" },
      { name: "source", default: '"unknown"' },
    ],
    primaryKey: "id",
    foreignKeys: [
      { fields: ["customerId"], reference: { resource: "customers", fields: ["objectId"] }, as: "customer", onDelete: "cascade" },
    ],
  } as Resource["schema"],
};

function changeFields(dataPackage: Package, change: (field: Resource["schema"]["fields"][number]) => Json & { name: string }): Package {
  const resources = dataPackage.resources.map((one) => ({ ...one, schema: { ...one.schema, fields: one.schema.fields.map(change) } }));
  return { ...dataPackage, resources };
}

async function apply(call: Call, change: (now: Package) => Package): Promise<void> {
  const { version: _, ...now } = await call("GET", "/dictionary");
  const { id } = await call("POST", "/dictionary/drafts", {
    title: "A change",
    comment: "of the kept store",
    package: change(now as Package),
  });
  await call("POST", `/dictionary/drafts/${id}/apply`, undefined, { "if-match": "*" });
}

async function fillPeople(call: Call): Promise<void> {
  const conditions = {
    customers: { read: { where: "accountID={me.account}" }, fields: { hidden: ["firstName"], readOnly: ["lastName"], masked: ["note"] } },
  };
  const role = await call("POST", "/roles", { name: "One account", scope: "customers:read customers:update contacts:read", conditions });
  const { email, password } = CLOSED_PERSON;
  const made = await call("POST", "/users", { email, name: "Anna Berg", roles: [role.id], language: "de" });
  const { id } = made.user as { id: string };
  await call("PATCH", `/users/${id}`, { attributes: { account: ["A-7"] } });
  await call("POST", "/links/use", { code: (made.link as { url: string }).url.split("#")[1], password });
  await call("POST", "/keys", { name: "Partner", roles: [role.id], expiresAt: null });
}

/** What says when somebody was here, and where in the feed, is another with each start. */
const PASSING = new Set(["lastUsedAt", "lastUsedFrom", "lastSeenAt", "cursor", "next"]);

const LISTS = [
  ...[
    "/dictionary",
    "/dictionary/versions",
    "/dictionary/versions/1",
    "/dictionary/retired",
    "/dictionary/drafts",
    "/dictionary/conversions",
  ],
  ...[
    "/customers?limit=1000",
    "/contacts?limit=1000&expand=customer",
    "/customers?q=angstrom&limit=3",
    "/customers?level.gte=12&limit=1000",
  ],
  ...[
    "/customers/1",
    "/customers/1/history",
    "/customers/39/history",
    "/contacts/1/history",
    "/contacts/violations",
    "/customers?deleted=true",
    "/changes?limit=1000",
  ],
  ...["/activity", "/activity/runs/closedrun1", "/activity/runs/closedrun2"],
  ...["/roles", "/users", "/keys", "/views", "/recipes", "/webhooks", "/organisation"],
];

/** Reads all that was filled in, by address. */
export async function readStore(call: Call): Promise<Json> {
  const all: Json = {};
  for (const path of LISTS) all[path] = withoutPassing(await call("GET", path));
  return all;
}

function withoutPassing(json: Json): Json {
  return JSON.parse(
    JSON.stringify(json, (name, value: unknown) => {
      if (PASSING.has(name)) return undefined;
      return name === "version" && typeof value === "number" ? value % VERSION_JUMP : value; // a kept PostgreSQL store is a restored one
    }),
  );
}
