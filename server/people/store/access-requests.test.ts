// Who asks for a new password or for access cannot tell by the time whether an address is known: the same is done for all.

import Database from "libsql";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createRun } from "../../engine/script/run-sqlite.ts";
import { runScript, scriptNamed } from "../../engine/script/script.ts";
import { migrate } from "../../engine/sqlite/migrations.ts";
import type { Store } from "../../engine/store.ts";
import { createTestDatabase } from "../../testing/store.ts";
import { PEOPLE_SCRIPTS } from "./people.ts";
import { NO_ATTRIBUTES, type StoredUser } from "./users.ts";

const HASH = (n: number) => new Uint8Array(32).fill(n);
const EMAILS = ["active@x.org", "invited@x.org", "disabled@x.org", "elsewhere@x.org", "nobody@x.org"];
const asked = (email: string) =>
  ({ id: `id of ${email}`, email, name: "A", message: "", language: "en", askedAt: 1, hasAccount: false }) as const;

function person(email: string, change: Partial<StoredUser> = {}): StoredUser {
  const times = { createdAt: 1, lastSeenAt: null, passkeys: 0, ...NO_ATTRIBUTES };
  return { id: email, email, name: "A", roles: [], status: "active", password: "hash", language: "en", ...times, ...change };
}

let db: Database.Database;
beforeEach(() => {
  db = new Database(":memory:");
  migrate(db);
  const all = [
    person("active@x.org"),
    person("invited@x.org", { status: "invited", password: null }),
    person("disabled@x.org", { status: "disabled" }),
    person("elsewhere@x.org", { password: null }), // signs in without a password
  ];
  for (const [i, user] of all.entries()) run("addUser", user, { hash: HASH(i), purpose: "invitation", userId: user.id, expiresAt: 9 });
});
afterEach(() => db.close());

/** The statements that a script ran, the rows that each wrote, and its result. */
function run(name: string, ...args: unknown[]) {
  const statements: string[] = [];
  const written: number[] = [];
  const execute = createRun(db);
  const result = runScript(scriptNamed(PEOPLE_SCRIPTS.writes, name, args), (statement) => {
    const done = execute(statement);
    statements.push(statement.sql);
    if (statement.sql.startsWith("INSERT")) written.push(done.count);
    return done;
  });
  return { result, statements, written };
}

test("a link for a forgotten password takes the same statements for everybody, and only who has a password gets it", () => {
  const runs = EMAILS.map((email, i) => run("addLinkForEmail", email, { hash: HASH(100 + i), expiresAt: 9 }));
  for (const { statements, written } of runs) expect([statements, written]).toEqual([runs[0]?.statements, runs[0]?.written]);
  expect(runs.map(({ result }) => (result as unknown as StoredUser | undefined)?.email)).toEqual([
    "active@x.org",
    "invited@x.org",
    ...[undefined, undefined, undefined],
  ]);
  const { count } = db.prepare("SELECT count(*) AS count FROM links WHERE user_id = ''").get() as { count: number };
  expect(count).toBe(1); // however many ask for addresses that nobody has
});

test("a request for access takes the same statements for everybody", () => {
  const runs = EMAILS.map((email) => run("addAccessRequest", asked(email), 1_000, 0));
  for (const { statements, written } of runs) expect([statements, written]).toEqual([runs[0]?.statements, runs[0]?.written]);
});

test("so many requests wait and no more; one of them can still be replaced", async () => {
  const database = await createTestDatabase();
  const store: Store = await database.open([]);
  try {
    const { people } = store;
    for (const email of ["a@x.org", "b@x.org"]) expect(await people.addAccessRequest(asked(email), 2, 0)).toBe(true);
    expect(await people.addAccessRequest(asked("c@x.org"), 2, 0)).toBe(false);
    expect(await people.addAccessRequest({ ...asked("b@x.org"), message: "again" }, 2, 0)).toBe(true);
    expect((await people.listAccessRequests()).map(({ email, message }) => [email, message])).toEqual([
      ["a@x.org", ""],
      ["b@x.org", "again"],
    ]);
    const hour = 3_600_000;
    const claims = [5, 5 + hour - 1, 5 + hour, 6 + hour].map((now) => () => people.claimRequestNotice(now, hour));
    const claimed: boolean[] = [];
    for (const claim of claims) claimed.push(await claim());
    expect(claimed).toEqual([true, false, true, false]);
  } finally {
    await store.close();
    await database.drop();
  }
});
