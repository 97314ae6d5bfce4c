// Tests what the command says at 3 a.m., whole sentences: what failed and where, what is stored, and what to type next.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { FixedLayout } from "../../layouts/layouts/layout.ts";
import { customersLayout, recordsOf } from "../../layouts/testing/layouts.ts";
import { ADMIN_SECRET } from "../../server/testing/process.ts";
import { batch, customersCsv } from "../testing/process.ts";
import { makeInbox } from "../testing/test-inbox.ts";
import { startTestService } from "../testing/test-service.ts";

const testService = await startTestService();
afterAll(testService.close);
const { folder, headers, plain, service, write } = testService;

/** The exit code and what stands on standard error; paths, ids and times are replaced. */
async function outcome(...args: string[]): Promise<string> {
  const { code, stderr } = await batch(service.url, args);
  return `${code} ${plain(stderr)}`;
}

describe("run, of a file that is read by its headings", () => {
  test.each([
    [
      "one wrong value",
      "Last name,Account ID,id\nEk,w1,501\nAl,w2,x\n",
      "Nothing of FILE was stored: 1 of 2 records is wrong and --max-rejects allows 0. First: line 3, objectId “x”: Object ID must be a whole number without separators or leading zeros, such as 100482. See FILE.rejects.csv. Correct the file and run this again, or store the others with --max-rejects 1.",
    ],
    [
      "nothing but wrong values",
      "Last name,Account ID,id\nEk,w1,y\nAl,w2,x\n",
      "Nothing of FILE was stored: 2 of 2 records are wrong and --max-rejects allows 0. First: line 2, objectId “y”: Object ID must be a whole number without separators or leading zeros, such as 100482. Most often: Object ID must be a whole number without separators or leading zeros, such as 100482. See FILE.rejects.csv. Correct the file and run this again.",
    ],
    [
      "a value that is missing",
      "Last name,Account ID\n,m1\nAl,m2\n",
      "Nothing of FILE was stored: 1 of 2 records is wrong and --max-rejects allows 0. First: line 2, lastName: Last name has no value, and each record needs one. See FILE.rejects.csv. Correct the file and run this again, or store the others with --max-rejects 1.",
    ],
    [
      "a key twice",
      "id,Last name,Account ID\n601,Ek,a1\n601,Al,a2\n",
      "Nothing of FILE was stored: 1 of 2 records is wrong and --max-rejects allows 0. First: line 3, objectId “601”: An earlier row of this file has the same Object ID. See FILE.rejects.csv. Correct the file and run this again, or store the others with --max-rejects 1.",
    ],
    ["no byte", "", "Nothing of FILE was stored. This file is empty. It has no heading and no rows. Ask the sender for the file."],
    ["blank lines", "\n\n\n", "Nothing of FILE was stored. This file is empty. It has only blank lines. Ask the sender for the file."],
    [
      "a heading alone",
      "Last name,Account ID\n",
      "Nothing of FILE was stored. This file has a heading but no rows. Ask the sender whether that is right.",
    ],
    [
      "headings that match nothing",
      "Colour,Shade\nred,1\n",
      "Nothing of FILE was stored: no column is matched with Last name (lastName), Account ID (accountID). Its heading is read as: Colour, Shade. Name the columns so, or describe the file with --layout.",
    ],
    [
      "JSON",
      '{\n"a":1}',
      "Nothing of FILE was stored. This file is JSON, not CSV. Ask for the same list as CSV, or as JSON Lines: one object a line.",
    ],
    [
      "a web page",
      "<!DOCTYPE html><html><body>Sign in</body></html>",
      "Nothing of FILE was stored. This file is a web page, not CSV. Perhaps a form to sign in was saved instead of the list. Get it again as CSV.",
    ],
    [
      "bytes of an older system",
      Buffer.from("c9d5e3c1d2c50040404000010203040506070809".repeat(40), "hex"),
      'Nothing of FILE was stored. This file looks like EBCDIC. Describe it with --layout: “layout from COPYBOOK” drafts a layout from a copybook, “layout new” proposes one. Its encoding is its code page, such as "cp037" (USA), "cp273" (Germany) or "cp500" (international).',
    ],
    [
      "binary data",
      Buffer.from("000102030405060708090a0b0c0d0e0f".repeat(40), "hex"),
      "Nothing of FILE was stored. This file is not text. It holds binary data, as pictures do. If an older system wrote it, describe it with --layout.",
    ],
    [
      "half a ZIP file",
      Buffer.from("504b0304140000000800", "hex"),
      "Nothing of FILE was stored. This file is damaged or incomplete. Copy it again, then load it.",
    ],
    [
      "a row with other cells",
      "Last name,Account ID\nEk,a1,more\nAl,a2\nBo,a3\n",
      "Nothing of FILE was stored: 1 of 3 records is wrong and --max-rejects allows 0. First: line 2: This row has 3 cells; the heading has 2. See FILE.rejects.csv. Correct the file and run this again, or store the others with --max-rejects 1.",
    ],
  ])("%s", async (what, content, expected) => {
    const name = `${what.replaceAll(" ", "-")}.csv`;
    expect(await outcome("run", write(name, content))).toBe(`1 ${expected.replaceAll("FILE", name)}`);
  });

  test("a file that is not there, a folder, and a state folder that cannot be used", async () => {
    expect(await outcome("run", join(folder, "none.csv"))).toBe("1 /in/none.csv cannot be read: it does not exist.");
    expect(await outcome("run", folder)).toBe("1 /in is not a file. Name the file that is meant.");
    const path = write("fine.csv", customersCsv(1, "fine"));
    expect(await outcome("run", path, "--state", path)).toBe(
      "1 The state folder /in/fine.csv cannot be used: it is no folder. Name another one with --state.",
    );
    expect(await outcome("run", path, "--out", join(folder, "nowhere"))).toBe(
      "1 The folder /in/nowhere cannot be used for rejects and reports: it does not exist. Name another one with --out.",
    );
  });
});

