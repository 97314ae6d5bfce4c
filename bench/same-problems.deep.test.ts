// Form, upload and service find the same problems in the same generated records, and store the same values.

import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Collection } from "../core/dictionary/collections.ts";
import type { Field } from "../core/dictionary/fields.ts";
import { KIND_TRAITS } from "../core/dictionary/kinds.ts";
import type { TextFormat } from "../core/dictionary/text-formats.ts";
import type { Fields } from "../core/dictionary/validate.ts";
import { guardFormula, unguardFormula } from "../core/text/csv.ts";
import { createRowValidator } from "../pipeline/checking/validate-row.ts";
import { plainDialect } from "../pipeline/testing/fake-service.ts";
import { randomInt, rounds } from "../server/testing/rounds.ts";
import { DICTIONARY, EMPLOYEES, openTestService, type TestService } from "../server/testing/service.ts";
import { recordResolver } from "../src/records/form/resolver.ts";
import { type Texts, textsOf, textToValidate, withoutHidden } from "../src/values/field-text.ts";

const ROWS = 1_250; // a batch
const BATCHES = rounds(2, 40); // of each collection

/** The record, or each problem as "field CODE" in the dictionary's order. */
type Verdict = { record: Fields } | { problems: string[] };

const anyText = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 12 }),
  fc.string({ unit: "binary", maxLength: 6 }),
  fc.constantFrom("", " ", "\u00a0", "0", "-0", "1", "-3", "007", "+7", "7.0", "1e3", "1e999", "9007199254740993", " 42 ", "true", "FALSE"),
  fc.constantFrom(
    "yes",
    "NaN",
    "null",
    "1,5",
    "0x10",
    "１２",
    "=1+1",
    "a\u0000b",
    "a\tb",
    "\u202eabc",
    "\ud800",
    "e\u0301",
    "ﬁ",
    "👩‍👩‍👧",
    "İ",
  ),
  fc.constantFrom("2026-02-29", "2024-02-29", "0000-01-01", "1899-12-31", "2026-1-1", "2026-01-31T25:00Z", "2026-06-30T23:59:60Z"),
  fc.constantFrom("2026-01-31 08:30Z", "2026-01-31t08:30:00.1230000+05:30", "9999-12-31T23:30:00-01:00", "2026-01-31T08:30Z "),
  fc.constantFrom("x".repeat(200), "x".repeat(201), "😀".repeat(200), "😀".repeat(201), "x".repeat(64), "x".repeat(65), "é".repeat(121)),
);

const OF_FORMAT: Record<TextFormat, fc.Arbitrary<string>> = {
  email: fc.constantFrom("ek@example.org", " Zoë.Ek@münchen.example "),
  uri: fc.constantFrom("https://example.org/ek?a=1", "HTTP://example.org"),
  phone: fc.constantFrom("+49 30 1234567", "(020) 123-4567"),
  multiline: fc.constantFrom("one\ntwo", "one\r\n\r\ntwo "),
};

