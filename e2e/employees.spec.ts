// The app with another dictionary: employees instead of customers, with every kind of field.

import { readFile } from "node:fs/promises";
import { expect, test } from "@playwright/test";
import { PORTS } from "./support/ports.ts";
import { check, openApi, reported, signIn } from "./support/service.ts";

test.use({ baseURL: `http://127.0.0.1:${PORTS.staff}` });

test("an employee is added by form, with every kind of field", async ({ page }) => {
  await signIn(page, "/employees");
  await page.getByRole("link", { name: "New employee" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Adaeze Okafor");
  await page.getByRole("textbox", { name: "Age" }).fill("41");
  await page.getByLabel("Hired at").fill("2026-01-31T08:30:00");
  await page.getByLabel("Permanent").selectOption("Yes");
  await page.getByLabel("Location").selectOption("Kraków");
  await page.getByLabel("Contract").selectOption("Temporary");
  await page.getByLabel("Birthday").fill("1985-06-30");
  await page.getByRole("textbox", { name: "Salary" }).fill("4150.50");
  await page.getByRole("textbox", { name: "Badge" }).fill("NL-0042");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Adaeze Okafor" })).toBeVisible();
  const [employee] = await (await openApi(PORTS.staff)).all("employees", "adaeze");
  expect(employee).toMatchObject({
    age: 41,
    permanent: true,
    location: "Kraków",
    contract: "temp",
    birthday: "1985-06-30",
    salary: "4150.5",
    badge: "NL-0042",
    hiredatetime: "2026-01-31T07:30:00.000Z", // the browser is in Amsterdam
  });
});

test("an e-mail address, a phone number and notes of several lines are entered, and lead to what is done with them", async ({ page }) => {
  const api = await openApi(PORTS.staff);
  const { json } = await api.call("POST", "/employees", { name: "Formats Held", permanent: true });
  await signIn(page, `/employees/${json.id}`);
  await page.getByRole("textbox", { name: "E-mail" }).fill("held@");
  await expect(page.getByRole("link", { name: /^Write e-mail/ })).toBeHidden();
  await page.getByRole("textbox", { name: "E-mail" }).fill("müller@exämple.de");
  await expect(page.getByRole("link", { name: "Write e-mail: müller@exämple.de" })).toHaveAttribute("href", /^mailto:m%C3%BCller@/);
  await page.getByRole("textbox", { name: "Phone" }).fill("+31 (0)30 123 4567");
  await expect(page.getByRole("link", { name: /^Call/ })).toHaveAttribute("href", "tel:+31301234567");
  await page.getByRole("textbox", { name: "Notes" }).focus();
  await page.keyboard.type("first\nsecond");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("button", { name: /change/ })).toBeHidden();
  const now = async () => (await api.call("GET", `/employees/${json.id}`)).json;
  await expect.poll(async () => (await now()).notes).toBe("first\nsecond");
  expect(await now()).toMatchObject({ email: "müller@exämple.de", phone: "+31 (0)30 123 4567" });
});

test("a file's e-mail addresses lose their mailto: at a click, and its line breaks stay", async ({ page }) => {
  await signIn(page, "/employees/upload");
  await check(
    page,
    "formats.csv",
    'id,name,permanent,contract,email,phone,notes\n6101,Ana Format,true,Teilzeit,mailto:ana@example.com,\'+49 30 1234,"one\ntwo"\n6102,Bo Format,true,full,bo@example.com,030/1234,three\n',
  );
  await page.getByRole("button", { name: "Keep only the address or number" }).click();
  await page.getByRole("button", { name: "Upload" }).click();
  await expect(page.getByRole("heading", { name: "Report" })).toBeVisible();
  expect(await reported(page, "Created")).toBe(2);
  const api = await openApi(PORTS.staff);
  expect((await api.call("GET", "/employees/6101")).json).toMatchObject({
    contract: "part",
    email: "ana@example.com",
    phone: "+49 30 1234",
    notes: "one\ntwo",
  });
});

test("a file's problems name bounds as the reader writes them, also in the file of rows that were not stored", async ({ page }) => {
  await signIn(page, "/employees/upload");
  await check(
    page,
    "bounds.csv",
    "id,name,permanent,birthday,begins,firstyear\n6201,Ana Bound,true,1899-12-31,08:30,2019\n6202,Bo Bound,true,1985-06-30,6:30 PM,1949\n6203,Cy Bound,true,,04:00,\n6204,Di Bound,true,,05:00,\n",
  );
  const problem = (text: RegExp) => page.getByText(text).first();
  await expect(problem(/Birthday must be Jan 1, 1900 or later\./)).toBeVisible();
  await expect(problem(/First year of service must be 1950 or later\./)).toBeVisible();
  await expect(problem(/Work begins must be 5:00\sAM or later\./)).toBeVisible();
  await page.getByRole("button", { name: /Hours with am or pm/ }).click();
  await expect(page.getByText(/Work begins must be a time of day/)).toHaveCount(0);
  await page.getByRole("button", { name: "Upload" }).click();
  await expect(page.getByRole("heading", { name: "Report" })).toBeVisible();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download rows not stored", exact: true }).click(),
  ]);
  const file = await readFile(await download.path(), "utf8");
  expect(file).toMatch(/Birthday must be Jan 1, 1900 or later\./);
  expect(file).toMatch(/Work begins must be 5:00\sAM or later\./);
});

