// A save whose response gets lost: the page finds out what happened, and nothing is stored twice.

import { expect, type Page, test } from "@playwright/test";
import { hold } from "./support/hold-requests.ts";
import { openApi, saveBy, signIn } from "./support/service.ts";

async function typeCustomer(page: Page, lastName: string): Promise<void> {
  await page.getByRole("textbox", { name: "Last name" }).fill(lastName);
  await page.getByRole("textbox", { name: "Account ID" }).fill("T-1");
}

test.describe("a lost response", () => {
  /** Saves a new customer, whose answer is lost, and closes the form; its draft stays. */
  async function closesWithoutAnswer(page: Page, lastName: string): Promise<void> {
    page.on("dialog", (dialog) => dialog.accept());
    await signIn(page, "/customers/new");
    await typeCustomer(page, lastName);
    await page.route("**/v1/customers", async (route) => {
      await route.fetch();
      await route.abort();
    });
    await save(page);
    await expect(page.getByRole("alert")).toContainText("cannot be reached");
    await page.unroute("**/v1/customers");
    await page.goto("about:blank");
  }

  async function opened(page: Page, lastName: string) {
    const api = await openApi();
    const { json } = await api.call("POST", "/customers", { lastName, accountID: "1" });
    await signIn(page, `/customers/${json.objectId}`);
    await page.getByRole("textbox", { name: "Account ID" }).fill("2");
    const now = async () => (await api.call("GET", `/customers/${json.objectId}`)).json;
    return { api, id: Number(json.objectId), now };
  }
  const save = (page: Page) => page.getByRole("button", { name: "Save", exact: true }).click();
  const verbs = (page: Page, path: string) => {
    const seen: string[] = [];
    page.on("request", (request) => request.url().endsWith(path) && seen.push(request.method()));
    return seen;
  };

  test("to a change that was stored is found out by reading, and the change is not sent again", async ({ page }) => {
    const { id, now } = await opened(page, "Patchlost");
    const seen = verbs(page, `/customers/${id}`);
    await page.route("**/v1/customers/*", async (route) => {
      if (route.request().method() !== "PATCH") return route.continue();
      await route.fetch();
      await route.abort();
    });
    await save(page);
    await expect(page.getByText("Saved.")).toBeVisible();
    await expect(page.getByText("version 2")).toBeVisible();
    expect(await now()).toMatchObject({ accountID: "2", version: 2 });
    expect(seen.filter((verb) => verb === "PATCH")).toHaveLength(1);
  });

  test("to a change that never arrived: the page says that nothing is stored, and Save sends it", async ({ page }) => {
    const { now } = await opened(page, "Patchunsent");
    await page.route("**/v1/customers/*", (route) => (route.request().method() === "PATCH" ? route.abort() : route.continue()));
    await save(page);
    await expect(page.getByRole("alert")).toBeFocused();
    await expect(page.getByRole("alert")).toContainText("This is not saved.");
    await expect(page.getByRole("textbox", { name: "Account ID" })).toHaveValue("2");
    expect(await now()).toMatchObject({ accountID: "1", version: 1 });
    await page.unroute("**/v1/customers/*");
    await save(page);
    await expect(page.getByText("Saved.")).toBeVisible();
    expect(await now()).toMatchObject({ accountID: "2", version: 2 });
  });

  test("is told apart from an error of the service, which is shown in the service's own words", async ({ page }) => {
    const { now } = await opened(page, "Patchfault");
    const body = '{"detail":"Something went wrong here.","code":"INTERNAL"}';
    await page.route("**/v1/customers/*", (route) =>
      route.request().method() === "PATCH"
        ? route.fulfill({ status: 500, contentType: "application/problem+json", body })
        : route.continue(),
    );
    await save(page);
    await expect(page.getByRole("alert")).toContainText("This is not saved. Something went wrong here.");
    await expect(page.getByRole("textbox", { name: "Account ID" })).toHaveValue("2");
    expect(await now()).toMatchObject({ accountID: "1", version: 1 });
  });

  test("without a network is found out when the network is back, and text typed since stays", async ({ page }) => {
    const { id, now } = await opened(page, "Patchlater");
    const seen = verbs(page, `/customers/${id}`);
    await page.route("**/v1/customers/*", async (route) => {
      if (route.request().method() === "PATCH") await route.fetch();
      await route.abort();
    });
    await save(page);
    await expect(page.getByRole("alert")).toContainText("It is not clear yet whether this was saved.");
    await page.getByRole("textbox", { name: "First name" }).fill("Since");
    await page.unroute("**/v1/customers/*");
    await page.evaluate(() => window.dispatchEvent(new Event("online")));
    await expect(page.getByText("Saved.")).toBeVisible();
    await expect(page.getByRole("alert")).toBeHidden();
    await expect(page.getByRole("textbox", { name: "First name" })).toHaveValue("Since");
    expect(await now()).toMatchObject({ accountID: "2", firstName: null, version: 2 });
    expect(seen.filter((verb) => verb === "PATCH")).toHaveLength(1);
  });

  test("is found out when Save is pressed, and text typed meanwhile stays", async ({ page }) => {
    const { id, now } = await opened(page, "Patchtyped");
    await page.route("**/v1/customers/*", (route) => route.abort());
    await save(page);
    await expect(page.getByRole("alert")).toContainText("It is not clear yet whether this was saved.");
    await page.unroute("**/v1/customers/*");
    const looks = await hold(page, `**/v1/customers/${id}`, (request) => request.method() === "GET");
    await save(page);
    await expect.poll(() => looks.count).toBeGreaterThan(0);
    await page.getByRole("textbox", { name: "First name" }).fill("Since");
    looks.letGo();
    await expect(page.getByText("Saved.")).toBeVisible();
    await expect(page.getByText("version 2")).toBeVisible();
    await expect(page.getByRole("textbox", { name: "First name" })).toHaveValue("Since");
    expect(await now()).toMatchObject({ accountID: "2", firstName: null, version: 2 });
  });

  test("that is being found out when Save and close is pressed: the form then closes", async ({ page }) => {
    const { id, now } = await opened(page, "Patchclosed");
    await page.route("**/v1/customers/*", async (route) => {
      if (route.request().method() === "PATCH") await route.fetch();
      await route.abort();
    });
    await save(page);
    await expect(page.getByRole("alert")).toContainText("It is not clear yet whether this was saved.");
    await page.unroute("**/v1/customers/*");
    const looks = await hold(page, `**/v1/customers/${id}`, (request) => request.method() === "GET");
    await page.evaluate(() => window.dispatchEvent(new Event("online")));
    await expect.poll(() => looks.count).toBeGreaterThan(0);
    await saveBy(page, "Save and close");
    looks.letGo();
    await expect(page.getByRole("heading", { name: "Customers", exact: true })).toBeVisible();
    expect(await now()).toMatchObject({ accountID: "2", version: 2 });
  });

  test("to a new customer is found out by itself, and the page goes on as after any save", async ({ page }) => {
    await signIn(page, "/customers/new");
    await typeCustomer(page, "Postlost");
    let losses = 0;
    await page.route("**/v1/customers", async (route) => {
      if (route.request().method() !== "POST" || losses++ > 0) return route.continue();
      await route.fetch();
      await route.abort();
    });
    await save(page);
    await expect(page.getByText("Postlost is saved.")).toBeVisible();
    await expect(page.getByRole("heading", { name: "Postlost" })).toBeVisible();
    expect(await (await openApi()).all("customers", "postlost")).toHaveLength(1);
  });

  for (const status of [403, 429]) {
    test(`to a new customer and then a ${status} make no second customer`, async ({ page }) => {
      const name = `Lostthen${status}`;
      await signIn(page, "/customers/new");
      await typeCustomer(page, name);
      let posts = 0;
      await page.route("**/v1/customers", async (route) => {
        if (route.request().method() !== "POST") return route.continue();
        posts++;
        if (posts > 2) return route.continue();
        if (posts === 2) return route.fulfill({ status, contentType: "application/problem+json", body: '{"detail":"Not now."}' });
        await route.fetch();
        await route.abort();
      });
      await save(page);
      if (status === 403) {
        await expect(page.getByRole("alert")).toContainText("Not now.");
        await save(page);
      }
      await expect(page.getByRole("heading", { name })).toBeVisible();
      expect(posts).toBe(3);
      expect(await (await openApi()).all("customers", name)).toHaveLength(1);
    });
  }

  test("and a colleague's change after it are merged on the same page", async ({ page }) => {
    const api = await openApi();
    await signIn(page, "/customers/new");
    await typeCustomer(page, "Lostandchanged");
    await page.route("**/v1/customers", async (route) => {
      await route.fetch();
      await route.abort();
    });
    await save(page);
    await expect(page.getByRole("alert")).toContainText("cannot be reached");
    await page.getByRole("textbox", { name: "First name" }).fill("Mine");
    const [made] = await api.all("customers", "lostandchanged");
    await page.route("**/v1/customers/*", async (route) => {
      if (route.request().method() === "PATCH") await api.call("PATCH", `/customers/${made?.objectId}`, { accountID: "theirs" });
      await route.continue();
    });
    await page.unroute("**/v1/customers");
    await save(page);
    await expect(page.getByText("You changed this customer elsewhere while you were editing.")).toBeVisible();
    await expect(page.getByRole("textbox", { name: "Account ID" })).toHaveValue("theirs");
    await page.unroute("**/v1/customers/*");
    await save(page);
    await expect(page.getByRole("heading", { name: "Mine Lostandchanged" })).toBeVisible();
    const all = await api.all("customers", "lostandchanged");
    expect(all).toMatchObject([{ firstName: "Mine", accountID: "theirs" }]);
  });

  test("and a tab that closes after it make no second customer when the draft is saved", async ({ page }) => {
    await closesWithoutAnswer(page, "Lostwithtab");
    await signIn(page, "/customers/new");
    await page.getByRole("button", { name: "Restore" }).click();
    await page.getByRole("textbox", { name: "First name" }).fill("Again");
    await save(page);
    await expect(page.getByRole("heading", { name: "Again Lostwithtab" })).toBeVisible();
    expect(await (await openApi()).all("customers", "lostwithtab")).toHaveLength(1);
  });

  test("and a draft that is continued when its key may be forgotten: the page asks to look before anything is sent", async ({ page }) => {
    await closesWithoutAnswer(page, "Lostlongago");
    await page.clock.setFixedTime(Date.now() + 25 * 3_600_000);
    await signIn(page, "/customers/new");
    await page.getByRole("button", { name: "Restore" }).click();
    const posts = verbs(page, "/v1/customers");
    await save(page);
    const alert = page.getByRole("alert");
    await expect(alert).toBeFocused();
    await expect(alert).toContainText("It is not clear yet whether this was saved. It was sent some time ago, and no answer came.");
    expect(posts).not.toContain("POST");
    await alert.getByRole("link", { name: "Search customers for it" }).click();
    await page.getByRole("dialog", { name: "Leave without saving?" }).getByRole("button", { name: "Leave" }).click();
    await expect(page.getByRole("table", { name: "Customers" }).getByRole("link", { name: "Lostlongago" })).toHaveCount(1);
    expect(await (await openApi()).all("customers", "lostlongago")).toHaveLength(1);
  });

  test("to an undo leaves the undo on offer", async ({ page }) => {
    const { now } = await opened(page, "Undolost");
    await page.getByRole("button", { name: "Delete" }).click();
    await expect(page.getByText("Undolost is deleted.")).toBeVisible();
    let losses = 0;
    await page.route("**/v1/customers/*/restore", async (route) => {
      if (losses++ > 0) return route.continue();
      await route.fetch();
      await route.abort();
    });
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(page.getByText("cannot be reached")).toBeVisible();
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(page.getByText("Undolost is restored.")).toBeVisible();
    expect(await now()).toMatchObject({ lastName: "Undolost" });
  });

  test("to a deletion is found out by reading: the customer is deleted, and undo brings it back", async ({ page }) => {
    const { now } = await opened(page, "Deletelost");
    await page.route("**/v1/customers/*", async (route) => {
      if (route.request().method() !== "DELETE") return route.continue();
      await route.fetch();
      await route.abort();
    });
    await page.getByRole("button", { name: "Delete" }).click();
    await expect(page.getByText("Deletelost is deleted.")).toBeVisible();
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(page.getByText("Deletelost is restored.")).toBeVisible();
    expect(await now()).toMatchObject({ lastName: "Deletelost" });
  });
});
