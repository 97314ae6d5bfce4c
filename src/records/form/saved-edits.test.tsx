import { screen, waitFor, within } from "@testing-library/react";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openPage, openTestApp, type TestApp } from "../../testing/test-app.tsx";

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
beforeEach(async () => {
  for (const [at, lastName] of ["Abel", "Bell"].entries())
    await app.service.call("PUT", `/v1/customers/${at + 1}`, { objectId: at + 1, firstName: "Ada", lastName, accountID: "7" });
});
afterAll(() => app.close());

type Page = Awaited<ReturnType<typeof openPage>>;
const stored = async (id: number) => (await app.service.call("GET", `/v1/customers/${id}`)).json;
const input = () => within(screen.getByRole("table", { name: "Customers" })).getByRole<HTMLInputElement>("textbox", { name: "First name" });

/** Types a first name into the row of the list, in its place, and saves it. */
async function saveInRow({ user }: Page, lastName: string, firstName: string) {
  const link = await screen.findByRole("link", { name: lastName });
  await user.click(within(link.closest("tr") as HTMLElement).getByTitle("Edit here (F2)"));
  await waitFor(input);
  await user.clear(input());
  await user.type(input(), `${firstName}{Enter}`);
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("link", { name: lastName })));
}

const undo = ({ user }: Page) => user.keyboard("{Control>}z{/Control}");

test("edits of rows are taken back one after the other, the latest first, also two of one record pressed at once", async () => {
  const page = await openPage(app, "/customers?sort=lastName");
  await saveInRow(page, "Abel", "Bea");
  await saveInRow(page, "Bell", "Bob");
  await saveInRow(page, "Bell", "Ben");
  page.services.toasts.dismiss();
  await undo(page);
  await undo(page);
  await waitFor(async () => expect((await stored(2)).firstName).toBe("Ada"));
  expect((await stored(1)).firstName).toBe("Bea");
  await screen.findByText((_, node) => node?.tagName === "SPAN" && node.textContent === "Ada Bell is as it was before.");
  await undo(page);
  await waitFor(async () => expect((await stored(1)).firstName).toBe("Ada"));
  const { version } = await stored(1);
  await undo(page);
  expect((await stored(1)).version).toBe(version);
  expect(page.services.toasts.undos()).toEqual([]);
});

test("an edit is not taken back once somebody has changed the record, and the message says who", async () => {
  const page = await openPage(app, "/customers?sort=lastName");
  await saveInRow(page, "Bell", "Bob");
  const { json } = await app.service.call("PATCH", "/v1/customers/2", { accountID: "8" });
  await undo(page);
  await screen.findByText(new RegExp(`^Not undone\\. ${json.updatedBy.name} changed it .* Nothing was done\\.$`));
  expect(await stored(2)).toMatchObject({ firstName: "Bob", accountID: "8" });
});

test("while another row is edited and nothing is typed there, the key takes the row before back; typed text keeps it", async () => {
  const page = await openPage(app, "/customers?sort=lastName");
  const link = await screen.findByRole("link", { name: "Abel" });
  await page.user.click(within(link.closest("tr") as HTMLElement).getByTitle("Edit here (F2)"));
  await waitFor(input);
  await page.user.clear(input());
  await page.user.type(input(), "Bea{ArrowDown}");
  await waitFor(() => expect(input().closest("tr")?.dataset.id).toBe("2"));
  await waitFor(async () => expect((await stored(1)).firstName).toBe("Bea"));
  await page.user.type(input(), "x");
  await undo(page);
  expect((await stored(1)).firstName).toBe("Bea");
  await page.user.type(input(), "{Backspace}");
  await undo(page);
  await waitFor(async () => expect((await stored(1)).firstName).toBe("Ada"));
  expect(input().closest("tr")?.dataset.id).toBe("2");
});

test("what a form has saved is taken back, and the form shows it", async () => {
  const page = await openPage(app, "/customers/2");
  const firstName = () => screen.findByRole<HTMLInputElement>("textbox", { name: "First name" });
  await page.user.clear(await firstName());
  await page.user.type(await firstName(), "Bob");
  await page.user.keyboard("{Control>}s{/Control}");
  await waitFor(async () => expect((await stored(2)).firstName).toBe("Bob"));
  await screen.findByText("Saved.");
  (document.activeElement as HTMLElement).blur();
  await undo(page);
  await waitFor(async () => expect((await stored(2)).firstName).toBe("Ada"));
  await waitFor(async () => expect((await firstName()).value).toBe("Ada"));
});
