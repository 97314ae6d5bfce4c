// The editor of a draft: what is open beside the fields stays the same field when fields are moved.

import { screen, waitFor, within } from "@testing-library/react";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openPage, openTestApp, type TestApp } from "../../testing/test-app.tsx";

const WAIT = { timeout: 20_000 };

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

/** A new draft, open at the fields of its first collection. */
async function openDraft() {
  const { json, status } = await app.service.call("POST", "/v1/dictionary/drafts", { title: "Test" });
  expect(status).toBe(201);
  const { user } = await openPage(app, `/customers/dictionary?draft=${json.id}`);
  const table = within(await screen.findByRole("table", { name: "Fields" }, WAIT));
  const draft = async () => (await app.service.call("GET", `/v1/dictionary/drafts/${json.id}`)).json.package;
  const stored = async (): Promise<string[]> => (await draft()).resources[0].schema.fields.map(({ title }: { title: string }) => title);
  const row = (title: string) => table.getByRole("button", { name: title });
  return { user, row, draft, stored, titles: () => table.getAllByRole("button").map(({ textContent }) => textContent) };
}

test("a field that is new and has no title yet can be moved, and no other goes with it", async () => {
  const { user, row, titles, stored } = await openDraft();
  const before = titles();
  await user.click(screen.getByRole("button", { name: "Add field" }));
  row("field").focus();
  await user.keyboard("{Alt>}{ArrowUp}{/Alt}");
  const moved = [...before.slice(0, -1), "field", before.at(-1)];
  expect(titles()).toEqual(moved);
  await user.type(screen.getByLabelText("Title"), "Fax");
  await waitFor(async () => expect(await stored()).toEqual(moved.map((title) => (title === "field" ? "Fax" : title))), WAIT);
});

test("the field that is open stays open while others are moved past it", async () => {
  const { user, row } = await openDraft();
  await user.click(row("Last name"));
  row("First name").focus();
  await user.keyboard("{Alt>}{ArrowDown}{/Alt}");
  expect(screen.getByRole("region", { name: "Field: Last name" })).toBeTruthy();
  await user.clear(screen.getByLabelText("Title"));
  await user.type(screen.getByLabelText("Title"), "Surname");
  expect(row("Surname").getAttribute("aria-expanded")).toBe("true");
});

test("a bound is typed with all its digits, behind the point and of large whole numbers", async () => {
  const { user, stored } = await openDraft();
  await user.click(screen.getByRole("button", { name: "Add field" }));
  await user.type(screen.getByLabelText("Title"), "Rate");
  await user.selectOptions(screen.getByLabelText("Kind"), "number");
  await user.type(screen.getByLabelText("Least value"), "0.05");
  expect((screen.getByLabelText("Least value") as HTMLInputElement).value).toBe("0.05");
  await user.selectOptions(screen.getByLabelText("Kind"), "big");
  await user.type(screen.getByLabelText("Greatest value"), "9007199254740993");
  expect((screen.getByLabelText("Greatest value") as HTMLInputElement).value).toBe("9007199254740993");
  await waitFor(async () => expect((await stored()).at(-1)).toBe("Rate"), WAIT);
});

