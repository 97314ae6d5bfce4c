// Merges that are taken apart, the latest first, leave records, references, files, searches and counts as they were.

import fc from "fast-check";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { rounds } from "../../testing/rounds.ts";
import { openTestService, type TestService } from "../../testing/service.ts";

const field = (name: string, more: object = {}) => ({ name, title: name, type: "string", ...more });
const number = (name: string, more: object = {}) => field(name, { type: "integer", ...more });
const reference = (name: string, resource: string, more: object = {}) => ({
  ...{ fields: [`${name}Id`], reference: { resource, fields: ["id"] }, as: name, onDelete: "clear" },
  ...more,
});
const required = { constraints: { required: true } };
const collection = (name: string, singular: string, fields: object[], foreignKeys: object[] = [], more: object = {}) => ({
  ...{ name, singular, title: name },
  schema: { fields: [number("id"), ...fields], primaryKey: ["id"], foreignKeys, ...more },
});
const PACKAGE = {
  title: "A club",
  resources: [
    collection(
      "people",
      "person",
      [
        field("name", required),
        field("code", { constraints: { required: true, unique: true } }),
        field("tags", { type: "list" }),
        field("numbers", { type: "list", itemType: "integer" }),
        number("bossId"),
        field("photo", { format: "file" }),
        field("papers", { type: "list", format: "file" }),
      ],
      [reference("boss", "people")],
    ),
    collection(
      "contacts",
      "contact",
      [field("name", required), number("personId")],
      [reference("person", "people", { onDelete: "cascade" })],
    ),
    collection(
      "jobs",
      "job",
      [field("name", required), number("personId", required), number("helperId"), number("contactId")],
      [
        reference("person", "people", { onDelete: "restrict" }),
        reference("helper", "people"),
        reference("contact", "contacts", { where: { personId: "personId" } }),
      ],
    ),
    collection("groups", "group", [field("name", required)]),
    // Between people and groups: each of them has several of the others.
    collection(
      "places",
      "place",
      [field("name", required), number("personId"), number("groupId")],
      [reference("person", "people", { onDelete: "cascade" }), reference("group", "groups")],
      { uniqueKeys: [["personId", "groupId"]] },
    ),
  ],
};
const COLLECTIONS = ["people", "contacts", "jobs", "places"];

let service: TestService;
beforeAll(async () => {
  service = await openTestService(PACKAGE);
});
afterAll(() => service.close());

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it asserts
type Wire = any;
const call = async (method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Wire> => {
  const reply = await service.call(method, `/v1/${path}`, body, headers);
  if (reply.status >= 400) throw new Error(`${method} ${path} answered ${reply.status}: ${reply.text}`);
  return reply.json;
};
const make = (name: string, record: object): Promise<Wire> => call("POST", name, record);

const MOST_PEOPLE = 4;
const anyOf = fc.nat(MOST_PEOPLE - 1);
const PERSON = fc.record({
  name: fc.constantFrom("Ada Fox", "Bea Øst", "Çem"),
  tags: fc.subarray(["red", "green", "blue"]),
  numbers: fc.subarray([1, 2]),
  boss: fc.option(anyOf),
  photo: fc.option(fc.constantFrom("a", "b")),
  papers: fc.subarray(["c", "d"]),
  contacts: fc.nat(2),
  jobs: fc.array(fc.record({ helper: fc.option(anyOf), contact: fc.option(fc.nat(1)) }), { maxLength: 2 }),
  groups: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: fc.subarray([0, 1]) }),
});
/** `others`: each bit says whether one of the rest becomes part of the survivor. `from`: whose values it gets. */
const MERGE = fc.record({
  survivor: anyOf,
  others: fc.integer({ min: 1, max: 7 }),
  from: fc.array(anyOf, { minLength: 7, maxLength: 7 }),
});
const CASE = fc.record({
  people: fc.array(PERSON, { minLength: 3, maxLength: MOST_PEOPLE }),
  merges: fc.array(MERGE, { minLength: 2, maxLength: 3 }),
});
type Case = typeof CASE extends fc.Arbitrary<infer T> ? T : never;

let words = 0;

