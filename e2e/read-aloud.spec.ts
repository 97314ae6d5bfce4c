// Tests what a screen reader is given in the main journeys, sentence by sentence: roles, names and states in order.

import { expect, type Locator, type Page, test } from "@playwright/test";
import { openApi, signIn } from "./support/service.ts";

const main = (page: Page) => page.getByRole("main");

/** Every part that is named must be there in this order; what stands between them is free only within lists of choices. */
const hears = (place: Locator, tree: string) => expect(place).toMatchAriaSnapshot(tree);

test("sign-in and a list are read with what each thing is called", async ({ page }) => {
  const api = await openApi();
  const { json } = await api.call("POST", "/customers", { firstName: "Ada", lastName: "Readaloud", accountID: "RA-1" });
  await page.goto("/");
  await expect(page.getByRole("button", { name: "Sign in" })).toBeVisible();
  await hears(
    main(page),
    `
    - main:
      - heading "Sign in" [level=1]
      - textbox "API key"
      - button "Show"
      - text: From your administrator. It is not stored on this computer.
      - checkbox "Stay signed in until this tab closes"
      - button "Sign in"
    `,
  );
  await signIn(page, "/customers?q=Readaloud");
  await expect(page.getByRole("table", { name: "Customers" })).toBeVisible();
  await hears(
    page.locator("body"),
    `
    - link "Skip to the content"
    - banner:
      - navigation "Main":
        - button "Fold the sidebar"
        - button "Find or go to… Ctrl+K"
        - link "Start"
        - text: Records
        - link "Customers"
        - text: Files
        - link "Uploads"
        - link "Data dictionary"
        - link "Activity"
        - link "Settings"
        - button "ADMIN_KEY API key"
    `,
  );
  await hears(
    main(page),
    `
    - main:
      - heading "Customers" [level=1]
      - link "Upload a file"
      - link "New customer"
      - navigation "Views":
        - list:
          - listitem:
            - link "All"
        - button "Views"
      - search:
        - searchbox "Search": Readaloud
        - button "Filter"
        - button "Columns"
        - button "Export"
      - table "Customers":
        - rowgroup:
          - row:
            - columnheader "Select this page":
              - checkbox "Select this page"
            - columnheader "Last name":
              - button "Last name"
        - rowgroup:
          - row:
            - cell "Select Ada Readaloud":
              - checkbox "Select Ada Readaloud"
            - rowheader "Readaloud":
              - link "Readaloud"
            - cell "Ada"
            - cell "RA-1"
            - cell "${json.objectId}"
      - status: 1 customer
    `,
  );
});

test("a form says what is wrong, and leads there", async ({ page }) => {
  await signIn(page, "/customers/new");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("alert")).toBeFocused();
  await hears(
    main(page),
    `
    - main:
      - heading "New customer" [level=1]
      - paragraph: Fields marked * are required.
      - alert:
        - text: There are 2 problems.
        - list:
          - listitem:
            - button "Enter the last name."
          - listitem:
            - button "Enter the account ID."
      - textbox "First name"
      - textbox "Last name" [invalid]
      - text: /Enter the last name\\. The family name/
      - textbox "Account ID" [invalid]
      - text: /Enter the account ID\\. The account the customer belongs to/
      - textbox "Object ID"
      - button "Save"
      - button "More ways to save"
      - link "Cancel"
    `,
  );
  await expect(page.getByRole("textbox", { name: "Last name" })).toHaveAccessibleDescription(/^Enter the last name\. The family name/);
  await expect(page.getByRole("textbox", { name: "Last name" })).toHaveAttribute("aria-required", "true");
});

test("a file is read aloud from its columns to its report", async ({ page }) => {
  await signIn(page, "/customers/upload");
  const text = "objectId,firstName,lastName,accountID\n9981001,A,Aloud,1\n9981002,B,,2\n";
  await page.getByLabel("CSV file").setInputFiles({ name: "aloud.csv", mimeType: "text/csv", buffer: Buffer.from(text) });
  await expect(page.getByText("50 % filled")).toBeVisible();
  await hears(
    main(page),
    `
    - main:
      - 'heading "Upload customers : columns" [level=1]'
      - list "Steps":
        - listitem: File
        - listitem: Columns
        - listitem: Check
        - listitem: Upload
        - listitem: Report
      - text: aloud.csv 69 bytes Encoding
      - combobox "Encoding"
      - combobox "Separator"
      - combobox "Text quote"
      - combobox "Heading"
      - region "Columns of the file":
        - table "Columns":
          - rowgroup:
            - row:
              - columnheader "Column in the file"
              - columnheader "First rows"
              - columnheader "Field"
          - rowgroup:
            - row:
              - rowheader:
                - text: objectId
                - button "Change objectId"
                - group:
                  - 'img "Distribution: 9981001 1, 9981002 1"'
                  - text: 100 % filled · 2 values
              - cell "9981001 · 9981002"
              - cell:
                - combobox "Field for objectId"
      - group "What a row means":
        - radio /Add new ones only/ [checked]
        - radio /Add new ones and update existing ones/
        - radio /Update existing ones only/
      - button "Check"
      - button "Choose another file"
      - status: Nothing is stored yet.
    `,
  );
  await page.getByRole("button", { name: "Check" }).click();
  await expect(page.getByText("This is a preview by the service.")).toBeVisible();
  await hears(
    main(page),
    `
    - main:
      - 'heading "Upload customers : 1 row ready, 1 with problems" [level=1]'
      - list:
        - listitem: Would be created 1
        - listitem: With problems 1
      - paragraph: This is a preview by the service. Nothing is stored yet.
      - status: 1 would be created, 0 updated, 0 unchanged, 0 refused
      - region "Problems":
        - list:
          - listitem:
            - 'button "Leave out: Enter the last name."'
            - 'button "Show: Enter the last name."'
      - region "Rows with problems":
        - heading "Rows with problems" [level=2]
        - combobox "Kind of problem"
        - searchbox "Find in these rows"
        - grid "Rows with problems":
          - rowgroup:
            - row:
              - columnheader "Row"
              - columnheader "Last name , 1 problem"
              - columnheader "Object ID"
          - rowgroup:
            - row:
              - rowheader "2"
              - gridcell "missing" [invalid]
              - gridcell "9981002"
              - gridcell "B"
              - gridcell "2"
              - gridcell:
                - button "Leave out, row 2"
      - button "Upload 1 row"
    `,
  );
  await expect(page.getByRole("gridcell", { name: "missing" })).toHaveAccessibleDescription("Enter the last name.");
  await page.getByRole("button", { name: "Upload 1 row" }).click();
  await expect(page.getByRole("heading", { name: "Report" })).toBeFocused();
  await hears(
    main(page),
    `
    - main:
      - heading "Report" [level=1]
      - paragraph: The upload of aloud.csv
      - text: /1 of 2 rows are stored/
      - table "Outcomes":
        - rowgroup:
          - row:
            - rowheader "Created"
            - cell "1"
          - row:
            - rowheader "Not sent"
            - cell "1"
        - rowgroup:
          - row:
            - rowheader "Rows read"
            - cell "2"
      - heading "Rows not stored" [level=2]
      - region "Rows that were not stored":
        - table "Rows not stored":
          - rowgroup:
            - row:
              - columnheader "Row"
              - columnheader "Line"
              - columnheader "Outcome"
              - columnheader "Reason"
          - rowgroup:
            - row:
              - rowheader "2"
              - cell "3"
              - cell "Not sent"
              - cell "Enter the last name."
    `,
  );
});
