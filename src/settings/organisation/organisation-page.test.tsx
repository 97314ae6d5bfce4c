import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createKeys } from "../../../server/people/auth/api-keys.ts";
import { openPage, openTestApp, type TestApp } from "../../testing/test-app.tsx";

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const PATH = "/v1/organisation";
const stored = async () => (await app.service.call("GET", PATH)).json;
const input = (name: string) => screen.findByRole("textbox", { name }) as Promise<HTMLInputElement>;

test("an administrator names the organisation, and the sidebar shows it at once", async () => {
  const { user, services } = await openPage(app, "/settings/organisation");
  await user.type(await input("Name"), "Stadtwerke Musterstadt");
  await user.type(await input("Accent colour"), "#FFD500");
  expect(screen.getByText(/^Too light for text on white: there the app shows #/)).toBeTruthy();
  await user.type(await input("Address for help"), "help@example.org");
  await user.click(screen.getByRole("button", { name: "Save" }));
  expect(await screen.findByText("Enter an address that begins with https:// or mailto:.")).toBeTruthy();
  expect(document.activeElement).toBe(await input("Address for help"));
  await user.clear(await input("Address for help"));
  await user.type(await input("Address for help"), "mailto:help@example.org");
  await user.click(screen.getByRole("button", { name: "Save" }));
  expect(await screen.findByText("The organisation is saved.")).toBeTruthy();
  expect(await stored()).toMatchObject({ name: "Stadtwerke Musterstadt", accent: "#ffd500", supportUrl: "mailto:help@example.org" });
  expect(services.organisation.current().name).toBe("Stadtwerke Musterstadt");
  await waitFor(() => expect(screen.getByRole("button", { name: "Save" }).getAttribute("aria-disabled")).toBe("true"));
});

test("what somebody else has changed meanwhile is shown and not overwritten", async () => {
  const { user } = await openPage(app, "/settings/organisation");
  await user.clear(await input("Name"));
  await user.type(await input("Name"), "Mine");
  await app.service.call("PATCH", PATH, { signInNote: "Theirs" });
  await user.click(screen.getByRole("button", { name: "Save" }));
  expect(await screen.findByText(/Somebody changed the organisation meanwhile/)).toBeTruthy();
  await waitFor(async () => expect((await input("Line on the sign-in page")).value).toBe("Theirs"));
  expect((await input("Name")).value).toBe("Mine");
  await user.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(async () => expect(await stored()).toMatchObject({ name: "Mine", signInNote: "Theirs" }));
});

test("an empty field is stored as nothing, and Discard takes back what was typed", async () => {
  const { user } = await openPage(app, "/settings/organisation");
  const name = (await stored()).name;
  await user.clear(await input("Name"));
  await user.click(screen.getByRole("button", { name: "Discard" }));
  expect((await input("Name")).value).toBe(name);
  await user.clear(await input("Line on the sign-in page"));
  await user.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(async () => expect((await stored()).signInNote).toBeNull());
});

test("SVG and what is too large are refused before they are sent", async () => {
  await openPage(app, "/settings/organisation");
  const file = await screen.findByLabelText(/^Choose/);
  const choose = (given: File) => userEvent.setup({ applyAccept: false }).upload(file, given);
  await choose(new File(["<svg/>"], "a.svg", { type: "image/svg+xml" }));
  expect(await screen.findByText(/^SVG is not taken/)).toBeTruthy();
  await choose(new File([new Uint8Array(200_001)], "a.png", { type: "image/png" }));
  expect(await screen.findByText(/At most .* are taken\.$/)).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Remove the new logo" })).toBeNull();
});

test("whoever is no administrator is not offered the page", async () => {
  const key = await createKeys(app.service.store).create("write");
  await openPage(app, "/settings", key);
  await screen.findByRole("heading", { name: "Settings" });
  expect(screen.queryByRole("link", { name: "Organisation" })).toBeNull();
});
