import { screen, waitFor, within } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAccounts } from "../../../server/people/auth/accounts.ts";
import { createKeys } from "../../../server/people/auth/api-keys.ts";
import { createSessions } from "../../../server/people/auth/sessions.ts";
import type { Services } from "../../app/services/services.ts";
import { personKey } from "../../browser/person.ts";
import { hasDrafts } from "../../records/drafts/delete-drafts.ts";
import { openPage, openTestApp, type TestApp } from "../../testing/test-app.tsx";

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const dialog = () => screen.findByRole("dialog", { name: "Sign in again to continue" });
const keyInput = async () => (await within(await dialog()).findByLabelText("API key")) as HTMLInputElement;

/** A page whose user holds a key of their own, which `revoke` ends. */
async function openWithOwnKey(path: string) {
  const keys = createKeys(app.service.store);
  const key = await keys.create("write");
  const page = await openPage(app, path, key);
  const signIn = async (text: string) => {
    await page.user.clear(await keyInput());
    await page.user.type(await keyInput(), text);
    await page.user.click(within(await dialog()).getByRole("button", { name: "Sign in" }));
  };
  return { ...page, signIn, revoke: () => keys.revoke(key) };
}

async function endToken({ session }: Services): Promise<void> {
  const token = session.token();
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/x-www-form-urlencoded" };
  await app.service.raw("POST", "/v1/oauth/revoke", headers, `token=${token}`);
}

const PASSWORD = "violet kettle 71";

/** An editor with a password, and a session of theirs that `end` ends. */
async function newPerson(name: string) {
  const { people } = app.service.store;
  const email = `${name.toLowerCase()}@example.org`;
  const accounts = createAccounts(people);
  const invited = await accounts.invite({ email, name, roles: ["editor"] });
  const used = invited && (await accounts.redeemLink(invited.link.code, { email, name, password: PASSWORD }));
  if (!used || "detail" in used) throw new Error("The person cannot be added.");
  const person = used.user;
  const sessions = createSessions(people);
  const from = { method: "password", agent: "test", source: "127.0.0.1" } as const;
  const { accessToken = "", refreshToken = "" } = (await sessions.start(person, from)) ?? {};
  return {
    email,
    signedIn: { token: accessToken, owner: person.id, refreshToken },
    async end() {
      for (const { id } of await sessions.list(person.id)) await sessions.end(id, person.id);
    },
  };
}

async function typeCustomer(user: UserEvent, lastName: string): Promise<void> {
  await user.type(await screen.findByRole("textbox", { name: "Last name" }), lastName);
  await user.type(screen.getByRole("textbox", { name: "Account ID" }), "1");
}

/** Someone types a new customer and presses Save, while the key that signed in is revoked. */
async function endSession() {
  const page = await openWithOwnKey("/customers/new");
  await typeCustomer(page.user, "Patient");
  await page.revoke();
  await page.user.click(screen.getByRole("button", { name: "Save" }));
  return page;
}

describe("the sign-in over the page", () => {
  test("comes when the session ends, over what was typed", async () => {
    await endSession();
    expect((await dialog()).textContent).toContain("Everything on the page stays as it is.");
    expect((screen.getByLabelText("Last name") as HTMLInputElement).value).toBe("Patient");
  });

  test("has the focus in the key, which it hides until it is asked to show it", async () => {
    const { user } = await endSession();
    const input = await keyInput();
    expect(document.activeElement).toBe(input);
    expect(input.type).toBe("password");
    await user.click(within(await dialog()).getByRole("button", { name: "Show" }));
    expect(input.type).toBe("text");
  });

  test("lets the save go on by itself once the same user has signed in", async () => {
    const { user, services } = await openPage(app, "/customers/new");
    await typeCustomer(user, "Patient");
    await endToken(services);
    await user.click(screen.getByRole("button", { name: "Save" }));
    await user.type(await keyInput(), app.key);
    await user.click(within(await dialog()).getByRole("button", { name: "Sign in" }));
    expect(await screen.findByText(/is saved/)).toBeTruthy();
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  test("gives the focus back to where the user was", async () => {
    const { user, queries, services } = await openPage(app, "/customers");
    const search = await screen.findByRole("searchbox", { name: "Search" });
    search.focus();
    await endToken(services);
    void queries.invalidateQueries();
    await user.type(await keyInput(), app.key);
    await user.click(within(await dialog()).getByRole("button", { name: "Sign in" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(document.activeElement).toBe(search);
  });

  test("says what is wrong with a text that is no key, without asking the service", async () => {
    const { signIn } = await endSession();
    await signIn("secret");
    expect((await screen.findByRole("alert")).textContent).toContain("It starts with ink_");
    const input = await keyInput();
    expect(document.activeElement).toBe(input);
    expect(input.getAttribute("aria-invalid")).toBe("true");
  });

  test("says that the service does not know the key, and stays", async () => {
    const { signIn } = await endSession();
    await signIn("ink_nobody.not-a-key-of-this-service-0123456789abcdef");
    expect((await screen.findByRole("alert")).textContent).toMatch(/key/i);
    expect(await dialog()).toBeTruthy();
  });

  test("does not end when it is closed: only signing in or out ends it", async () => {
    await endSession();
    ((await dialog()) as HTMLDialogElement).close(); // what a browser does when Escape is pressed twice
    await waitFor(async () => expect(((await dialog()) as HTMLDialogElement).open).toBe(true));
  });

  test("lets the user sign out instead", async () => {
    const { user, services } = await endSession();
    await user.click(within(await dialog()).getByRole("button", { name: "Sign out instead" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(services.session.token()).toBeUndefined();
    expect(await screen.findByRole("button", { name: "Sign in" })).toBeTruthy();
  });
});

// Last: as soon as there are people, the dialog begins with their way in.
test("what somebody typed before another person signs in over the page is stored under nobody's name, and stays theirs", async () => {
  const dora = await newPerson("Dora");
  const carla = await newPerson("Carla");
  const { user, services } = await openPage(app, "/customers/new", dora.signedIn);
  await typeCustomer(user, "Handed");
  await dora.end();
  await user.click(screen.getByRole("button", { name: "Save" }));
  const email = await within(await dialog()).findByLabelText<HTMLInputElement>("E-mail");
  expect(email.value).toBe(dora.email);
  expect(document.activeElement).toBe(within(await dialog()).getByLabelText("Password"));
  await user.clear(email);
  await user.type(email, carla.email);
  await user.type(within(await dialog()).getByLabelText("Password"), PASSWORD);
  await user.click(within(await dialog()).getByRole("button", { name: "Sign in" }));
  await waitFor(() => expect(sessionStorage.getItem("intake.token.owner")).toBe(carla.signedIn.owner));
  expect(services.session.owner()).toBe(dora.signedIn.owner);
  expect((await app.service.call("GET", "/v1/customers?q=handed")).json.customers).toEqual([]);
  const person = (owner: string) => personKey(services.client.baseUrl, owner);
  await waitFor(async () => expect(await hasDrafts(person(dora.signedIn.owner))).toBe(true));
  expect(await hasDrafts(person(carla.signedIn.owner))).toBe(false);
});
