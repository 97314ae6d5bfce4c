import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { View } from "../../../core/contract/views.ts";
import { createKeys } from "../../../server/people/auth/api-keys.ts";
import { openPage, openTestApp, type TestApp } from "../../testing/test-app.tsx";

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
  const records = ["Ek", "Berg", "Lind"].map((lastName) => ({ lastName, firstName: "Many", accountID: "1" }));
  await app.service.call("POST", "/v1/customers", records);
});
afterAll(() => app.close());
beforeEach(async () => {
  localStorage.clear();
  for (const { id } of (await app.service.call("GET", "/v1/views")).json.views) await app.service.call("DELETE", `/v1/views/${id}`);
});

let last = 0;
/** A view for everybody, made by somebody else. */
async function saved(more: Partial<View> = {}): Promise<View> {
  const fields = { name: `View ${++last}`, collection: "customers", isShared: true, search: { sort: "lastName" } };
  return (await app.service.call("POST", "/v1/views", { ...fields, ...more })).json;
}
const stored = async (id: string): Promise<View> => (await app.service.call("GET", `/v1/views/${id}`)).json;
const linkTo = (view: View) => `/customers?${new URLSearchParams({ ...view.search, _view: view.id })}`;

async function open(path: string, key?: Parameters<typeof openPage>[2]) {
  const page = await openPage(app, path, key);
  await screen.findByRole("table", { name: "Customers" });
  const press = async (name: string | RegExp) => page.user.click(await screen.findByRole("button", { name, hidden: true }));
  return { ...page, press };
}

const tab = (name: string | RegExp) => within(screen.getByRole("navigation", { name: "Views" })).findByRole("link", { name });
const dialog = async (name: string | RegExp) => within(await screen.findByRole("dialog", { name, hidden: true }));
const parameter = (name: string) => new URLSearchParams(location.search).get(name);

describe("the tabs of a list", () => {
  test("open a view at once, and their addresses say all that it shows", async () => {
    const view = await saved({ search: { q: "many", sort: "-lastName", columns: "lastName,accountID" } });
    const { user } = await open("/customers");
    const link = await tab(view.name);
    expect(link.getAttribute("href")).toBe(linkTo(view));
    await user.click(link);
    await waitFor(() => expect(link.getAttribute("aria-current")).toBe("page"));
    await waitFor(() => expect(screen.getByRole("columnheader", { name: "Last name" }).getAttribute("aria-sort")).toBe("descending"));
    await user.click(await tab("All"));
    expect(location.search).toBe("");
  });

  test("are opened by number, those for everybody before one's own", async () => {
    const { key, own } = await ownKey();
    const mine = await own({ name: "Mine", place: -1 });
    const shared = await saved({ place: 5 });
    const { user } = await open("/customers", key);
    await tab("Mine");
    for (const [digit, id] of [
      ["2", shared.id],
      ["3", mine.id],
      ["4", mine.id], // there is none
      ["1", null],
    ]) {
      await user.keyboard(digit ?? "");
      await waitFor(() => expect(parameter("_view")).toBe(id));
    }
  });

  test("say that a view is gone or private, and show what its link says", async () => {
    await open("/customers?sort=lastName&_view=0000");
    await screen.findByText("This view was deleted, or only its maker can see it.");
    expect(screen.getByRole("columnheader", { name: "Last name" }).getAttribute("aria-sort")).toBe("ascending");
  });

  test("open a view whose fields are gone, and say what is left out", async () => {
    const view = await saved({ search: { colour: "red", lastName: "Ek", sort: "-size", columns: "fax,lastName" } });
    const { user, press } = await open("/customers");
    await user.click(await tab(view.name));
    await screen.findByText("Left out because it no longer exists: “colour”, “size”, “fax”.");
    await waitFor(() => expect(within(screen.getByRole("table", { name: "Customers" })).getAllByRole("link")).toHaveLength(1));
    await press("Save");
    await waitFor(async () => expect((await stored(view.id)).search).toEqual({ lastName: "Ek", columns: "lastName" }));
    await waitFor(() => expect(screen.queryByText(/^Left out/)).toBeNull());
  });

  test("say that a filter is left out whose field the reader does not see, and offer nobody to save that", async () => {
    const conditions = { customers: { fields: { hidden: ["firstName"] } } };
    const role = await app.service.call("POST", "/v1/roles", { name: "Narrow", scope: "customers:read customers:update", conditions });
    const { id, token } = await app.service.newPerson(role.json.id);
    const view = await saved({ search: { lastName: "Ek", firstName: "Nobody", sort: "firstName" } });
    const { user } = await open("/customers", { token, owner: id });
    await user.click(await tab(view.name));
    await screen.findByText("A filter is left out, because you may not see its field.");
    await waitFor(() => expect(within(screen.getByRole("table", { name: "Customers" })).getAllByRole("link")).toHaveLength(1));
    expect(screen.queryByRole("button", { name: "Save" })).toBeNull();
    cleanup();
    await openPage(app, linkTo(view));
    await tab(view.name);
    await waitFor(() => expect(screen.queryByRole("table", { name: "Customers" })).toBeNull());
    expect(screen.queryByText(/^A filter is left out/)).toBeNull();
  });

  test("follow a view that somebody changes, unless the list shows something else by then", async () => {
    const view = await saved();
    const { queries, user } = await open(linkTo(view));
    await tab(view.name);
    await change(view, { sort: "-lastName" });
    await queries.invalidateQueries({ queryKey: ["views"] });
    await waitFor(() => expect(parameter("sort")).toBe("-lastName"));
    await user.type(screen.getByRole("searchbox", { name: "Search" }), "many");
    await waitFor(() => expect(parameter("q")).toBe("many"));
    await change(await stored(view.id), { sort: "firstName" });
    await queries.invalidateQueries({ queryKey: ["views"] });
    await screen.findByText("(changed)");
    expect([parameter("sort"), parameter("q")]).toEqual(["-lastName", "many"]);
  });
});

