// Tests that forms which are open when the dictionary is changed keep what is typed and stored.

import { screen, waitFor } from "@testing-library/react";
import { afterAll, beforeAll, expect, test } from "vitest";
import { dictionaryQuery } from "../../service/dictionary.ts";
import { openPage, openTestApp, type TestApp } from "../../testing/test-app.tsx";

const WAIT = { timeout: 20_000 };

interface DataPackage {
  resources: { name: string; rules?: object[]; schema: { fields: { id?: string; name: string; title: string; type?: string }[] } }[];
}

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

/** Changes the dictionary as another steward would. */
async function changeDictionary(change: (dataPackage: DataPackage) => void): Promise<void> {
  const { version: _, ...now } = (await app.service.call("GET", "/v1/dictionary")).json;
  const dataPackage = now as unknown as DataPackage;
  change(dataPackage);
  const draft = await app.service.call("POST", "/v1/dictionary/drafts", { title: "A change", package: dataPackage });
  const applied = await app.service.call("POST", `/v1/dictionary/drafts/${draft.json.id}/apply`, undefined, { "if-match": "*" });
  expect([draft.status, applied.status]).toEqual([201, 200]);
}

const customersOf = ({ resources }: DataPackage) => resources.find(({ name }) => name === "customers") as DataPackage["resources"][number];

function rename(dataPackage: DataPackage, from: string, to: string): void {
  const field = customersOf(dataPackage).schema.fields.find(({ name }) => name === from);
  Object.assign(field as object, { name: to, title: `Title of ${to}` });
}

test("a form that is open goes on when its collection gets its first rule", async () => {
  const { user, queries, services } = await openPage(app, "/customers/new");
  await user.type(await screen.findByRole("textbox", { name: /^Last name/ }), "Fox");
  await changeDictionary((dataPackage) => {
    customersOf(dataPackage).rules = [{ name: "differ", must: "accountID != lastName", message: "The account is not the name." }];
  });
  await waitFor(async () => {
    await queries.refetchQueries({ queryKey: ["dictionary news"] });
    expect(queries.getQueryData(dictionaryQuery(services.client).queryKey)?.collections[0]?.hasRules).toBe(true);
  }, WAIT);
  await user.type(screen.getByRole("textbox", { name: /^Account ID/ }), "Fox");
  expect(screen.getByRole("textbox", { name: /^Last name/ })).toHaveProperty("value", "Fox");
  await user.click(screen.getByRole("button", { name: "Save" }));
  expect((await screen.findAllByText("The account is not the name.", {}, WAIT)).length).toBeGreaterThan(0);
});

test("what is typed into a field that is retired meanwhile is said, and what is only stored there is not", async () => {
  const { json } = await app.service.call("POST", "/v1/customers", { lastName: "Owl", accountID: "8" });
  await changeDictionary((dataPackage) => {
    for (const name of ["nickname", "hobby"]) customersOf(dataPackage).schema.fields.push({ name, title: `Own ${name}`, type: "string" });
  });
  const { user, queries } = await openPage(app, `/customers/${json.objectId}`);
  await user.type(await screen.findByRole("textbox", { name: /^Own nickname/ }), "Minerva");
  await changeDictionary((dataPackage) => {
    const { schema } = customersOf(dataPackage);
    schema.fields = schema.fields.filter(({ name }) => name !== "nickname" && name !== "hobby");
  });
  await waitFor(async () => {
    await queries.refetchQueries({ queryKey: ["dictionary news"] });
    expect(screen.queryByRole("textbox", { name: /^Own nickname/ })).toBeNull();
  }, WAIT);
  const notice = await screen.findByText("Own nickname is no field any more, and is not saved.", {}, WAIT);
  expect(notice.parentElement?.textContent).toBe("Own nickname is no field any more, and is not saved. You had typed: Minerva");
  expect(screen.queryByText(/Own hobby/)).toBeNull();
  await user.click(screen.getByRole("button", { name: "Close" }));
  expect(screen.queryByText(/Own nickname/)).toBeNull();
});

test("what is typed into a field that is renamed meanwhile stays, and is saved under the name of today", async () => {
  const { json } = await app.service.call("POST", "/v1/customers", { firstName: "Ada", lastName: "Fox", accountID: "7" });
  const { user, queries, services } = await openPage(app, `/customers/${json.objectId}`);
  const input = await screen.findByRole("textbox", { name: /^Last name/ });
  await user.clear(input);
  await user.type(input, "Wolf");
  for (const [from, to] of [
    ["lastName", "surname"],
    ["surname", "familyName"],
  ] as const) {
    await changeDictionary((dataPackage) => {
      rename(dataPackage, from, to);
      if (to === "surname") rename(dataPackage, "firstName", "forename");
      customersOf(dataPackage).rules = [];
    });
    await waitFor(async () => {
      await queries.refetchQueries({ queryKey: ["dictionary news"] });
      expect(screen.getByRole("textbox", { name: new RegExp(`^Title of ${to}`) })).toHaveProperty("value", "Wolf");
    }, WAIT);
    expect(screen.getByRole("textbox", { name: /^Title of forename/ })).toHaveProperty("value", "Ada");
  }
  await user.click(screen.getByRole("button", { name: "Save" }));
  const stored = async () => (await services.client.request("GET", `/customers/${json.objectId}`)).json;
  await waitFor(async () => expect(await stored()).toMatchObject({ familyName: "Wolf", forename: "Ada", version: 2 }), WAIT);
});
