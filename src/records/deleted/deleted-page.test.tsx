import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { createKeys } from "../../../server/people/auth/api-keys.ts";
import { openPage, openTestApp, type TestApp } from "../../testing/test-app.tsx";

let app: TestApp;
beforeEach(async () => {
  app ??= await openTestApp();
});
afterAll(() => app.close());

let last = 0;
async function deleted(...names: string[]): Promise<number[]> {
  const ids: number[] = [];
  for (const lastName of names) {
    const objectId = ++last;
    await app.service.call("POST", "/v1/customers", { objectId, lastName, accountID: "d" });
    await app.service.call("DELETE", `/v1/customers/${objectId}`);
    ids.push(objectId);
  }
  return ids;
}
const statusOf = async (id: number | undefined) => (await app.service.call("GET", `/v1/customers/${id}`)).status;

describe("deleted records", () => {
  test("come back one by one, and undo deletes them again", async () => {
    const [id] = await deleted("Anna");
    const { user } = await openPage(app, "/customers/deleted");
    await user.click(await screen.findByRole("button", { name: "Bring back Anna" }));
    await screen.findByText(/is restored/);
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("heading", { level: 1 })));
    expect(await statusOf(id)).toBe(200);
    await user.click(screen.getByRole("button", { name: "Undo" }));
    await screen.findByText("1 record is deleted again.");
    expect(await statusOf(id)).toBe(404);
  });

  test("that came back and cannot be deleted again are not said to be changed, and the undo stays on offer", async () => {
    const [id] = await deleted("Agnes");
    const key = await createKeys(app.service.store).create("customers:read customers:create customers:update");
    const { user } = await openPage(app, "/customers/deleted", key);
    await user.click(await screen.findByRole("button", { name: "Bring back Agnes" }));
    await screen.findByText(/is restored/);
    await user.click(screen.getByRole("button", { name: "Undo" }));
    const notice = await screen.findByText(/Not deleted\./);
    expect(notice.textContent).not.toContain("changed since");
    expect(screen.getByRole("button", { name: "Undo" })).toBeTruthy();
    expect(await statusOf(id)).toBe(200);
  });

  test("come back together; one that was made anew meanwhile stays as it is, and is named", async () => {
    const [one, two] = await deleted("Berta", "Cora");
    const { user } = await openPage(app, "/customers/deleted");
    await user.click(await screen.findByRole("checkbox", { name: "Select Berta" }));
    await user.click(screen.getByRole("checkbox", { name: "Select Cora" }));
    await app.service.call("POST", "/v1/customers", { objectId: two, lastName: "Anew", accountID: "n" });
    await user.click(screen.getByRole("button", { name: "Bring back 2" }));
    await screen.findByText(/is restored/);
    expect(await statusOf(one)).toBe(200);
    expect((await app.service.call("GET", `/v1/customers/${two}`)).json.lastName).toBe("Anew");
    const notice = within(screen.getByRole("alert"));
    expect(notice.getByText(/Cora/).closest("li")?.textContent).toMatch(/ made it anew meanwhile\. Nothing was done\. Open it$/);
    expect(notice.getByRole("link", { name: "Open it" }).getAttribute("href")).toBe(`/customers/${two}`);
  });

  test("are found by the beginnings of words while the focus stays in the search, and one of them comes back", async () => {
    const [id] = await deleted("Ångström", "Berg", "Lindqvist");
    const { user } = await openPage(app, "/customers/deleted");
    const search = await screen.findByRole("searchbox", { name: "Find deleted customers" });
    const shown = () => screen.queryAllByRole("button", { name: /^Bring back / }).map((button) => button.getAttribute("aria-label"));
    await user.type(search, "angs");
    await waitFor(() => expect(shown()).toEqual(["Bring back Ångström"]));
    expect(document.activeElement).toBe(search);
    await user.click(screen.getByRole("button", { name: "Bring back Ångström" }));
    await screen.findByText(/is restored/);
    expect(await statusOf(id)).toBe(200);
    await screen.findByText("Nothing deleted matches “angs”.");
    await user.type(search, "{Escape}");
    await waitFor(() => expect(shown()).toContain("Bring back Berg"));
    expect(location.search).toBe("");
  });

  test("come back row after row by keyboard, and all of a page together", async () => {
    await deleted("Emil", "Frida", "Gustav", "Hanna");
    const { user } = await openPage(app, "/customers/deleted");
    const first = (await screen.findAllByRole("button", { name: /^Bring back / }))[0] as HTMLElement;
    const second = screen.getAllByRole("button", { name: /^Bring back / })[1]?.getAttribute("aria-label");
    first.focus();
    await user.keyboard("{Enter}");
    await waitFor(() => expect(document.activeElement?.getAttribute("aria-label")).toBe(second));
    await user.click(screen.getByRole("checkbox", { name: "Select this page" }));
    const rows = screen.getAllByRole("checkbox", { name: /^Select (?!this)/ }) as HTMLInputElement[];
    expect(rows.map(({ checked }) => checked)).toEqual(rows.map(() => true));
    await user.click(screen.getByRole("button", { name: `Bring back ${rows.length}` }));
    expect(await screen.findByText("Nothing is deleted")).toBeTruthy();
  });

  test("are reached from the list's views, and offered to be brought back only to who may", async () => {
    await deleted("Dora");
    const key = await createKeys(app.service.store).create("customers:read");
    await app.service.call("POST", "/v1/customers", { lastName: "There", accountID: "t" });
    const { user } = await openPage(app, "/customers", key);
    await user.click(await screen.findByRole("button", { name: "Views", hidden: true }));
    const link = await screen.findByRole("link", { name: "Deleted customers", hidden: true });
    expect(link.getAttribute("href")).toBe("/customers/deleted");
    cleanup();
    await openPage(app, "/customers/deleted", key);
    await screen.findByRole("link", { name: /Dora/ });
    await waitFor(() => expect(screen.queryByRole("button", { name: /Bring back/ })).toBeNull());
  });
});
