import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import type { RecipeInfo } from "../../../core/contract/recipes.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { withFileParents } from "../../../core/dictionary/file-parents.ts";
import { withLookups } from "../../../core/dictionary/lookups.ts";
import type { Loss } from "../../../pipeline/correction/correction-state.ts";
import { inspectFile } from "../../../pipeline/inspection/inspect-file.ts";
import type { Plan } from "../../../pipeline/model/plan.ts";
import { rowsXml, xlsxFile } from "../../../pipeline/testing/workbooks.ts";
import { createKeys } from "../../../server/people/auth/api-keys.ts";
import { drawPart, openTestApp, type TestApp } from "../../testing/test-app.tsx";
import type { UploadManager } from "../manager/upload-manager.ts";
import { ColumnsStep } from "./columns-step.tsx";
import { FirstRows } from "./dialect.tsx";
import { ColumnNotes } from "./file-notes.tsx";

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

interface Corrected {
  hasCorrections?: boolean;
  loss?: Loss;
}

/** The step of a file that was chosen; what the user asks of the worker is in `asked`. */
async function draw(content: string | Uint8Array<ArrayBuffer>, corrected: Corrected = {}, key = app.key) {
  const file = new File([content], "customers.csv");
  const inspection = await inspectFile(file, app.collection);
  const plan = { dialect: inspection.dialect, columns: inspection.columns, mode: "create" as const };
  const columns = { step: "columns" as const, inspection, ...corrected };
  const drawn = await drawPart(app, <ColumnsStep collection={app.collection} columns={columns} plan={plan} />, key);
  drawn.services.uploadManager.inspect(file, app.collection);
  drawn.services.uploadManager.choose(plan);
  drawn.worker.post({ type: "state", state: columns });
  await waitFor(() => expect(drawn.services.uploadManager.state().upload?.step).toBe("columns"));
  const asked = () => drawn.worker.commands.flatMap((command) => (command.type === "check" ? command : []));
  return { ...drawn, asked, press: (name: string) => drawn.user.click(screen.getByRole("button", { name })) };
}

const FILE = "Surname,Account,Shoe size\nÅngström,0073,42\n";

test("rows are not matched by a field whose column was taken from the file's columns", async () => {
  const orders = await openTestApp("core/dictionary/orders.example.json");
  onTestFinished(orders.close);
  const { collection } = orders;
  const inspection = await inspectFile(new File(["objectId,accountNumber,name\n1,A-1,Zoë\n"], "customers.csv"), collection);
  const plan = { dialect: inspection.dialect, columns: ["objectId", null, "name"], mode: "update" as const, matchBy: "accountNumber" };
  const step = (now: Plan) => <ColumnsStep collection={collection} columns={{ step: "columns", inspection }} plan={now} />;
  const { services } = await drawPart(orders, step(plan));
  await waitFor(() => expect(services.uploadManager.state().plan).toEqual({ ...plan, matchBy: undefined }));
});

test("a column for a reference whose cells are no keys is said to need them, and the parent's other value is offered", async () => {
  const orders = await openTestApp("core/dictionary/orders.example.json");
  onTestFinished(orders.close);
  const collection = withLookups(orders.service.collections.find(({ name }) => name === "contacts") as Collection);
  const columnsOf = async (text: string) => {
    const inspection = await inspectFile(new File([text], "contacts.csv"), collection);
    const plan = { dialect: inspection.dialect, columns: inspection.columns, mode: "create" as const };
    return { plan, part: <ColumnsStep collection={collection} columns={{ step: "columns", inspection }} plan={plan} /> };
  };
  const hint = "Customer needs the number of the record, such as 100482.";
  const named = await columnsOf("Name,Customer\nZoë,K-1\nMax,00071\nJo,\n");
  const { services, user } = await drawPart(orders, named.part);
  services.uploadManager.choose(named.plan);
  expect(screen.getByText(new RegExp(hint))).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Use Customer: Account number for Customer" }));
  expect(services.uploadManager.state().plan?.columns).toEqual(["name", "customer.accountNumber"]);
  cleanup();
  await drawPart(orders, (await columnsOf("Name,Customer\nZoë,7\nMax,n/a\n")).part);
  expect(screen.queryByText(new RegExp(hint))).toBeNull();
});

