// The log of the real service: one JSON line for each request, without names, ids, keys or tokens.

import { connect } from "node:net";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ADMIN_SECRET, authorize, killProcesses, type Started, startProcess } from "../../testing/process.ts";
import { createTestDatabase, type TestDatabase } from "../../testing/store.ts";

let database: TestDatabase;
let service: Started;
beforeAll(async () => {
  database = await createTestDatabase();
  const store = database.url ? { DATABASE_URL: database.url } : { DATA_DIR: database.folder };
  service = await startProcess({ ...store, ADMIN_KEY: `ink_secretive-key.${ADMIN_SECRET}`, LOG: "debug" });
});
afterAll(async () => {
  killProcesses();
  await database.drop();
});

const NAME = "Quetzalcoatl";
const ACCOUNT = "Xochimilco-7";
const ID = 424_242_424;
const record = { objectId: ID, firstName: NAME, lastName: NAME, accountID: ACCOUNT };

interface Request {
  method: string;
  path: string;
  body?: string;
  headers?: Record<string, string>;
}

const write = (method: string, path: string, body: unknown): Request => ({
  method,
  path,
  body: JSON.stringify(body),
  headers: { "idempotency-key": `key-of-${NAME}`, "if-match": method === "PATCH" ? `"${ID}-1"` : "*" },
});

/** Every method, used rightly and wrongly, with recognisable values wherever a request can have one. */
function requestsWithSecrets(key: string): Request[] {
  const one = `/v1/customers/${ID}`;
  const query = `q=${NAME}&lastName=${NAME}&accountID[prefix]=${ACCOUNT}`;
  return [
    { method: "POST", path: "/v1/customers", body: JSON.stringify(record) },
    { method: "POST", path: "/v1/customers", body: JSON.stringify(record) },
    write("POST", "/v1/customers?onError=continue&onConflict=update", [record, { lastName: NAME }, { [NAME]: ID }]),
    write("PATCH", one, { firstName: NAME, lastName: `${NAME} II` }),
    write("PATCH", one, { firstName: NAME, lastName: `${NAME} III` }),
    write("PUT", one, { ...record, [NAME]: NAME }),
    write("PUT", one, record),
    { method: "GET", path: one },
    { method: "HEAD", path: one },
    { method: "OPTIONS", path: one },
    { method: "GET", path: `/v1/customers?${query}` },
    { method: "GET", path: `/v1/customers?${query}`, headers: { accept: "text/csv" } },
    { method: "GET", path: `/v1/customers?${NAME}=${ID}` },
    { method: "GET", path: `/v1/customers/${NAME}/${ID}` },
    { method: "GET", path: `/v1/${NAME}` },
    { method: "GET", path: `/${NAME}?${query}` },
    { method: "GET", path: `/v1/customers/%ff${NAME}` },
    { method: "POST", path: "/v1/customers", body: `[{"lastName":"${NAME}"` },
    { method: "POST", path: "/v1/customers", body: `{"lastName":"${NAME}"}`, headers: { "content-type": `text/${NAME}` } },
    { method: "POST", path: "/v1/customers", body: NAME.repeat(1_000_000) },
    { method: "PROPFIND", path: one },
    { method: "DELETE", path: one, headers: { "if-match": `"${ID}-999"` } },
    write("POST", "/v1/customers/deletions", [{ objectId: ID }]),
    { method: "DELETE", path: one },
    { method: "GET", path: one, headers: { authorization: `Bearer wrong-${NAME}` } },
    { method: "GET", path: "/v1/keys" },
    { method: "GET", path: `/v1/keys/${key}` },
    { method: "DELETE", path: `/v1/keys/${key}` },
  ];
}

