// Names with characters that nobody sees: "Zoë U+202E gnitekraM" is read as "Zoë Marketing".

import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestService, type TestService } from "../../testing/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await openTestService(undefined, { signUp: "request" });
});
afterAll(() => service.close());

const VIEW = { collection: "customers", isShared: true, search: {} };
const RECIPE = { collection: "customers", headings: ["Nr"], content: {} };
const MADE: [what: string, path: string, body: Record<string, unknown>][] = [
  ["a person", "/v1/users", { email: "zoe@example.org", roles: ["viewer"] }],
  ["a role", "/v1/roles", { scope: "read" }],
  ["an API key", "/v1/keys", { scope: "read" }],
  ["a view", "/v1/views", VIEW],
  ["a recipe", "/v1/recipes", RECIPE],
  ["a request for access", "/v1/access-requests", { email: "zoe@example.org" }],
];

test.each(MADE)("the name of %s has no character that changes how it is read", async (_, path, body) => {
  for (const name of ["Zoë \u202egnitekraM", "\u2066Zoë", "Zoë\u0007", "Zoë\nMarketing", "Zoë\ud800"]) {
    const reply = await service.call("POST", path, { ...body, name });
    expect([name, reply.status, reply.json.errors]).toEqual([
      name,
      422,
      [
        {
          pointer: "/name",
          code: "CHARACTERS",
          detail: "name has a character that cannot be stored: a line break, a control character or a hidden direction mark. Remove it.",
        },
      ],
    ]);
  }
  for (const hidden of ["\u200b", "\u200d", "\u2060", "\u00ad", "\ufeff", "\u3164", "\ufe0f", "\u{e0041}"]) {
    const reply = await service.call("POST", path, { ...body, name: `Z${hidden}oë` });
    expect([hidden, reply.status, reply.json.errors]).toEqual([
      hidden,
      422,
      [
        {
          pointer: "/name",
          code: "CHARACTERS",
          detail: "name has a character that cannot be stored: one that nobody sees. Remove it.",
        },
      ],
    ]);
  }
  // Several scripts need these, and a name from right to left is one.
  const reply = await service.call("POST", path, { ...body, name: "می\u200cخواهم" });
  expect(reply.status).toBeLessThan(300);
});

test("a message may have lines, but no hidden direction marks, and an address has none", async () => {
  const ask = (more: object) => service.call("POST", "/v1/access-requests", { email: "lines@example.org", name: "Li Nes", ...more });
  expect((await ask({ message: "Hello,\n\tI am new." })).status).toBe(202);
  const problems = async (more: object) =>
    (await ask(more)).json.errors.map(({ pointer, code }: Record<string, string>) => [pointer, code]);
  expect(await problems({ message: "Room \u202e7" })).toEqual([["/message", "CHARACTERS"]]);
  for (const address of ["moc\u202e@example.org", "mo\u200bc@example.org", "\u212aate@example.org", "mo\u0308c@example.org"])
    expect([address, await problems({ email: address })]).toEqual([address, [["/email", "CHARACTERS"]]]);
});