describe("run, of a file of an older system", () => {
  const layout = customersLayout({ lineEnd: "none" });
  const described = write("host.json", JSON.stringify(layout));
  const changed = (change: (records: Buffer[]) => Buffer[]) =>
    Buffer.concat(change(recordsOf(layout).map((record) => Buffer.from(record))));
  const withText = (record: number, start: number, text: string) => (records: Buffer[]) => {
    records[record - 1]?.write(text, start - 1, "latin1");
    return records;
  };
  test.each<[what: string, change: (records: Buffer[]) => Buffer[], expected: string]>([
    [
      "a value in its bytes",
      withText(3, 2, "00000X0007"),
      "Nothing of FILE was stored. The total of Object ID cannot be made. Record 3 (byte offset 128) has “00000X0007” there, which is not a number, so that the file cannot be checked for completeness.",
    ],
    [
      "a name of blanks",
      withText(3, 32, " ".repeat(20)),
      `Nothing of FILE was stored: 1 of 3 records is wrong and --max-rejects allows 0. First: record 3 (byte offset 128), lastName (bytes 32–51, X'${"20".repeat(20)}'): Last name has no value, and each record needs one. See FILE.rejects.csv. Correct the file and run this again, or store the others with --max-rejects 1.`,
    ],
    [
      "a byte that is no character",
      withText(3, 40, "\xff"),
      "Nothing of FILE was stored: 1 of 3 records is wrong and --max-rejects allows 0. First: Record 3 (byte offset 128): Last name (bytes 32–51) is not whole UTF-8: a byte is no character, or a character is cut in two at the edge of the field. See FILE.rejects.csv. Correct the file and run this again, or store the others with --max-rejects 1.",
    ],
    [
      "a file that is cut",
      (records) => [...records.slice(0, 2), (records[2] as Buffer).subarray(0, 10)],
      "Nothing of FILE was stored. This file is cut, or its records have another length. It has 138 bytes: 2 whole records of 64, and 10 bytes more from byte offset 128 on. Ask the sender for the whole file, or correct the layout's recordLength or lineEnd.",
    ],
    [
      "no trailer",
      (records) => records.slice(0, -1),
      "Nothing of FILE was stored. This file has no trailer. It ends after 3 detail records: it may be cut. Ask the sender for the whole file.",
    ],
    [
      "a record less",
      (records) => records.toSpliced(1, 1),
      "Nothing of FILE was stored. The trailer does not match. It says 000000003 detail records; the file has 2. It says 9000100490 as the total of objectId; the records add up to 9000000008. Record 4 (byte offset 192) is the trailer. Ask the sender for the whole file.",
    ],
    [
      "another sender",
      withText(1, 2, "HOST9   "),
      "Nothing of FILE was stored. This file has another sender. Its header says “HOST9”; the layout says “HOST1”. Is it the right file?",
    ],
    [
      "an unknown type",
      withText(2, 1, "X"),
      "Nothing of FILE was stored. This file has a record of an unknown type. Record 2 (byte offset 64) has the type “X”; the layout knows “H”, “D”, “T”.",
    ],
  ])("%s", async (what, change, expected) => {
    const name = `${what.replaceAll(" ", "-")}.dat`;
    expect(await outcome("run", write(name, changed(change)), "--layout", described)).toBe(`1 ${expected.replaceAll("FILE", name)}`);
  });

  test("a file of no records has nothing to do", async () => {
    const path = write("none.dat", Buffer.concat(recordsOf(layout, [])));
    expect(await outcome("run", path, "--layout", described)).toBe("0 none.dat has no records. Nothing is left to do.");
    expect(await outcome("show", path, "--layout", described)).toBe(
      "0 No record is shown. Nothing was sent or stored. Check the whole file with: intake-batch validate /in/none.dat --layout /in/host.json",
    );
  });

  test("a layout with mistakes lists them, each with its place; one that is not there is named", async () => {
    const wrong = { ...layout, recordLenght: 64, detail: { type: "D", fields: [{ name: "lastNam", start: 12, length: 20 }] } };
    const path = write("a.dat", "x");
    expect(await outcome("run", path, "--layout", write("wrong.json", JSON.stringify(wrong)))).toBe(
      '1 The layout wrong.json has 1 mistake:\n/recordLenght: is not a key here; did you mean "recordLength"?',
    );
    const { recordLenght: _, ...right } = wrong;
    expect(await outcome("run", path, "--layout", write("wrong.json", JSON.stringify(right)))).toBe(
      [
        "1 The layout wrong.json has 4 mistakes:",
        '/detail/fields/0/name: Customers have no field "lastNam"; did you mean "lastName"?',
        '/trailer/totals/0/of: no detail field with a place is called "objectId"',
        "/detail/fields: lastName (Last name) is required and is not here: add it",
        "/detail/fields: accountID (Account ID) is required and is not here: add it",
      ].join("\n"),
    );
    expect(await outcome("run", path, "--layout", join(folder, "none.json"))).toBe(
      "1 The layout /in/none.json cannot be read: it does not exist.",
    );
  });

  test("a number in the wrong bytes names record, field, bytes and byte offset", async () => {
    const packed: FixedLayout = {
      kind: "fixed",
      collection: "customers",
      recordLength: 32,
      lineEnd: "none",
      detail: {
        fields: [
          { name: "objectId", start: 1, length: 6, usage: "packed" },
          { name: "lastName", start: 7, length: 20 },
          { name: "accountID", start: 27, length: 6 },
        ],
      },
    };
    const record = (digits: string) => Buffer.concat([Buffer.from(digits, "hex"), Buffer.from("Ek".padEnd(20) + "p1".padEnd(6))]);
    const path = write("packed.dat", Buffer.concat([record("00000000701c"), record("000000000049")]));
    expect(await outcome("run", path, "--layout", write("packed.json", JSON.stringify(packed)))).toBe(
      "1 Nothing of packed.dat was stored: 1 of 2 records is wrong and --max-rejects allows 0. First: Record 2 (byte offset 32): Object ID (bytes 1–6) is X'000000000049', which is not a packed number: byte offset 37 should have a digit and a sign (A to F). See packed.dat.rejects.csv. Correct the file and run this again, or store the others with --max-rejects 1.",
    );
  });
});