test("a column that tells of a parent goes nowhere while none says which parent that is, and the file is not checked", async () => {
  const orders = await openTestApp("core/dictionary/orders.example.json");
  onTestFinished(orders.close);
  const known = { collections: orders.service.collections, mayCreate: () => true };
  const contacts = orders.service.collections.find(({ name }) => name === "contacts") as Collection;
  const fields = contacts.fields.map((field) => ({ ...field, required: field.name === "name" })); // no contact needs a customer
  const collection = withFileParents({ ...contacts, fields }, known);
  const inspection = await inspectFile(new File(["Name,Firm,Number\nZoë,Acme,K-1\n"], "contacts.csv"), collection);
  const plan = { dialect: inspection.dialect, columns: ["name", "customer.name", null], mode: "create" as const };
  const step = (now: Plan) => <ColumnsStep collection={collection} columns={{ step: "columns", inspection }} plan={now} />;
  const { user, services } = await drawPart(orders, step(plan));
  const check = vi.spyOn(services.uploadManager, "check").mockImplementation(() => undefined);
  expect(screen.getByRole("alert").textContent).toContain("“Firm” cannot be stored: no column says which record Customer means.");
  expect(screen.getByRole("alert").textContent).toContain("Customer, Customer: Account number");
  await user.click(screen.getByRole("button", { name: "Check" }));
  expect([document.activeElement, check.mock.calls.length]).toEqual([screen.getByRole("alert"), 0]);
  cleanup();
  const again = await drawPart(orders, step({ ...plan, columns: ["name", "customer.name", "customer.accountNumber"] }));
  const sent = vi.spyOn(again.services.uploadManager, "check").mockImplementation(() => undefined);
  expect(screen.queryByRole("alert")).toBeNull();
  await again.user.click(screen.getByRole("button", { name: "Check" }));
  expect(sent).toHaveBeenCalledTimes(1);
});

