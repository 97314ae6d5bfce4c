// Inviting people, with mail and without, finding them, and changing them beside another administrator.

import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type MailingApp, openMailingApp } from "../testing/mailing-app.ts";
import { type Drawn, openPage, openTestApp, type TestApp } from "../testing/test-app.tsx";

let mailing: MailingApp;
let mailless: TestApp;
beforeAll(async () => {
  mailing = await openMailingApp();
  mailless = await openTestApp();
});
afterAll(async () => {
  await mailing.close();
  await mailless.close();
});

/** Opens the dialog, and answers once the page knows what the service can do. */
async function openInvitation(app: TestApp): Promise<void> {
  const { user, queries } = await openPage(app, "/settings/people");
  await user.click(await screen.findByRole("button", { name: "Invite someone" }));
  await expect.poll(() => queries.getQueryData(["ways to sign in"])).toBeTruthy();
}

test("an invitation that is mailed has a language, at first that of the app", async () => {
  await openInvitation(mailing);
  expect(((await screen.findByLabelText("Language of the mail")) as HTMLSelectElement).value).toBe("en");
});

test("an invitation that nobody mails has none", async () => {
  await openInvitation(mailless);
  expect(await screen.findByLabelText("E-mail")).toBeTruthy();
  expect(screen.queryByLabelText("Language of the mail")).toBeNull();
});

test("a name that is too long is not cut, but said to be", async () => {
  await openInvitation(mailless);
  const name = (await screen.findByLabelText("Name")) as HTMLInputElement;
  fireEvent.change(name, { target: { value: "n".repeat(101) } });
  expect(name.maxLength).toBeLessThan(0); // what is typed or pasted stays whole
  fireEvent.click(screen.getByRole("button", { name: "Invite" }));
  expect(await screen.findByText("Name may have at most 100 characters; this has 101.")).toBeTruthy();
});

test("a wrong address is corrected: an invitation is made anew, and one that somebody has is refused at the field", async () => {
  const invite = (email: string, name: string) => mailless.service.call("POST", "/v1/users", { email, name, roles: ["editor"] });
  await invite("jon@example.org", "Jon Doe");
  const { json } = await invite("an@example.org", "Ann Lee");
  const { user } = await openPage(mailless, "/settings/people");
  await user.click(await screen.findByRole("button", { name: "Change Ann Lee" }));
  const address = await screen.findByLabelText("E-mail");
  const enter = async (text: string) => {
    await user.clear(address);
    await user.type(address, text);
    await user.click(screen.getByRole("button", { name: "Save" }));
  };
  await enter("jon@example.org");
  expect(await screen.findByText("Somebody with this address is here already.")).toBeTruthy();
  expect(address.getAttribute("aria-invalid")).toBe("true");
  await enter("ann@example.org");
  const link = await screen.findByRole("region", { name: /^A link for Ann Lee/ });
  expect(link.querySelector("bdi")?.textContent).toBe("Ann Lee"); // a name from right to left leaves the sentence as it is
  expect((await mailless.service.call("GET", `/v1/users/${json.user.id}`)).json.email).toBe("ann@example.org");
});

test("a person keeps at least one role: to shut somebody out, the account is disabled", async () => {
  const { id, email } = await mailless.service.newPerson("editor");
  const { user } = await openPage(mailless, "/settings/people");
  const row = (await screen.findByText(email)).closest("tr") as HTMLElement;
  await user.click(within(row).getByRole("button", { name: /^Change / }));
  await user.click(await screen.findByRole("checkbox", { name: /^Editor/ }));
  await user.click(screen.getByRole("button", { name: "Save" }));
  expect(await screen.findByText("Choose at least one role. To shut this person out, disable the account.")).toBeTruthy();
  expect((await mailless.service.call("GET", `/v1/users/${id}`)).json.roles).toEqual(["editor"]);
});