test("a time of day is typed in any way and shown in one, in the form, the list and a filter", async ({ page }) => {
  const api = await openApi(PORTS.staff);
  await page.addInitScript((token) => sessionStorage.setItem("intake.token", token), api.token);
  await page.goto("/employees/new");
  await page.getByRole("textbox", { name: "Name" }).fill("Early Bird");
  await page.getByLabel("Permanent").selectOption("Yes");
  await page.getByRole("textbox", { name: "Work begins" }).fill("645");
  await expect(page.getByText("Read as 6:45 AM")).toBeVisible();
  await page.getByRole("textbox", { name: "First year of service" }).fill("85");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("First year of service must be a year of four digits, such as 2019.").first()).toBeVisible();
  await page.getByRole("textbox", { name: "First year of service" }).fill("1985");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Early Bird" })).toBeVisible();
  const [employee] = await api.all("employees", "early bird");
  expect(employee).toMatchObject({ begins: "06:45:00", firstyear: 1985 });
  await page.goto("/employees?begins[lt]=07:00:00&columns=name,begins,firstyear");
  await expect(page.getByRole("row", { name: /Early Bird/ })).toContainText(/6:45\sAM/);
  await expect(page.getByText(/before 7:00\sAM/)).toBeVisible();
});

test("an employee whose badge is taken is refused in a file, and the others are stored", async ({ page }) => {
  await signIn(page, "/employees/upload");
  await check(
    page,
    "employees.csv",
    "id;name;age;Hired at;permanent;location;badge\n5001;Ana Poe;30;2026-01-01T00:00:00Z;TRUE;Lagos;LA-0001\n5002;Bo Poe;31;;false;Seoul;LA-0001\n5003;Cy Poe;12;;true;;\n",
  );
  await page.getByRole("button", { name: "Upload" }).click();
  await expect(page.getByRole("heading", { name: "Report" })).toBeVisible();
  expect(await reported(page, "Created")).toBe(1);
  expect(await reported(page, "Failed")).toBe(1);
  expect(await reported(page, "Not sent")).toBe(1);
});

test("a user who goes through every field without typing changes nothing", async ({ page }) => {
  const api = await openApi(PORTS.staff);
  const hired = { hiredatetime: "2026-01-31T08:30:00Z", birthday: "1985-06-30" };
  const { json } = await api.call("POST", "/employees", { name: "Tabbed Through", permanent: true, salary: 4150.5, ...hired });
  await signIn(page, `/employees/${json.id}`);
  await page.getByRole("textbox", { name: "Name" }).focus();
  for (let i = 0; i < 24; i++) await page.keyboard.press("Tab"); // a date input has several tab stops
  await expect(page.getByRole("button", { name: /change/ })).toBeHidden();
  await page.getByRole("link", { name: "Cancel" }).click();
  await expect(page.getByRole("heading", { name: "Employees" })).toBeVisible();
});

test("the problems of a long form come into sight each time that it is not saved", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 700 });
  await signIn(page, "/employees/new");
  const save = page.getByRole("button", { name: "Save", exact: true });
  const problems = page.getByRole("alert").filter({ hasText: "There are 2 problems." });
  for (const _ of ["first", "again"]) {
    await save.click(); // at the end of the form
    await expect(problems).toBeFocused();
    await expect(problems).toBeInViewport();
  }
});

test("the notice of a long form is as wide as its fields", async ({ page }) => {
  await signIn(page, "/employees/new");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  const widths = [page.getByRole("alert").filter({ hasText: "problems" }), page.getByRole("textbox", { name: "Notes" })].map((one) =>
    one.evaluate((element) => element.getBoundingClientRect().width),
  );
  const [notice, longest] = await Promise.all(widths);
  expect(notice).toBe(longest);
});