describe("the step that matches columns", () => {
  test("proposes a field for each column it knows, and shows what stands in the column", async () => {
    await draw(FILE);
    const field = (column: string) => screen.getByRole("combobox", { name: `Field for ${column}` }) as HTMLSelectElement;
    expect([field("Surname").value, field("Account").value, field("Shoe size").value]).toEqual(["lastName", "accountID", ""]);
    expect(
      within(within(screen.getByRole("table", { name: "Columns" })).getByRole("row", { name: /^Surname/ })).getByText("Ångström"),
    ).toBeTruthy();
  });

  test("names a required field that has no column, and does not go on without it", async () => {
    const { press, asked } = await draw("Surname\nÅngström\n");
    expect(screen.getByRole("alert").textContent).toContain("Account ID");
    await press("Check");
    expect(document.activeElement).toBe(screen.getByRole("alert"));
    expect(asked()).toEqual([]);
  });

  test("does not go on while it is not known in which encoding the file was saved", async () => {
    const possessive = new Uint8Array(Array.from("Surname,Account\nBob\x92s,A1\n", (character) => character.charCodeAt(0)));
    const { press, asked, services } = await draw(possessive);
    const question = screen.getByText("In which encoding was this file saved?").parentElement as HTMLElement;
    await press("Check");
    expect([document.activeElement, asked()]).toEqual([question, []]);
    expect(screen.getByRole("button", { name: "Check" }).getAttribute("aria-disabled")).toBe("true");
    expect(screen.getByText("Choose the encoding above. Then the file can be checked.")).toBeTruthy();
    fireEvent.click(within(question).getByRole("button", { name: /^Windows-1252, Western: Bob’s/ }));
    expect(services.uploadManager.state().choices).toEqual({ encoding: "windows-1252" });
  });

  test("counts in one line the fields without a column, and names them all on demand", async () => {
    const { collection } = app;
    const fields = ["Phone", "City", "Street", "Country", "Website"].map((title) => ({ ...collection.key, name: title, title }));
    const wide = { ...collection, fields: [...collection.fields, ...fields] };
    await drawPart(app, <ColumnNotes collection={wide} header={["lastName"]} columns={["lastName"]} mode="create" />);
    expect(screen.getByText("Without a column: Object ID, First name, Phone, City, Street and 2 more.").tagName).toBe("SUMMARY");
    expect(screen.getByRole("group").textContent).toMatch(/Country, Website$/);
    cleanup();
    await drawPart(app, <ColumnNotes collection={collection} header={["lastName"]} columns={["lastName"]} mode="create" />);
    expect(screen.getByText("Without a column: Object ID, First name.").closest("details")).toBeNull();
  });

  test("says that rows cannot update anything where no column has their key", async () => {
    await draw(FILE);
    const hint = () => screen.getByRole("radio", { name: /^Add new ones and update/ }).closest("label")?.textContent;
    expect(hint()).toContain("No column is matched with Object ID, so each row adds a new customer.");
    cleanup();
    await draw("Object ID,Surname,Account\n7,Ångström,0073\n");
    expect(hint()).toContain("A row whose Object ID is taken updates that customer. An empty cell leaves the stored value as it is.");
  });

  test("says that a recipe was deleted meanwhile, and offers it no more", async () => {
    const recipe = { collection: "customers", name: "Monthly", headings: ["Surname", "Account", "Shoe size"], content: {} };
    const { json } = await app.service.call("POST", "/v1/recipes", recipe);
    await draw(FILE);
    const use = await screen.findByRole("button", { name: "Use the recipe" });
    await app.service.call("DELETE", `/v1/recipes/${json.id}`);
    use.click();
    expect((await screen.findByRole("alert")).textContent).toContain("The recipe “\u2068Monthly\u2069” was deleted meanwhile.");
    await waitFor(() => expect(screen.queryByRole("button", { name: "Use the recipe" })).toBeNull());
  });

  describe("with a recipe", () => {
    const button = (name: string) => screen.getByRole<HTMLButtonElement>("button", { name });
    let recipe: Pick<RecipeInfo, "id" | "version">;
    beforeAll(async () => {
      const headings = ["Surname", "Account", "Shoe size"];
      const content = {
        form: 1,
        mode: "create",
        choices: {},
        columns: ["accountID", "lastName", null],
        autoFixes: [],
        leftOutGroups: [],
        values: [],
      };
      ({ json: recipe } = await app.service.call("POST", "/v1/recipes", { collection: "customers", name: "Swapped", headings, content }));
    });
    afterAll(() => app.service.call("DELETE", `/v1/recipes/${recipe.id}`));

    test("waits for it before the file is checked, and says so", async () => {
      const { services } = await draw(FILE);
      (await screen.findByRole("button", { name: "Use the recipe" })).click();
      await screen.findByText("The recipe is being fetched. Then the file can be checked.");
      expect(button("Check").getAttribute("aria-disabled")).toBe("true");
      await waitFor(() =>
        expect(services.uploadManager.state().plan).toMatchObject({ recipe: "Swapped", columns: ["accountID", "lastName", null] }),
      );
      await waitFor(() => expect(button("Check").getAttribute("aria-disabled")).toBe("false"));
    });

    test("goes on without it for whoever takes none while it is being fetched", async () => {
      const { services, queries } = await draw(FILE);
      (await screen.findByRole("button", { name: "Use the recipe" })).click();
      await screen.findByText("The recipe is being fetched. Then the file can be checked.");
      fireEvent.change(screen.getByRole("combobox", { name: "Recipe" }), { target: { value: "" } });
      await waitFor(() => expect([queries.isMutating(), button("Check").getAttribute("aria-disabled")]).toEqual([0, "false"]));
      expect(services.uploadManager.state().plan?.recipe).toBeUndefined();
      expect(screen.queryByRole("alert")).toBeNull();
    });

    test.each([
      ["the check began", ({ check }: UploadManager) => check()],
      ["another file was opened", ({ inspect }: UploadManager) => inspect(new File(["Name\nx\n"], "other.csv"), app.collection)],
    ])("is as it was when the recipe comes after %s", async (_, go) => {
      const { services, queries } = await draw(FILE);
      (await screen.findByRole("button", { name: "Use the recipe" })).click();
      go(services.uploadManager);
      const { plan } = services.uploadManager.state();
      await waitFor(() => expect(queries.getQueryData(["recipe", recipe.id, recipe.version])).toBeTruthy());
      await waitFor(() => expect(queries.isMutating()).toBe(0));
      expect(services.uploadManager.state().plan).toEqual(plan);
    });
  });

  test("goes on to the check when every required field has its column", async () => {
    const { press, asked } = await draw(FILE);
    await press("Check");
    await waitFor(() => expect(asked()).toMatchObject([{ isAgreed: false, plan: { columns: ["lastName", "accountID", null] } }]));
  });
});

