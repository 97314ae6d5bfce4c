// `undo` from start to finish: which run it means, what happens when it is interrupted, and what it says.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { batch, type CommandResult, customersCsv, startBatch } from "../testing/process.ts";
import { startTestService } from "../testing/test-service.ts";

const testService = await startTestService();
afterAll(testService.close);
const { folder, headers, plain, proxy, service, stopMidway, stored, write } = testService;

/** Does what the last sentence says should be typed. */
function runCommands({ stderr }: CommandResult, name: string): Promise<CommandResult> {
  const [, words = ""] = stderr.match(new RegExp(`intake-batch (${name} .*)$`)) ?? [];
  return batch(service.url, words.split(" "));
}

const runIdOf = async (path: string): Promise<string> => {
  const { out } = await batch(service.url, ["status", path]);
  return /\d{8}-\d{6}-[0-9a-f]{12}/.exec(out)?.[0] ?? "";
};

/** Takes back one part of a run, which may be the first, as the app and another computer do it. Returns where the next one begins. */
async function undoElsewhere(run: string, after?: string): Promise<string | null> {
  const answer = await fetch(`${service.url}/v1/customers/undo`, { method: "POST", headers, body: JSON.stringify({ run, after }) });
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { next: string | null }).next;
}

async function undoAllElsewhere(run: string): Promise<void> {
  for (let next = await undoElsewhere(run); next !== null; ) next = await undoElsewhere(run, next);
}

test("a run that was taken back elsewhere does not count as loaded", async () => {
  const path = write("nightly.csv", customersCsv(3, "nightly"));
  expect((await batch(service.url, ["run", path])).code).toBe(0);
  await undoElsewhere(await runIdOf(path));
  expect((await batch(service.url, ["status", path])).out).toMatch(/3 stored; taken back\n$/);
  expect((await batch(service.url, ["status", path, "--json"])).out).toContain('"isUndone":true');
  const away = await batch("http://127.0.0.1:9", ["status", path]);
  expect(away.out).toMatch(/3 stored; ended\n$/);
  expect(away.stderr).toBe(
    "It is not known whether they were taken back in the app or on another computer: No service answers at http://127.0.0.1:9. Check the address and that it runs.",
  );
  const refused = await batch("http://127.0.0.1:9", ["run", path]);
  expect([refused.code, plain(refused.stderr).replace(/on \S+ \S+ UTC/, "on DAY")]).toEqual([
    5,
    "nightly.csv was loaded on DAY as nightly.csv (run RUN, 3 records). To load it once more, add --again. It is not known whether it was taken back in the app or on another computer: No service answers at http://127.0.0.1:9. Check the address and that it runs.",
  ]);
  const again = await batch(service.url, ["run", path]);
  expect([again.code, again.stderr]).toEqual([0, "All 3 records of nightly.csv are in customers: 3 created."]);
  expect(plain(again.out)).toContain("Run RUN of nightly.csv was taken back in the app or on another computer, so the file is loaded.\n");
  expect(await stored("nightly")).toHaveLength(3);
});

test("a run that was taken back in part counts as loaded, and the sentence says how much is left", async () => {
  const path = write("partly.csv", customersCsv(1_500, "partly"));
  expect((await batch(service.url, ["run", path])).code).toBe(0);
  await undoElsewhere(await runIdOf(path));
  expect((await batch(service.url, ["status", path])).out).toMatch(/1,500 stored; ended, 1,000 of its 1,500 changes taken back\n$/);
  const { code, stderr } = await batch(service.url, ["run", path]);
  expect(code).toBe(5);
  expect(plain(stderr)).toContain(
    "Of its 1,500 changes 1,000 were taken back in the app or on another computer. To take back the others: intake-batch undo RUN --state /in/.intake",
  );
});

test("a run that stopped midway and was taken back elsewhere is not continued, and its file is loaded again as a whole", async () => {
  const path = write("half.csv", customersCsv(9_900, "half"));
  const stopped = await stopMidway(["run", path]);
  expect(stopped.code).toBe(3);
  const id = await runIdOf(path);
  const made = (await stored("half")).length;
  expect(made).toBeGreaterThan(1_000);
  await undoElsewhere(id);
  expect((await batch(service.url, ["status", path])).out).toMatch(/; NOT FINISHED, 1,000 of its [\d,]+ changes taken back\n$/);
  const partly = await runCommands(stopped, "resume");
  expect([partly.code, plain(partly.stderr)]).toEqual([
    3,
    `Run RUN of half.csv cannot be resumed: 1,000 of its ${made.toLocaleString("en")} changes were taken back in the app or on another computer. To take back the others: intake-batch undo RUN --state /in/.intake`,
  ]);
  await undoAllElsewhere(id);
  expect(await stored("half")).toEqual([]);
  expect((await batch(service.url, ["status", path])).out).toMatch(/; taken back\n$/);
  const once = write("once.csv", readFileSync(path));
  const whole = await batch(service.url, ["run", once, "--state", join(folder, ".intake")]);
  expect([whole.code, whole.stderr]).toEqual([0, "All 9,900 records of once.csv are in customers: 9,900 created."]);
  expect(plain(whole.out)).toContain("Run RUN of half.csv was taken back in the app or on another computer, so the file is loaded.\n");
});

