// The history of a record, bringing versions back, and the change feed as the API gives it.

import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Change } from "../../../core/contract/history.ts";
import { NO_RATE_LIMIT, openTestService, type TestService } from "../../testing/service.ts";

let service: TestService;
let address: string;
let isStopping = false;
beforeAll(async () => {
  service = await openTestService(undefined, { isStopping: () => isStopping });
  await service.app.listen({ port: 0, host: "127.0.0.1" });
  address = `http://127.0.0.1:${(service.app.server.address() as AddressInfo).port}`;
});
afterAll(() => service.close());

const PATH = "/v1/customers";
let last = 0;

async function create(fields: Record<string, unknown> = {}, headers: Record<string, string> = {}): Promise<number> {
  const record = { lastName: "Berg", accountID: `h${++last}`, ...fields };
  return (await service.call("POST", PATH, record, headers)).json.objectId;
}
const historyOf = async (id: number) => (await service.call("GET", `${PATH}/${id}/history`)).json.history;
const restore = (id: number, version: number, headers = {}) => service.call("POST", `${PATH}/${id}/restore`, { version }, headers);
const now = async () => (await service.call("GET", "/v1/changes?after=now")).json.next as string;

/**
 * The first `count` changes of these records after a cursor. On PostgreSQL transactions of other tests hold the feed up, and changes
 * from just before "now" may come after it.
 */
async function changesAfter(cursor: string, ids: readonly number[], count: number, query = ""): Promise<Change[]> {
  const found: Change[] = [];
  let after = cursor;
  await vi.waitFor(
    async () => {
      const { json } = await service.call("GET", `/v1/changes?after=${after}${query}`);
      found.push(...json.changes.filter(({ objectId }: Change) => ids.includes(objectId)));
      after = json.next;
      expect(found.length).toBeGreaterThanOrEqual(count);
    },
    { timeout: 60_000, interval: 5 },
  );
  return found;
}

describe("the history of a record", () => {
  test("says who changed what, when and how, newest first", async () => {
    const id = await create({}, { "intake-source": "form" });
    const person = await service.newPerson("editor");
    const change = { authorization: `Bearer ${person.token}`, "intake-source": "upload; run=2f1c0a" };
    await service.call("PATCH", `${PATH}/${id}`, { lastName: "Bergmann" }, change);
    await service.call("DELETE", `${PATH}/${id}`);
    const [deleted, updated, created] = await historyOf(id);
    expect(created).toMatchObject({ version: 1, operation: "created", by: { type: "key" }, source: { type: "form", run: null } });
    expect(created.changes.lastName).toEqual([null, "Berg"]);
    expect(updated).toMatchObject({ version: 2, operation: "updated", by: { type: "user", id: person.id } });
    expect(updated).toMatchObject({ source: { type: "upload", run: "2f1c0a" }, changes: { lastName: ["Berg", "Bergmann"] } });
    expect(deleted).toMatchObject({ version: 3, operation: "deleted", source: { type: "api", run: null } });
    expect(deleted.changes.lastName).toEqual(["Bergmann", null]);
  });

  test("comes in pages", async () => {
    const id = await create();
    for (const lastName of ["B", "C", "D"]) await service.call("PATCH", `${PATH}/${id}`, { lastName });
    const first = (await service.call("GET", `${PATH}/${id}/history?limit=3`)).json;
    expect(first.history.map((entry: { version: number }) => entry.version)).toEqual([4, 3, 2]);
    const rest = (await service.call("GET", `${PATH}/${id}/history?limit=3&before=${first.next}`)).json;
    expect(rest.history.map((entry: { version: number }) => entry.version)).toEqual([1]);
    expect(rest.next).toBeNull();
  });

  test("of a record that there never was is a 404", async () => {
    expect((await service.call("GET", `${PATH}/${await create()}999/history`)).status).toBe(404);
  });

  test("an upload that says nonsense about itself is refused, and nothing is written", async () => {
    for (const source of ["fax", "upload; run=", "upload; run=a b", `batch; run=${"x".repeat(65)}`, "form, form"]) {
      const record = { lastName: "X", accountID: `x${++last}` };
      expect((await service.call("POST", PATH, record, { "intake-source": source })).json).toMatchObject({
        status: 400,
        code: "BAD_HEADER",
      });
      expect((await service.call("GET", `${PATH}?accountID=x${last}&count=exact`)).json.total).toBe(0);
    }
  });
});