test("attributes of a person are typed a value a line, and one that a role asks for is there to be filled in", async () => {
  const { id, email } = await mailless.service.newPerson("steward");
  await mailless.service.call("PATCH", `/v1/users/${id}`, { attributes: { unit: ["7"] } });
  const { user } = await openPage(mailless, "/settings/people");
  const row = (await screen.findByText(email)).closest("tr") as HTMLElement;
  await user.click(within(row).getByRole("button", { name: /^Change / }));
  const added = await screen.findByLabelText("New attribute");
  await user.type(added, "my regions{Enter}");
  expect(await screen.findByText("A name is a letter, then letters, digits and _.")).toBeTruthy();
  await user.clear(added);
  await user.type(added, "regions{Enter}");
  await user.type(await screen.findByLabelText("regions"), " north{Enter}west{Enter}north");
  await user.clear(screen.getByLabelText("unit"));
  await user.click(screen.getByRole("button", { name: "Save" }));
  const stored = async () => (await mailless.service.call("GET", `/v1/users/${id}`)).json.attributes;
  await expect.poll(stored).toEqual({ regions: ["north", "west"] });
});

test("who takes away their own right to administer is told what that means before they save", async () => {
  const { id, email, token } = await mailless.service.newPerson("administrator");
  const { user } = await openPage(mailless, "/settings/people", { token, owner: id });
  const row = (await screen.findByText(email)).closest("tr") as HTMLElement;
  await user.click(within(row).getByRole("button", { name: /^Change / }));
  const role = await screen.findByRole("checkbox", { name: /^Administrator/ });
  expect(screen.queryByText(/This is your own account/)).toBeNull();
  await user.click(role);
  expect(await screen.findByText(/This is your own account/)).toBeTruthy();
});

test("many people are found by the beginnings of words in names, addresses and roles", async () => {
  const names = [...Array.from({ length: 10 }, (_, i) => `Person ${i + 1}`), "Märta Ångström"];
  for (const [i, name] of names.entries())
    await mailless.service.call("POST", "/v1/users", { email: `p${i}@example.org`, name, roles: [i === 0 ? "viewer" : "editor"] });
  const { user } = await openPage(mailless, "/settings/people");
  const search = await screen.findByRole("searchbox", { name: "Find people" });
  const shown = () => screen.getAllByRole("button", { name: /^Change / }).map((button) => button.getAttribute("aria-label"));
  expect(shown().slice(-2)).toEqual(["Change Person 9", "Change Person 10"]);
  await user.type(search, "angs");
  await waitFor(() => expect(shown()).toEqual(["Change Märta Ångström"]));
  await user.clear(search);
  await user.type(search, "viewer per");
  await waitFor(() => expect(shown()).toEqual(["Change Person 1"]));
  await user.type(search, "x");
  expect(await screen.findByText("Nobody has a name, address or role like that.")).toBeTruthy();
  await user.clear(search);
  expect(document.activeElement).toBe(search); // it stays while everybody is read again
  await waitFor(() => expect(shown().length).toBeGreaterThan(10));
});

test("of more people than a page has, the rest is a press away", async () => {
  const app = await openTestApp();
  try {
    for (let i = 1; i <= 51; i++)
      await app.service.call("POST", "/v1/users", { email: `m${i}@example.org`, name: `Member ${i}`, roles: ["viewer"] });
    const { user } = await openPage(app, "/settings/people");
    const more = await screen.findByRole("button", { name: "Show more people" });
    const rows = () => screen.getAllByRole("row").length - 1;
    expect([rows(), screen.queryByText("50 of 51")]).toEqual([50, expect.anything()]);
    await user.click(more);
    await waitFor(() => expect(rows()).toBe(51));
    expect(screen.queryByRole("button", { name: "Show more people" })).toBeNull();
  } finally {
    await app.close();
  }
});

test("many roles are searched, and what is chosen stays in sight", async () => {
  const app = await openTestApp();
  try {
    for (let i = 1; i <= 8; i++) await app.service.call("POST", "/v1/roles", { name: `Team ${i}`, scope: "read" });
    const { user } = await openPage(app, "/settings/people");
    await user.click(await screen.findByRole("button", { name: "Invite someone" }));
    const dialog = within(await screen.findByRole("dialog"));
    expect(await dialog.findAllByRole("checkbox")).toHaveLength(13);
    expect(dialog.getByText("None is chosen.")).toBeTruthy();
    await user.type(dialog.getByLabelText("E-mail"), "t@example.org");
    await user.type(dialog.getByLabelText("Name"), "T");
    const search = dialog.getByRole("searchbox", { name: "Find roles" });
    await user.type(search, "team 7{Enter}");
    await user.click(dialog.getByRole("checkbox", { name: /^Team 7/ }));
    await user.clear(search);
    await user.type(search, "view");
    expect(dialog.getAllByRole("checkbox")).toHaveLength(1);
    expect(dialog.getByText("Chosen: Team 7")).toBeTruthy();
    await user.click(dialog.getByRole("button", { name: "Invite" }));
    await screen.findByRole("textbox", { name: "Link" });
    const [made] = (await app.service.call("GET", "/v1/users?q=team")).json.users;
    expect(made.email).toBe("t@example.org");
  } finally {
    await app.close();
  }
});

