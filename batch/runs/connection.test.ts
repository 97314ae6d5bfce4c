import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { batch, customersCsv, makeFolder } from "../testing/process.ts";

const folder = makeFolder();
afterAll(folder.remove);

test("a key that would be sent unencrypted to another machine is warned of, one for this machine is not", async () => {
  const file = join(folder.path, "a.csv");
  writeFileSync(file, customersCsv(1));
  const { stderr, code } = await batch("http://0.0.0.0:1/v1", ["validate", file]);
  expect([code, stderr.split("\n")]).toEqual([
    4,
    [
      expect.stringMatching(/^Warning: http:\/\/0\.0\.0\.0:1 is not encrypted, .* API key .* Use https:\/\/\.$/),
      expect.stringContaining("No service answers"),
    ],
  ]);
  expect((await batch("http://127.0.0.1:1", ["validate", file])).stderr).not.toContain("Warning");
  expect((await batch("https://0.0.0.0:1", ["validate", file])).stderr).not.toContain("Warning");
});

test("an address that redirects gets no key, and the command says what to set", async () => {
  const file = join(folder.path, "b.csv");
  writeFileSync(file, customersCsv(1));
  const arrived: string[] = [];
  const elsewhere = createServer((request, response) => {
    arrived.push(request.url ?? "");
    response.end();
  });
  const redirecting = createServer((request, response) => {
    response.writeHead(308, { location: `http://localhost:${(elsewhere.address() as AddressInfo).port}${request.url}` }).end();
  });
  const listening = [elsewhere, redirecting].map((server) => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
  await Promise.all(listening);
  try {
    const { stderr, code } = await batch(`http://127.0.0.1:${(redirecting.address() as AddressInfo).port}`, ["run", file]);
    expect(code).toBe(4);
    expect(stderr).toMatch(/redirects to another address \(status 308\)\. The API key was not sent there: set INTAKE_URL/);
    expect(arrived).toEqual([]);
  } finally {
    elsewhere.close();
    redirecting.close();
  }
});
