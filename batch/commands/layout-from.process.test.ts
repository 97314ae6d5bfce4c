// From a copybook to stored records: the drafted layout and dictionary are used as they are written.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { ADMIN_SECRET, authorize } from "../../server/testing/process.ts";
import { batch, makeFolder, startService } from "../testing/process.ts";
import { startTestService } from "../testing/test-service.ts";

const testService = await startTestService();
afterAll(testService.close);
const { folder, service, write } = testService;

const COPYBOOK = [
  "      * Orders of the branch offices.",
  "       01  ORDER-REC.",
  "           05  ORDER-NO         PIC 9(6).",
  "           05  ORDER-DATE       PIC 9(8).",
  "           05  ORDER-AMOUNT     PIC S9(7)V99 COMP-3.",
  "           05  ORDER-STATE      PIC X.",
  "               88  OPEN-ORDER   VALUE 'O'.",
  "               88  PAID         VALUE 'P'.",
  "           05  ORDER-NOTE       PIC X(20).",
  "           05  FILLER           PIC X(10).",
].join("\n");

test("a service that starts with the drafted dictionary stores what the drafted layout reads", async () => {
  const path = write("order.cpy", COPYBOOK);
  const [layout, dictionary, sample] = ["order.json", "package.json", "order.dat"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const nowhere = { INTAKE_URL: "", INTAKE_KEY: "" }; // no service is asked
  const drafted = await batch("", ["layout", "from", path, layout, "--dictionary", dictionary, "--encoding", "cp1140"], nowhere);
  expect([drafted.code, drafted.out]).toEqual([0, ""]);
  expect(drafted.stderr.split("\n")).toEqual([
    `The record ORDER-REC of order.cpy has 50 bytes; 5 fields of orders are in the layout. Written to ${layout}. 1 thing to look at:`,
    "Line 4: ORDER-DATE (bytes 7–14): It is taken to be a date such as 20260131.",
    `The dictionary is drafted in ${dictionary}. Read it over, and start the service with DICTIONARY=${dictionary}`,
    `Then look at a file: intake-batch show FILE --layout ${layout}`,
  ]);
  const again = await batch("", ["layout", "from", path, layout, "--dictionary", dictionary], nowhere);
  expect([again.code, again.stderr]).toEqual([1, `${dictionary} is not written: it is there already.`]);

  const { path: store, remove } = makeFolder();
  const orders = await startService(store, "0", { DICTIONARY: dictionary });
  try {
    expect((await batch(orders.url, ["layout", "check", layout])).code).toBe(0);
    expect((await batch(orders.url, ["layout", "sample", layout, sample])).code).toBe(0);
    const shown = await batch(orders.url, ["show", sample, "--layout", layout, "--records", "1"]);
    expect([shown.code, shown.out]).toEqual([0, expect.stringMatching(/ {2}15–19 {2}amount {2}X'0000\d+C' +“/)]);
    const run = await batch(orders.url, ["run", sample, "--layout", layout]);
    expect([run.code, run.stderr]).toEqual([0, "All 3 records of order.dat are in orders: 3 created."]);
    const headers = await authorize(orders.url, "preset", ADMIN_SECRET);
    const { orders: stored } = (await (await fetch(`${orders.url}/v1/orders`, { headers })).json()) as { orders: { state: string }[] };
    expect(stored.map(({ state }) => state)).toEqual(["O", "P", "O"]);
  } finally {
    orders.child.kill("SIGKILL");
    remove();
  }
});

test("without --dictionary a collection of the service is matched, and what it still lacks is said", async () => {
  const path = write("customer.cpy", "01 CUST-REC.\n 05 CUST-LAST-NAME PIC X(20).\n 05 CUST-HAIR PIC X(9).\n");
  const { code, out, stderr } = await batch(service.url, ["layout", "from", path]);
  expect([code, (JSON.parse(out) as { detail: unknown }).detail]).toEqual([0, { fields: [{ name: "lastName", start: 1, length: 20 }] }]);
  expect(stderr.split("\n")).toEqual([
    "The record CUST-REC of customer.cpy has 29 bytes; 1 field of customers is in the layout. 2 things to look at:",
    'Line 3: CUST-HAIR (bytes 21–29) matches no field of customers. Its entry would be {"name":"…","start":21,"length":9}',
    "Still to do: /detail/fields: accountID (Account ID) is required and is not here: add it",
  ]);
});

test("a file that is no copybook, or is not there, gives no layout", async () => {
  const outcome = async (path: string) => {
    const { code, out, stderr } = await batch("", ["layout", "from", path, "--dictionary", join(folder, "none.json")]);
    return [code, out, stderr];
  };
  const text = write("text.cpy", "Dear all,\nthis is no copybook.\n");
  expect(await outcome(text)).toEqual([1, "", "text.cpy gives no layout. It has no entry such as: 05 NAME PIC X(20)."]);
  const missing = join(folder, "missing.cpy");
  expect(await outcome(missing)).toEqual([1, "", `The copybook ${missing} cannot be read: it does not exist.`]);
  expect(() => readFileSync(join(folder, "none.json"))).toThrow("ENOENT");
});

const TWO_KINDS = [
  "01 ORDER-REC.",
  "   05 O-TYPE    PIC X VALUE 'O'.",
  "   05 O-NO      PIC 9(4).",
  "   05 O-COUNT   PIC 9.",
  "   05 O-ITEM    OCCURS 0 TO 3 TIMES DEPENDING ON O-COUNT.",
  "      10 I-CODE PIC X(3).",
  "      10 I-QTY  PIC 9(2).",
  "01 NOTE-REC.",
  "   05 N-TYPE    PIC X VALUE 'N'.",
  "   05 N-NO      PIC 9(4).",
  "   05 N-TEXT    PIC X(16).",
].join("\n");

test("a copybook with a table and two kinds of records: all of them are stored, items behind their orders", {
  timeout: 180_000,
}, async () => {
  const path = write("kinds.cpy", TWO_KINDS);
  const [layout, dictionary] = [join(folder, "kinds.json"), join(folder, "kinds-package.json")];
  const drafted = await batch("", ["layout", "from", path, layout, "--dictionary", dictionary], { INTAKE_URL: "", INTAKE_KEY: "" });
  expect([drafted.code, drafted.stderr.split("\n")[0]]).toEqual([
    0,
    `The record ORDER-REC of kinds.cpy has 21 bytes; 1 field of orders and 3 fields of items and 2 fields of notes are in the layout. Written to ${layout}. 2 things to look at:`,
  ]);
  const file = write("kinds.dat", "O00012ABC05DEF06\nN0001First\nO00020\nO00033GHI07JKL08MNO09\n");
  const { path: store, remove } = makeFolder();
  const service = await startService(store, "0", { DICTIONARY: dictionary });
  try {
    const run = await batch(service.url, ["run", file, "--layout", layout]);
    expect([run.code, run.stderr]).toEqual([
      0,
      "All 3 records of kinds.dat are in orders: 3 created. All 5 records of kinds.dat are in items: 5 created. The one record of kinds.dat is in notes: 1 created.",
    ]);
    const headers = await authorize(service.url, "preset", ADMIN_SECRET);
    const read = async (name: string) =>
      ((await (await fetch(`${service.url}/v1/${name}`, { headers })).json()) as Record<string, object[]>)[name];
    expect(await read("orders")).toMatchObject([{ oNo: 1 }, { oNo: 2 }, { oNo: 3 }]);
    expect(await read("items")).toMatchObject([
      { orderId: 1, code: "ABC", qty: 5 },
      { orderId: 1, code: "DEF", qty: 6 },
      { orderId: 3, code: "GHI", qty: 7 },
      { orderId: 3, code: "JKL", qty: 8 },
      { orderId: 3, code: "MNO", qty: 9 },
    ]);
    expect(await read("notes")).toMatchObject([{ no: 1, text: "First" }]);
  } finally {
    service.child.kill("SIGKILL");
    remove();
  }
});