test("what few fields need is set below their rules: headings, an example, a pattern, digits, and what a deleted parent does", async () => {
  const { user, draft } = await openDraft();
  const newField = async (title: string, kind?: string) => {
    await user.click(screen.getByRole("button", { name: "Add field" }));
    await user.type(screen.getByLabelText("Title"), title);
    if (kind) await user.selectOptions(screen.getByLabelText("Kind"), kind);
    await user.click(screen.getByText("More", { selector: "summary" }));
  };
  await newField("Badge");
  await user.type(screen.getByLabelText("Other headings in files, one a line"), "Pass no., old{Enter}{Enter} Card {Enter}Card");
  await user.type(screen.getByLabelText("Example"), "NL-42");
  await user.type(screen.getByLabelText("Pattern of the value"), "[[A-Z");
  expect(screen.getByText("This is no regular expression.")).toBeTruthy();
  await user.type(screen.getByLabelText("Pattern of the value"), "]{{2}-[[0-9]+");
  expect(screen.queryByText("This is no regular expression.")).toBeNull();
  await newField("Rate", "decimal");
  await user.clear(screen.getByLabelText("Digits behind the point"));
  expect(screen.getByText("Type a number from 0 to 10.")).toBeTruthy();
  await user.type(screen.getByLabelText("Digits behind the point"), "4");
  await newField("Head", "reference");
  await user.selectOptions(screen.getByLabelText("When the record that it refers to is deleted"), "clear");
  await waitFor(async () => {
    const { fields, foreignKeys } = (await draft()).resources[0].schema;
    expect(fields.slice(-3)).toMatchObject([
      { name: "badge", aliases: ["Pass no., old", "Card"], example: "NL-42", constraints: { pattern: "[A-Z]{2}-[0-9]+" } },
      { name: "rate", type: "number", decimals: 4 },
      { name: "headId", type: "integer" },
    ]);
    expect(foreignKeys).toMatchObject([{ fields: ["headId"], onDelete: "clear" }]);
  }, WAIT);
  await user.selectOptions(screen.getByLabelText("When the record that it refers to is deleted"), "restrict");
  await waitFor(async () => expect((await draft()).resources[0].schema.foreignKeys[0]).not.toHaveProperty("onDelete"), WAIT);
});

test("the time zone of today is chosen beside the rules", async () => {
  const { json } = await app.service.call("POST", "/v1/dictionary/drafts", { title: "Zone" });
  const { user } = await openPage(app, `/customers/dictionary?draft=${json.id}&part=rules`);
  const zone = (await screen.findByLabelText("Time zone of “today” in rules", {}, WAIT)) as HTMLSelectElement;
  expect(zone.value).toBe("UTC");
  await user.selectOptions(zone, "Europe/Berlin");
  const stored = async () => (await app.service.call("GET", `/v1/dictionary/drafts/${json.id}`)).json.package.timeZone;
  await waitFor(async () => expect(await stored()).toBe("Europe/Berlin"), WAIT);
  await app.service.call("DELETE", `/v1/dictionary/drafts/${json.id}`);
});

/** The review of a draft that renames the first collection. */
async function openReview() {
  const { json: made } = await app.service.call("POST", "/v1/dictionary/drafts", { title: "Test" });
  const path = `/v1/dictionary/drafts/${made.id}`;
  const changed = (title: string) => ({
    package: { ...made.package, resources: made.package.resources.map((one: object) => ({ ...one, title })) },
  });
  expect((await app.service.call("PATCH", path, changed("Clients"))).status).toBe(200);
  const { user, queries } = await openPage(app, `/customers/dictionary?draft=${made.id}&part=review`);
  const comment = async () => (await screen.findByLabelText("Comment", {}, WAIT)) as HTMLTextAreaElement;
  await user.clear(await comment());
  await user.type(await comment(), "As the sales team asked");
  return { user, queries, comment, changeElsewhere: () => app.service.call("PATCH", path, changed("Buyers")) };
}

test("the review names what names a field that goes, and counts what people keep for themselves", async () => {
  const view = { collection: "customers", search: { sort: "firstName" } };
  for (const [name, isShared] of [
    ["By first name", true],
    ["Mine", false],
  ])
    expect((await app.service.call("POST", "/v1/views", { ...view, name, isShared })).status).toBe(201);
  const { json } = await app.service.call("POST", "/v1/dictionary/drafts", { title: "Test" });
  const [first, ...more] = json.package.resources;
  const fields = first.schema.fields.map((field: { name: string }) => (field.name === "firstName" ? { ...field, retired: true } : field));
  const resources = [{ ...first, schema: { ...first.schema, fields } }, ...more];
  const path = `/v1/dictionary/drafts/${json.id}`;
  expect((await app.service.call("PATCH", path, { package: { ...json.package, resources } })).status).toBe(200);
  await openPage(app, `/customers/dictionary?draft=${json.id}&part=review`);
  const changes = await screen.findByRole("list", { name: "Changes" }, WAIT);
  expect(changes.textContent).toContain("It is named by: Views (By first name, 1 that people keep for themselves).");
  await app.service.call("DELETE", path);
});

