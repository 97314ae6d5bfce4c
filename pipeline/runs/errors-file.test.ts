import { describe, expect, test } from "vitest";
import { NO_CORRECTIONS } from "../model/corrections.ts";
import { OutcomeLog } from "../model/outcomes.ts";
import type { Plan } from "../model/plan.ts";
import { createService, customers, fileOf, jobFor } from "../testing/fake-service.ts";
import { makeErrorsFile } from "./errors-file.ts";
import { runInspection, runUpload } from "./run-upload.ts";

const FILE = 'Object ID;Last name;Account ID;Fax\r\n1;Ann;A;"1;2"\r\n007;Bob;B;\r\n\r\n3;"Smith, ""Jo""";C;=1+1\r\n4;;D;x\r\n';

async function planOf(file: File): Promise<Plan> {
  const inspection = await runInspection(file, customers);
  if (inspection.step !== "columns") throw new Error(inspection.step);
  return { dialect: inspection.inspection.dialect, columns: inspection.inspection.columns, mode: "create" };
}

async function uploaded(file: File, plan: Plan): Promise<OutcomeLog> {
  const outcomeLog = new OutcomeLog();
  const service = createService({ reject: ({ objectId }) => (objectId === 3 ? "Not today." : undefined) });
  for await (const _ of runUpload({ ...jobFor(file, service), plan, outcomeLog }));
  return outcomeLog;
}

describe("the errors file", () => {
  test("after a check has the rows that fail it, as they were, with reason and row", async () => {
    const file = fileOf(FILE);
    const blob = await makeErrorsFile(file, customers, await planOf(file));
    expect(await blob.text()).toBe(
      "Why not stored;Row in the file;Object ID;Last name;Account ID;Fax\r\n" +
        '"Object ID must be a whole number without separators or leading zeros, such as 100482.";2;007;Bob;B;\r\n' +
        "Enter the last name.;4;4;;D;x\r\n",
    );
    expect([...new Uint8Array(await blob.arrayBuffer())].slice(0, 3)).toEqual([0xef, 0xbb, 0xbf]); // for Excel
  });

  test("after an upload also has what the service refused, in the order of the file", async () => {
    const file = fileOf(FILE);
    const plan = await planOf(file);
    const text = await (await makeErrorsFile(file, customers, plan, await uploaded(file, plan))).text();
    expect(text.split("\r\n").slice(1, -1)).toEqual([
      '"Object ID must be a whole number without separators or leading zeros, such as 100482.";2;007;Bob;B;',
      'Not today.;3;3;"Smith, ""Jo""";C;\'=1+1',
      "Enter the last name.;4;4;;D;x",
    ]);
  });

  test("of a file with a separator that spreadsheets do not know has commas", async () => {
    const file = fileOf("Object_ID Last_name Account_ID\n1 Ann A\n007 Bob B\n2 Cy C\n");
    const { dialect } = await planOf(file);
    const named: Plan = { dialect: { ...dialect, delimiter: " " }, columns: ["objectId", "lastName", "accountID"], mode: "create" };
    expect(await (await makeErrorsFile(file, customers, named)).text()).toBe(
      "Why not stored,Row in the file,Object_ID,Last_name,Account_ID\r\n" +
        '"Object ID must be a whole number without separators or leading zeros, such as 100482.",2,007,Bob,B\r\n',
    );
  });

  test("of a file in another encoding, with bars and titles, has its rows and reads the same again", async () => {
    const text = 'List of May\n\nObject ID|Last name|Account ID|Fax\n1|J\xf6rg|A|1\n007|M\xe4rta|B|"1|2"\n';
    const file = fileOf(new Uint8Array(Array.from(text, (letter) => letter.charCodeAt(0))));
    const first = await makeErrorsFile(file, customers, await planOf(file));
    const words = "Object ID must be a whole number without separators or leading zeros, such as 100482.";
    expect(await first.text()).toBe(
      `Why not stored|Row in the file|Object ID|Last name|Account ID|Fax\r\n"${words}"|2|007|Märta|B|"1|2"\r\n`,
    );
    const again = new File([first], "again.csv");
    const plan = await planOf(again);
    expect(plan).toMatchObject({ dialect: { encoding: "UTF-8", bom: true, delimiter: "|", headingLine: 1 } });
    expect(plan.columns).toEqual([null, null, "objectId", "lastName", "accountID", null]);
  });

  test("gives the reason of rows that were left out, and has the corrections of the others", async () => {
    const file = fileOf(FILE);
    const edits = { 2: { 2: "B-2" }, 3: { 1: "Smyth" } };
    const fixes = { ...NO_CORRECTIONS, edits, leftOutGroups: [{ field: "lastName", code: "REQUIRED" }] };
    const plan = { ...(await planOf(file)), fixes };
    const text = await (await makeErrorsFile(file, customers, plan, await uploaded(file, plan))).text();
    expect(text.split("\r\n").slice(1, -1)).toEqual([
      '"Object ID must be a whole number without separators or leading zeros, such as 100482.";2;007;Bob;B-2;',
      "Not today.;3;3;Smyth;C;'=1+1",
      "You left this row out. Enter the last name.;4;4;;D;x",
    ]);
  });

  test("is guarded against spreadsheets once, however often it is uploaded, and reads back as it was", async () => {
    const first = fileOf("objectId,lastName,accountID,=Note\n007,=1+1,x;=2;y,'+3\n");
    const guarded = `007,'=1+1,x;'=2;y,'+3`.replace("x;'=2;y", `"x;'=2;y"`);
    let file = first;
    for (let i = 0; i < 3; i++) {
      const blob = await makeErrorsFile(file, customers, await planOf(file));
      const [heading, row] = (await blob.text()).split("\r\n");
      expect([heading?.endsWith(",objectId,lastName,accountID,'=Note"), row?.slice(row.indexOf(",007") + 1)]).toEqual([true, guarded]);
      file = new File([blob], "again.csv");
    }
  });

  test("has every row whose key an earlier row has", async () => {
    const file = fileOf("objectId,lastName,accountID\n1,Ann,A\n1,Bob,B\n2,Eve,C\n1,Dan,D\n");
    const plan = await planOf(file);
    const text = await (await makeErrorsFile(file, customers, plan, await uploaded(file, plan))).text();
    expect(text.match(/the same Object ID\.,[0-9]/g)).toEqual(["the same Object ID.,2", "the same Object ID.,4"]);
  });

  test("uploaded again touches only those rows, and its own columns are not doubled", async () => {
    const file = fileOf(FILE);
    const first = await makeErrorsFile(file, customers, await planOf(file));
    const again = new File([first], "customers-not-stored.csv");
    const plan = await planOf(again);
    expect(plan.columns).toEqual([null, null, "objectId", "lastName", "accountID", null]);
    expect(await (await makeErrorsFile(again, customers, plan)).text()).toBe(
      (await first.text()).replace(";2;007", ";1;007").replace(";4;4;", ";2;4;"),
    );
  });
});