describe("beside another administrator", () => {
  let person: { id: string; path: string; name: string };
  const stored = async () => (await mailless.service.call("GET", person.path)).json;
  const elsewhere = (change: object) => mailless.service.call("PATCH", person.path, change);
  const ticked = (name: RegExp) => (screen.getByRole("checkbox", { name }) as HTMLInputElement).checked;
  const save = (user: UserEvent) => user.click(screen.getByRole("button", { name: "Save" }));
  let persons = 0;

  const openList = async (): Promise<UserEvent> => (await openPeople()).user;
  /** The page, whose list is as old as the roles that the person is made with. */
  async function openPeople(): Promise<Drawn> {
    persons += 1;
    const made = { email: `dora${persons}@example.org`, name: `Dora ${persons}`, roles: ["editor"] };
    const { id } = (await mailless.service.call("POST", "/v1/users", made)).json.user;
    person = { id, path: `/v1/users/${id}`, name: made.name };
    const drawn = await openPage(mailless, "/settings/people");
    await screen.findByRole("button", { name: `Change ${made.name}` });
    return drawn;
  }
  const openDialog = async (user: UserEvent) => {
    await user.click(screen.getByRole("button", { name: `Change ${person.name}` }));
    await screen.findByRole("dialog");
  };

  test("who corrects a name gives no role back that was taken away meanwhile", async () => {
    const user = await openList();
    await openDialog(user);
    await elsewhere({ roles: ["viewer"] });
    await user.type(screen.getByLabelText("Name"), " Berg");
    await save(user);
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(await stored()).toMatchObject({ name: `${person.name} Berg`, roles: ["viewer"] });
  });

  test("a dialog shows the roles of now, not those of a list that was read earlier", async () => {
    const user = await openList();
    await elsewhere({ roles: ["viewer"] });
    await openDialog(user);
    await waitFor(() => expect([ticked(/^Viewer/), ticked(/^Editor/)]).toEqual([true, false]));
    await user.click(screen.getByRole("checkbox", { name: /^Contributor/ }));
    await save(user);
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect((await stored()).roles).toEqual(["viewer", "contributor"]);
  });

  test("roles that somebody else has changed are not overwritten: they are shown, and chosen anew", async () => {
    const user = await openList();
    await openDialog(user);
    await user.click(screen.getByRole("checkbox", { name: /^Contributor/ }));
    await elsewhere({ roles: ["viewer"] });
    await save(user);
    expect(await screen.findByText(/^Somebody else has changed this meanwhile/)).toBeTruthy();
    expect((await stored()).roles).toEqual(["viewer"]);
    expect([ticked(/^Viewer/), ticked(/^Contributor/), ticked(/^Editor/)]).toEqual([true, false, false]);
    await user.click(screen.getByRole("checkbox", { name: /^Contributor/ }));
    await save(user);
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect((await stored()).roles).toEqual(["viewer", "contributor"]);
  });

  test.each([
    ["another field is kept", { name: "Dora Lund" }, ["editor", "contributor"], null],
    ["the same field is not overwritten", { roles: ["viewer"] }, ["viewer"], /^Somebody else has changed this meanwhile/],
  ])("what is changed after the dialog's last reading: %s", async (_, change, roles, notice) => {
    const { user, services } = await openPeople();
    await openDialog(user);
    await user.click(screen.getByRole("checkbox", { name: /^Contributor/ }));
    const { request } = services.client;
    let isFirst = true;
    services.client.request = async (method, ...rest) => {
      if (method === "PATCH" && isFirst) await elsewhere(change);
      if (method === "PATCH") isFirst = false;
      return request(method, ...rest);
    };
    await save(user);
    if (notice) expect(await screen.findByText(notice)).toBeTruthy();
    else await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(await stored()).toMatchObject({ ...change, roles });
  });
});