/** A cell that is valid more often than not. `i` makes ids and unique values different within a batch. */
function aCell(field: Field, isKey: boolean): fc.Arbitrary<(i: number) => string> {
  const right: Record<Field["kind"], fc.Arbitrary<string>> = {
    string: field.format
      ? OF_FORMAT[field.format]
      : fc.constantFrom("Ek", " Zoë ", "O’Brien", "van 't Hoff", "王", "00071-a", "Utrecht", "Kraków"),
    integer: fc.noBias(fc.integer({ min: 1, max: 130 })).map(String), // a bias to the ends would leave few ages that are valid
    number: fc
      .oneof(
        { weight: 6, arbitrary: fc.double({ min: 0, max: 1, noNaN: true }) },
        { weight: 1, arbitrary: fc.integer({ min: -5, max: 9_000 }) },
        { weight: 1, arbitrary: fc.double({ min: 0, max: 1e6, noNaN: true }) },
      )
      .map(String),
    decimal: fc.bigInt({ min: -5n, max: 10n ** 20n }).map(
      (cents) =>
        `${cents / 100n}.${String(cents % 100n)
          .replace("-", "")
          .padStart(2, "0")}`,
    ),
    boolean: fc.constantFrom("true", "false", "True", "0", "1"),
    date: fc
      .noBias(fc.date({ min: new Date("1880-01-01"), max: new Date("2030-01-01"), noInvalidDate: true }))
      .map((date) => date.toISOString().slice(0, 10)),
    time: fc
      .noBias(fc.integer({ min: 4.75 * 3600, max: 23.6 * 3600 }))
      .map((seconds) => new Date(seconds * 1000).toISOString().slice(11, seconds % 2 ? 19 : 16)),
    year: fc
      .oneof(
        { weight: 29, arbitrary: fc.integer({ min: 1950, max: 2030 }) },
        { weight: 1, arbitrary: fc.integer({ min: 1000, max: 12_000 }) },
      )
      .map(String),
    list: fc
      .uniqueArray(fc.constantFrom(...(field.item?.enum?.map(String) ?? ["1", "204", "17"])), { maxLength: 3 })
      .map((items) => items.join(field.delimiter ?? ",")),
    file: fc.constant(""), // no file of a list brings one
    files: fc.constant(""),
    datetime: fc.date({ min: new Date("1960-01-01"), max: new Date("2030-01-01"), noInvalidDate: true }).map((date) => date.toISOString()),
  };
  const badge = (i: number) => `${"ABCDEFGH"[i % 8]}Q-${String(i).padStart(4, "0")}`;
  const usual = isKey
    ? fc.constantFrom(
        (i: number) => String(i + 1),
        () => "",
      )
    : field.unique
      ? fc.constant(badge)
      : (field.enum ? fc.constantFrom(...field.enum.map(String)) : right[field.kind]).map((text) => () => text);
  const isApart = isKey || field.unique === true;
  // A random unique value must not occur twice in one batch: only the service could find that.
  // A form reads "7" as seven o'clock, a file does not.
  const isOnlyTyped = (text: string) => field.kind === "time" && textToValidate(field, text) !== text;
  const odd = anyText
    .filter((text) => !isOnlyTyped(text))
    .filter((text) => !isApart || !/^[1-9]|^[A-Z]{2}-/.test(text.trim()))
    .map((text) => () => text);
  return fc.oneof({ weight: 40, arbitrary: usual }, { weight: 1, arbitrary: odd }, { weight: 1, arbitrary: fc.constant(() => "") });
}

function byForm(collection: Collection, cells: readonly string[]): Promise<Verdict> {
  const texts: Texts = Object.fromEntries(collection.fields.map((field, i) => [field.name, cells[i] ?? ""]));
  return validateInForm(collection, texts);
}

async function validateInForm(collection: Collection, texts: Texts): Promise<Verdict> {
  const options = { fields: {}, shouldUseNativeValidation: false };
  const { values, errors } = await recordResolver(collection)(texts, undefined, options as never);
  const problems = Object.entries(errors).map(([name, error]) => `${name} ${error?.type}`);
  return problems.length > 0 ? { problems } : { record: values as Fields };
}

/** A text that looks like a guarded formula is guarded once more, as by our export; the upload removes one guard. */
function asInFile(cell: string): string {
  return unguardFormula(cell) === cell ? cell : guardFormula(cell);
}

function byUpload(collection: Collection, validateRow: ReturnType<typeof createRowValidator>, cells: readonly string[]): Verdict {
  const sent: Fields = {};
  const problems = validateRow(1, cells, undefined, sent);
  // The upload says DAMAGED where a spreadsheet has spoilt a value of the right KIND.
  if (problems) return { problems: problems.map(({ field, code }) => `${field} ${code === "DAMAGED" ? "KIND" : code}`) };
  return { record: Object.fromEntries(collection.fields.map(({ name }) => [name, sent[name] ?? null])) };
}

/** The cell as JSON: a value of its kind where it can be read as one, else its text. */
function toJson(field: Field, cell: string): unknown {
  const text = cell.normalize("NFC").trim();
  return (text === "" ? undefined : KIND_TRAITS[field.kind].fromText(text)) ?? cell;
}

interface Result {
  index: number;
  outcome: string;
  problem?: { errors: { pointer: string; code: string }[] };
}