describe("what the list shows", () => {
  test("is saved as a view also when its dialog is closed meanwhile, and nobody is taken to it", async () => {
    const { user, press } = await open("/customers?sort=lastName");
    await press("Save as view");
    const form = await dialog("Save the list as a view");
    await user.type(form.getByLabelText("Name"), "In passing");
    for (const name of ["Save", "Cancel"]) fireEvent.click(form.getByRole("button", { name, hidden: true }));
    await tab("In passing");
    await waitFor(() => expect(document.body.textContent).toMatch(/The view “\W?In passing\W?” is saved/));
    expect(parameter("_view")).toBeNull();
  });

  test("is saved as a view under a name, for oneself or for everybody", async () => {
    const { user, press } = await open("/customers?q=many&sort=lastName");
    await press("Save as view");
    const form = await dialog("Save the list as a view");
    expect(form.getByText("search “many” · Last name ↑")).toBeTruthy();
    await press("Save");
    await form.findByText("Give the view a name.");
    await user.type(form.getByLabelText("Name"), "n".repeat(61));
    await press("Save");
    await form.findByText("Name may have at most 60 characters; this has 61.");
    await user.clear(form.getByLabelText("Name"));
    await user.type(form.getByLabelText("Name"), "By name");
    await user.click(form.getByRole("radio", { name: /^Everybody who may see customers/, hidden: true }));
    await user.click(form.getByRole("button", { name: "Save", hidden: true }));
    expect((await tab("By name")).getAttribute("aria-current")).toBe("page");
    const view = await stored(parameter("_view") ?? "");
    expect(view).toMatchObject({ name: "By name", isShared: true, search: { q: "many", sort: "lastName" } });
    await press("Views");
    const panel = await dialog("Views");
    await user.click(await panel.findByRole("button", { name: "Save the list as a view" }));
    const again = await dialog("Save the list as a view");
    await user.type(again.getByLabelText("Name"), "BY NAME");
    await user.click(again.getByRole("radio", { name: /^Everybody/, hidden: true }));
    await user.click(again.getByRole("button", { name: "Save", hidden: true }));
    await again.findByText(/There is a view of this name already/);
  });

  test("is saved over its view, which can be undone, or given up", async () => {
    const view = await saved();
    const { user, press } = await open(linkTo(view));
    await press("Last name");
    await screen.findByText("(changed)");
    await press("Reset");
    await waitFor(() => expect(parameter("sort")).toBe("lastName"));
    await press("Last name");
    await press("Save");
    await screen.findByText((_, one) => one?.textContent === `The view “${view.name}” is saved.`, { selector: "span" });
    expect(await stored(view.id)).toMatchObject({ search: { sort: "-lastName" }, version: 2 });
    await user.click(screen.getByRole("button", { name: /^Undo/ }));
    await waitFor(async () => expect((await stored(view.id)).search).toEqual({ sort: "lastName" }));
  });

  test("overwrites no change of somebody else without a question", async () => {
    const view = await saved();
    const { user, press } = await open(`${linkTo(view)}&q=many`);
    await screen.findByText("(changed)");
    await change(view, { sort: "firstName" });
    await press("Save");
    const question = await dialog(/was changed meanwhile$/);
    expect(question.getByText("It shows now: First name ↑")).toBeTruthy();
    expect((await stored(view.id)).search).toEqual({ sort: "firstName" });
    await user.click(question.getByRole("button", { name: "Show their change", hidden: true }));
    await waitFor(() => expect([parameter("sort"), parameter("q")]).toEqual(["firstName", null]));

    await press("Last name");
    await screen.findByText("(changed)");
    await change(await stored(view.id), { sort: "accountID" });
    await press("Save");
    const second = await dialog(/was changed meanwhile$/);
    await user.click(second.getByRole("button", { name: "Replace it with mine", hidden: true }));
    await waitFor(async () => expect((await stored(view.id)).search).toEqual({ sort: "lastName" }));
  });

  test("can be kept as a new view when the view was deleted", async () => {
    const view = await saved();
    const { user, press } = await open(`${linkTo(view)}&q=many`);
    await screen.findByText("(changed)");
    await app.service.call("DELETE", `/v1/views/${view.id}`);
    await press("Save");
    const question = await dialog(/is gone$/);
    await user.click(question.getByRole("button", { name: "Save mine as new", hidden: true }));
    await dialog("Save the list as a view");
  });
});

