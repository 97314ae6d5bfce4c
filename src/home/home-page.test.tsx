import { act, cleanup, screen, waitFor, within } from "@testing-library/react";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Webhook } from "../../core/contract/webhooks.ts";
import { createKeys } from "../../server/people/auth/api-keys.ts";
import { draftKey, openDrafts } from "../records/drafts/draft-store.ts";
import { accessRequestsQuery } from "../service/people.ts";
import { webhooksQuery } from "../service/webhooks.ts";
import { drawPart, openPage, openTestApp, type TestApp } from "../testing/test-app.tsx";
import { AttentionCard } from "./attention-card.tsx";

const key = (app: TestApp, scope: string) => createKeys(app.service.store).create(scope);
const regions = () => screen.queryAllByRole("region").map((region) => within(region).getByRole("heading").textContent);
const writeAs = (app: TestApp, source: string, n: number) => {
  const customers = Array.from({ length: n }, (_, i) => ({ lastName: `${source} ${i}`, accountID: "1" }));
  return app.service.call("POST", "/v1/customers?onError=continue", { customers }, { "intake-source": source });
};

describe("an empty store", () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await openTestApp();
  });
  afterAll(() => app.close());
  const total = async () => (await app.service.call("GET", "/v1/customers?limit=1&count=exact")).json.total;

  test("offers three steps, of which sample data is gone again by one press, also for somebody else", async () => {
    const { user } = await openPage(app, "/");
    expect(await screen.findByRole("region", { name: "First steps" })).toBeTruthy();
    expect(screen.getByRole("link", { name: "Invite people" }).getAttribute("href")).toBe("/settings/people");
    await user.click(screen.getByRole("button", { name: "Add 40 sample customers" }));
    await screen.findByText("There are 40 customers of the sample data.");
    expect(await total()).toBe(40);
    expect(screen.queryByRole("region", { name: "First steps" })).toBeNull();
    cleanup();
    await app.service.call("POST", "/v1/customers", { objectId: 1, lastName: "Own", accountID: "1" });
    const other = await openPage(app, "/", await key(app, "customers:read customers:create customers:update customers:delete"));
    await other.user.click(await screen.findByRole("button", { name: "Remove the sample data" }));
    await screen.findByText("The sample data is removed.");
    expect(await total()).toBe(1);
    await waitFor(() => expect(screen.queryByRole("button", { name: "Remove the sample data" })).toBeNull());
    await app.service.call("DELETE", "/v1/customers/1");
  });

  test("is offered sample data again, of which a record that somebody has changed stays and is no sample any more", async () => {
    const { user } = await openPage(app, "/");
    await user.click(await screen.findByRole("button", { name: "Add 40 sample customers" }));
    await screen.findByText("There are 40 customers of the sample data.");
    const { json } = await app.service.call("GET", "/v1/customers?limit=1");
    const { objectId } = json.customers[0];
    await app.service.call("PATCH", `/v1/customers/${objectId}`, { lastName: "Mine" });
    await user.click(screen.getByRole("button", { name: "Remove the sample data" }));
    await screen.findByText("The sample data is removed, but for 1 record that was changed since.");
    expect(await total()).toBe(1);
    await waitFor(() => expect(screen.queryByRole("button", { name: "Remove the sample data" })).toBeNull());
    await app.service.call("DELETE", `/v1/customers/${objectId}`);
  });

  test("is only said to be empty to whoever may not write", async () => {
    await openPage(app, "/", await key(app, "customers:read"));
    await screen.findByText("Records appear here as soon as someone enters them.");
    expect(screen.queryByRole("button", { name: /sample/ })).toBeNull();
    expect(screen.queryByRole("link", { name: "New customer" })).toBeNull();
  });

  test("offers no sample data to whoever could not remove it", async () => {
    await openPage(app, "/", await key(app, "customers:read customers:create"));
    await screen.findByRole("link", { name: "Choose a file of customers" });
    expect(screen.queryByRole("button", { name: /sample/ })).toBeNull();
  });
});

test("sample data is not offered where no collection takes it", async () => {
  const app = await openTestApp("core/dictionary/employees.example.json");
  await openPage(app, "/");
  await screen.findByRole("region", { name: "First steps" });
  expect(screen.queryByRole("button", { name: /sample/ })).toBeNull();
  cleanup();
  await app.close();
});

