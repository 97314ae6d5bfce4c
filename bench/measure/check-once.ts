// Checks a file once in a process of its own, as the app does in a worker. Arguments: data package, file.

import { openAsBlob } from "node:fs";
import { readFile } from "node:fs/promises";
import { readDataPackage } from "../../core/dictionary/collections.ts";
import { realClock } from "../../pipeline/model/clock.ts";
import { runCheck, runInspection } from "../../pipeline/runs/run-upload.ts";
import { cpuOf } from "../support/cpu.ts";

const [dictionary = "", path = ""] = process.argv.slice(2);
const read = readDataPackage(JSON.parse(await readFile(dictionary, "utf8")));
const collection = "mistakes" in read ? undefined : read.collections[0];
if (!collection) throw new Error("The rules of the bench are wrong.");
const file = new File([await openAsBlob(path)], "customers.csv", { type: "text/csv" });
const inspection = await runInspection(file, collection);
if (inspection.step !== "columns") throw new Error(inspection.step);
const { dialect, columns } = inspection.inspection;
const [started, before] = [performance.now(), cpuOf(process.pid)];
let ready = 0;
const plan = { dialect, columns, mode: "create" as const };
for await (const state of runCheck({ file, collection, plan, signal: new AbortController().signal, clock: realClock }))
  if (state.step === "checked") ready = state.check.ready;
console.log(JSON.stringify({ ready, seconds: (performance.now() - started) / 1_000, processor: cpuOf(process.pid) - before }));
