// Calls the REST API as another program would, and the steps that many tests begin with.

import { randomInt } from "node:crypto";
import { expect, type Page } from "@playwright/test";
import { PORTS } from "./ports.ts";

export const ADMIN_KEY = "ink_e2e.for-these-tests-only-Zt8vQ3mK6xWp1RbN9sJc4HdLf7Gy2TqU";

export type Row = Record<string, unknown>;

/** A client of the REST API under /v1, signed in with the administrator's key if no other is given. */
export async function openApi(port = PORTS.main, key = ADMIN_KEY) {
  const base = `http://127.0.0.1:${port}/v1`;
  const [id = "", secret = ""] = key.replace("ink_", "").split(".");
  const exchange = await fetch(`${base}/oauth/token`, {
    method: "POST",
    body: new URLSearchParams({ grant_type: "client_credentials", client_id: id, client_secret: secret }),
  });
  const { access_token } = (await exchange.json()) as { access_token: string };

  async function call(method: string, path: string, body?: unknown): Promise<{ status: number; headers: Headers; json: Row }> {
    const headers = { Authorization: `Bearer ${access_token}`, ...(body === undefined ? {} : { "Content-Type": "application/json" }) };
    const response = await fetch(base + path, { method, headers, body: body === undefined ? null : JSON.stringify(body) });
    const text = await response.text();
    return { status: response.status, headers: response.headers, json: text === "" ? {} : (JSON.parse(text) as Row) };
  }

  return {
    token: access_token,
    call,
    /** Every record of a collection that a search finds, page by page. */
    async all(collection: string, q = ""): Promise<Row[]> {
      const records: Row[] = [];
      let cursor: string | undefined;
      do {
        const query = new URLSearchParams({ limit: "1000", ...(q ? { q } : {}), ...(cursor ? { cursor } : {}) });
        const { json } = await call("GET", `/${collection}?${query}`);
        records.push(...(json[collection] as Row[]));
        cursor = json.next as string | undefined;
      } while (cursor);
      return records;
    },
  };
}

/** Stores a customer. */
export async function stored(fields: Row): Promise<{ id: number; api: Awaited<ReturnType<typeof openApi>>; now: () => Promise<Row> }> {
  const api = await openApi();
  const { json } = await api.call("POST", "/customers", fields);
  const id = Number(json.objectId);
  return { id, api, now: async () => (await api.call("GET", `/customers/${id}`)).json };
}

/** Opens the address, the list of customers unless given, and signs in there. */
export async function signIn(page: Page, address = "/customers", key = ADMIN_KEY): Promise<void> {
  await page.goto(address);
  await page.getByRole("textbox", { name: "API key" }).fill(key);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
}

/** Chooses one of the ways to save beside the button. */
export async function saveBy(page: Page, way: string): Promise<void> {
  await page.getByRole("button", { name: "More ways to save" }).click();
  await page.getByRole("menuitem", { name: way }).click();
}

/** Chooses a CSV file and presses "Check". */
export async function check(page: Page, name: string, content: string | Buffer): Promise<void> {
  await page.getByLabel("CSV file").setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(content) });
  await page.getByRole("button", { name: "Check" }).click();
}

/** Reads how many rows the report counts under an outcome: 0 where it does not name it. */
export async function reported(page: Page, outcome: string): Promise<number> {
  const table = page.getByRole("table", { name: "Outcomes" });
  await expect(table).toBeVisible();
  const [count = ""] = await table.getByRole("row", { name: outcome }).getByRole("cell").last().allTextContents();
  return Number(count.replace(/\D/g, ""));
}

/** A text unlike any other, and the beginning of no other, so that a search finds it alone; also of other files that use the same service. */
export function unique(): string {
  return `${randomInt(10 ** 8)}x${randomInt(100)}z`;
}
