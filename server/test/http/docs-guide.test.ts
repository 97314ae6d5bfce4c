// The guide at /docs: each sample runs as it stands, in each language that this computer has.

import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { guideOf } from "../../openapi/guide.ts";
import { LANGUAGES, type Language, SAMPLES, type SampleRequest } from "../../openapi/samples.ts";
import { createKeys } from "../../people/auth/api-keys.ts";
import { DICTIONARY, EMPLOYEES, openTestService, readCollections, type TestService } from "../../testing/service.ts";

const run = promisify(execFile);
const COMMANDS: Record<Language, (text: string) => [command: string, args: string[]]> = {
  curl: (text) => ["sh", ["-c", text.replace("curl -sS", "curl -sSf")]],
  // The samples need no types, so Node runs them as they stand.
  typescript: (text) => [process.execPath, ["--input-type=module", "-e", text]],
  python: (text) => ["python3", ["-c", text]],
};

function isHere(language: Language): boolean {
  if (language === "typescript") return true;
  try {
    execFileSync(language === "curl" ? "curl" : "python3", ["--version"]);
    return true;
  } catch {
    return false;
  }
}
const here = LANGUAGES.filter(isHere);

const folder = mkdtempSync(join(tmpdir(), "intake-guide-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** The path of a dictionary that has nothing but what must be in one, and an optional reference. */
function plainDictionary(lastName: object): string {
  const fields = [{ name: "no", type: "integer" }, { name: "lastName", constraints: { required: true }, ...lastName }, { name: "town" }];
  const reference = { name: "schoolNo", type: "integer", example: "12" };
  const foreignKeys = [{ fields: "schoolNo", reference: { resource: "schools", fields: "no" } }];
  const resources = [
    { name: "pupils", schema: { fields: [...fields, reference], primaryKey: "no", foreignKeys } },
    { name: "schools", schema: { fields: [{ name: "no", type: "integer" }], primaryKey: "no" } },
  ];
  const path = join(folder, `${JSON.stringify(lastName).length}.json`);
  writeFileSync(path, JSON.stringify({ name: "plain", resources }));
  return path;
}

test("where no value of a required field is known, the guide has all that only reads", () => {
  const sections = guideOf(readCollections(plainDictionary({ constraints: { required: true, pattern: "[a-z]{7}" } })).collections);
  expect(sections.map(({ id }) => id)).toEqual([
    "quickstart",
    "summaries",
    "batches",
    "retries",
    "conflicts",
    "changes-feed",
    "files",
    "problems",
  ]);
  const requests = sections.flatMap(({ parts }) => parts.filter((part) => typeof part !== "string"));
  expect(new Set(requests.map(({ method }) => method))).toEqual(new Set(["GET"]));
});

describe.each([
  ["customers", DICTIONARY],
  ["employees", EMPLOYEES],
  ["pupils", plainDictionary({})],
])("the guide of %s", (name, dictionary) => {
  const { collections } = readCollections(dictionary);
  const sections = guideOf(collections);
  const requests = sections.flatMap(({ id, parts }) =>
    parts
      .filter((part): part is SampleRequest => typeof part !== "string")
      .map((request): [string, string, SampleRequest] => [id, `${request.method} ${request.path}`, request]),
  );
  let service: TestService;
  let env: NodeJS.ProcessEnv;
  beforeAll(async () => {
    service = await openTestService(dictionary);
    await service.app.listen({ port: 0 });
    const { port } = service.app.server.address() as { port: number };
    env = { ...process.env, INTAKE_URL: `http://127.0.0.1:${port}`, INTAKE_KEY: await createKeys(service.store).create("write") };
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    const post = requests.find(([id, , { body }]) => id === "quickstart" && body !== undefined)?.[2];
    await service.call("PUT", `/v1/${name}/7`, post?.body);
  });

  /** Gives each language a record of its own, where the sample makes one: it can do so once. */
  const ownRecord = ({ method }: SampleRequest, language: Language) => `/${name}/${method === "PUT" ? 8 + LANGUAGES.indexOf(language) : 7}`;

  test("runs as it is written, one after the other, on an empty store", async () => {
    const [language = "typescript"] = here;
    const empty = await openTestService(dictionary);
    try {
      await empty.app.listen({ port: 0 });
      const { port } = empty.app.server.address() as { port: number };
      const own = { ...process.env, INTAKE_URL: `http://127.0.0.1:${port}`, INTAKE_KEY: await createKeys(empty.store).create("write") };
      for (const [id, what, request] of requests) {
        const [command, args] = COMMANDS[language](SAMPLES[language](request));
        const ended = await run(command, args, { env: own }).catch((error: Error) => error);
        expect([id, what, ended instanceof Error ? ended.message : "done"]).toEqual([id, what, "done"]);
      }
    } finally {
      await empty.close();
    }
  }, 120_000);

  test("has a section for each thing that a program has to know", () => {
    expect(sections.map(({ id }) => id)).toEqual([
      "quickstart",
      "summaries",
      "batches",
      "retries",
      "conflicts",
      "changes-feed",
      "files",
      "problems",
    ]);
    expect(requests.length).toBeGreaterThan(9);
  });

  test.each(requests)("%s: %s runs in every language, and all get the same answer", async (_, __, request) => {
    const answers = new Map<string, unknown>();
    for (const language of here) {
      const [command, args] = COMMANDS[language](
        SAMPLES[language](request).replaceAll("order-4711", `order-${language}`).replaceAll(`/${name}/7`, ownRecord(request, language)),
      );
      const { stdout } = await run(command, args, { env });
      expect([language, stdout.length > 0]).toEqual([language, true]);
      answers.set(
        language,
        stdout.startsWith("{") ? Object.keys(JSON.parse(stdout)).sort() : stdout.trim().split("\n")[0]?.replace("\uFEFF", ""),
      );
    }
    expect(new Set([...answers.values()].map((one) => JSON.stringify(one))).size).toBe(1);
  });
});

test("the page needs no script, has every operation, and lets nothing else in", async () => {
  const service = await openTestService();
  try {
    const { text, headers } = await service.call("GET", "/docs");
    expect(headers["content-security-policy"]).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'/);
    expect(text).not.toMatch(/<script(?! src="\/docs\.js" defer>)|style=|onclick=/);
    const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, target] of text.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(target);
    const operations = Object.values(service.checker.document.paths).flatMap((path) => Object.entries(path));
    for (const [method, { operationId }] of operations) if (!["head", "options"].includes(method)) expect(ids).toContain(operationId);
  } finally {
    await service.close();
  }
});
