import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readDataPackage } from "../../core/dictionary/collections.ts";
import dataPackage from "../../core/dictionary/datapackage.json" with { type: "json" };
import { validateRecord } from "../../core/dictionary/validate.ts";
import { CUSTOMER_HEADER, customerRows, writeCustomersFile } from "./customers.ts";

test("the same seed gives the same bytes, another seed others", async () => {
  const folder = await mkdtemp(join(tmpdir(), "intake-customers-"));
  const write = async (name: string, seed: number) => {
    await writeCustomersFile(join(folder, name), 20_000, seed);
    return createHash("sha256")
      .update(await readFile(join(folder, name)))
      .digest("hex");
  };
  const [one, again, other] = [await write("a", 1), await write("b", 1), await write("c", 2)];
  await rm(folder, { recursive: true });
  expect(again).toBe(one);
  expect(other).not.toBe(one);
});

test("every row is fit to be stored, and no Object ID comes twice", () => {
  const read = readDataPackage(dataPackage);
  const customers = "collections" in read ? read.collections[0] : undefined;
  if (!customers) throw new Error("no customers");
  const ids = new Set<string>();
  for (const row of customerRows(20_000, 3)) {
    ids.add(row[0]);
    const input = Object.fromEntries(CUSTOMER_HEADER.map((name, i) => [name, row[i]]));
    expect(validateRecord(customers, input, { from: "text" }).problems).toBeUndefined();
  }
  expect(ids.size).toBe(20_000);
});
