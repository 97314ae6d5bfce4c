// A run is taken back as its history says, and nothing that somebody changed since.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { UndoCounts, UndoReply } from "../../../core/contract/history.ts";
import { DICTIONARY, openTestService, type TestService } from "../../testing/service.ts";

const folder = mkdtempSync(join(tmpdir(), "intake-"));
let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

const PATH = "/v1/customers";
let last = 0;
const newRun = () => `run-${++last}`;

type Given = Record<string, unknown>;
const record = (objectId: number, lastName: string): Given => ({ objectId, lastName, accountID: `u${objectId}` });

/** Creates and updates, as an upload does it. */
async function upload(run: string, records: readonly Given[], token?: string): Promise<void> {
  const headers = { "intake-source": `upload; run=${run}`, ...(token && { authorization: `Bearer ${token}` }) };
  const { status } = await service.call("POST", `${PATH}?onError=continue&onConflict=update`, { customers: records }, headers);
  expect(status).toBe(207);
}
async function remove(run: string, ids: readonly number[]): Promise<void> {
  const headers = { "intake-source": `batch; run=${run}` };
  const body = { customers: ids.map((objectId) => ({ objectId })) };
  await service.call("POST", `${PATH}/deletions?onError=continue`, body, headers);
}
async function undo(run: string, headers: Record<string, string> = {}): Promise<UndoCounts & { already: number; size: number }> {
  const counts = { reversed: 0, already: 0, kept: 0, failed: 0, size: 0 };
  for (let after: string | undefined; ; ) {
    const { status, json } = await service.call("POST", `${PATH}/undo`, { run, after }, headers);
    expect(status).toBe(200);
    const reply: UndoReply = json;
    for (const name of ["reversed", "already", "kept", "failed"] as const) counts[name] += reply[name] ?? 0;
    counts.size = reply.size;
    if (reply.next === null) return counts;
    after = reply.next;
  }
}
/** The records that the undo of a small run leaves, as one more request names them. */
async function leftBy(run: string): Promise<UndoReply["left"]> {
  return ((await service.call("POST", `${PATH}/undo`, { run })).json as UndoReply).left?.toSorted((a, b) => a.id - b.id);
}
const stored = async (id: number) => (await service.call("GET", `${PATH}/${id}`)).json;
const historyOf = async (id: number) => (await service.call("GET", `${PATH}/${id}/history`)).json.history;
const newIds = (n: number) => Array.from({ length: n }, () => 700_000 + ++last);

test("what a run created is deleted, what it changed has its old values, what it deleted is back", async () => {
  const [one, two, three] = newIds(3) as [number, number, number];
  await upload(newRun(), [record(one, "Old"), record(three, "Gone")]);
  const run = newRun();
  await upload(run, [record(one, "New"), record(two, "Made")]);
  const { createdAt, createdBy } = await stored(three);
  await remove(run, [three]);
  expect(await undo(run)).toEqual({ reversed: 3, already: 0, kept: 0, failed: 0, size: 3 });
  expect([(await stored(one)).lastName, (await stored(two)).code, (await stored(three)).lastName]).toEqual(["Old", "NOT_FOUND", "Gone"]);
  expect(await stored(three)).toMatchObject({ createdAt, createdBy });
  const [first] = await historyOf(three);
  expect(first).toMatchObject({ operation: "restored", version: 3, source: { type: "undo", run } });
});

test("an undo that is asked for several times at once tells each time that all is as before", async () => {
  const ids = newIds(60);
  const [changed, removed, made] = [ids.slice(0, 20), ids.slice(20, 40), ids.slice(40)];
  await upload(
    newRun(),
    [...changed, ...removed].map((id) => record(id, "Old")),
  );
  const run = newRun();
  await upload(
    run,
    [...changed, ...made].map((id) => record(id, "New")),
  );
  await remove(run, removed);
  const answers = await Promise.all(Array.from({ length: 6 }, () => undo(run)));
  expect(new Set(answers.map(({ reversed, kept, failed, size }) => [reversed, kept, failed, size].join()))).toEqual(new Set(["60,0,0,60"]));
  expect((await historyOf(changed[0] as number)).map(({ version }: { version: number }) => version)).toEqual([3, 2, 1]);
});