test("the life of a run: stored with a reject, loaded before, nothing to resume, taken back, taken back before", async () => {
  const path = write("life.csv", "id,Last name,Account ID\n701,Ek,l1\n702,,l2\n703,Bo,l3\n");
  expect(await outcome("status", path)).toBe("0 ");
  expect(plain((await batch(service.url, ["status", path])).out)).toBe("No run is known in /in/.intake.\n");
  expect(await outcome("validate", path)).toBe(
    "1 Nothing of life.csv was stored: 1 of 3 records is wrong and --max-rejects allows 0. First: line 3, lastName: Last name has no value, and each record needs one. See life.csv.rejects.csv. Correct the file and run this again, or store the others with --max-rejects 1.",
  );
  expect(await outcome("validate", path, "--max-rejects", "1")).toBe(
    "2 2 of 3 records of life.csv can be stored; 1 would be refused. Nothing was stored. See life.csv.2.rejects.csv.",
  );
  expect(await outcome("resume", path)).toBe(
    "5 /in/life.csv has no run that stopped midway, so nothing is left to resume. To load it: intake-batch run /in/life.csv",
  );
  expect(await outcome("run", path, "--max-rejects", "1")).toBe(
    "2 2 of 3 records of life.csv are in customers (2 created); 1 refused. See life.csv.3.rejects.csv. Correct life.csv.3.rejects, then load it with: intake-batch run /in/life.csv.3.rejects",
  );
  expect(await outcome("run", path, "--max-rejects", "1")).toBe(
    "5 life.csv was loaded on DAY as life.csv (run RUN, 2 records). To load it once more, add --again.",
  );
  expect(await outcome("resume", path)).toBe("0 Run RUN of life.csv has ended. Nothing is left to do.");
  expect(plain((await batch(service.url, ["status", path])).out)).toBe(
    "DAY  RUN  life.csv  customers, create: 3 records, 2 stored; ended\n",
  );
  const patched = await fetch(`${service.url}/v1/customers/703`, { method: "PATCH", headers, body: '{"lastName":"Boe"}' });
  expect(patched.ok).toBe(true);
  expect(await outcome("undo", path)).toBe(
    "2 1 record of life.csv taken back; 1 record changed since and left alone. They are named above.",
  );
  expect(await outcome("undo", path)).toBe(
    "2 0 records of life.csv taken back; 1 had been taken back or deleted before; 1 record changed since and left alone. They are named above.",
  );
  expect(await outcome("undo", "20260101-000000-0123456789ab")).toBe(
    "1 There is no file and no run RUN, neither here nor in the service's history.",
  );
  expect(await outcome("resume", "gone.csv")).toMatch(
    /^1 There is no file and no run gone\.csv; the runs are in \S+\.intake\. To list the runs of a folder: intake-batch status --state \S+$/,
  );
});

