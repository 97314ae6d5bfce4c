import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { openPage, openTestApp, type TestApp } from "../../testing/test-app.tsx";

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const input = (name: string) => screen.findByRole<HTMLInputElement>("textbox", { name });
const stored = async (q: string) => (await app.service.call("GET", `/v1/customers?q=${q}`)).json.customers as Record<string, unknown>[];

async function open(path: string) {
  const page = await openPage(app, path);
  await input("Last name");
  return {
    ...page,
    press: (name: string) => page.user.click(screen.getByRole("button", { name })),
    fill: async (name: string, text: string) => {
      await page.user.clear(await input(name));
      if (text) await page.user.type(await input(name), text);
    },
  };
}

async function openStored(lastName: string) {
  const { json } = await app.service.call("POST", "/v1/customers", { firstName: "Form", lastName, accountID: "1" });
  const path = `/customers/${json.objectId}`;
  return {
    ...(await open(path)),
    id: json.objectId as number,
    change: (fields: object) => app.service.call("PATCH", `/v1${path}`, fields),
  };
}

describe("a record that is deleted while its form is open", () => {
  test("is told no more once somebody brings it back, and what was typed stays", async () => {
    Object.assign(document, { visibilityState: "visible" });
    onTestFinished(() => void Object.assign(document, { visibilityState: "hidden" }));
    const { id, fill } = await openStored("Comeback");
    await fill("First name", "Typed");
    await app.service.call("DELETE", `/v1/customers/${id}`);
    await screen.findByText(/has deleted this customer/);
    await app.service.call("POST", `/v1/customers/${id}/restore`, { version: 1 });
    await waitFor(() => expect(screen.queryByText(/has deleted this customer/)).toBeNull());
    expect((await input("First name")).value).toBe("Typed");
  });
});

describe("the head of a record", () => {
  test("says who changed and who created it, and when", async () => {
    const { user, id } = await openStored("Headed");
    const { json } = await app.service.call("GET", `/v1/customers/${id}`);
    await user.click(await screen.findByRole("button", { name: `Changed just now by ${json.updatedBy.name}` }));
    const panel = within(screen.getByRole("dialog", { name: "About this customer" }));
    expect(panel.getByText("Created").nextSibling?.textContent).toContain(json.createdBy.name);
    expect(panel.getByText("Version").nextSibling?.textContent).toBe("1");
    expect(panel.getByText("Object ID").nextSibling?.textContent).toBe(String(id));
  });
});

describe("a form with mistakes", () => {
  test("names them together, leads to each field, and keeps what was typed", async () => {
    const { user, fill, press } = await open("/customers/new");
    await fill("First name", "Prince");
    await fill("Object ID", "007");
    await press("Save");
    const summary = await screen.findByRole("alert");
    expect(document.activeElement).toBe(summary);
    expect(summary.textContent).toContain("There are 3 problems.");
    expect(summary.textContent).toContain("Object ID must be a whole number without separators or leading zeros");
    await user.click(within(summary).getByRole("button", { name: "Enter the last name." }));
    expect(document.activeElement).toBe(await input("Last name"));
    expect((await input("First name")).value).toBe("Prince");
  });

  test("checks a field when it is left, and is content as soon as it is right", async () => {
    const { user } = await open("/customers/new");
    await user.click(await input("Last name"));
    await user.tab();
    expect(await screen.findByText("Enter the last name.")).toBeTruthy();
    expect((await input("Last name")).getAttribute("aria-invalid")).toBe("true");
    await user.type(await input("Last name"), "Right");
    await waitFor(() => expect(screen.queryByText("Enter the last name.")).toBeNull());
  });

  test("shows a problem that only the service can see at its field", async () => {
    const { json } = await app.service.call("POST", "/v1/customers", { lastName: "Taken", accountID: "1" });
    const { fill, press } = await open("/customers/new");
    await fill("Last name", "Okafor");
    await fill("Account ID", "2");
    await fill("Object ID", String(json.objectId));
    await press("Save");
    await waitFor(async () => expect((await input("Object ID")).getAttribute("aria-invalid")).toBe("true"));
    expect((await input("Last name")).value).toBe("Okafor");
  });
});

