// Numbers that the service gives, keys of nineteen digits, and addresses without regard to case.

import { expect, test } from "@playwright/test";
import { type OwnService, startService } from "./support/own-service.ts";
import { openApi, signIn } from "./support/service.ts";

const PACKAGE = {
  title: "Club",
  resources: [
    {
      name: "members",
      title: "Members",
      noun: "member",
      label: ["name"],
      list: ["name", "number", "mail", "sap"],
      schema: {
        primaryKey: "id",
        fields: [
          { name: "id", title: "ID", type: "integer" },
          { name: "name", title: "Name", constraints: { required: true } },
          { name: "number", title: "Number", autoNumber: "M-{yyyy}-{000}" },
          { name: "mail", title: "Mail", format: "email", constraints: { unique: true, caseless: true } },
          { name: "sap", title: "SAP key", type: "integer", format: "big" },
        ],
      },
    },
  ],
};
const numbered = (n: number) => `M-${new Date().getUTCFullYear()}-00${n}`;

let service: OwnService;
test.beforeAll(async () => {
  service = await startService(undefined, { dataPackage: PACKAGE });
});
test.afterAll(() => service.remove());
const at = (path: string) => `http://127.0.0.1:${service.port}${path}`;
const all = async () =>
  (await (await openApi(service.port)).call("GET", "/members?sort=id&limit=50")).json.members as unknown as Record<string, string>[];

test("the form shows that the number comes by itself, and what is stored in other letters is named", async ({ page }) => {
  await signIn(page, at("/members/new"));
  await expect(page.getByLabel("Name", { exact: true })).toBeFocused();
  await expect(page.getByLabel("Number")).toHaveAttribute("readonly", "");
  await page.keyboard.type("Ida");
  await page.getByRole("textbox", { name: "Mail" }).fill("Ida@Example.org");
  await page.getByLabel("SAP key").fill("9223372036854775807");
  await page.keyboard.press("Control+s");
  await expect(page.getByLabel("Number")).toHaveValue(numbered(1));
  await signIn(page, at("/members/new"));
  await page.getByLabel("Name", { exact: true }).fill("Ida again");
  await page.getByRole("textbox", { name: "Mail" }).fill("IDA@EXAMPLE.ORG");
  await page.keyboard.press("Control+s");
  await expect(page.getByText("Mail must be unique").first()).toBeVisible();
  await page.getByRole("textbox", { name: "Mail" }).fill("other@example.org");
  await page.keyboard.press("Control+s");
  await expect(page.getByLabel("Number")).toHaveValue(numbered(2));
});

test("a row of the list and the change of many leave the number alone, and the key has every digit", async ({ page }) => {
  await (await openApi(service.port)).call("POST", "/members", { name: "Olga", sap: "9223372036854775807" });
  await signIn(page, at("/members?q=olga"));
  await expect(page.getByRole("cell", { name: "9223372036854775807" })).toBeVisible();
  await page.getByRole("checkbox", { name: "Select Olga", exact: true }).check();
  await page.getByRole("button", { name: "Change…" }).click();
  await expect(page.getByRole("dialog").getByLabel("Field", { exact: true }).locator("option")).toHaveText(["Name", "Mail", "SAP key"]);
});

test("a file's rows are numbered in their order, twins in other letters are found before, and its own numbers are taken", async ({
  page,
}) => {
  await signIn(page, at("/members/upload"));
  const rows = [
    "name,number,mail,sap",
    "Ulf,,ulf@example.org,1234567890123456789",
    "Uwe,M-2019-007,uwe@example.org,",
    "Ute,,ULF@example.org,",
    "Una,,una@example.org,-5",
  ];
  await page
    .getByLabel("CSV file")
    .setInputFiles({ name: "members.csv", mimeType: "text/csv", buffer: Buffer.from(`${rows.join("\n")}\n`) });
  await page.getByRole("button", { name: "Check" }).click();
  await page.getByRole("button", { name: /^Upload/ }).click();
  await expect(page.getByText("Mail must be unique").first()).toBeVisible();
  await expect.poll(async () => (await all()).filter(({ name }) => name?.startsWith("U")).length).toBe(3);
  const stored = (await all()).filter(({ name }) => name?.startsWith("U"));
  const first = Number(stored[0]?.number?.slice(-3));
  expect(stored.map(({ name, number, sap }) => [name, number, sap])).toEqual([
    ["Ulf", numbered(first), "1234567890123456789"],
    ["Uwe", "M-2019-007", null],
    ["Una", numbered(first + 1), "-5"],
  ]);
});