test("records that only the service refuses, and what is there already", async () => {
  const first = write("first.csv", "id,Last name,Account ID\n801,Ek,s1\n");
  expect(await outcome("run", first)).toBe("0 The one record of first.csv is in customers: 1 created.");
  const again = write("again.csv", "id,Last name,Account ID\n801,Ek,s2\n");
  expect(await outcome("run", again, "--max-rejects", "none")).toBe(
    "1 Nothing of again.csv was stored: its one record was refused. See again.csv.rejects.csv.",
  );
  const beyond = write("beyond.csv", "id,Last name,Account ID\n801,Ek,s2\n811,Al,s4\n");
  expect(await outcome("run", beyond)).toBe(
    "2 1 of 2 records of beyond.csv is in customers (1 created); 1 refused, more than --max-rejects allows (0). See beyond.csv.rejects.csv. Correct beyond.csv.rejects, then load it with: intake-batch run /in/beyond.csv.rejects",
  );
  const upsert = write("upsert.csv", "id,Last name,Account ID\n801,Ek,s1\n802,Al,s3\n");
  expect(await outcome("run", upsert, "--mode", "upsert")).toBe(
    "0 All 2 records of upsert.csv are in customers: 1 created, 1 there already.",
  );
  const dry = write("dry.csv", "id,Last name,Account ID\n801,Ek,s1\n803,Al,s3\n");
  expect(await outcome("run", dry, "--dry-run", "--max-rejects", "none")).toBe(
    "2 Nothing of dry.csv was stored, as asked: of 2 records 1 would be created, 0 updated, 0 are there already, 1 would be refused. See dry.csv.rejects.csv.",
  );
});