/** Sends each record for its problems, then all valid ones together for what is stored. */
async function byService(service: TestService, collection: Collection, rows: readonly string[][]): Promise<Verdict[]> {
  const path = `/v1/${collection.name}?dryRun=true`;
  const bodies = rows.map((cells) => Object.fromEntries(collection.fields.map((field, i) => [field.name, toJson(field, cells[i] ?? "")])));
  const each = await service.call("POST", `${path}&onError=continue`, bodies);
  expect(each.status).toBe(207);
  const results: Result[] = each.json.results;
  const right = bodies.filter((_, i) => results[i]?.outcome === "created");
  const all = await service.call("POST", path, right);
  expect(all.status).toBe(201);
  const records = all.json[collection.name] as Fields[];
  let next = 0;
  return results.map(({ index, outcome, problem }) => {
    if (outcome !== "created") {
      return { problems: (problem?.errors ?? []).map(({ pointer, code }) => `${pointer.replace(`/${index}/`, "")} ${code}`) };
    }
    const stored = records[next++] ?? {};
    const key = collection.key.name;
    const given = String(bodies[index]?.[key]).trim() === "" ? null : stored[key]; // the service chose this id
    return {
      record: Object.fromEntries(collection.fields.map(({ name }) => [name, name === key ? (given ?? null) : (stored[name] ?? null)])),
    };
  });
}

describe.each([DICTIONARY, EMPLOYEES])("%s", (dictionary) => {
  let service: TestService;
  beforeAll(async () => {
    service = await openTestService(dictionary);
  });
  afterAll(() => service.close());

  test(`form, upload and service give ${BATCHES * ROWS} records the same verdict`, { timeout: 1_800_000 }, async () => {
    const collection = service.collections[0] as Collection;
    const columns = collection.fields.map(({ name }) => name);
    const validateRow = createRowValidator(collection, { dialect: plainDialect, columns, mode: "create" }, { isRepeated: () => false });
    const aRow = fc.tuple(...collection.fields.map((field) => aCell(field, field === collection.key)));
    const aBatch = fc.array(aRow, { minLength: ROWS, maxLength: ROWS }).map((rows) => rows.map((row, i) => row.map((cell) => cell(i))));
    let accepted = 0;
    for (let batch = 0; batch < BATCHES; batch++) {
      const seed = randomInt(2 ** 31);
      const [rows = []] = fc.sample(aBatch, { numRuns: 1, seed });
      const verdicts = await byService(service, collection, rows);
      for (const [i, cells] of rows.entries()) {
        const upload = byUpload(collection, validateRow, cells.map(asInFile));
        const where = `seed ${seed}, row ${i}: ${JSON.stringify(cells)}`;
        expect(verdicts[i], `the service, ${where}`).toEqual(upload);
        // A form leaves out what nobody sees; of the rest it finds the same.
        const seen = cells.map((cell, at) => withoutHidden(collection.fields[at] as Field, cell));
        const ofSeen = seen.every((cell, at) => cell === cells[at]) ? upload : byUpload(collection, validateRow, seen.map(asInFile));
        expect(await byForm(collection, cells), `the form, ${where}`).toEqual(ofSeen);
        if (!("record" in upload)) continue;
        accepted++;
        // A stored record that is opened in a form is valid again. Only parts of a second get lost: no input shows them.
        const whole = Object.fromEntries(
          Object.entries(upload.record).map(([name, value]) => [name, withoutParts(collection, name, value)]),
        );
        expect(await validateInForm(collection, textsOf(collection, upload.record)), `the form again, ${where}`).toEqual({ record: whole });
      }
    }
    expect(accepted / (BATCHES * ROWS)).toBeGreaterThan(0.1); // valid and invalid records are both common
    expect(accepted / (BATCHES * ROWS)).toBeLessThan(0.95);
  });
});

function withoutParts(collection: Collection, name: string, value: Fields[string] | undefined): Fields[string] {
  if (collection.byName.get(name)?.kind !== "datetime" || value === null || value === undefined) return value ?? null;
  return `${String(value).slice(0, 19)}.000Z`;
}