describe("an earlier version", () => {
  test("is written as a new one", async () => {
    const id = await create({ firstName: "Anna" });
    await service.call("PATCH", `${PATH}/${id}`, { firstName: null, lastName: "Other" });
    await service.call("PATCH", `${PATH}/${id}`, { lastName: "Third" });
    const { status, json } = await restore(id, 1);
    expect([status, json.version, json.firstName, json.lastName]).toEqual([200, 4, "Anna", "Berg"]);
    expect((await historyOf(id))[0]).toMatchObject({ operation: "restored", version: 4, changes: { lastName: ["Third", "Berg"] } });
    expect((await restore(id, 2)).json).toMatchObject({ firstName: null, lastName: "Other", version: 5 });
    expect((await restore(id, 4)).json).toMatchObject({ firstName: "Anna", lastName: "Berg", version: 6 });
  });

  test("brings a deleted record back, again and again", async () => {
    const id = await create({ firstName: "Anna" });
    for (let version = 1; version <= 5; version += 2) {
      await service.call("DELETE", `${PATH}/${id}`);
      const { status, json, headers } = await restore(id, version);
      expect([status, json.version, json.firstName, headers.location]).toEqual([201, version + 2, "Anna", `${PATH}/${id}`]);
    }
    expect((await historyOf(id)).map((entry: { operation: string }) => entry.operation)).toEqual([
      "restored",
      "deleted",
      "restored",
      "deleted",
      "restored",
      "deleted",
      "created",
    ]);
  });

  test("a record that is back was made when and by whom it was made at first", async () => {
    const maker = await service.newPerson("editor");
    const { json: made } = await service.call(
      "POST",
      PATH,
      { lastName: "Berg", accountID: `h${++last}` },
      { authorization: `Bearer ${maker.token}` },
    );
    const id: number = made.objectId;
    const origin = { createdAt: made.createdAt, createdBy: made.createdBy };
    expect(origin.createdBy.id).toBe(maker.id);
    for (let version = 1; version <= 3; version += 2) {
      await service.call("DELETE", `${PATH}/${id}`);
      const { json } = await restore(id, version);
      expect(json).toMatchObject({ ...origin, updatedBy: { type: "key" } });
      expect(json.updatedAt > made.createdAt).toBe(true);
      expect((await service.call("GET", `${PATH}/${id}`)).json).toEqual(json);
      expect((await service.call("GET", `${PATH}?sort=-objectId&limit=1`)).json.customers).toEqual([json]); // read from the store itself
    }
    await service.call("DELETE", `${PATH}/${id}`);
    const { json: anew } = await service.call("PUT", `${PATH}/${id}`, { lastName: "Other", accountID: `h${++last}` });
    expect(anew).toMatchObject({ createdAt: anew.updatedAt, createdBy: { type: "key" } }); // another record under the same id
  });

  test("that is not kept, is a deletion, or is not expected, changes nothing", async () => {
    const id = await create();
    await service.call("DELETE", `${PATH}/${id}`);
    for (const version of [2, 3, 99]) expect((await restore(id, version)).status).toBe(404);
    expect((await restore(id, 1, { "if-match": `"${id}-1"` })).status).toBe(412);
    await restore(id, 1);
    expect((await restore(id, 1, { "if-match": `"${id}-1"` })).status).toBe(412);
    expect((await restore(id, 1, { "if-match": `"${id}-3"` })).json.version).toBe(3); // nothing to change
    for (const body of [{}, { version: "1" }, { version: 1, more: 1 }]) {
      expect((await service.call("POST", `${PATH}/${id}/restore`, body)).status).toBe(422);
    }
  });
});

