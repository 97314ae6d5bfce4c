// The command as a scheduler sees it: exit codes, messages, reports, and rejects that can be loaded again.

import { chmodSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { customersLayout } from "../../layouts/testing/layouts.ts";
import { ADMIN_SECRET } from "../../server/testing/process.ts";
import type { RunReport } from "../reports/report-files.ts";
import { batch, customersCsv, startBatch, startUnreachable } from "../testing/process.ts";
import { startTestService } from "../testing/test-service.ts";

const testService = await startTestService();
const unreachable = await startUnreachable();
afterAll(() => {
  testService.close();
  unreachable.close();
});
const { folder, headers, plain, service, stored, write } = testService;

function reportOf(path: string): RunReport {
  return JSON.parse(readFileSync(`${path}.report.json`, "utf8")) as RunReport;
}

function sum(outcomes: RunReport["outcomes"]): number {
  return Object.values(outcomes).reduce((a, b) => a + b, 0);
}

test("a correct file is stored once: the same bytes again are a duplicate, unless --again is given", async () => {
  const path = write("right.csv", customersCsv(30, "right"));
  expect(await batch(service.url, ["run", path])).toMatchObject({
    code: 0,
    stderr: "All 30 records of right.csv are in customers: 30 created.",
  });
  const state = join(folder, ".intake");
  expect(readdirSync(state).map((name) => name.replace(/^.+\./, ""))).toEqual(["batches", "json", "locks", "count"]);
  expect(readdirSync(join(state, "locks"))).toEqual([]);
  const copy = write("copy.csv", customersCsv(30, "right"));
  const again = await batch(service.url, ["run", copy]);
  expect([again.code, plain(again.stderr)]).toEqual([
    5,
    "copy.csv was loaded on DAY as right.csv (run RUN, 30 records). To load it once more, add --again.",
  ]);
  expect(await stored("right")).toHaveLength(30);
  expect((await batch(service.url, ["run", copy, "--again"])).code).toBe(0);
  expect(await stored("right")).toHaveLength(60);
});

test("with too many rejects nothing is stored; within the limit the others are stored, and the corrected rejects can be loaded", async () => {
  const text = 'Last name,Account ID,id\r\nEk,m1,501\r\n"Al\nm",m2,502\r\n\r\nBo,m3,x\r\nLo,m4,504\r\n';
  const path = write("mixed.csv", text);
  const refused = await batch(service.url, ["run", path]);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain("Nothing of mixed.csv was stored: 2 of 4 records are wrong");
  expect(await stored("m")).toEqual([]);
  expect(reportOf(path)).toMatchObject({ recordsRead: 4, rejects: 2, exitCode: 1, run: null });

  const within = await batch(service.url, ["run", path, "--max-rejects", "2"]);
  expect([within.code, within.stderr]).toEqual([
    2,
    `2 of 4 records of mixed.csv are in customers (2 created); 2 refused. See mixed.csv.2.rejects.csv. Correct mixed.csv.2.rejects, then load it with: intake-batch run ${path}.2.rejects`,
  ]);
  const rejects = `${path}.2.rejects`;
  expect(readFileSync(rejects, "utf8")).toBe('Last name,Account ID,id\r\n"Al\nm",m2,502\r\nBo,m3,x\r\n');
  expect(
    readFileSync(`${rejects}.csv`, "utf8")
      .split("\r\n")
      .map((line) => line.split(",").slice(0, 5).join()),
  ).toEqual(["record,line,byte,field,code", "2,3,36,lastName,CHARACTERS", "3,6,53,objectId,KIND", ""]);
  const report = reportOf(`${path}.2`);
  expect([sum(report.outcomes), report.outcomes.created, report.rejects]).toEqual([report.recordsRead, 2, 2]);
  expect(reportOf(path).exitCode).toBe(1); // the first report stands as it was

  writeFileSync(rejects, readFileSync(rejects, "utf8").replace("Al\nm", "Alm").replace("x\r\n", "503\r\n"));
  expect((await batch(service.url, ["run", rejects])).code).toBe(0);
  const found = await stored("m");
  expect(found.map(({ objectId, accountID }) => [objectId, accountID])).toEqual([501, 502, 503, 504].map((id, i) => [id, `m${i + 1}`]));
});

test("a record that only the service can refuse is listed with field and code, and --rehearse finds it before anything is stored", async () => {
  const path = write("taken.csv", "id,Last name,Account ID\n601,Ek,t1\n602,Ek,t2\n");
  write("first.csv", "id,Last name,Account ID\n601,Ek,t0\n");
  expect((await batch(service.url, ["run", join(folder, "first.csv")])).code).toBe(0);
  const rehearsed = await batch(service.url, ["run", path, "--rehearse"]);
  expect([rehearsed.code, rehearsed.stderr]).toEqual([
    1,
    "Nothing of taken.csv was stored: of 2 records 1 would be created, 0 updated, 0 are there already, 1 would be refused. --max-rejects allows 0. See taken.csv.rejects.csv.",
  ]);
  expect(readFileSync(`${path}.rejects.csv`, "utf8")).toMatch(/\r\n1,2,24,objectId,ALREADY_EXISTS,.+\r\n$/);
  expect(await stored("t2")).toEqual([]);
  expect((await batch(service.url, ["run", path, "--max-rejects", "none"])).code).toBe(2);
  expect(await stored("t2")).toHaveLength(1);
});

test("--dry-run counts what would happen to the records, validate checks them, and neither stores anything", async () => {
  const path = write("dry.csv", customersCsv(3, "dry"));
  const dry = await batch(service.url, ["run", path, "--dry-run"]);
  expect([dry.code, dry.stderr]).toEqual([
    0,
    "Nothing of dry.csv was stored, as asked: of 3 records 3 would be created, 0 updated, 0 are there already, 0 would be refused.",
  ]);
  expect((await batch(service.url, ["validate", path])).code).toBe(0);
  expect(await stored("dry")).toEqual([]);
  expect((await batch(service.url, ["run", path])).code).toBe(0);
});

test("a service that cannot be reached, a wrong key and a read-only key end with exit code 4", async () => {
  const path = write("unsent.csv", customersCsv(1, "unsent"));
  const gone = await batch(unreachable.url, ["run", path]);
  expect([gone.code, gone.stderr]).toEqual([
    4,
    `No service answers at ${unreachable.url}. Check the address and that it runs. Then run this again.`,
  ]);
  const wrong = await batch(service.url, ["run", path], { INTAKE_KEY: `ink_preset.${ADMIN_SECRET}x` });
  expect(wrong.code).toBe(4);
  expect(wrong.stderr).toBe(
    `The service at ${service.url} does not accept the API key. Check it, or make a new one with: intake keys create write`,
  );
  const made = await fetch(`${service.url}/v1/keys`, { method: "POST", headers, body: '{"scope":"read"}' });
  const reader = await batch(service.url, ["run", path], { INTAKE_KEY: ((await made.json()) as { key: string }).key });
  expect([reader.code, reader.stderr]).toEqual([4, "The API key may only read. Make one that may write with: intake keys create write"]);
});

test("a key that may only create loads a file of new records", async () => {
  const path = write("only.csv", customersCsv(3, "only"));
  const made = await fetch(`${service.url}/v1/keys`, { method: "POST", headers, body: '{"scope":"customers:create"}' });
  const { key } = (await made.json()) as { key: string };
  const run = await batch(service.url, ["run", path], { INTAKE_KEY: key });
  expect([run.code, run.stderr]).toEqual([0, "All 3 records of only.csv are in customers: 3 created."]);
  expect(await stored("only")).toHaveLength(3);
  const undone = await batch(service.url, ["undo", path], { INTAKE_KEY: key });
  expect([undone.code, plain(undone.stderr)]).toEqual([
    3,
    'Stopped: 0 records of only.csv taken back. This needs the scope "customers:update". Continue with: intake-batch undo RUN --state /in/.intake',
  ]);
  const exported = await batch(
    service.url,
    ["export", join(folder, "only.dat"), "--layout", write("only.json", JSON.stringify(customersLayout()))],
    {
      INTAKE_KEY: key,
    },
  );
  expect([exported.code, plain(exported.stderr)]).toEqual([
    4,
    'The API key does not have all the rights that this needs. Use one that has them. The service at URL says: This needs the scope "customers:read".',
  ]);
});

test("a configuration that other users may read is refused; a private one is used", async () => {
  const config = write("batch.json", JSON.stringify({ url: service.url, key: `ink_preset.${ADMIN_SECRET}` }));
  const path = write("configured.csv", customersCsv(1, "configured"));
  const bare = { INTAKE_URL: "", INTAKE_KEY: "" };
  chmodSync(config, 0o644);
  const open = await batch("", ["run", path, "--config", config], bare);
  expect([open.code, open.stderr]).toEqual([1, `${config} contains a key, and other users may read it. Run: chmod 600 ${config}`]);
  chmodSync(config, 0o600);
  expect((await batch("", ["run", path, "--config", config], bare)).code).toBe(0);
});

test("a run continues when the reader of its output has gone, as after a pipe to head", async () => {
  const path = write("pipe.csv", customersCsv(2_000, "pipe"));
  const running = startBatch(service.url, ["run", path, "--json"]);
  running.child.stdout?.destroy();
  expect((await running.ended).code).toBe(0);
  expect(await stored("pipe")).toHaveLength(2_000);
}, 180_000);

test("the process ends with the exit code of the command and writes one sentence", async () => {
  const path = write("child.csv", customersCsv(2, "child"));
  const codes: (number | null)[] = [];
  const sentences: string[] = [];
  for (const [url, args] of [
    [service.url, ["run", write("wrong.csv", "id\n1\n")]],
    [unreachable.url, ["validate", path]],
  ] as const) {
    const result = await startBatch(url, args).ended;
    codes.push(result.code);
    sentences.push(result.stderr);
  }
  expect(codes).toEqual([1, 4]);
  for (const sentence of sentences) expect(sentence).not.toContain("\n");
}, 180_000);