test("show and layout say what to type next, with the options that were given", async () => {
  const path = write("shown.csv", "Last name;Account ID\nEk;v1\n;v2\n");
  expect(await outcome("show", path, "--separator", ";", "--mode", "upsert")).toBe(
    "2 2 records shown, 1 of them wrong. Nothing was sent or stored. Check the whole file with: intake-batch validate /in/shown.csv --mode upsert --separator ';'",
  );
  expect(await outcome("layout", "new", join(folder, "new.json"))).toBe("0 Written to /in/new.json.");
  expect(await outcome("layout", "new", join(folder, "new.json"))).toBe("1 /in/new.json is not written: it is there already.");
  expect(await outcome("layout", "check", join(folder, "new.json"))).toBe(
    "0 The layout /in/new.json is right: fixed, 4 fields, for customers.",
  );
  expect(await outcome("layout", "new", join(folder, "none", "new.json"))).toBe(
    "1 /in/none/new.json is not written: there is no folder /in/none.",
  );
  expect(await outcome("layout", "new", "--json")).toBe(
    "1 With --json name a file for the result: without one it would stand between the lines of JSON.",
  );
  expect(await outcome("layout", "save", join(folder, "new.json"))).toBe("1 layout save takes --recipe, the name under which it is kept.");
  expect(await outcome("layout", "new", "--recipe", "Daily")).toBe("1 Only layout save takes --recipe.");
  expect(await outcome("layout", "check")).toBe("1 layout check takes the layout's file.");
  expect(await outcome("layout", "from")).toBe("1 layout from takes the copybook's file.");
  expect(await outcome("layout", "check", write("columns.json", '{"kind":"delimited","collection":"customers"}'))).toBe(
    "0 The layout /in/columns.json is right: delimited, its columns, for customers.",
  );
  expect(await outcome("layout", "make")).toBe(
    '1 layout is followed by new, from, sample, check or save, not "make". See: intake-batch --help',
  );
});

test("export says what is written and what comes next, or why nothing is", async () => {
  const layout = write("export.json", JSON.stringify(customersLayout()));
  expect(await outcome("export", join(folder, "out.dat"))).toBe(
    "1 export takes --layout, which says how the file is written. Without it a file is JSON Lines, and its name ends with .jsonl.",
  );
  expect(await outcome("export", join(folder, "out.dat"), "--layout", layout)).toMatch(
    /^0 \d+ records of customers written to \/in\/out\.dat\. The header has no sequence: --sequence gives it one\.$/,
  );
  expect(await outcome("export", join(folder, "numbered.dat"), "--layout", layout, "--sequence", "7")).toMatch(
    /^0 \d+ records of customers written to \/in\/numbered\.dat\.$/,
  );
  expect(await outcome("export", join(folder, "out.dat"), "--layout", layout)).toBe("1 /in/out.dat is not written: it is there already.");
  expect(await outcome("export", join(folder, "long.dat"), "--layout", layout, "--sequence", "1234567")).toBe(
    "1 Nothing was written: sequence “1234567” has 7 bytes; there is room for 6. Correct the layout.",
  );
  const header = { type: "H", fileId: { start: 10, length: 8 } };
  const without = write("without.json", JSON.stringify(customersLayout({ header })));
  expect(await outcome("export", join(folder, "o.dat"), "--layout", without, "--sequence", "7")).toBe(
    "1 The layout has no header with a sequence: leave --sequence out.",
  );
  const always = write(
    "always.json",
    JSON.stringify(customersLayout({ header: { ...header, sequence: { start: 18, length: 6, constant: "000042" } } })),
  );
  expect(await outcome("export", join(folder, "o.dat"), "--layout", always, "--sequence", "7")).toBe(
    "1 The layout says that the sequence is always “000042”: leave --sequence out.",
  );
  expect(await outcome("export", "orders", join(folder, "o.dat"), "--layout", layout)).toBe(
    "1 The service has no collection orders. It has customers.",
  );
  const csv = write("csv.json", JSON.stringify({ kind: "delimited", collection: "customers" }));
  expect(await outcome("export", join(folder, "c.dat"), "--layout", csv)).toBe(
    "1 export writes fixed-width files, and JSON Lines without a layout. The service itself gives a collection as CSV.",
  );
});