async function form(path: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${service.url}${path}`, { method: "POST", body: new URLSearchParams(fields), headers });
}

function brokenMessage(text: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(service.url).port), "127.0.0.1", () => socket.write(text));
    socket.on("data", () => undefined).on("close", () => resolve());
  });
}

test("no line of the log has a name, an id, a key or a token", { timeout: 180_000 }, async () => {
  const { authorization = "" } = await authorize(service.url, "secretive-key", ADMIN_SECRET);
  const usual = {
    authorization,
    "content-type": "application/json",
    "user-agent": NAME,
    referer: `https://x/${NAME}`,
    cookie: NAME,
    traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
  };
  const made = await fetch(`${service.url}/v1/keys`, { method: "POST", headers: usual, body: '{"scope":"write"}' });
  const { key, id } = (await made.json()) as { key: string; id: string };
  const [, secret = ""] = key.split(".");
  const client = { client_id: id, client_secret: secret };
  const exchanged = await form("/v1/oauth/token", { grant_type: "client_credentials", ...client });
  const { access_token: token } = (await exchanged.json()) as { access_token: string };
  await form("/v1/oauth/token", { grant_type: "client_credentials" }, { authorization: `Basic ${btoa(`${id}:${secret}`)}` });
  await form("/v1/oauth/token", { grant_type: "client_credentials", client_id: NAME, client_secret: secret });
  await form("/v1/oauth/revoke", { token, ...client });
  const statuses = new Set<number>();
  for (const { method, path, body, headers } of requestsWithSecrets(id)) {
    const reply = await fetch(`${service.url}${path}`, { method, headers: { ...usual, ...headers }, ...(body !== undefined && { body }) });
    statuses.add(reply.status);
    await reply.text();
  }
  for (const status of [200, 201, 204, 207, 400, 401, 404, 405, 409, 412, 413, 415, 422]) expect(statuses).toContain(status);
  await brokenMessage(`${NAME}\r\n\r\n`);
  await brokenMessage(`GET /${NAME} HTTP/1.1\r\nX: ${NAME.repeat(2_000)}\r\n\r\n`);
  if (database.url) await breakStore(database.url, usual);
  service.child.kill("SIGTERM");
  expect(await service.ended).toBe(0);

  const lines = service.output().trim().split("\n");
  expect(lines.filter((line) => !line.startsWith("{"))).toEqual([`Intake is ready at ${service.url}`]);
  const requests = lines.flatMap((line) => (line.includes('"answered"') ? [JSON.parse(line)] : []));
  expect(requests.length).toBeGreaterThanOrEqual(requestsWithSecrets(id).length);
  expect(requests.some(({ req }) => req.trace === "4bf92f3577b34da6a3ce929d0e0e4736")).toBe(true);
  if (database.url) expect(lines.find((line) => line.includes('"failed"'))).toContain('"code":"P0001"'); // SQLSTATE
  const isEvent = (line: string) => line.includes('"msg":"security"');
  const events = lines.filter(isEvent).map((line) => JSON.parse(line));
  expect(new Set(events.map(({ event }) => event))).toEqual(
    new Set(["key exchanged", "key refused", "key made", "key revoked", "exported"]),
  );
  expect(events.find(({ event }) => event === "key made")).toMatchObject({
    level: 40,
    by: "key secretive-key",
    target: id,
    source: "127.0.0.1",
  });
  const secrets = [NAME, ACCOUNT, String(ID), token, authorization.slice("Bearer ".length), secret, ADMIN_SECRET, "Bearer", "ink_"];
  for (const word of secrets)
    expect([word, lines.find((line) => line.toLowerCase().includes(word.toLowerCase()))]).toEqual([word, undefined]);
  // Only a security event says whose key it was.
  for (const word of [id, "secretive-key"]) expect(lines.find((line) => !isEvent(line) && line.includes(word))).toBeUndefined();
});

/** An unexpected error of the database: its log line has the stack, but not the data. */
async function breakStore(url: string, headers: Record<string, string>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`CREATE FUNCTION raise_row() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION E'first\\n%', NEW; END $$`);
  await client.query("CREATE TRIGGER raising BEFORE INSERT ON c_customers FOR EACH ROW EXECUTE FUNCTION raise_row()");
  await client.end();
  const reply = await fetch(`${service.url}/v1/customers`, {
    method: "POST",
    headers,
    body: JSON.stringify({ ...record, objectId: ID + 1 }),
  });
  expect([reply.status, await reply.text()]).toEqual([500, expect.not.stringContaining(NAME)]);
}