test("what somebody changed, deleted or made anew since stays as it is", async () => {
  const ids = newIds(4);
  const [changed, deleted, again, other] = ids as [number, number, number, number];
  await upload(newRun(), [record(again, "Before")]);
  const run = newRun();
  await upload(run, [record(changed, "A"), record(deleted, "A"), record(other, "A")]);
  await remove(run, [again]);
  await service.call("PATCH", `${PATH}/${changed}`, { firstName: "Jo" });
  await service.call("DELETE", `${PATH}/${deleted}`);
  await upload(newRun(), [record(again, "Anew")]);
  expect(await undo(run)).toEqual({ reversed: 2, already: 1, kept: 2, failed: 0, size: 4 });
  expect(await leftBy(run)).toEqual([changed, again].map((id) => ({ id, why: "kept" })));
  expect([(await stored(changed)).firstName, (await stored(deleted)).code, (await stored(again)).lastName]).toEqual([
    "Jo",
    "NOT_FOUND",
    "Anew",
  ]);
  expect((await stored(other)).code).toBe("NOT_FOUND");
});

test("a record that the run changed many times has the values of before the first time, in one step", async () => {
  const [id] = newIds(1) as [number];
  await upload(newRun(), [{ ...record(id, "First"), firstName: "Ann" }]);
  const run = newRun();
  await upload(run, [record(id, "Second")]);
  await upload(run, [{ ...record(id, "Third"), firstName: "Bea" }]);
  await remove(run, [id]);
  await upload(run, [record(id, "Fourth")]);
  expect(await undo(run)).toEqual({ reversed: 4, already: 0, kept: 0, failed: 0, size: 4 });
  expect(await stored(id)).toMatchObject({ lastName: "First", firstName: "Ann", version: 6 });
});

test("of a record that somebody changed between, only what came after is taken back", async () => {
  const [id] = newIds(1) as [number];
  const run = newRun();
  await upload(run, [record(id, "A")]);
  await service.call("PATCH", `${PATH}/${id}`, { lastName: "B" });
  await upload(run, [record(id, "C")]);
  expect(await undo(run)).toEqual({ reversed: 1, already: 0, kept: 1, failed: 0, size: 2 });
  expect((await stored(id)).lastName).toBe("B");
});

test("asked for again it does nothing twice, and says what was as before already", async () => {
  const [one, two, three] = newIds(3) as [number, number, number];
  await upload(newRun(), [record(one, "Old"), record(two, "Old")]);
  const run = newRun();
  await upload(run, [record(one, "New"), record(two, "New"), record(three, "New")]);
  const counts = { reversed: 3, already: 0, kept: 0, failed: 0, size: 3 };
  expect(await undo(run)).toEqual(counts);
  expect(await undo(run)).toEqual({ ...counts, already: 3 });
  await service.call("PATCH", `${PATH}/${two}`, { lastName: "Later" });
  expect(await undo(run)).toEqual({ ...counts, reversed: 2, already: 2, kept: 1 });
  expect([(await stored(one)).version, (await stored(two)).lastName]).toEqual([3, "Later"]);
});

test("what was brought back after the undo is left alone by the next one; what was deleted once more is as before", async () => {
  const ids = newIds(3);
  const [back, gone] = ids as [number, number, number];
  const run = newRun();
  await upload(
    run,
    ids.map((id) => record(id, "Made")),
  );
  await undo(run);
  for (const id of [back, gone]) expect((await service.call("POST", `${PATH}/${id}/restore`, { version: 1 })).status).toBeLessThan(300);
  await service.call("DELETE", `${PATH}/${gone}`);
  expect(await undo(run)).toEqual({ reversed: 2, already: 2, kept: 1, failed: 0, size: 3 });
  expect(await leftBy(run)).toEqual([{ id: back, why: "kept" }]);
  expect((await stored(back)).lastName).toBe("Made");
});