async function store({ people }: Case, word: string): Promise<number[]> {
  const groups = [(await make("groups", { name: word })).id, (await make("groups", { name: word })).id];
  const ids: number[] = [];
  for (const [i, { name, tags, numbers }] of people.entries())
    ids.push((await make("people", { name: `${name} ${word}`, code: `${word}${i}`, tags, numbers })).id);
  const idOf = (at: number | null) => (at === null ? null : ids[at % ids.length]);
  for (const [i, { boss, photo, papers, contacts, jobs, groups: of }] of people.entries()) {
    const personId = ids[i] as number;
    if (boss !== null) await call("PATCH", `people/${personId}`, { bossId: idOf(boss) });
    const type = { "content-type": "application/octet-stream" };
    if (photo !== null) await call("PUT", `people/${personId}/photo?name=${photo}.txt`, photo, type);
    for (const paper of papers) await call("POST", `people/${personId}/papers?name=${paper}.txt`, paper, type);
    const known: number[] = [];
    for (let n = 0; n < contacts; n++) known.push((await make("contacts", { personId, name: `Zoë ${word}` })).id);
    for (const { helper, contact } of jobs) {
      const contactId = contact === null ? null : (known[contact] ?? null);
      await make("jobs", { personId, helperId: idOf(helper), contactId, name: `Job ${word}` });
    }
    for (const group of of) await make("places", { personId, groupId: groups[group], name: `Place ${word}` });
  }
  return ids;
}

const withoutVersion = ({ version: _, updatedAt: __, updatedBy: ___, ...record }: Wire) => record;

/** Returns what is found by a word that all records of the case have: the records, and what searches, filters, counts and addresses say of them. */
async function readAll(word: string, ids: readonly number[]): Promise<Wire> {
  const found: Wire = {};
  for (const name of COLLECTIONS) {
    const { [name]: records, total } = await call("GET", `${name}?q=${word}&count=exact&limit=100&sort=id`);
    found[name] = records.map(withoutVersion);
    found[`${name} found`] = total;
  }
  found["people deleted"] = (await call("GET", `people?q=${word}&deleted=true`)).people.length;
  for (const query of [
    "tags[has]=red",
    "numbers[hasAny]=1,2",
    "tags[null]=true",
    "boss.tags[has]=red",
    "boss.name[contains]=ada",
    "q=ada",
  ]) {
    const { people, total } = await call("GET", `people?code[prefix]=${word}&${query}&count=exact&limit=100&sort=id`);
    found[query] = [total, people.map(({ id }: Wire) => id)];
  }
  await expectHint(`${word}0`, found.people);
  for (const id of ids) {
    const { status, headers, json } = await service.call("GET", `/v1/people/${id}`);
    found[`address of ${id}`] = [status, headers.location, status === 200 && withoutVersion(json)];
    if (status !== 200) continue;
    found[`jobs of ${id}`] = (await call("GET", `people/${id}/jobs?count=exact`)).total;
    if (json.photo) found[`photo of ${id}`] = (await service.call("GET", `/v1/people/${id}/photo`)).text;
  }
  return found;
}

/** Whoever has this code is told as a hint, which is left out where it takes too long. */
async function expectHint(code: string, people: Wire[]): Promise<void> {
  const expected = people.flatMap((one) => (one.code === code ? [one.id] : []));
  const hints = async () => ((await call("GET", `people?q=${code}&hints=true`)).exact ?? []).map(({ id }: Wire) => id);
  await vi.waitFor(async () => expect(await hints()).toEqual(expected), 20_000);
}

async function historyOf(path: string): Promise<Wire[]> {
  const entries: Wire[] = [];
  for (let before: number | null | undefined; before !== null; ) {
    const page = await call("GET", `${path}/history?limit=100${before ? `&before=${before}` : ""}`);
    entries.push(...page.history);
    before = page.next;
  }
  return entries;
}

/** The versions rise by one, each entry goes on from what the one before left, and the last one leaves the record as it is. */
async function expectHistories(seen: Wire): Promise<void> {
  for (const name of ["people", "jobs"])
    for (const { id, createdAt: _, createdBy: __, ...record } of seen[name]) {
      const entries = (await historyOf(`${name}/${id}`)).reverse();
      expect([name, id, entries.map(({ version }) => version)]).toEqual([name, id, entries.map((_, i) => i + 1)]);
      const state: Wire = Object.fromEntries(Object.keys(record).map((one) => [one, null]));
      for (const { version, operation, changes } of entries)
        for (const [one, [old, now]] of Object.entries<[Wire, Wire]>(changes)) {
          if (one === "id") continue;
          if (operation === "updated") expect([name, id, version, one, old]).toEqual([name, id, version, one, state[one]]);
          state[one] = now;
        }
      expect([name, id, state]).toEqual([name, id, record]);
    }
}