test("the comment that is typed stays while the draft is counted again", async () => {
  const { queries, comment } = await openReview();
  const before = await comment();
  const read: string[] = [];
  queries.getQueryCache().subscribe((event) => event.type === "updated" && read.push(event.action.type));
  window.dispatchEvent(new Event("visibilitychange")); // as when the tab is seen again
  await waitFor(() => expect(read).toContain("success"), WAIT);
  await waitFor(() => expect(queries.isFetching()).toBe(0), WAIT);
  expect(await comment()).toBe(before);
  expect(before.value).toBe("As the sales team asked");
});

test("whoever applies a draft that somebody else has changed meanwhile is told, and keeps the comment", async () => {
  const { user, comment, changeElsewhere } = await openReview();
  expect((await changeElsewhere()).status).toBe(200);
  await user.click(screen.getByRole("button", { name: "Apply" }));
  await waitFor(() => expect(screen.getByRole("list", { name: "Changes" }).textContent).toContain("Buyers"), WAIT);
  expect(screen.getByRole("alert").textContent).toMatch(/changed/);
  expect((await comment()).value).toBe("As the sales team asked");
});

test.each([
  ["Keep what the draft says", "Clients"],
  ["Take what was applied", "Buyers"],
])("of what a version that was applied since changed as well, one press says whose values count: %s", async (button, title) => {
  const { json: made } = await app.service.call("POST", "/v1/dictionary/drafts", { title: "Test" });
  const { json: theirs } = await app.service.call("POST", "/v1/dictionary/drafts", { title: "Theirs" });
  const titled = (to: string) => ({
    package: { ...made.package, resources: made.package.resources.map((one: object) => ({ ...one, title: `${to} of ${title}` })) },
  });
  for (const [id, to] of [
    [made.id, "Clients"],
    [theirs.id, "Buyers"],
  ])
    expect((await app.service.call("PATCH", `/v1/dictionary/drafts/${id}`, titled(to))).status).toBe(200);
  expect((await app.service.call("POST", `/v1/dictionary/drafts/${theirs.id}/apply`)).status).toBe(200);
  const { user } = await openPage(app, `/customers/dictionary?draft=${made.id}&part=review`);
  await user.click(await screen.findByRole("button", { name: button }, WAIT));
  const kept = title === "Clients";
  if (kept) await waitFor(() => expect(screen.getByRole("list", { name: "Changes" }).textContent).toContain("Clients of Clients"), WAIT);
  else await screen.findByText("The draft changes nothing yet.", {}, WAIT);
  const { json: now } = await app.service.call("GET", `/v1/dictionary/drafts/${made.id}`);
  expect(now.package.resources[0].title).toBe(`${title} of ${title}`);
  await app.service.call("DELETE", `/v1/dictionary/drafts/${made.id}`);
});

test("Undo takes back what was applied here alone, and not what somebody else has applied since", async () => {
  const { user } = await openReview();
  const { json: served } = await app.service.call("GET", "/v1/dictionary");
  const [{ title: before }] = served.resources;
  await user.click(screen.getByRole("button", { name: "Apply" }));
  const undo = await screen.findByRole("button", { name: /^Undo/ }, WAIT);
  const { json: theirs } = await app.service.call("POST", "/v1/dictionary/drafts", { title: "Theirs" });
  const [first, ...more] = theirs.package.resources;
  const [key, name, ...fields] = first.schema.fields;
  const renamed = { ...first, schema: { ...first.schema, fields: [key, { ...name, title: "Called" }, ...fields] } };
  const theirPath = `/v1/dictionary/drafts/${theirs.id}`;
  expect((await app.service.call("PATCH", theirPath, { package: { ...theirs.package, resources: [renamed, ...more] } })).status).toBe(200);
  expect((await app.service.call("POST", `${theirPath}/apply`)).status).toBe(200);

  await user.click(undo);
  await waitFor(() => expect(screen.getByRole("list", { name: "Changes" }).textContent).toContain(before), WAIT);
  expect(screen.getByRole("list", { name: "Changes" }).textContent).not.toContain("Called");
  await user.click(screen.getByRole("button", { name: "Apply" }));
  await waitFor(async () => {
    const { json: now } = await app.service.call("GET", "/v1/dictionary");
    expect([now.resources[0].title, now.resources[0].schema.fields[1].title]).toEqual([before, "Called"]);
  }, WAIT);
});