test("a part of a run is taken back at a time; where it was interrupted does not matter", async () => {
  const ids = newIds(2_500);
  const run = newRun();
  await upload(
    newRun(),
    ids.slice(0, 1_200).map((id) => record(id, "Old")),
  );
  for (let from = 0; from < ids.length; from += 500)
    await upload(
      run,
      ids.slice(from, from + 500).map((id) => record(id, "New")),
    );
  const first: UndoReply = (await service.call("POST", `${PATH}/undo`, { run })).json;
  expect(first).toMatchObject({ reversed: 1_000, kept: 0, size: 2_500 });
  const again = await service.call("POST", `${PATH}/undo`, { run, after: first.next }); // and its answer is lost
  expect(again.json.reversed).toBe(1_000);
  expect(await undo(run)).toEqual({ reversed: 2_500, already: 2_000, kept: 0, failed: 0, size: 2_500 });
  const left = (await service.call("GET", `${PATH}?objectId[in]=${ids.slice(1_190, 1_210).join(",")}`)).json.customers;
  expect(left.map((one: Given) => [one.lastName, one.version])).toEqual(Array(10).fill(["Old", 3]));
});

test("what another record is in the way of cannot be taken back, until it no longer is", async () => {
  const [one, two] = newIds(2) as [number, number];
  const unique = await openWithUniqueField();
  try {
    const write = (run: string, body: Given[]) =>
      unique.call("POST", `${PATH}?onError=continue&onConflict=update`, { customers: body }, { "intake-source": `upload; run=${run}` });
    await write("first", [{ ...record(one, "A"), accountID: "x" }]);
    await write("second", [{ ...record(one, "A"), accountID: "y" }]);
    await write("third", [{ ...record(two, "B"), accountID: "x" }]);
    const undoSecond = async () => (await unique.call("POST", `${PATH}/undo`, { run: "second" })).json;
    const left = { id: one, why: "failed", code: "UNIQUE", field: "accountID", detail: expect.stringContaining("Account ID") };
    expect(await undoSecond()).toMatchObject({ reversed: 0, failed: 1, left: [left] });
    await unique.call("DELETE", `${PATH}/${two}`);
    expect(await undoSecond()).toMatchObject({ reversed: 1, failed: 0 });
  } finally {
    await unique.close();
  }
});

function openWithUniqueField(): Promise<TestService> {
  const dataPackage = JSON.parse(readFileSync(DICTIONARY, "utf8"));
  const field = dataPackage.resources[0].schema.fields.find(({ name }: { name: string }) => name === "accountID");
  field.constraints = { ...field.constraints, unique: true };
  writeFileSync(join(folder, "datapackage.json"), JSON.stringify(dataPackage));
  return openTestService(join(folder, "datapackage.json"));
}

test("who lacks a right that the undo needs changes nothing", async () => {
  const [one, two] = newIds(2) as [number, number];
  await upload(newRun(), [record(two, "Old")]);
  const run = newRun();
  await upload(run, [record(one, "Made"), record(two, "New")]);
  const token = await service.tokenFor("customers:read customers:update customers:create");
  const everything = `${Number.MAX_SAFE_INTEGER}.${Number.MAX_SAFE_INTEGER}`; // an `after` that no answer gave
  for (const body of [{ run }, { run, after: everything }]) {
    const refused = await service.call("POST", `${PATH}/undo`, body, { authorization: `Bearer ${token}` });
    expect([refused.status, refused.json.code]).toEqual([403, "INSUFFICIENT_SCOPE"]);
  }
  expect([(await stored(one)).lastName, (await stored(two)).lastName]).toEqual(["Made", "New"]);
  const own = newRun();
  await upload(own, [record(two, "Newer")]);
  expect(await undo(own, { authorization: `Bearer ${token}` })).toMatchObject({ reversed: 1 });
});

test("a run that nobody knows has no changes; what is no run is refused", async () => {
  expect(await undo("nobody-knows")).toEqual({ reversed: 0, already: 0, kept: 0, failed: 0, size: 0 });
  const wrongPlaces = ["x", 1.2, { toString: 1 }, ["1.2"]].map((after) => ({ run: "a", after }));
  for (const body of [{}, { run: "" }, { run: "a b" }, { run: "a", other: 1 }, ...wrongPlaces]) {
    expect((await service.call("POST", `${PATH}/undo`, body)).status).toBe(422);
  }
});