test("deleted records can be listed, the latest first, in pages", async () => {
  const ids = [await create({ firstName: "D" }), await create({ firstName: "D" }), await create({ firstName: "D" })];
  for (const id of ids) await service.call("DELETE", `${PATH}/${id}`);
  const first = (await service.call("GET", `${PATH}?deleted=true&limit=2`)).json;
  const second = (await service.call("GET", `${PATH}?deleted=true&limit=2&cursor=${first.next}`)).json;
  const shown = [...first.customers, ...second.customers].filter(({ objectId }) => ids.includes(objectId));
  expect(shown).toHaveLength(3);
  expect(shown[0]).toMatchObject({ firstName: "D", version: 2, deletedBy: { type: "key" } });
  await restore(shown[0].objectId, 1);
  const { json } = await service.call("GET", `${PATH}?deleted=true`);
  expect(json.customers.map(({ objectId }: { objectId: number }) => objectId)).not.toContain(shown[0].objectId);
  for (const query of ["deleted=false", `deleted=true&q=${"x".repeat(201)}`, "deleted=true&sort=lastName"])
    expect((await service.call("GET", `${PATH}?${query}`)).status).toBe(400);
});

test("deleted records are searched by the beginnings of words and by the key, however many were deleted since", async () => {
  const sought = [await create({ firstName: "Märta", lastName: "Lost" }), await create({ firstName: "Marta", lastName: "Lost-Found" })];
  const others = Array.from({ length: 5_200 }, (_, i) => ({ lastName: "Other", accountID: `o${i}` }));
  const made = (await service.call("POST", PATH, others)).json.customers as { objectId: number }[];
  const ids = [...sought, ...made.map(({ objectId }) => objectId)];
  for (const part of [ids.slice(0, 2), ids.slice(2)]) {
    const gone = part.map((objectId) => ({ objectId }));
    expect((await service.call("POST", `${PATH}/deletions`, gone)).status).toBe(200);
  }
  const search = async (query: string) => {
    const found: number[] = [];
    let pages = 0;
    for (let cursor = ""; pages === 0 || cursor; pages++) {
      const { json } = await service.call("GET", `${PATH}?deleted=true&${query}${cursor && `&cursor=${cursor}`}`);
      found.push(...json.customers.map(({ objectId }: { objectId: number }) => objectId));
      cursor = json.next ?? "";
    }
    return { found: found.sort((a, b) => a - b), pages };
  };
  expect(await search("q=MART%20los")).toEqual({ found: sought, pages: 2 });
  expect((await search("q=MART%20los&limit=1")).found).toEqual(sought);
  expect((await search("q=found")).found).toEqual([sought[1]]);
  expect((await search(`q=${sought[0]}`)).found).toEqual([sought[0]]);
  for (const none of ["ost", "marta x", "..."]) expect((await search(`q=${encodeURIComponent(none)}`)).found).toEqual([]);
  const { json } = await service.call("GET", `${PATH}?deleted=true&q=lost&limit=1`);
  expect((await service.call("GET", `${PATH}?deleted=true&q=found&cursor=${json.next}`)).json.code).toBe("BAD_CURSOR");
});