interface Done {
  id: string;
  moved: Wire;
  before: Wire;
  after: Wire;
}

/** Merges as the case says, of what is there: `before`. Returns undefined where it is refused, which changes nothing. */
async function merge(
  word: string,
  ids: readonly number[],
  { survivor: at, others: bits, from }: Case["merges"][number],
  before: Wire,
): Promise<Done | undefined> {
  const { people } = await call("GET", `people?q=${word}&limit=100&sort=id`);
  const survivor = people[at % people.length];
  const rest = people.filter((one: Wire) => one !== survivor);
  const chosen = rest.filter((_: Wire, i: number) => (bits >> i) & 1);
  const others = chosen.length > 0 ? chosen : rest.slice(0, 1);
  const all = [survivor, ...others];
  const values: Wire = {};
  for (const [i, name] of ["name", "code", "tags", "photo", "bossId"].entries()) values[name] = all[(from[i] as number) % all.length][name];
  if (all.some(({ id }) => id === values.bossId)) values.bossId = null;
  for (const name of ["numbers", "papers"]) {
    const united = [...new Set(all.flatMap((one) => one[name] ?? []))];
    values[name] = united.length > 0 ? united : null;
  }
  const versions = Object.fromEntries(all.map(({ id, version }) => [id, version]));
  const body = { survivor: survivor.id, others: others.map(({ id }: Wire) => id), values, versions };
  const tried = await call("POST", "people/merges?dryRun=true", body);
  const { status, json } = await service.call("POST", "/v1/people/merges", body);
  if (status !== 201) {
    // Two of them have a place in the same group.
    expect([status, json.code, tried.record, await readAll(word, ids)]).toEqual([422, expect.any(String), null, before]);
    expect(before["places found"]).toBeGreaterThan(1);
    return undefined;
  }
  expect([tried.errors, tried.moved]).toEqual([[], json.moved]);
  const after = await readAll(word, ids);
  expect(after.people.map(({ id }: Wire) => id)).toEqual(
    before.people.map(({ id }: Wire) => id).filter((id: number) => !body.others.includes(id)),
  );
  expect(after.people.find(({ id }: Wire) => id === survivor.id)).toMatchObject(values);
  expect(after[`jobs of ${survivor.id}`]).toBe(all.reduce((sum, { id }) => sum + before[`jobs of ${id}`], 0));
  const whole = await historyOf(`people/${survivor.id}`);
  for (const { id } of others) {
    const own = (await historyOf(`people/${id}`)).filter(({ mergedFrom }) => mergedFrom === undefined);
    const asPart = whole.filter(({ mergedFrom }) => mergedFrom === id).map(({ mergedFrom: _, ...entry }) => entry);
    expect([id, asPart]).toEqual([id, own]);
  }
  return { id: json.id, moved: json.moved, before, after };
}

let [merged, refused, nested] = [0, 0, 0];

test("merging and taking apart changes nothing", { timeout: 1_800_000 }, async () => {
  const property = fc.asyncProperty(CASE, async (given) => {
    const word = `w${++words}x`;
    const ids = await store(given, word);
    // Somebody writes other records in between, of the same collections.
    const other = await make("people", { name: "Other", code: `other${words}` });
    const job = await make("jobs", { name: "Other", personId: other.id });
    const write = async (name: string) => {
      await call("PATCH", `people/${other.id}`, { name });
      await call("PATCH", `jobs/${job.id}`, { name });
    };
    const done: Done[] = [];
    let seen = await readAll(word, ids);
    for (const one of given.merges) {
      if (seen.people.length === 1) break;
      const made = await merge(word, ids, one, seen);
      if (made) done.push(made);
      else refused += 1;
      seen = made?.after ?? seen;
      await write(`Other ${done.length}`);
    }
    merged += done.length;
    if (done.length > 1) nested += 1;
    for (const { id, moved, before } of done.reverse()) {
      const apart = await call("DELETE", `people/merges/${id}`);
      expect([apart.moved, apart.kept]).toEqual([moved, {}]);
      seen = await readAll(word, ids);
      expect(seen).toEqual(before);
      await write(`Other ${id}`);
    }
    await expectHistories(seen);
  });
  await fc.assert(property, { numRuns: rounds(5, 200), endOnFailure: true });
  expect(merged).toBeGreaterThan(0);
  if (!process.env.DEEP) return;
  expect([nested > 0, refused > 0]).toEqual([true, true]);
  process.stdout.write(`${merged} merges, ${refused} were refused, ${nested} times several in a row\n`);
});