test("resume says of a run that was taken back elsewhere that it is not continued, and stores nothing", async () => {
  const path = write("over.csv", customersCsv(9_900, "over"));
  const stopped = await stopMidway(["run", path]);
  await undoAllElsewhere(await runIdOf(path));
  const resumed = await runCommands(stopped, "resume");
  expect([resumed.code, plain(resumed.stderr)]).toEqual([
    1,
    "Run RUN of over.csv was taken back in the app or on another computer, so it is not continued. The whole file can be loaded again with run.",
  ]);
  expect(await stored("over")).toEqual([]);
  expect((await batch(service.url, ["run", path])).code).toBe(0);
  expect(await stored("over")).toHaveLength(9_900);
});

test("resume and undo of a file mean the runs of exactly its bytes, not of another file with its name", async () => {
  const path = write("daily.csv", customersCsv(5, "monday"));
  expect((await batch(service.url, ["run", path])).code).toBe(0);
  writeFileSync(path, "Last name,Account ID\n,tuesday\n");
  expect((await batch(service.url, ["run", path])).code).toBe(1);
  const resumed = await batch(service.url, ["resume", path]);
  expect([resumed.code, resumed.stderr]).toEqual([
    5,
    `${path} has no run that stopped midway, so nothing is left to resume. To load it: intake-batch run ${path}`,
  ]);
  const undone = await batch(service.url, ["undo", path]);
  expect([undone.code, plain(undone.stderr)]).toEqual([
    1,
    "/in/daily.csv, as it is now, has no run that could be taken back. To take back a run of another file, give its id. To list the ids: intake-batch status --state /in/.intake",
  ]);
  expect(await stored("monday")).toHaveLength(5);
  const status = await runCommands(undone, "status");
  const [, id = ""] = status.out.match(/ (\S+) {2}daily\.csv /) ?? [];
  expect((await batch(service.url, ["undo", id, "--state", join(folder, ".intake")])).code).toBe(0);
  expect(await stored("monday")).toHaveLength(0);
});

test("a run whose undo was interrupted cannot be resumed; another undo finishes it", async () => {
  const path = write("cut.csv", customersCsv(10_000, "cut"));
  const state = join(folder, "elsewhere");
  const stopped = await stopMidway(["run", path, "--state", state]);
  expect(stopped.code).toBe(3);
  proxy.letThrough(1);
  const undoing = startBatch(proxy.url, ["undo", path, "--state", state]);
  await proxy.untilHeld();
  undoing.child.kill("SIGKILL");
  await undoing.ended;
  proxy.open();
  const resumed = await runCommands(stopped, "resume");
  const finish = "Finish that with: intake-batch undo RUN --state /in/elsewhere";
  expect([resumed.code, plain(resumed.stderr)]).toEqual([
    3,
    `Run RUN of cut.csv is only partly taken back and cannot be resumed. ${finish}`,
  ]);
  const again = await batch(service.url, ["run", path, "--state", state, "--again"]);
  expect([again.code, plain(again.stderr)]).toEqual([3, `Run RUN of cut.csv is only partly taken back. ${finish}`]);
  expect((await batch(service.url, ["status", path, "--state", state])).out).toMatch(/; ONLY PARTLY TAKEN BACK\n$/);
  expect((await runCommands(again, "undo")).code).toBe(0);
  expect(await stored("cut")).toHaveLength(0);
  expect((await batch(service.url, ["run", path, "--state", state, "--dry-run"])).code).toBe(0);
}, 180_000);