describe("the change feed", () => {
  test("has every change in order, and with include what it changed and the record as it is now", async () => {
    const start = await now();
    const id = await create();
    await service.call("PATCH", `${PATH}/${id}`, { lastName: "B" });
    const gone = await create();
    await service.call("DELETE", `${PATH}/${gone}`);
    const changes = await changesAfter(start, [id, gone], 4, "&include=record,changes");
    expect(changes.map(({ objectId, version, operation }) => [objectId, version, operation])).toEqual([
      [id, 1, "created"],
      [id, 2, "updated"],
      [gone, 1, "created"],
      [gone, 2, "deleted"],
    ]);
    expect(changes[1]).toMatchObject({
      collection: "customers",
      changes: { lastName: ["Berg", "B"] },
      record: { lastName: "B", version: 2 },
    });
    expect(changes[3]?.record).toBeNull();
    const rest = await changesAfter(changes[1]?.cursor ?? "", [id, gone], 2);
    expect(rest.map(({ objectId }) => objectId)).toEqual([gone, gone]);
    expect(rest[0]).not.toHaveProperty("record");
  });

  test("finds what one run changed", async () => {
    const start = await now();
    await create();
    const id = await create({}, { "intake-source": "batch; run=b-1" });
    const [change] = await changesAfter(start, [id], 1, "&run=b-1");
    expect(change).toMatchObject({ objectId: id, source: { type: "batch", run: "b-1" } });
    const [same] = await changesAfter(start, [id], 1, "&source=batch&collection=customers");
    expect(same?.objectId).toBe(id);
  });

  test("shows nobody what they may not read", async () => {
    const start = await now();
    await changesAfter(start, [await create()], 1);
    const token = await service.tokenFor("orders:read");
    const { json } = await service.call("GET", `/v1/changes?after=${start}`, undefined, { authorization: `Bearer ${token}` });
    expect(json.changes).toEqual([]);
  });

  test("waits until there is something, and no longer than it should", async () => {
    const start = await now();
    const waiting = service.call("GET", `/v1/changes?after=${start}&run=waited-for&wait=30`);
    await new Promise((resolve) => setTimeout(resolve, 300));
    const id = await create({}, { "intake-source": "batch; run=waited-for" });
    const { changes, next } = (await waiting).json;
    const seen = changes.length > 0 ? changes : await changesAfter(next, [id], 1); // transactions of other tests may last longer than it waits
    expect(seen).toMatchObject([{ objectId: id }]);
    const { json } = await service.call("GET", `/v1/changes?after=${await now()}&run=never&wait=1`);
    expect(json.changes).toEqual([]);
  });

  test("shows nothing to who lost the right while they waited", async () => {
    const person = await service.newPerson("viewer");
    const path = `/v1/changes?after=${await now()}&run=too-late&wait=30`;
    const waiting = service.call("GET", path, undefined, { authorization: `Bearer ${person.token}` });
    await new Promise((resolve) => setTimeout(resolve, 300));
    await service.call("PATCH", `/v1/users/${person.id}`, { status: "disabled" });
    await create({}, { "intake-source": "batch; run=too-late" });
    expect((await waiting).status).toBe(401);
  });

  test("refuses a cursor that it did not make", async () => {
    const { status, json } = await service.call("GET", "/v1/changes?after=nonsense");
    expect([status, json.code, json.errors[0].parameter]).toEqual([400, "BAD_CURSOR", "after"]);
  });
});

interface Stream {
  /** The next change of this record. */
  next(id: number): Promise<Change>;
  /** The last id, with or without data. */
  id(): string;
  /** Resolves when the service ends the stream. */
  ended: Promise<void>;
  leave(): void;
}

async function openStream(query: string, token: string, headers: Record<string, string> = {}): Promise<Stream> {
  const stop = new AbortController();
  const reply = await fetch(`${address}/v1/changes?${query}`, {
    headers: { accept: "text/event-stream", authorization: `Bearer ${token}`, ...headers },
    signal: stop.signal,
  });
  expect(reply.headers.get("content-type")).toBe("text/event-stream");
  expect(reply.headers.get("x-accel-buffering")).toBe("no");
  const events: Change[] = [];
  let id = "";
  const read = async () => {
    let text = "";
    for await (const chunk of reply.body as unknown as AsyncIterable<Uint8Array>) {
      text += Buffer.from(chunk).toString();
      for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
        for (const line of text.slice(0, end).split("\n")) {
          if (line.startsWith("id: ")) id = line.slice(4);
          if (line.startsWith("data: ")) events.push(JSON.parse(line.slice(6)));
        }
        text = text.slice(end + 2);
      }
    }
  };
  const ended = read().catch(() => undefined);
  const next = (wanted: number) => {
    const take = () => {
      const at = events.findIndex(({ objectId }) => objectId === wanted);
      if (at < 0) throw new Error("no event yet");
      return events.splice(0, at + 1)[at] as Change;
    };
    return vi.waitFor(take, { timeout: 60_000, interval: 5 });
  };
  return { next, id: () => id, ended, leave: () => stop.abort() };
}

