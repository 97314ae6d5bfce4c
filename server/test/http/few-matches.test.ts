// A page of a few matches that lie at the far end of the order, in a collection whose first field may be empty.

import { afterAll, beforeAll, expect, test } from "vitest";
import { type LivingService, startLivingService } from "../../testing/living-service.ts";

const field = (name: string, type = "string") => ({ name, title: name, type });
const PACKAGE = {
  resources: [
    { name: "notes", title: "Notes", schema: { primaryKey: "id", fields: [field("remark"), field("id", "integer"), field("kind")] } },
  ],
};
const OTHERS = 700; // more than are read before the matches are sorted by themselves

let service: LivingService;
beforeAll(async () => {
  service = await startLivingService(PACKAGE);
  const rare = [1, 2, 3].map((id) => ({ id, kind: "rare", remark: id === 2 ? "a remark" : null }));
  const others = Array.from({ length: OTHERS }, (_, i) => ({ id: i + 10, kind: "other", remark: "x" }));
  for (const records of [rare, others]) expect((await service.send("POST", "/v1/notes", records)).status).toBe(201);
});
afterAll(() => service.close());

const ids = async (query: string) => {
  const { json } = await service.send("GET", `/v1/notes?kind=rare&${query}`);
  return [json.notes.map(({ id }: { id: number }) => id), json.next !== undefined];
};

test("no record is left out because its first field has no value", async () => {
  expect(await ids("sort=-createdAt&limit=2")).toEqual([[3, 2], true]);
  expect(await ids("sort=-id")).toEqual([[3, 2, 1], false]);
  expect(await ids("sort=-updatedAt")).toEqual([[3, 2, 1], false]);
  const { json } = await service.send("GET", "/v1/notes?kind=rare&sort=-createdAt&limit=2");
  expect(await ids(`sort=-createdAt&limit=2&cursor=${json.next}`)).toEqual([[1], false]);
  expect(await ids("remark=none&sort=-createdAt")).toEqual([[], false]);
});
