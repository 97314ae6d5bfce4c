import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { WireRecord } from "../../../core/contract/records.ts";
import type { UploadState } from "../../../pipeline/runs/upload-state.ts";
import { draftKey, openDrafts } from "../../records/drafts/draft-store.ts";
import { dictionaryQuery } from "../../service/dictionary.ts";
import { type Drawn, openPage, openTestApp, type TestApp } from "../../testing/test-app.tsx";

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

async function press({ user }: Pick<Drawn, "user">): Promise<void> {
  await user.click(await screen.findByRole("button", { name: /API key$/ }));
  await user.click(await within(await screen.findByRole("dialog", { name: "Account" })).findByRole("button", { name: "Sign out" }));
}
const signInForm = () => screen.findByRole("button", { name: "Sign in" });

describe("signing out", () => {
  test("asks nothing where nothing would be lost", async () => {
    const page = await openPage(app, "/customers");
    await press(page);
    expect(await signInForm()).toBeTruthy();
    expect(page.services.session.token()).toBeUndefined();
  });

  test("over unsaved text asks first, and Cancel keeps the text", async () => {
    const page = await openPage(app, "/customers/new");
    const input = (await screen.findByRole("textbox", { name: "Last name" })) as HTMLInputElement;
    await page.user.type(input, "Half");
    await press(page);
    const dialog = await screen.findByRole("dialog", { name: "Sign out without saving?" });
    await page.user.click(within(dialog).getByRole("button", { name: "Cancel" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(input.value).toBe("Half");
    expect(page.services.session.token()).toBeTruthy();
  });

  test("names the records whose unsaved text another page or tab has left, and forgets it only when told to", async () => {
    const { services, queries } = await openPage(app, "/customers");
    const rights = queries.getQueryData(dictionaryQuery(services.client).queryKey)?.rights;
    const drafts = openDrafts(() => true);
    const whose = { service: services.client.baseUrl, owner: services.session.owner(), collection: "customers" };
    const base = { objectId: 7, lastName: "Berg", version: 1 } as unknown as WireRecord;
    const key = draftKey({ ...whose, id: 7 });
    await drafts.write(key, { texts: { lastName: "Burg" }, base, typedAt: Date.now(), rights });
    await drafts.write(draftKey({ ...whose, id: 8 }), { texts: { lastName: "Burg" }, base: undefined, typedAt: Date.now(), rights });
    await drafts.write(draftKey({ ...whose, id: undefined }), { texts: { lastName: "New" }, base: undefined, typedAt: Date.now() });
    const user = userEvent.setup();
    await press({ user });
    const dialog = await screen.findByRole("dialog", { name: "Sign out without saving?" });
    await within(dialog).findByText(/Not saved: Berg, customer 8, customer \(new\)\./);
    await user.click(within(dialog).getByRole("button", { name: "Cancel" }));
    expect((await drafts.read(key))?.texts).toEqual({ lastName: "Burg" });
    await press({ user });
    await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Sign out" }));
    expect(await signInForm()).toBeTruthy();
    expect(await drafts.read(key)).toBeUndefined();
  });

  test("over a running upload says how far it is, and goes on when told to", async () => {
    const page = await openPage(app, "/customers");
    page.services.uploadManager.inspect(new File(["lastName\nA\n"], "half.csv"), app.collection);
    page.worker.post({ type: "state", state: SENDING });
    expect((await screen.findByText("50 %")).textContent).toBe("50\u00a0%"); // a no-break space, so that it stays on one line
    await press(page);
    const dialog = await screen.findByRole("dialog", { name: "Stop the upload and sign out?" });
    expect(dialog.textContent).toContain("The upload is at 50 %.");
    await page.user.click(within(dialog).getByRole("button", { name: "Stop and sign out" }));
    await waitFor(() => expect(page.worker.commands.at(-1)).toEqual({ type: "cancel" }));
    page.worker.post({ type: "state", state: CANCELLED });
    expect(await signInForm()).toBeTruthy();
  });
});

describe("many collections", () => {
  let many: TestApp;
  beforeAll(async () => {
    many = await openTestApp(dictionary());
  });
  afterAll(() => many.close());
  const titles = () =>
    within(screen.getByRole("navigation", { name: "Main" }))
      .getAllByRole("link")
      .map(({ textContent }) => textContent?.slice(1))
      .filter((title) => /^Things/.test(title ?? ""));

  test("stand in the dictionary's groups, which fold by keyboard and stay folded but for the current one", async () => {
    const { user, services } = await openPage(many, "/things3");
    const group = await screen.findByRole("button", { name: "Odd", expanded: true });
    expect(titles()).toEqual(["Things 0", "Things 2", "Things 4", "Things 6", "Things 8", "Things 1", "Things 3", "Things 5", "Things 7"]);
    group.focus();
    await user.keyboard("{Enter}");
    expect(titles()).toEqual(["Things 0", "Things 2", "Things 4", "Things 6", "Things 8", "Things 3"]);
    expect(group.getAttribute("aria-expanded")).toBe("false");
    const folded = () => many.service.collections.filter((one) => services.views.of(one).isFolded).map(({ name }) => name);
    expect(folded()).toEqual(["things1", "things3", "things5", "things7"]);
    await user.keyboard("{Enter}");
    expect(folded()).toEqual([]);
  });

  test("become favourites by a star, which keeps the focus, and stop being some by the same", async () => {
    const { user, services } = await openPage(many, "/things3");
    const star = async () => screen.findByRole("button", { name: "Favourite: Things 7" });
    (await star()).focus();
    await user.keyboard(" ");
    expect(titles()[0]).toBe("Things 7");
    expect(screen.getByText("Favourites")).toBeTruthy();
    expect(document.activeElement).toBe(await star());
    expect((await star()).getAttribute("aria-pressed")).toBe("true");
    const own = many.service.collections.find(({ name }) => name === "things7");
    if (own) services.views.put(own, { ...services.views.of(own), columns: "name" });
    await user.keyboard(" ");
    expect(titles().at(-1)).toBe("Things 7");
    expect(own && services.views.of(own)).toEqual({ isFavourite: false, columns: "name" });
  });
});

test("the sidebar folds by its button and its shortcut, and stays so", async () => {
  const { user, services } = await openPage(app, "/customers");
  await user.click(await screen.findByRole("button", { name: "Fold the sidebar" }));
  expect(services.settings.current().sidebar).toBe("folded");
  await user.keyboard("{Control>}b{/Control}");
  expect(services.settings.current().sidebar).toBe("open");
});

function dictionary() {
  const schema = {
    fields: [
      { name: "id", type: "integer" },
      { name: "name", type: "string" },
    ],
    primaryKey: ["id"],
  };
  const resources = Array.from({ length: 9 }, (_, i) => ({
    ...{ name: `things${i}`, singular: `thing${i}`, title: `Things ${i}`, schema },
    ...(i % 2 === 1 && { group: "Odd" }),
  }));
  return { resources };
}

const SENDING: UploadState = {
  step: "sending",
  counts: { created: 5, updated: 0, unchanged: 0, skipped: 0, failed: 0, inDoubt: 0, notSent: 0 },
  rowsTotal: 10,
  rowsDone: 5,
  waiting: null,
  isPaused: false,
  rowsPerSecond: 1,
  secondsLeft: 5,
};

const CANCELLED: UploadState = {
  step: "report",
  report: {
    counts: { created: 5, updated: 0, unchanged: 0, skipped: 0, failed: 0, inDoubt: 0, notSent: 5 },
    rowsRead: 10,
    seconds: 1,
    ended: "cancelled",
    notStored: [],
  },
};
