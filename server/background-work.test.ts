import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createReport } from "./background-work.ts";
import { unattended } from "./engine/background.ts";
import { createMetrics } from "./http/metrics.ts";

test("each failure is counted, and one a minute is logged, also of those before there is a log", async () => {
  const lines: [object, string][] = [];
  const log = { warn: () => {}, error: (fields: object, message: string) => void lines.push([fields, message]) };
  const metrics = createMetrics();
  const { report, logTo } = createReport(metrics);
  const error = new Error("full");
  const fail = () => unattended("history", report, () => Promise.reject(error));
  expect(await fail()).toBeUndefined();
  expect(await unattended("exports", report, async () => true)).toBe(true);
  logTo(log);
  await fail();
  expect(lines).toEqual([[{ err: error, work: "history" }, "background work failed"]]);
  const { text } = await metrics.render();
  expect(text).toContain('background_work_total{work="history",outcome="failed"} 2');
  expect(text).toContain('background_work_total{work="exports",outcome="done"} 1');
  expect(text).toContain('background_work_total{work="stored answers",outcome="failed"} 0'); // there before it happens
});

test("no error is swallowed without a reason beside it", () => {
  const swallows = /catch \{|\.catch\(\(\) =>|\.on\("error", \(\) =>/;
  const paths = readdirSync(import.meta.dirname, { recursive: true }).map(String);
  const product = paths.filter((path) => path.endsWith(".ts") && !/\.test\.ts$|^test\/|^testing\//.test(path));
  const found = product.flatMap((path) => {
    const lines = readFileSync(join(import.meta.dirname, path), "utf8").split("\n");
    const isReasoned = (at: number) => lines.slice(at - 1, at + 2).some((line) => /\/\/ |\bthrow\b/.test(line));
    return lines.flatMap((line, at) => (swallows.test(line) && !isReasoned(at) ? [`${path}:${at + 1}`] : []));
  });
  expect(product.length).toBeGreaterThan(200);
  expect(found).toEqual([]);
});