test("a deletion that comes by itself is in sight at the end of a long form, and is not undone by somebody who has not seen it", async ({
  page,
}) => {
  const api = await openApi(PORTS.staff);
  const employee = async () => (await api.call("POST", "/employees", { name: "Deleted Meanwhile", permanent: true })).json.id;
  const open = async (id: unknown) => {
    let reads = 0;
    page.on("response", (response) => {
      if (new URL(response.url()).pathname === `/v1/employees/${id}`) reads += 1;
    });
    await signIn(page, `/employees/${id}`);
    await expect.poll(() => reads).toBeGreaterThan(1); // once more when following has begun
  };
  const type = (name: string, text: string) => page.getByRole("textbox", { name }).fill(text);
  const gone = page.getByRole("alert").filter({ hasText: "deleted this employee" });
  page.on("dialog", (dialog) => dialog.accept());

  await page.setViewportSize({ width: 1280, height: 600 });
  const first = await employee();
  await open(first);
  await type("Notes", "typed");
  await page.getByRole("textbox", { name: "Notes" }).press("End");
  await api.call("DELETE", `/employees/${first}`);
  await expect(gone).toBeInViewport({ ratio: 1 });
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Saved.")).toBeVisible();

  await page.setViewportSize({ width: 390, height: 250 }); // as at 400 %, where no bar sticks
  const second = await employee();
  await open(second);
  await type("Name", "Typed");
  await api.call("DELETE", `/employees/${second}`);
  await expect(gone).toBeAttached();
  await expect(gone).not.toBeInViewport();
  await page.keyboard.press("Control+s");
  await expect(gone).toBeFocused();
  await expect(gone).toBeInViewport({ ratio: 1 });
  expect((await api.call("GET", `/employees/${second}`)).status).toBe(404);
  await page.keyboard.press("Control+s");
  await expect(page.getByText("Saved.")).toBeVisible();
});

test("one record after the other is saved by mouse, though a toast says that the last one is", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  const { token } = await openApi(PORTS.staff);
  await page.addInitScript((text) => {
    sessionStorage.setItem("intake.token", text);
    localStorage.setItem("intake.settings", JSON.stringify({ language: "de" }));
  }, token);
  await page.goto("/employees/new");
  for (const name of ["Erika Eins", "Zoe Zwei"]) {
    await page.getByRole("textbox", { name: "Name" }).fill(name);
    await page.getByLabel("Permanent").selectOption({ index: 1 });
    for (const step of [
      page.getByRole("button", { name: "Weitere Arten zu speichern" }),
      page.getByRole("menuitem", { name: "Speichern und neu" }),
    ]) {
      const place = await step.boundingBox();
      await page.mouse.click((place?.x ?? 0) + 12, (place?.y ?? 0) + 20); // where it is, whatever lies over it
    }
    await expect(page.getByText(`${name} ist gespeichert.`)).toBeVisible();
  }
});

test("a notice that is taller than the window is shown from its beginning", async ({ page }) => {
  await signIn(page, "/employees/new");
  await page.setViewportSize({ width: 320, height: 256 }); // a page at 400 %
  for (const name of ["Age", "Workload", "Salary"]) await page.getByRole("textbox", { name }).fill("x");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  const notice = page.getByRole("alert").filter({ hasText: "There are 5 problems." });
  await expect(notice).toBeFocused();
  await expect(notice.getByText("There are 5 problems.")).toBeInViewport({ ratio: 1 });
});