describe("saving", () => {
  test("and adding another begins the next record at its first field", async () => {
    const { user, fill, press } = await open("/customers/new");
    for (const name of ["Serialone", "Serialtwo"]) {
      await fill("Last name", name);
      await fill("Account ID", "S");
      await press("More ways to save");
      await user.click(screen.getByRole("menuitem", { name: "Save and add another" }));
      await screen.findByText((_, element) => element?.textContent === `${name} is saved.`, { selector: "span" });
      const first = await input("First name");
      await waitFor(() => expect(document.activeElement).toBe(first));
      expect((await input("Last name")).value).toBe("");
    }
    expect([await stored("serialone"), await stored("serialtwo")].map(({ length }) => length)).toEqual([1, 1]);
  });

  test("and closing, by Ctrl and Enter, leads back to the list as it was", async () => {
    await app.service.call("POST", "/v1/customers", { lastName: "Closable", accountID: "1" });
    const { user } = await openPage(app, "/customers?q=closable");
    await user.click(await screen.findByRole("link", { name: "Closable" }));
    await user.type(await input("Account ID"), "2");
    await user.keyboard("{Control>}{Enter}{/Control}");
    await screen.findByText("Saved.");
    await screen.findByRole("heading", { name: "Customers" });
    expect(location.search).toBe("?q=closable");
  });

  test("pressed twice is done once", async () => {
    const { user, fill } = await open("/customers/new");
    await fill("Last name", "Doubleclick");
    await fill("Account ID", "1");
    await user.dblClick(screen.getByRole("button", { name: "Save" }));
    await screen.findByRole("heading", { name: "Doubleclick" });
    expect(await stored("doubleclick")).toHaveLength(1);
  });

  test("gives the focus to the heading when the notice that had it goes", async () => {
    const { fill, press } = await openStored("Refused");
    const { fetch } = window;
    onTestFinished(() => void Object.assign(window, { fetch }));
    Object.assign(window, { fetch: () => Promise.resolve(new Response("{}", { status: 400 })) });
    await fill("Account ID", "2");
    await press("Save");
    const notice = await screen.findByRole("alert");
    await waitFor(() => expect(document.activeElement).toBe(notice));
    Object.assign(window, { fetch });
    await press("Save");
    await screen.findByText("Saved.");
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("heading", { level: 1 })));
  });

  test("without a change says so where the focus goes, and takes an earlier Saved away", async () => {
    const { fill, press } = await openStored("Unchanged");
    await fill("Account ID", "2");
    await press("Save");
    await screen.findByText("Saved.");
    await press("Save");
    const notice = await screen.findByText("There are no changes to save.");
    await waitFor(() => expect(document.activeElement).toBe(notice));
    expect(screen.queryByText("Saved.")).toBeNull();
  });

  test("shows on request what it will change, and nothing before something is typed", async () => {
    const { user, fill } = await openStored("Before");
    expect(screen.queryByText("1 change")).toBeNull();
    await fill("Last name", "After");
    await user.click(await screen.findByRole("button", { name: "1 change · Last name" }));
    const table = await screen.findByRole("table", { name: "Unsaved changes" });
    expect(within(table).getAllByRole("row")).toHaveLength(2);
    expect(within(table).getByRole("row", { name: /^Last name/ }).textContent).toContain("BeforeAfter");
  });

  test("shows what someone else saved as soon as the page has read it, and what the user typed stays until they have seen both", async () => {
    const { fill, press, change, queries } = await openStored("Frozen");
    await fill("Account ID", "mine");
    await change({ accountID: "theirs" });
    await queries.invalidateQueries();
    expect(await screen.findByRole("radio", { name: /Take theirs of Account ID: theirs/ })).toBeTruthy();
    expect((await input("Account ID")).value).toBe("mine");
    expect(screen.queryByRole("alert")).toBeNull();
    await press("Save");
    expect((await screen.findByRole("alert")).textContent).toContain("Choose which value to keep");
    await press("Save");
  });
});

describe("records that look like the new one", () => {
  test("are shown while it is typed, with what tells them apart", async () => {
    await app.service.call("POST", "/v1/customers", { firstName: "Twice", lastName: "Lookalike", accountID: "A-77" });
    const { fill } = await open("/customers/new");
    await fill("First name", "Twi");
    await fill("Last name", "lookalik");
    const link = await screen.findByRole("link", { name: "Twice Lookalike" });
    expect(link.closest("li")?.textContent).toContain("A-77");
  });
});

describe("a draft that is restored", () => {
  test("fills the fields into which nothing has been typed since", async () => {
    const { fill } = await open("/customers/new");
    await fill("First name", "Drafted first");
    await fill("Last name", "Drafted last");
    cleanup(); // what was typed is written when the page goes
    const again = await open("/customers/new");
    await screen.findByRole("button", { name: "Restore" });
    await again.fill("Last name", "Typed since");
    await again.press("Restore");
    expect((await input("First name")).value).toBe("Drafted first");
    expect((await input("Last name")).value).toBe("Typed since");
  });

  test("fills a field that was said to be empty, and says so no more", async () => {
    const { fill } = await open("/customers/new");
    await fill("Last name", "Drafted last");
    cleanup();
    const again = await open("/customers/new");
    await screen.findByRole("button", { name: "Restore" });
    await again.user.click(await input("Last name"));
    await again.user.tab();
    await screen.findByText("Enter the last name.");
    await again.press("Restore");
    await waitFor(() => expect(screen.queryByText("Enter the last name.")).toBeNull());
    expect((await input("Last name")).value).toBe("Drafted last");
  });

  test("leaves what was typed since also where somebody has saved another version", async () => {
    const { id, fill, change } = await openStored("Restored");
    await fill("First name", "Drafted first");
    await fill("Last name", "Drafted last");
    cleanup();
    await change({ accountID: "theirs" });
    const again = await open(`/customers/${id}`);
    await screen.findByRole("button", { name: "Restore" });
    await again.fill("Last name", "Typed since");
    await again.press("Restore");
    await waitFor(async () => expect((await input("First name")).value).toBe("Drafted first"));
    expect((await input("Last name")).value).toBe("Typed since");
    expect((await input("Account ID")).value).toBe("theirs");
  });
});
