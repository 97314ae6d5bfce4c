// The samples of docs/other-programs.md: their requests are sent to a real service, as they stand.

import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createKeys } from "../server/people/auth/api-keys.ts";
import { ORDERS, openTestService, type TestService } from "../server/testing/service.ts";

const EXAMPLE = "https://intake.example.org";
const COUNT = 2_345;

let service: TestService;
let address: string;
let key: string;
beforeAll(async () => {
  service = await openTestService(ORDERS);
  await service.app.listen({ port: 0, host: "127.0.0.1" });
  address = `http://127.0.0.1:${(service.app.server.address() as AddressInfo).port}`;
  key = await createKeys(service.store).create("read");
  await service.call("POST", "/v1/customers", { objectId: 7, name: "=Ek", accountNumber: "A-7" });
  const orders = Array.from({ length: COUNT }, (_, i) => ({
    objectId: i + 1,
    customerId: 7,
    orderNumber: `O-${i}`,
    status: i % 9 ? "open" : "delivered",
  }));
  await service.call("POST", "/v1/orders", orders);
});
afterAll(() => service.close());

async function get(path: string, query: Record<string, string>): Promise<Response> {
  const reply = await fetch(`${address}${path}?${new URLSearchParams(query)}`, { headers: { Authorization: `Bearer ${key}` } });
  if (!reply.ok) throw new Error(await reply.text());
  return reply;
}

describe("the queries for Power Query", () => {
  const queries = [...readFileSync("docs/other-programs.md", "utf8").matchAll(/```powerquery\n(.*?)```/gs)].map(([, text = ""]) => text);

  /** Reads what the query asks for. The functions of M are not run here. */
  function requestOf(text = ""): { path: string; query: Record<string, string> } {
    const [, path = ""] = /RelativePath = "([^"]+)"/.exec(text) ?? [];
    const [, fields = ""] = /Query = \[([^\]]*)\]/.exec(text) ?? [];
    return { path, query: Object.fromEntries([...fields.matchAll(/(\w+) = "([^"]*)"/g)].map(([, name, value]) => [name, value])) };
  }

  test("are two: the whole as a file, and page by page", () => {
    expect(queries.map((text) => requestOf(text).path)).toEqual(["/v1/orders.csv", "/v1/orders"]);
    for (const text of queries) expect(text).toContain(`Url = "${EXAMPLE}"`);
  });

  test("the file has all rows and the names of the parents, as they are stored", async () => {
    const { path, query } = requestOf(queries[0]);
    const lines = (await (await get(path, query)).text()).trim().split("\r\n");
    expect(lines).toHaveLength(COUNT + 1);
    expect(lines[0]?.endsWith(",customer.name")).toBe(true);
    expect(lines[1]?.endsWith(",=Ek")).toBe(true);
  });

  test("the pages have each record once, and the last one has no cursor", async () => {
    const { path, query } = requestOf(queries[1]);
    expect(queries[1]).toMatch(/HasFields\(page, "next"\) then Page\(\[cursor = page\[next\]\]\)/);
    const ids: number[] = [];
    let pages = 0;
    for (let place: Record<string, string> | undefined = {}; place; pages++) {
      const page: { next?: string; orders: { objectId: number }[] } = await (await get(path, { ...query, ...place })).json();
      ids.push(...page.orders.map(({ objectId }) => objectId));
      place = page.next === undefined ? undefined : { cursor: page.next };
    }
    const open = Array.from({ length: COUNT }, (_, i) => i).filter((i) => i % 9);
    expect([pages, ids]).toEqual([3, open.map((i) => i + 1)]);
  });
});

interface Node {
  name: string;
  type: string;
  parameters: { jsCode?: string; url?: string; queryParameters?: { parameters: { name: string; value: string }[] } };
}
type Items = { json: Record<string, unknown> }[];

/** Runs the nodes one after the other, as n8n does: the code as it is, the request with its expressions filled in. */
function createWorkflow() {
  const { nodes, connections } = JSON.parse(readFileSync("docs/n8n-polling.json", "utf8")) as {
    nodes: Node[];
    connections: Record<string, { main: { node: string }[][] }>;
  };
  const place: Record<string, string> = {};

  async function runNode({ type, parameters }: Node, items: Items, done: ReadonlyMap<string, Items>): Promise<Items> {
    const input = (of: Items) => ({ first: () => of[0], all: () => of });
    switch (type) {
      case "n8n-nodes-base.scheduleTrigger":
        return [{ json: {} }];
      case "n8n-nodes-base.code": {
        const code = new Function("$getWorkflowStaticData", "$input", "$", parameters.jsCode ?? "");
        return code(
          () => place,
          input(items),
          (name: string) => input(done.get(name) ?? []),
        );
      }
      case "n8n-nodes-base.httpRequest": {
        const fill = (value: string) => value.replace(/^=\{\{ \$json\.(\w+) \}\}$/, (_, name) => String(items[0]?.json[name]));
        const query = Object.fromEntries((parameters.queryParameters?.parameters ?? []).map(({ name, value }) => [name, fill(value)]));
        return [{ json: await (await get(parameters.url?.slice(EXAMPLE.length) ?? "", query)).json() }];
      }
    }
    throw new Error(`no node of the type ${type}`);
  }

  return {
    /** What the nodes between "Each change" and "Keep the place" get. `fails`: they do not come to their end. */
    async run({ fails = false } = {}): Promise<Items> {
      const done = new Map<string, Items>();
      let items: Items = [];
      for (let name: string | undefined = nodes[0]?.name; name; name = connections[name]?.main[0]?.[0]?.node) {
        const node = nodes.find((one) => one.name === name) as Node;
        if (node.name === "Keep the place" && (fails || items.length === 0)) break;
        items = await runNode(node, items, done);
        done.set(name, items);
      }
      return done.get("Each change") ?? [];
    },
  };
}

test("the workflow for n8n gets each change once, and again after an error", async () => {
  const workflow = createWorkflow();
  const seen = async (options = {}) =>
    (await workflow.run(options)).map(({ json }) => [json.operation, json.objectId, (json.record as { status?: string } | null)?.status]);
  expect(await seen()).toEqual([]); // it begins at the present
  await service.call("PATCH", "/v1/orders/1", { status: "cancelled" });
  await service.call("PATCH", "/v1/customers/7", { city: "Oss" }); // another collection
  await service.call("DELETE", "/v1/orders/2");
  const both = [
    ["updated", 1, "cancelled"],
    ["deleted", 2, undefined],
  ];
  expect(await seen({ fails: true })).toEqual(both);
  expect(await seen()).toEqual(both);
  expect(await seen()).toEqual([]);
  for (let id = 11; id <= 160; id++) await service.call("PATCH", `/v1/orders/${id}`, { total: "1" });
  expect([(await seen()).length, (await seen()).length, (await seen()).length]).toEqual([100, 50, 0]);
});