test("of a file that deletes, the undo brings back what nobody changed; what was deleted before is not done twice", async () => {
  const layout = write(
    "layout.json",
    JSON.stringify({ kind: "delimited", collection: "customers", action: { column: "do", add: "A", change: "C", delete: "D" } }),
  );
  const load = async (name: string, lines: readonly string[]) => {
    const path = write(name, `do,id,Last name,Account ID\n${lines.join("\n")}\n`);
    return (await batch(service.url, ["run", path, "--layout", layout])).stderr;
  };
  await load("1.csv", ["A,777001,Ek,d1", "A,777002,Ek,d2", "A,777003,Ek,d3"]);
  expect(await load("2.csv", ["C,777001,Al,", "C,777002,Al,", "D,777001,,", "C,777003,Al,"])).toBe(
    "All 4 records of 2.csv are carried out in customers: 3 updated, 1 deleted.",
  );
  expect(await load("3.csv", ["D,777001,,"])).toBe("The one record of 3.csv is carried out in customers: 1 as it was already.");
  const touch = write("touch.csv", "id,Last name\n777003,Bo\n");
  expect((await batch(service.url, ["run", touch, "--mode", "update"])).code).toBe(0);
  const { code, out, stderr } = await batch(service.url, ["undo", join(folder, "2.csv")]);
  expect([code, stderr]).toEqual([2, "3 records of 2.csv taken back; 1 record changed since and left alone. They are named above."]);
  expect(out).toContain("Left as it is: customer 777003, because somebody has changed it since.\n");
  expect(await stored("d1")).toMatchObject([{ objectId: 777_001, lastName: "Ek" }]);
});

test("a run is taken back by its id where its state is gone", async () => {
  const path = write("vanished.csv", customersCsv(1_500, "vanished"));
  const state = join(folder, "vanishing");
  expect((await batch(service.url, ["run", path, "--state", state])).code).toBe(0);
  const [, id = ""] = (await batch(service.url, ["status", path, "--state", state])).out.match(/ (\S+) {2}vanished\.csv /) ?? [];
  rmSync(state, { recursive: true });
  rmSync(path);
  const undone = await batch(service.url, ["undo", id]);
  expect([undone.code, undone.stderr]).toEqual([0, `1,500 records of run ${id} taken back; the store is as it was before.`]);
  expect(await stored("vanished")).toHaveLength(0);
  const unknown = await batch(service.url, ["undo", "20260101-000000-0123456789ab"]);
  expect([unknown.code, plain(unknown.stderr)]).toEqual([1, "There is no file and no run RUN, neither here nor in the service's history."]);
}, 180_000);

test("a second undo tells what was taken back before from what it does, and leaves what was brought back", async () => {
  const path = write("twice.csv", "id,Last name,Account ID\n778001,Ek,twice1\n778002,Al,twice2\n778003,Bo,twice3\n");
  expect((await batch(service.url, ["run", path])).code).toBe(0);
  const id = await runIdOf(path);
  await undoElsewhere(id);
  const nothing = await batch(service.url, ["undo", path]);
  expect([nothing.code, nothing.stderr]).toEqual([
    0,
    "0 records of twice.csv taken back; 3 had been taken back or deleted before; the store is as it was before.",
  ]);
  await fetch(`${service.url}/v1/customers/778002/restore`, { method: "POST", headers, body: '{"version":1}' });
  const left = "2 had been taken back or deleted before; 1 record changed since and left alone. They are named above.";
  for (const [target, name] of [
    [id, "twice.csv"],
    [path, "twice.csv"],
  ] as const) {
    const { code, out, stderr } = await batch(service.url, ["undo", target, "--state", join(folder, ".intake")]);
    expect([code, stderr]).toEqual([2, `0 records of ${name} taken back; ${left}`]);
    expect(out).toContain("Left as it is: customer 778002, because somebody has changed it since.\n");
  }
  const there = await batch(service.url, ["undo", id, "--state", join(folder, "other computer")]);
  expect([there.code, plain(there.stderr)]).toEqual([2, `0 records of run RUN taken back; ${left}`]);
  expect(await stored("twice")).toMatchObject([{ objectId: 778_002 }]);
});

test("a report that cannot be written is no reason to send anything again: the run has ended, and its report comes with resume", async () => {
  const path = write("room.csv", "Last name,Account ID\nEk,room1\n,room2\n");
  const out = join(folder, "out");
  mkdirSync(out);
  proxy.letThrough(0);
  const running = startBatch(proxy.url, ["run", path, "--out", out, "--max-rejects", "1"]);
  await proxy.untilHeld();
  rmSync(out, { recursive: true });
  proxy.open();
  const ended = await running.ended;
  expect([ended.code, plain(ended.stderr)]).toEqual([
    3,
    "1 of 2 records of room.csv is in customers (1 created); 1 refused. But the report could not be written to /in/out: it does not exist. When that is fixed, write it with: intake-batch resume /in/room.csv",
  ]);
  expect((await batch(service.url, ["status", path])).out).toMatch(/; ended, WITHOUT ITS REPORT\n$/);
  expect((await runCommands(ended, "resume")).code).toBe(2);
  expect(readFileSync(`${path}.rejects`, "utf8")).toBe("Last name,Account ID\n,room2\n");
  expect(await stored("room")).toHaveLength(1);
  expect((await batch(service.url, ["status", path])).out).toMatch(/; ended\n$/);
});
