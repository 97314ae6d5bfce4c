// Tests who else has a record open.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test, vi } from "vitest";
import { NO_RATE_LIMIT, openTestService, type TestService } from "../../testing/service.ts";
import { createTestDatabase } from "../../testing/store.ts";

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service.close());
afterEach(() => {
  vi.useRealTimers();
});

let path = "";
beforeEach(async () => {
  const { json } = await service.call("POST", "/v1/customers", { lastName: "Viewed", accountID: "1" });
  path = `/v1/customers/${json.objectId}/viewers`;
});

type Person = Awaited<ReturnType<TestService["newPerson"]>>;
const headersOf = ({ token }: Pick<Person, "token">) => ({ authorization: `Bearer ${token}` });
const view = (who: Pick<Person, "token">, tab = "a", at = service) => at.raw("PUT", `${path}?tab=${tab}`, headersOf(who));
const leave = (who: Pick<Person, "token">, tab = "a") => service.raw("DELETE", `${path}?tab=${tab}`, headersOf(who));
const idsOf = async (reply: ReturnType<typeof view>) => (await reply).json.viewers.map(({ id }: { id: string }) => id);

describe("who has a record open", () => {
  test("sees the others by name, each once, and never themselves", async () => {
    const [anna, ben] = [await service.newPerson("viewer"), await service.newPerson("editor")];
    expect((await view(anna)).json).toEqual({ viewers: [] });
    await view(anna, "b");
    const { json } = await view(ben);
    expect(json.viewers).toEqual([{ type: "user", id: anna.id, name: expect.stringMatching(/^Person /) }]);
    expect(await idsOf(view(anna))).toEqual([ben.id]);
  });

  test("is gone when the last of their tabs has left", async () => {
    const [anna, ben] = [await service.newPerson("viewer"), await service.newPerson("viewer")];
    await view(anna, "a");
    await view(anna, "b");
    expect((await leave(anna, "a")).status).toBe(204);
    expect(await idsOf(view(ben))).toEqual([anna.id]);
    await leave(anna, "b");
    await leave(anna, "b");
    expect(await idsOf(view(ben))).toEqual([]);
  });

  test("is gone when nothing was heard of them for a while", async () => {
    const [anna, ben] = [await service.newPerson("viewer"), await service.newPerson("viewer")];
    await view(anna);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
    expect(await idsOf(view(ben))).toEqual([anna.id]);
    vi.setSystemTime(Date.now() + 20_000);
    expect(await idsOf(view(ben))).toEqual([]);
  });

  test("stays while they say it again", async () => {
    const [anna, ben] = [await service.newPerson("viewer"), await service.newPerson("viewer")];
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    for (let i = 0; i < 10; i++) {
      await view(anna);
      vi.setSystemTime(Date.now() + 50_000);
      expect(await idsOf(view(ben))).toEqual([anna.id]);
    }
  });

  test("is known for that record alone", async () => {
    const [anna, ben] = [await service.newPerson("viewer"), await service.newPerson("viewer")];
    await view(anna);
    const { json } = await service.call("POST", "/v1/customers", { lastName: "Other", accountID: "2" });
    expect((await service.raw("PUT", `/v1/customers/${json.objectId}/viewers`, headersOf(ben))).json.viewers).toEqual([]);
  });
});

test("an API key sees nobody and is seen by nobody", async () => {
  const [anna, token] = [await service.newPerson("viewer"), await service.tokenFor("admin")];
  await view(anna);
  expect(await idsOf(view({ token }))).toEqual([]);
  expect(await idsOf(view(anna))).toEqual([]);
});

test("whoever may not read the record is refused", async () => {
  const anna = await service.newPerson();
  expect([(await view(anna)).status, (await leave(anna)).status]).toEqual([403, 403]);
});

test("nobody can have a record open that does not exist, nor in a tab with a strange name", async () => {
  const anna = await service.newPerson("viewer");
  for (const tab of ["a%00b", "a%20b", "x".repeat(33)]) expect((await view(anna, tab)).json.errors).toMatchObject([{ parameter: "tab" }]);
  await service.call("DELETE", path.replace("/viewers", ""));
  expect([(await view(anna)).status, (await leave(anna)).status]).toEqual([404, 404]);
});

test.runIf(inject("postgres"))("people see each other through any process, and rows of long ago go", async () => {
  const database = await createTestDatabase();
  const [one, other] = [
    await openTestService(undefined, { limits: NO_RATE_LIMIT }, database),
    await openTestService(undefined, { limits: NO_RATE_LIMIT }, database),
  ];
  try {
    const { json } = await one.call("POST", "/v1/customers", { lastName: "Shared", accountID: "1" });
    path = `/v1/customers/${json.objectId}/viewers`;
    const [anna, ben] = [await one.newPerson("viewer"), await one.newPerson("viewer")];
    await view(anna, "a", one);
    expect(await idsOf(view(ben, "a", other))).toEqual([anna.id]);
    expect(await idsOf(view(anna, "a", one))).toEqual([ben.id]);
    const [place, past] = [{ collection: "customers", id: 1 }, Date.now() - 1];
    const person = { type: "user", id: "long-ago", name: "Long Ago" } as const;
    // The process has written one row, of Anna; the hundredth sweeps.
    for (let i = 0; i < 99; i++) await one.store.viewers.add(place, { person, tab: `t${i}` }, past);
    expect(await one.store.viewers.list(place, past - 1)).toEqual([]);
    expect(await idsOf(view(anna, "a", one))).toEqual([ben.id]);
  } finally {
    await one.close();
    await other.close();
    await database.drop();
  }
});