const ROWS = [["Customers of the north"], ["2026"], ["lastName", "accountID"], ["Ångström", "0073"], ["Berg", "0074"]];

test.each([
  ["lines of a text file", new File([ROWS.join("\n")], "customers.csv"), "Lines above line 3 are left out."],
  ["rows of a spreadsheet", xlsxFile([{ name: "Sheet1", xml: rowsXml(ROWS) }]), "Rows above row 3 are left out."],
])("the first rows say what stands above the heading: %s", async (_, file, note) => {
  await drawPart(app, <FirstRows inspection={await inspectFile(file, app.collection)} />);
  expect(screen.getByText(note)).toBeTruthy();
});

test.each([
  ["customers:create", ["create"]],
  ["customers:update", ["update"]],
  ["customers:create customers:update", ["create", "upsert", "update"]],
])("whoever has the scope %s may choose %j, and has chosen the first of them", async (scope, modes) => {
  const { services } = await draw(FILE, {}, await createKeys(app.service.store).create(scope));
  await waitFor(() => expect(screen.getAllByRole("radio")).toHaveLength(modes.length));
  await waitFor(() => expect(services.uploadManager.state().plan?.mode).toBe(modes[0]));
});

describe("the question before corrections are lost", () => {
  const question = () => screen.findByRole("dialog", { name: "Check the file and lose corrections?" });

  test("says how many cells and rows it is about", async () => {
    await draw(FILE, { hasCorrections: true, loss: { cells: 2, rows: 1 } });
    expect((await question()).textContent).toMatch(/2 .*cells.* 1 row/);
  });

  test("is answered by Stay without checking anything, and does not come back", async () => {
    const { press, asked } = await draw(FILE, { hasCorrections: true, loss: { cells: 2, rows: 0 } });
    await question();
    await press("Cancel");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(asked()).toEqual([]);
  });

  test("is answered by checking all the same", async () => {
    const { press, asked } = await draw(FILE, { hasCorrections: true, loss: { cells: 0, rows: 3 } });
    await question();
    await press("Check and discard");
    await waitFor(() => expect(asked()).toMatchObject([{ isAgreed: true }]));
  });
});

describe("choosing another file", () => {
  test("asks first when something was corrected, and Stay keeps the file", async () => {
    const { press, services } = await draw(FILE, { hasCorrections: true });
    await press("Choose another file");
    expect(await screen.findByRole("dialog", { name: "Choose another file?" })).toBeTruthy();
    await press("Cancel");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(services.uploadManager.state().fileName).toBe("customers.csv");
  });

  test("forgets the file when told to", async () => {
    const { press, services } = await draw(FILE, { hasCorrections: true });
    await press("Choose another file");
    await press("Choose another");
    expect(services.uploadManager.state().fileName).toBeUndefined();
  });

  test("asks nothing when nothing was corrected", async () => {
    const { press, services } = await draw(FILE);
    await press("Choose another file");
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(services.uploadManager.state().fileName).toBeUndefined();
  });
});

test("of JSON Lines the keys are the columns, and nothing about separators is asked", async () => {
  await draw('{"Surname":"Ångström","accountID":"0073"}\n');
  expect(screen.getByText("JSON Lines: each line is a record")).toBeDefined();
  expect(screen.queryByRole("combobox", { name: /Separator/ })).toBeNull();
  expect(screen.getAllByText("Ångström").length).toBeGreaterThan(0);
});