test("a draft of the dictionary that somebody else has changed last is named where it takes a second person, and leads to its review", async () => {
  const app = await openTestApp(undefined, { needsApproval: true });
  const steward = await app.service.newPerson("steward");
  const post = (token: string, title: string) =>
    app.service.raw(
      "POST",
      "/v1/dictionary/drafts",
      { authorization: `Bearer ${token}`, "content-type": "application/json" },
      JSON.stringify({ title }),
    );
  const other = await app.service.newPerson("steward");
  const { status, json } = await post(other.token, "Phones for all");
  expect(status).toBe(201);
  expect((await post(steward.token, "My own")).status).toBe(201);
  await openPage(app, "/", { token: steward.token, owner: steward.id });
  const link = await screen.findByRole("link", { name: /^.?Phones for all.? waits for a second person/ });
  expect(link.getAttribute("href")).toBe(`/customers/dictionary?draft=${json.id}&part=review`);
  expect(screen.queryByText(/My own/)).toBeNull();
  cleanup();
  await openPage(app, "/", await key(app, "customers:read"));
  await screen.findByText("Everything arrived as it should");
  expect(screen.queryByText(/waits for a second person/)).toBeNull();
  cleanup();
  await app.close();
});

test("of many collections it shows eight, favourites first: the sidebar has them all", async () => {
  const schema = { fields: [{ name: "id", type: "integer" }, { name: "name" }], primaryKey: ["id"] };
  const resources = Array.from({ length: 20 }, (_, i) => ({ name: `things${i}`, singular: `thing${i}`, title: `Things ${i}`, schema }));
  const app = await openTestApp({ resources });
  const { services } = await openPage(app, "/");
  const last = app.service.collections.at(-1);
  act(() => last && services.views.put(last, { isFavourite: true }));
  cleanup();
  await openPage(app, "/");
  const collections = await screen.findByRole("list", { name: "Collections" });
  const links = within(collections).getAllByRole("link", { name: /^Things/ });
  expect(links.map(({ textContent }) => textContent)).toEqual(["Things 19", ...[0, 1, 2, 3, 4, 5, 6].map((i) => `Things ${i}`)]);
  cleanup();
  await app.close();
});

