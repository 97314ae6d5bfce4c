import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { CommandError, EXIT } from "../console/exit-codes.ts";
import { batch, customersCsv, makeFolder } from "../testing/process.ts";
import { createRecipeReader, readCollections } from "./service.ts";

const folder = makeFolder();
afterAll(folder.remove);

test("a key that would be sent unencrypted to another machine is warned of, one for this machine is not", async () => {
  const file = join(folder.path, "a.csv");
  writeFileSync(file, customersCsv(1));
  const { stderr, code } = await batch("http://0.0.0.0:1/v1", ["validate", file]);
  expect([code, stderr.split("\n")]).toEqual([
    4,
    [
      "Warning: http://0.0.0.0:1 is not encrypted, so others on the network can read the API key and the records. Use https://.",
      "No service answers at http://0.0.0.0:1/v1. Check the address and that it runs. Then run this again.",
    ],
  ]);
  expect((await batch("http://127.0.0.1:1", ["validate", file])).stderr).not.toContain("Warning");
  expect((await batch("https://0.0.0.0:1", ["validate", file])).stderr).not.toContain("Warning");
});

test("an address that redirects gets no key, and the command says what to set", async () => {
  const file = join(folder.path, "b.csv");
  writeFileSync(file, customersCsv(1));
  const arrived: string[] = [];
  // A proxy whose service is down.
  const elsewhere = createServer((request, response) => {
    arrived.push(request.url ?? "");
    response.writeHead(502).end("<html>Bad gateway</html>");
  });
  const redirecting = createServer((request, response) => {
    response.writeHead(308, { location: `http://localhost:${(elsewhere.address() as AddressInfo).port}${request.url}` }).end();
  });
  const listening = [elsewhere, redirecting].map((server) => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
  await Promise.all(listening);
  try {
    const url = `http://127.0.0.1:${(redirecting.address() as AddressInfo).port}`;
    const { stderr, code } = await batch(url, ["run", file]);
    expect([code, stderr]).toEqual([
      4,
      `${url} redirects to another address (status 308). The API key was not sent there: set INTAKE_URL to the service's own address.`,
    ]);
    expect(arrived).toEqual([]);
    const other = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
    expect(await batch(other, ["run", file])).toMatchObject({
      code: 4,
      stderr: `No Intake service answers at ${other} (status 502). Check the address.`,
    });
  } finally {
    elsewhere.close();
    redirecting.close();
  }
});

test("a configuration that cannot be read, or has no url and key, is named", async () => {
  const outcomeOf = async (config: string) => {
    const { code, stderr } = await batch("", ["validate", "a.csv", "--config", config], { INTAKE_URL: "", INTAKE_KEY: "" });
    return [code, stderr];
  };
  const missing = join(folder.path, "missing.json");
  expect(await outcomeOf(missing)).toEqual([1, `The configuration ${missing} cannot be read: it does not exist.`]);
  const config = join(folder.path, "config.json");
  for (const text of ["{", "[]", '{"url":1}']) {
    writeFileSync(config, text, { mode: 0o600 });
    expect(await outcomeOf(config)).toEqual([1, `The configuration ${config} must be a JSON object with url and key, both strings.`]);
  }
});

test("a recipe that has just gone is named", async () => {
  const older = createServer((_, response) => {
    response.writeHead(404, { "content-type": "application/problem+json" }).end('{"code":"NOT_FOUND","detail":"Not found."}');
  });
  await new Promise<void>((resolve) => older.listen(0, "127.0.0.1", resolve));
  try {
    const url = `http://127.0.0.1:${(older.address() as AddressInfo).port}`;
    const recipes = createRecipeReader({ url, baseUrl: `${url}/v1`, key: "ink_a.b" }, "token");
    await expect(recipes.read("1")).rejects.toThrow(
      new CommandError(EXIT.nothing, "Somebody has just deleted the recipe. Name another one."),
    );
  } finally {
    older.close();
  }
});

test("a dictionary of a later version is named with its first mistake", () => {
  const later = { resources: [{ name: "orders", schema: { fields: [{ name: "id", type: "hologram" }], primaryKey: "id" } }] };
  expect(() => readCollections(later)).toThrow(
    new CommandError(
      EXIT.unreached,
      'The service\'s data dictionary cannot be read: /resources/0/schema/fields/0/type: "hologram" is not one of string, integer, number, boolean, date, datetime, time, year, list. Install the version of this program that the service has.',
    ),
  );
});