test("watch says what it cannot do before a file is taken", async () => {
  const { path } = makeInbox(folder, "inbox");
  expect(await outcome("watch", join(folder, "nowhere"), "--once")).toBe("1 The folder /in/nowhere cannot be watched: it does not exist.");
  expect(await outcome("watch", path, "--once", "--recipe", "Daily")).toBe(
    "1 The service has no recipe “Daily”. There is none yet. Recipes are saved in the app, after the check of a file, and by layout save.",
  );
  expect(await outcome("watch", path, "--once", "--settle", "0")).toBe("0 No longer watching /in/inbox.");
});

describe("service and key", () => {
  test.each<[what: string, env: Record<string, string>, expected: string]>([
    [
      "no address",
      { INTAKE_URL: "" },
      "1 The service's address is missing. Set INTAKE_URL and INTAKE_KEY, or give --config FILE with a JSON object of url and key.",
    ],
    [
      "no key",
      { INTAKE_KEY: "" },
      "1 The API key is missing. Set INTAKE_URL and INTAKE_KEY, or give --config FILE with a JSON object of url and key.",
    ],
    ["half a key", { INTAKE_KEY: "secret" }, "1 The API key is not of the form ink_<id>.<secret>. Copy it whole."],
    [
      "an address without its scheme",
      { INTAKE_URL: "intake.example.org" },
      "1 The address of the service must begin with http:// or https://, such as https://intake.example.org.",
    ],
    [
      "a wrong key",
      { INTAKE_KEY: `ink_preset.${ADMIN_SECRET}x` },
      "4 The service at URL does not accept the API key. Check it, or make a new one with: intake keys create write",
    ],
    [
      "no service",
      { INTAKE_URL: "http://127.0.0.1:9" },
      "4 No service answers at http://127.0.0.1:9. Check the address and that it runs. Then run this again.",
    ],
  ])("%s", async (_, env, expected) => {
    const { code, stderr } = await batch(service.url, ["validate", write("k.csv", customersCsv(1, "k"))], env);
    expect(`${code} ${plain(stderr)}`).toBe(expected);
  });
});

test("with --json each line is documented, and every kind of line that these commands have is written", async () => {
  const lines: { step?: string }[] = [];
  const collect = async (...args: string[]) => {
    const { out } = await batch(service.url, [...args, "--json"]); // holds each line to the schema
    for (const line of out.trim().split("\n").filter(Boolean)) lines.push(JSON.parse(line) as { step?: string });
  };
  const path = write("lines.csv", "id,Last name,Account ID\n901,Ek,j1\n902,Al,j2\n");
  const { path: inbox, put } = makeInbox(folder, "lines");
  put("w.csv", customersCsv(2, "lines"));
  mkdirSync(join(folder, "exports"));
  await collect("show", path);
  await collect("run", path, "--rehearse");
  await collect("run", write("broken.csv", '{"a":1}'));
  await collect("status", path);
  await fetch(`${service.url}/v1/customers/902`, { method: "PATCH", headers, body: '{"lastName":"Ale"}' });
  await collect("undo", path);
  await collect("export", join(folder, "exports", "out.dat"), "--layout", write("lines.json", JSON.stringify(customersLayout())));
  await collect("watch", inbox, "--once", "--done");
  const steps = new Set(lines.map(({ step }) => step ?? "run"));
  expect([...steps].sort()).toEqual(
    [
      ...["checked", "checking", "ended", "exported", "left", "put away", "reading", "record", "rehearsing", "report"],
      ...["run", "sending", "taken", "undoing", "undone", "watching"],
    ].sort(),
  );
});

test("columns that are left out are named at the end, and that without a key each record is a new one", async () => {
  const lost =
    "2 columns match no field of Customers and are left out: “Lorem”, “Ipsum”. No column is Object ID, so each record gets a new number.";
  const path = write("lost.csv", "Last name;First name;Account ID;Lorem;Ipsum\nEk;Eva;lost1;x;y\n");
  expect(await outcome("validate", path)).toBe(`0 lost.csv can be stored: 1 record, none refused. Nothing was stored. ${lost}`);
  expect(await outcome("run", path)).toBe(`0 The one record of lost.csv is in customers: 1 created. ${lost}`);
  const keyed = write("keyed.csv", "id;Last name;Account ID;Lorem\n901001;Ek;lost2;x\n");
  expect(await outcome("run", keyed)).toBe(
    "0 The one record of keyed.csv is in customers: 1 created. “Lorem” matches no field of Customers and is left out.",
  );
});
