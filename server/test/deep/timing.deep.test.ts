// Reports whether a record out of sight takes another time than one that is not there. Only answers are asserted.

import { afterAll, beforeAll, expect, test } from "vitest";
import { rounds } from "../../testing/rounds.ts";
import { openTestService, type TestService } from "../../testing/service.ts";

const key = { name: "id", title: "ID", type: "integer" };
const AREA = { name: "area", title: "Area", type: "string" };
const CODE = { name: "code", title: "Code", type: "string", constraints: { unique: true } };
const PACKAGE = {
  resources: [
    { name: "teams", title: "Teams", schema: { fields: [key, AREA], primaryKey: ["id"] } },
    {
      name: "things",
      title: "Things",
      schema: {
        fields: [key, AREA, CODE, { name: "teamId", title: "Team", type: "integer" }],
        primaryKey: ["id"],
        foreignKeys: [{ fields: ["teamId"], reference: { resource: "teams", fields: ["id"] } }],
      },
    },
  ],
};
const COUNT = 1_000; // records, of which those with even keys are seen
const ABSENT = 1_000_000;

let service: TestService;
let token: string;
beforeAll(async () => {
  service = await openTestService(PACKAGE);
  const area = (i: number) => (i % 2 === 0 ? "north" : "south");
  const ids = Array.from({ length: COUNT }, (_, i) => i + 1);
  const add = async (name: string, records: object[]) =>
    expect((await service.call("POST", `/v1/${name}`, { [name]: records })).status).toBe(201);
  await add("teams", ids.map((id) => ({ id, area: area(id) }))); // biome-ignore format: short
  await add("things", ids.map((id) => ({ id, area: area(id), code: `c${id}`, teamId: id }))); // biome-ignore format: short
  const where = { read: { where: "area=north" } };
  const conditions = { teams: where, things: where };
  const role = await service.call("POST", "/v1/roles", { name: "North", scope: "teams:read things:read things:create", conditions });
  token = (await service.newPerson(role.json.id)).token;
}, 120_000);
afterAll(() => service.close());

async function timed(method: string, path: string, body?: object) {
  const began = performance.now();
  const reply = await service.app.inject({
    method: method as "GET",
    url: `/v1/${path}`,
    headers: { authorization: `Bearer ${token}`, ...(body && { "content-type": "application/json" }) },
    ...(body && { payload: JSON.stringify(body) }),
  });
  return { ms: performance.now() - began, status: reply.statusCode, body: reply.payload };
}

type Ask = (i: number) => ReturnType<typeof timed>;
const odd = (i: number) => 1 + 2 * ((i * 7_919) % (COUNT / 2));
const even = (i: number) => 2 + 2 * ((i * 7_919) % (COUNT / 2));
const post = (given: object): ReturnType<typeof timed> => timed("POST", "things", { area: "north", ...given });
/** Each asks for one out of sight, and for one that is not there; a unique value that is taken is told anyway, whoever has it. */
const WAYS: Record<string, [unseen: Ask, other: Ask, status: number]> = {
  get: [(i) => timed("GET", `things/${odd(i)}`), (i) => timed("GET", `things/${ABSENT + i}`), 404],
  filter: [(i) => timed("GET", `things?code=c${odd(i)}`), (i) => timed("GET", `things?code=c${ABSENT + i}`), 200],
  reference: [(i) => post({ teamId: odd(i) }), (i) => post({ teamId: ABSENT + i }), 422],
  "unique, of one out of sight and of one in sight": [(i) => post({ code: `c${odd(i)}` }), (i) => post({ code: `c${even(i)}` }), 422],
};

/** Without what names the request or the value that was sent. */
const plain = (body: string) => body.replace(/"(requestId|instance)":"[^"]*"/g, "").replace(/c?\d+/g, "n");

test.each(Object.entries(WAYS))("%s", { timeout: 600_000 }, async (way, [unseen, other, status]) => {
  const times = { unseen: [] as number[], other: [] as number[] };
  for (let i = 0; i < rounds(100, 1_500); i++) {
    const first = i % 2 === 0;
    const [one, two] = first ? [await unseen(i), await other(i)] : [await other(i), await unseen(i)];
    const [hidden, absent] = first ? [one, two] : [two, one];
    expect([hidden.status, absent.status]).toEqual([status, status]);
    if (!way.startsWith("unique")) expect(plain(hidden.body)).toBe(plain(absent.body));
    if (i < 50) continue; // they warm up
    times.unseen.push(hidden.ms);
    times.other.push(absent.ms);
  }
  const sorted = (all: number[]) => [...all].sort((a, b) => a - b);
  const [own, others] = [sorted(times.unseen), sorted(times.other)];
  const at = (all: number[], part: number) => (all[Math.floor(all.length * part)] ?? 0).toFixed(3);
  const slower = times.unseen.filter((ms, i) => ms > (times.other[i] ?? 0)).length / times.unseen.length;
  console.log(
    `${way}: out of sight ${at(own, 0.5)} ms (${at(own, 0.25)} to ${at(own, 0.75)}), otherwise ${at(others, 0.5)} ms ` +
      `(${at(others, 0.25)} to ${at(others, 0.75)}); slower in ${(100 * slower).toFixed(1)} % of ${own.length} pairs`,
  );
});