describe("the start page", () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await openTestApp();
    await writeAs(app, "form", 2);
    await writeAs(app, "upload; run=u1", 3);
    const view = { name: "All of one", collection: "customers", isShared: true, search: { accountID: "1", columns: "lastName" } };
    await app.service.call("POST", "/v1/views", view);
  });
  afterAll(() => app.close());

  test("names the tab, greets, and leads to each collection and view with its count", async () => {
    await openPage(app, "/");
    expect(await screen.findByRole("heading", { level: 1, name: /^Good (morning|afternoon|evening)$/ })).toBeTruthy();
    expect(document.title).toMatch(/^Start · /);
    const collections = await screen.findByRole("list", { name: "Collections" });
    await waitFor(() => expect(collections.textContent).toContain("5"));
    expect(within(collections).getByRole("link", { name: "Customers" }).getAttribute("href")).toBe("/customers");
    const view = await screen.findByRole("link", { name: /All of one/ });
    await waitFor(() => expect(view.textContent).toContain("5"));
    expect(view.getAttribute("href")).toContain("accountID=1");
  });

  test("greets a person by their name", async () => {
    const { id, token } = await app.service.newPerson("viewer");
    await openPage(app, "/", { token, owner: id });
    expect(await screen.findByRole("heading", { level: 1, name: /, Person 1$/ })).toBeTruthy();
    expect(screen.queryByRole("link", { name: "New customer" })).toBeNull();
  });

  test("divides the changes of the week by how they came in, as bars and as a table", async () => {
    const { user } = await openPage(app, "/");
    const week = await screen.findByRole("region", { name: "This week" });
    await within(week).findByText("5 changes");
    const days = within(week)
      .getAllByRole("link")
      .map(({ textContent }) => textContent);
    expect(days).toHaveLength(7);
    expect(days.filter((day) => day?.endsWith("5 changes"))).toHaveLength(1);
    await user.click(within(week).getByRole("button", { name: "As a table" }));
    const table = within(week).getByRole("table", { name: "Changes of each day" });
    expect(
      within(table)
        .getAllByRole("columnheader")
        .map(({ textContent }) => textContent),
    ).toEqual(["Day", "Form", "Upload", "Changes"]);
    expect(
      within(table)
        .getAllByRole("row")
        .filter(({ textContent }) => textContent?.endsWith("235")),
    ).toHaveLength(1);
  });

  test("says that everything arrived where nothing needs attention", async () => {
    await openPage(app, "/");
    expect(await screen.findByText("Everything arrived as it should")).toBeTruthy();
  });

  test("says which webhook fails and how many ask for access, but not which one an administrator has switched off", async () => {
    await app.service.call("POST", "/v1/webhooks", { url: "https://billing.example.org/hook" });
    const { queries, services } = await drawPart(app, <AttentionCard isQuiet={false} />);
    const { queryKey } = webhooksQuery(services.client);
    const [working] = await waitFor(() => queries.getQueryData(queryKey) ?? Promise.reject(new Error("not read yet")));
    if (!working) throw new Error("there is a webhook");
    const change = (state: Partial<Webhook>) => act(() => queries.setQueryData(queryKey, [{ ...working, ...state }]));
    change({ state: "retrying", since: "2026-11-28T06:00:00.000Z" });
    expect((await screen.findByRole("link", { name: /billing/ })).textContent).toContain("does not arrive");
    change({ state: "off", offReason: "gone", since: null });
    expect((await screen.findByRole("link", { name: /billing/ })).textContent).toContain("is switched off");
    const asking = { id: "1", email: "a@example.org", name: "A", message: "", askedAt: "2026-11-28T06:00:00.000Z", hasAccount: false };
    act(() => queries.setQueryData(accessRequestsQuery(services.client).queryKey, [asking]));
    expect((await screen.findByRole("link", { name: /1 person asks for access/ })).getAttribute("href")).toBe("/settings/requests");
    expect(screen.getByText("Everything else arrived as it should")).toBeTruthy();
    change({ state: "off", offReason: "administrator" });
    await waitFor(() => expect(screen.queryByRole("link", { name: /billing/ })).toBeNull());
  });

  test("asks nothing for whoever is no administrator, and shows nothing of what they may not read", async () => {
    await openPage(app, "/", await key(app, "customers:create"));
    await screen.findByRole("link", { name: "New customer" });
    await waitFor(() => expect(regions()).toEqual(["Needs attention"]));
    expect(screen.queryByRole("link", { name: /All of one/ })).toBeNull();
    expect(screen.queryByRole("region", { name: "This week" })).toBeNull();
  });

  test("continues a form that was typed and not saved, but not that of somebody else", async () => {
    const { services, user } = await openPage(app, "/");
    cleanup();
    const service = services.client.baseUrl;
    const drafts = openDrafts(() => true);
    const draft = { texts: { lastName: "Lindqvist", firstName: "Rosa" }, base: undefined, typedAt: Date.now() };
    const place = { service, owner: services.session.owner(), collection: "customers", id: undefined };
    await drafts.write(draftKey(place, "form"), draft);
    await drafts.write(draftKey({ ...place, owner: "other" }, "form"), { ...draft, texts: { lastName: "Secret" } });
    const again = await openPage(app, "/");
    const card = await screen.findByRole("region", { name: "Continue" });
    expect(card.textContent).toContain("New customer: Rosa Lindqvist");
    expect(card.textContent).toContain("You typed 2 fields just now. They are not saved.");
    expect(document.body.textContent).not.toContain("Secret");
    await again.user.click(within(card).getByRole("link", { name: /^Continue: .*Rosa Lindqvist/ }));
    expect(await screen.findByRole("button", { name: "Restore" })).toBeTruthy();
    expect(user).toBeTruthy();
  });

  test("opens the form of the first collection by N", async () => {
    const { user } = await openPage(app, "/");
    await screen.findByRole("link", { name: "New customer" });
    await user.keyboard("n");
    expect(await screen.findByRole("heading", { level: 1, name: "New customer" })).toBeTruthy();
  });
});
