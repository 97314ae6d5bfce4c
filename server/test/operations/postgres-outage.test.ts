// A PostgreSQL server that goes away and comes back: what clients are told, and what the log says.

import { expect, test } from "vitest";
import { openPostgres } from "../../engine/postgres/store.ts";
import { DEFAULT_SETTINGS } from "../../engine/store.ts";
import { toAnswer } from "../../records/answers.ts";
import { openPostgresProxy } from "../../testing/postgres/postgres-proxy.ts";
import { DICTIONARY, openTestService } from "../../testing/service.ts";
import { createTestDatabase, type TestDatabase } from "../../testing/store.ts";

const AGAIN = "The service cannot do this just now. Send the same request again.";
const NOTHING_WRITTEN = "The service cannot do this just now. Nothing was written; send the same request again.";

test("an outage has a line with its reason and one at its end, however many requests fail", { timeout: 60_000 }, async () => {
  const database = await createTestDatabase();
  const proxy = await openPostgresProxy(database.url ?? "");
  const lines: Record<string, unknown>[] = [];
  let isBack = () => {};
  const back = new Promise<void>((resolve) => {
    isBack = resolve;
  });
  const logTo = {
    write(text: string) {
      const line = JSON.parse(text);
      if (line.msg !== "security") lines.push(line);
      if (line.msg === "store back") isBack();
    },
  };
  const open: TestDatabase["open"] = (all) => openPostgres(proxy.url, all, toAnswer, DEFAULT_SETTINGS);
  const service = await openTestService(DICTIONARY, { logLevel: "warn", logTo }, { ...database, open });
  try {
    await service.call("PUT", "/v1/customers/1", { lastName: "Ek", accountID: "1" });
    await proxy.cut();
    const answerTo = async (method: string, path: string, body?: unknown) => {
      const { status, json } = await service.call(method, path, body);
      return [status, json.code, json.detail];
    };
    for (const path of ["/v1/customers", "/v1/customers/1", "/readyz"])
      expect([path, ...(await answerTo("GET", path))]).toEqual([path, 503, "UNAVAILABLE", AGAIN]);
    expect(await answerTo("PUT", "/v1/customers/1", { lastName: "Ek", accountID: "2" })).toEqual([503, "UNAVAILABLE", NOTHING_WRITTEN]);
    await proxy.open();
    await back;
    expect((await service.call("GET", "/v1/customers/1")).json).toMatchObject({ accountID: "1" });
    expect(lines.map(({ msg }) => msg)).toEqual(["failed", "store lost", "store back"]);
    expect(lines[0]).toMatchObject({ level: 50, err: { message: "the store cannot be used", code: "ECONNREFUSED" } });
    expect(lines[1]).toMatchObject({ level: 50, err: { message: "the store cannot be used", code: "ECONNREFUSED" } });
  } finally {
    await service.close();
    await proxy.cut();
    await database.drop();
  }
});