describe("a view", () => {
  test("is renamed, moved, opened with, and deleted with a way back", async () => {
    const { key, own } = await ownKey();
    const [one, two] = [await own({ name: "One" }), await own({ name: "Two" })];
    const { user, press } = await open(linkTo(two), key);
    await press("Options of Two");
    await press("Name and who sees it…");
    const form = await dialog("Name and who sees it");
    await user.clear(form.getByLabelText("Name"));
    await user.type(form.getByLabelText("Name"), "Second{Enter}");
    await tab("Second");
    await press("Options of Second");
    await press("Move to the left");
    const names = () =>
      within(screen.getByRole("navigation", { name: "Views" }))
        .getAllByRole("link")
        .map(({ textContent }) => textContent);
    await waitFor(() => expect(names().indexOf("Second")).toBeLessThan(names().indexOf(one.name)));
    await press("Open the list with it");
    expect(screen.getByRole("link", { name: "Customers" }).getAttribute("href")).toBe(linkTo(two));

    await press("Options of Second");
    await press("Delete");
    await screen.findByText((_, one) => one?.textContent === "The view “Second” is deleted.", { selector: "span" });
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("heading", { level: 1 })));
    expect([parameter("_view"), parameter("sort")]).toEqual([null, "lastName"]); // the list stays as it is
    expect(screen.getByRole("link", { name: "Customers" }).getAttribute("href")).toBe("/customers");
    await user.keyboard("{Control>}z{/Control}");
    await tab("Second");
    await waitFor(() => expect(screen.getByRole("link", { name: "Customers" }).getAttribute("href")).toBe(linkTo(two)));
  });

  test("of somebody else is only renamed by an administrator, and menu and dialog promise no more", async () => {
    const { own } = await ownKey();
    const view = await own({ name: "Of others", isShared: true });
    const { press } = await open(linkTo(view));
    await press("Options of Of others");
    await press("Rename…");
    const form = await dialog("Rename the view");
    expect(form.getByLabelText("Name")).toBeTruthy();
    expect(form.queryByRole("radio", { hidden: true })).toBeNull();
  });

  test("of somebody else, deleted by an administrator, is its maker's again after an undo", async () => {
    const { own } = await ownKey();
    const view = await own({ name: "Theirs", isShared: true });
    const { user, press } = await open(linkTo(view));
    await press("Options of Theirs");
    await press("Delete");
    await screen.findByText((_, one) => one?.textContent === "The view “Theirs” is deleted.", { selector: "span" });
    await user.keyboard("{Control>}z{/Control}");
    await screen.findByText((_, one) => one?.textContent === "The view “Theirs” is back.", { selector: "span" });
    const { json } = await app.service.call("GET", `/v1/views/${view.id}`);
    expect(json).toMatchObject({ id: view.id, place: view.place, createdBy: view.createdBy });
  });

  test("for everybody is changed only by its maker and administrators; a reader saves views of their own alone", async () => {
    const view = await saved();
    const key = await createKeys(app.service.store).create("customers:read");
    const { user, press } = await open(`${linkTo(view)}&q=many`, key);
    await screen.findByText("(changed)");
    await screen.findByRole("button", { name: "Save as new" });
    expect(screen.queryByRole("button", { name: "Save" })).toBeNull();
    await press(`Options of ${view.name}`);
    await screen.findByText(/^Everybody sees it. Made by .* Its maker and administrators can change it.$/);
    expect(screen.queryByRole("button", { name: "Delete", hidden: true })).toBeNull();
    await press("Save as new");
    const form = await dialog("Save the list as a view");
    expect(form.queryByRole("radio", { hidden: true })).toBeNull();
    await user.type(form.getByLabelText("Name"), `My ${view.name}{Enter}`);
    expect((await tab(`My ${view.name}`)).getAttribute("aria-current")).toBe("page");
    cleanup();
    await open("/customers");
    await tab(view.name);
    expect(screen.queryByRole("link", { name: `My ${view.name}` })).toBeNull();
  });

  test("is found by the palette", async () => {
    const view = await saved({ name: "Northern towns" });
    const { user } = await open("/customers");
    await user.keyboard("{Control>}k{/Control}");
    await user.type(await screen.findByRole("combobox", { name: "Find or go to" }), "northern");
    await user.click(await screen.findByRole("option", { name: /Northern towns/ }));
    await waitFor(() => expect(parameter("_view")).toBe(view.id));
  });
});

/** An API key with views of its own. */
async function ownKey() {
  const key = await createKeys(app.service.store).create("write");
  const [id = "", secret = ""] = key.slice("ink_".length).split(/\.(.*)/s);
  const form = new URLSearchParams({ grant_type: "client_credentials", client_id: id, client_secret: secret });
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const token = (await app.service.raw("POST", "/v1/oauth/token", headers, form.toString())).json.access_token;
  const own = async (more: Partial<View>): Promise<View> => {
    const fields = { name: "Own", collection: "customers", isShared: false, search: { sort: "lastName" } };
    return (await app.service.call("POST", "/v1/views", { ...fields, ...more }, { authorization: `Bearer ${token}` })).json;
  };
  return { key, own };
}

async function change({ id, name, isShared }: View, search: View["search"]): Promise<void> {
  await app.service.call("PUT", `/v1/views/${id}`, { name, isShared, search });
}