describe("the stream of changes", () => {
  test("tells each change, and goes on after the last one that was seen", async () => {
    const token = await service.tokenFor("read");
    const stream = await openStream("after=now&include=changes", token);
    const id = await create();
    expect(await stream.next(id)).toMatchObject({ objectId: id, version: 1, changes: { lastName: [null, "Berg"] } });
    await vi.waitFor(() => expect(stream.id()).not.toBe(""), { timeout: 60_000 });
    const seen = stream.id();
    stream.leave();
    await service.call("PATCH", `${PATH}/${id}`, { lastName: "While away" });
    const again = await openStream("after=now", token, { "last-event-id": seen });
    expect(await again.next(id)).toMatchObject({ objectId: id, version: 2 });
    again.leave();
  });

  test("gives a client that comes back no place beyond what it has got", async () => {
    const headers = { accept: "text/event-stream", authorization: `Bearer ${await service.tokenFor("read")}` };
    const start = await now();
    await changesAfter(start, [await create(), await create()], 2); // on PostgreSQL they may not be shown at once
    const reply = await fetch(`${address}/v1/changes`, { headers: { ...headers, "last-event-id": start } });
    let read = "";
    for await (const chunk of reply.body as unknown as AsyncIterable<Uint8Array>) {
      read += Buffer.from(chunk).toString();
      if (read.includes("data: ")) break;
    }
    const [first = ""] = read.split("data: ");
    const { cursor } = JSON.parse(/data: (.+)/.exec(read)?.[1] ?? "{}");
    expect(first.match(/id: .+/g)).toEqual([`id: ${cursor}`]);
  });

  test("ends when the right to it does, and when the service stops", async () => {
    const person = await service.newPerson("viewer");
    const stream = await openStream("after=now", person.token);
    await service.call("PATCH", `/v1/users/${person.id}`, { status: "disabled" });
    await create(); // it ends at the next change, or at the next sign of life
    await stream.ended;
    const other = await openStream("after=now", await service.tokenFor("read"));
    isStopping = true;
    await other.ended;
    isStopping = false;
  });
});

test("a person who waits for changes too often at once gets a 429, and may wait again when one has ended", async () => {
  const own = await openTestService(undefined, { limits: { ...NO_RATE_LIMIT, followersPerKey: 2 } });
  try {
    const origin = await own.app.listen({ port: 0, host: "127.0.0.1" });
    const { token } = await own.newPerson("viewer");
    const stops: AbortController[] = [];
    const follow = (accept: string, query: string, of = token) => {
      stops.push(new AbortController());
      const headers = { accept, authorization: `Bearer ${of}` };
      return fetch(`${origin}/v1/changes?after=now${query}`, { headers, signal: stops.at(-1)?.signal ?? null });
    };
    const stream = (of?: string) => follow("text/event-stream", "", of);
    expect((await stream()).status).toBe(200);
    expect((await stream()).status).toBe(200);
    for (const reply of [await stream(), await follow("application/json", "&wait=1")]) {
      expect([reply.status, reply.headers.get("retry-after")]).toEqual([429, "10"]);
      expect(await reply.json()).toMatchObject({ code: "TOO_MANY_FOLLOWERS" });
    }
    expect((await follow("application/json", "")).status).toBe(200); // it does not wait
    expect((await stream((await own.newPerson("viewer")).token)).status).toBe(200); // somebody else
    stops[0]?.abort();
    await vi.waitFor(async () => expect((await stream()).status).toBe(200), { timeout: 60_000 });
    for (const stop of stops) stop.abort();
  } finally {
    await own.close();
  }
});
