// One's own account: what ends with the password, and the proof that lasting access asks for.

import { screen, waitFor, within } from "@testing-library/react";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createAccounts } from "../../../server/people/auth/accounts.ts";
import { createKeys } from "../../../server/people/auth/api-keys.ts";
import { randomId } from "../../../server/people/auth/random-codes.ts";
import { createSessions } from "../../../server/people/auth/sessions.ts";
import { type Drawn, openPage, openTestApp, type TestApp } from "../../testing/test-app.tsx";

const PASSWORD = "gorse lantern 47 quay";
const OTHER = "otter ladder 93 mist";

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

/** A page as a person has it, whose sign-in of now is made `minutes` old. */
async function openAs(path: string, minutes = 0): Promise<Drawn & { id: string }> {
  const { people } = app.service.store;
  const { id } = await app.service.newPerson("administrator");
  const user = await people.readUser(id);
  if (!user) throw new Error("no person");
  const { code } = await createAccounts(people).renewLink(user);
  await createAccounts(people).redeemLink(code, { email: "", name: "", password: PASSWORD });
  const issued = await createSessions(people).start(user, { method: "password", agent: "test", source: "127.0.0.1" });
  if (!issued) throw new Error("no session");
  for (const notice of await people.listNotices(id)) await people.dismissNotice(notice.id, id);
  const drawn = await openPage(app, path, { token: issued.accessToken, refreshToken: issued.refreshToken, owner: id, expiresIn: 900 });
  const [own] = await createSessions(people).list(id);
  await people.proveSession(own?.id ?? "", Date.now() - minutes * 60_000, false);
  for (const notice of await people.listNotices(id)) await people.dismissNotice(notice.id, id);
  await drawn.queries.invalidateQueries();
  return { ...drawn, id };
}

test("a new password ends what is not kept, and the page shows it before", async () => {
  const { user, id, queries } = await openAs("/settings/account");
  const keys = createKeys(app.service.store);
  const [known, unknown] = [
    await keys.create("read", { userId: id, name: "Nightly" }),
    await keys.create("read", { userId: id, name: "Odd" }),
  ];
  await queries.invalidateQueries();
  const group = await screen.findByRole("group", { name: "This ends, too. Keep what you know:" });
  await user.click(await within(group).findByRole("checkbox", { name: /Nightly/ }));
  await user.type(screen.getByLabelText("Current password"), PASSWORD);
  await user.type(screen.getByLabelText("New password"), OTHER);
  await user.click(screen.getByRole("button", { name: "Change the password" }));
  await waitFor(async () => expect((await keys.read(unknown))?.revokedAt).not.toBeNull());
  expect((await keys.read(known))?.revokedAt).toBeNull();
});

test("signing out everywhere else asks first, and keeps what is marked", async () => {
  const { user, id, queries } = await openAs("/settings/account");
  const keys = createKeys(app.service.store);
  const [known, unknown] = [
    await keys.create("read", { userId: id, name: "Kept" }),
    await keys.create("read", { userId: id, name: "Odd" }),
  ];
  await queries.invalidateQueries();
  await user.click(await screen.findByRole("button", { name: "Sign out everywhere else…" }));
  const dialog = await screen.findByRole("dialog", { name: "Sign out everywhere else?" });
  await user.click(within(dialog).getByRole("checkbox", { name: /Kept/ }));
  await user.click(within(dialog).getByRole("button", { name: "Sign out everywhere else" }));
  await waitFor(async () => expect((await keys.read(unknown))?.revokedAt).not.toBeNull());
  expect((await keys.read(known))?.revokedAt).toBeNull();
});

test("a key asks for a proof once, over its dialog, and is then made", async () => {
  const { user, id } = await openAs("/settings/keys", 11);
  const keysOf = async () => (await app.service.store.listKeys()).filter(({ userId }) => userId === id);
  await user.click(await screen.findByRole("button", { name: "New API key" }));
  const form = await screen.findByRole("dialog", { name: "New API key" });
  await user.type(within(form).getByLabelText("Name"), "Web shop");
  await user.click(within(form).getAllByRole("checkbox")[0] as HTMLElement);
  await user.click(within(form).getByRole("button", { name: "Create key" }));
  const proof = await screen.findByRole("dialog", { name: "Confirm that it is you" });
  await user.click(within(proof).getByRole("button", { name: "Cancel" }));
  expect(await within(form).findByRole("alert")).toBeTruthy();
  expect(await keysOf()).toEqual([]);
  await user.click(within(form).getByRole("button", { name: "Create key" }));
  const again = await screen.findByRole("dialog", { name: "Confirm that it is you" });
  await user.type(await within(again).findByLabelText("Current password"), PASSWORD);
  await user.click(within(again).getByRole("button", { name: "Confirm" }));
  await waitFor(async () => expect(await keysOf()).toHaveLength(1));
  expect(screen.queryByRole("dialog", { name: "Confirm that it is you" })).toBeNull();
});

test("what happened to the account is said above every page until it is dismissed", async () => {
  const { user, id, queries } = await openAs("/customers");
  const at = Date.UTC(2026, 10, 28, 10, 15);
  const unused = { roles: [], expiresAt: null, revokedAt: null, lastUsedAt: null, lastUsedFrom: null };
  const row = { name: "Odd", userId: id, hash: Buffer.alloc(32), scope: "read", createdAt: at, id: `odd${id}`, ...unused };
  const [session] = await createSessions(app.service.store.people).list(id);
  const notice = { id: randomId(), userId: id, kind: "key", at, source: "192.0.2.7", name: "Odd" } as const;
  await app.service.store.addKey(row, { sessionId: session?.id, keyId: undefined }, 50, notice);
  await queries.invalidateQueries(); // as with the next page load
  const region = await screen.findByRole("region", { name: "About your account" });
  expect(region.textContent).toMatch(/The new API key “Odd” was made for you on .* from 192\.0\.2\.7\. Was it not you\?/);
  expect(within(region).getByRole("link", { name: "Show your account" }).getAttribute("href")).toBe("/settings/account");
  await user.click(within(region).getByRole("button", { name: /^Dismiss/ }));
  await waitFor(() => expect(screen.queryByRole("region", { name: "About your account" })).toBeNull());
  expect(await app.service.store.people.listNotices(id)).toEqual([]);
});

test("of many sign-ins the last one is said above the page, the others at a press, and all are dismissed at once", async () => {
  const { user, id, queries } = await openAs("/customers");
  const { people } = app.service.store;
  const person = await people.readUser(id);
  if (!person) throw new Error("no person");
  const signIn = (agent: string) =>
    createSessions(people).start(person, { method: "password", agent, source: "127.0.0.1", browser: randomId() });
  for (const agent of ["One", "Two", "Three"]) await signIn(agent);
  expect(await people.listNotices(id)).toHaveLength(3);
  await queries.invalidateQueries();
  const region = await screen.findByRole("region", { name: "About your account" });
  const shown = () => within(region).getAllByText(/Somebody signed in as you/).length;
  expect(shown()).toBe(1);
  await user.click(within(region).getByRole("button", { name: "and 2 more" }));
  expect(shown()).toBe(3);
  await user.click(within(region).getByRole("button", { name: "Dismiss all" }));
  await waitFor(() => expect(screen.queryByRole("region", { name: "About your account" })).toBeNull());
  expect(await people.listNotices(id)).toEqual([]);
});