test("dates are typed and pasted in the form in which people write them, and what is none is named", async ({ page }) => {
  await signIn(page, "/employees/new");
  await page.getByRole("textbox", { name: "Name" }).fill("Typed Dates");
  await page.getByLabel("Permanent").selectOption("Yes");
  const birthday = page.getByRole("textbox", { name: "Birthday" });
  await birthday.fill("30.6.85");
  await expect(page.getByText("Read as Sunday, June 30, 1985")).toBeVisible();
  await birthday.fill("31.2.1985");
  await page.getByRole("textbox", { name: "Hired at" }).fill("31.01.2026 08:30");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("textbox", { name: "Hired at" })).toHaveValue(/^1\/31\/2026 8:30\sAM$/);
  await expect(page.getByText("Birthday: the calendar has no 31.2.1985.")).toBeVisible();
  await birthday.fill("06/05/1985");
  await expect(page.getByText("Read as Wednesday, June 5, 1985, month first")).toBeVisible();
  await page.keyboard.press("ControlOrMeta+s");
  await expect(page.getByRole("heading", { name: "Typed Dates" })).toBeVisible();
  const [employee] = await (await openApi(PORTS.staff)).all("employees", "typed dates");
  expect(employee).toMatchObject({ birthday: "1985-06-05", hiredatetime: "2026-01-31T07:30:00.000Z" }); // the browser is in Amsterdam
  await expect(birthday).toHaveValue("6/5/1985");
  await expect(page.getByText(/Read as/)).toBeHidden(); // of what is stored nobody asks
  await birthday.focus();
  await page.keyboard.press("Alt+ArrowDown"); // the picker, and not the next record
  await page.keyboard.press("Escape");
  await expect(page.getByRole("heading", { name: "Typed Dates" })).toBeVisible();
});

test("a German app has German dates in form and cell, each a single stop of Tab", async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem("intake.settings", JSON.stringify({ language: "de", locale: "de-DE" })));
  const api = await openApi(PORTS.staff);
  const { json } = await api.call("POST", "/employees", { name: "Datum Deutsch", permanent: true, birthday: "1980-03-14" });
  await page.addInitScript((token) => sessionStorage.setItem("intake.token", token), api.token);
  await page.goto(`/employees/${json.id}`);
  const birthday = page.getByRole("textbox", { name: "Birthday" });
  await expect(birthday).toHaveValue("14.03.1980");
  await birthday.fill("9.3.81");
  await expect(page.getByText("Gelesen als Montag, 9. März 1981")).toBeVisible();
  await birthday.press("Tab");
  expect(await page.evaluate(() => document.activeElement?.getAttribute("name"))).toMatch(/./); // another input, not the button
  await page.keyboard.press("ControlOrMeta+s");
  await expect.poll(async () => (await api.call("GET", `/employees/${json.id}`)).json.birthday).toBe("1981-03-09");
  await page.goto("/employees?q=Datum&columns=name,birthday");
  await expect(page.getByRole("cell", { name: "09.03.1981" })).toBeVisible();
  await page.getByRole("link", { name: "Datum Deutsch" }).focus();
  await page.keyboard.press("F2");
  await page.getByRole("textbox", { name: "Birthday" }).fill("10.3.81");
  await page.keyboard.press("Enter");
  await expect.poll(async () => (await api.call("GET", `/employees/${json.id}`)).json.birthday).toBe("1981-03-10");
});

test("a date that is pasted by keyboard is read in every browser", async ({ page }) => {
  await signIn(page, "/employees/new");
  await page.getByRole("textbox", { name: "Name" }).focus();
  await page.keyboard.type("30.06.1985");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.press("ControlOrMeta+x");
  await page.getByLabel("Birthday").focus();
  await page.keyboard.press("ControlOrMeta+v");
  await page.keyboard.press("Tab");
  await expect(page.getByLabel("Birthday")).toHaveValue("6/30/1985");
});

test("the readings of a date with its time, and what wrong values become, are read whole on a phone", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await signIn(page, "/employees/upload");
  await check(page, "times.csv", "id,name,permanent,hiredatetime,location\n7101,Ann,true,03/04/2026 09:05,Mars\n7102,Bo,true,,Pluto\n");
  const question = page.getByRole("group", { name: /^“03\/04\/2026 09:05” in 1 row/ });
  await expect(question.getByRole("button", { name: "Day, month, year, time zone Central European Time" })).toHaveText(
    /^Apr 3, 2026, 9:05 AM/,
  );
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  const cut = await question.getByRole("button").evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).length);
  expect(cut).toBe(0);
  await page.getByRole("button", { name: /^Values: Location/ }).click();
  const choice = page.getByLabel("What “Pluto” becomes");
  // It is as wide as the select would be for its own words, within what is seen of the table.
  const widths = await choice.evaluate((select: HTMLSelectElement) => {
    const { width, right } = select.getBoundingClientRect();
    const seen = select.closest("section")?.getBoundingClientRect().right ?? 0;
    select.style.width = "auto";
    const words = [...select.options].filter(({ text }) => text !== "stays as it is");
    for (const option of words) option.remove();
    return { width, words: select.getBoundingClientRect().width, isSeen: right <= seen };
  });
  expect(widths.width).toBeGreaterThanOrEqual(widths.words);
  expect(widths.isSeen).toBe(true);
});
