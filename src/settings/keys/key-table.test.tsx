import { screen } from "@testing-library/react";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ApiKey } from "../../../core/contract/keys.ts";
import type { User } from "../../../core/contract/people.ts";
import { drawPart, openTestApp, type TestApp } from "../../testing/test-app.tsx";
import { KeyTable } from "./key-table.tsx";

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

test("a key of somebody whose account is disabled is not called active", async () => {
  const user = async (name: string, status?: string): Promise<User> => {
    const made = await app.service.call("POST", "/v1/users", { email: `${name}@example.org`, name, roles: ["editor"] });
    return status ? (await app.service.call("PATCH", `/v1/users/${made.json.user.id}`, { status })).json : made.json.user;
  };
  const [anna, ben] = [await user("anna"), await user("ben", "disabled")];
  const { key: _, ...made } = (await app.service.call("POST", "/v1/keys", { name: "Nightly", scope: "read" })).json;
  const keys = [null, anna.id, ben.id].map((owner, i): ApiKey => ({ ...made, id: String(i), owner }));
  await drawPart(app, <KeyTable label="API keys" keys={keys} users={[anna, ben]} />);
  const rows = (await screen.findAllByRole("row")).slice(1).map((row) => [...row.children].map((cell) => cell.textContent));
  expect(rows.map((cells) => [cells[2], cells[5]])).toEqual([
    ["The organisation", "Active"],
    ["anna", "Active"],
    ["ben", "Stopped, because the owner’s account is disabled"],
  ]);
});
