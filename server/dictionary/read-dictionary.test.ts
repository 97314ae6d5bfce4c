// Files of dictionaries as people write them: slips, marks of editors, circles. Every refusal has its place and its line.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import schema from "../../core/dictionary/dictionary.schema.json" with { type: "json" };
import { FILE, PERSON } from "../../core/dictionary/fields.ts";
import { KIND_NAMES } from "../../core/dictionary/kinds.ts";
import { FORMAT_NAMES } from "../../core/dictionary/text-formats.ts";
import { DictionaryRefused } from "../engine/migrate-dictionary.ts";
import { DICTIONARY, EMPLOYEES, ORDERS } from "../testing/service.ts";
import { WRONG_DICTIONARIES, withMistake } from "../testing/wrong-dictionaries.ts";
import { readDictionary, refuseSlowPatterns } from "./read-dictionary.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "intake-dictionary-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

type Loose = Record<string, unknown>;
interface Things extends Loose {
  resources: (Loose & { schema: Loose & { fields: Loose[]; foreignKeys?: Loose[] } })[];
}

/** Things and their parts; every test changes a copy. */
function things(change: (input: Things, fields: Loose[], parts: Loose[]) => void = () => undefined): Things {
  const input: Things = {
    name: "x",
    resources: [
      {
        name: "things",
        schema: {
          fields: [
            { name: "id", type: "integer" },
            { name: "name", title: "Name", constraints: { required: true } },
            { name: "made", type: "date" },
          ],
          primaryKey: "id",
        },
      },
      {
        name: "parts",
        schema: {
          fields: [
            { name: "id", type: "integer" },
            { name: "thingId", type: "integer" },
          ],
          primaryKey: ["id"],
          foreignKeys: [{ fields: ["thingId"], reference: { resource: "things", fields: ["id"] }, as: "thing" }],
        },
      },
    ],
  };
  change(input, input.resources[0]?.schema.fields ?? [], input.resources[1]?.schema.fields ?? []);
  return input;
}

function write(text: string | Buffer): string {
  const path = join(folder, "dictionary.json");
  writeFileSync(path, text);
  return path;
}

/** The reasons of the refusal, or the sentence where it has none; an empty list for a dictionary that is read. */
function reasonsOf(text: string | Buffer): readonly string[] {
  try {
    readDictionary(write(text));
    return [];
  } catch (error) {
    if (!(error instanceof DictionaryRefused)) throw error;
    return error.reasons.length > 0 ? error.reasons : [error.message.replace(join(folder, "dictionary.json"), "FILE")];
  }
}

const refusing = (change: Parameters<typeof things>[0]) => reasonsOf(JSON.stringify(things(change), null, 1));

test("what comes with Intake is right", () => {
  for (const path of [DICTIONARY, EMPLOYEES, ORDERS]) expect(readDictionary(path).collections.length).toBeGreaterThan(0);
  expect(reasonsOf(JSON.stringify(things()))).toEqual([]);
});

test("the schema knows every type and format", () => {
  const { type, format } = schema.$defs.field.properties;
  expect(type.enum).toEqual(KIND_NAMES.filter((kind) => !["decimal", "file", "files"].includes(kind)));
  expect(format.enum).toEqual(["default", "big", ...FORMAT_NAMES, PERSON, FILE]);
});

describe("a word that does nothing is refused with its place and the word that is meant", () => {
  const text = (change: Parameters<typeof things>[0]) => refusing(change).join("\n");
  test.each<[string, Parameters<typeof things>[0], string]>([
    [
      "required beside the type",
      (_, [, name]) => Object.assign(name ?? {}, { required: true }),
      'things.name, line 18, required: is not a key here; it belongs into "constraints"',
    ],
    [
      "constraint",
      (_, [, , made]) => Object.assign(made ?? {}, { constraint: { required: true } }),
      'things.made, line 22, constraint: is not a key here; did you mean "constraints"?',
    ],
    [
      "foreignkeys",
      ({ resources }) => Object.assign(resources[0]?.schema ?? {}, { foreignkeys: [] }),
      'things, line 25, schema.foreignkeys: is not a key here; did you mean "foreignKeys"?',
    ],
    [
      "foreignKeys beside the schema",
      ({ resources }) => Object.assign(resources[0] ?? {}, { foreignKeys: [] }),
      'things, line 26, foreignKeys: is not a key here; it belongs into "schema"',
    ],
    [
      "a default that is no expression",
      (_, [, name]) => Object.assign(name ?? {}, { default: "x" }),
      'things.name, line 18, default: there is no field "x"',
    ],
    [
      "a constraint in other letters",
      (_, [, name]) => Object.assign(name ?? {}, { constraints: { maxlength: 3 } }),
      'things.name, line 16, constraints.maxlength: is not a key here; did you mean "maxLength"?',
    ],
    [
      "ondelete",
      ({ resources }) => Object.assign(resources[1]?.schema.foreignKeys?.[0] ?? {}, { ondelete: "cascade" }),
      'parts.thingId, line 55, ondelete: is not a key here; did you mean "onDelete"?',
    ],
    [
      "a language by its name",
      (_, [, name]) => Object.assign(name ?? {}, { translations: { German: { title: "Name" } } }),
      "things.name, line 19, translations.German: is not a key here",
    ],
    ["a title that is none", (_, [, name]) => Object.assign(name ?? {}, { title: 5 }), "things.name, line 14, title: must be a text"],
    [
      "records",
      ({ resources }) => Object.assign(resources[0] ?? {}, { data: [] }),
      "things, line 26, data: is not supported: records are uploaded",
    ],
    ["at the top", (input) => Object.assign(input, { tittle: "x" }), 'line 60, tittle: is not a key here; did you mean "title"?'],
    ["another range", (_, [id]) => Object.assign(id ?? {}, { constraints: { exclusiveMinimum: 3 } }), "is not supported; say minimum"],
    [
      "keys of several fields",
      ({ resources }) => Object.assign(resources[0]?.schema ?? {}, { uniqueKeys: [["id", "nobody"]] }),
      'there is no field "nobody"',
    ],
    ["another empty value", (_, [, name]) => Object.assign(name ?? {}, { missingValues: ["-"] }), "an empty cell means no value"],
  ])("%s", (_, change, reason) => {
    expect(text(change)).toContain(reason);
  });

  test.each([DICTIONARY, EMPLOYEES, ORDERS])(
    "no key of %s can be misspelt, and no value be an object of something else, unseen",
    (path) => {
      const dataPackage = JSON.parse(readFileSync(path, "utf8"));
      const isRead = () => reasonsOf(JSON.stringify(dataPackage)).length === 0;
      const unseen: string[] = [];
      let tried = 0;
      const visit = (node: unknown, where: string) => {
        if (typeof node !== "object" || node === null) return;
        const holder = node as Loose;
        for (const [key, value] of Object.entries(node)) {
          if (!Array.isArray(node)) {
            delete holder[key];
            holder[`${key}_`] = value;
            if (isRead()) unseen.push(`${where}/${key}_`);
            delete holder[`${key}_`];
          }
          holder[key] = { nonsense: 1 };
          if (isRead()) unseen.push(`${where}/${key}: {}`);
          holder[key] = value;
          tried += 1;
          if (!/fields\/[4-9]/.test(`${where}/${key}`)) visit(value, `${where}/${key}`);
        }
      };
      visit(dataPackage, "");
      expect(tried).toBeGreaterThan(50);
      expect(unseen).toEqual([]);
    },
  );

  test("words of the standard without effect, and those of anybody's own, are kept", () => {
    const own = { "acme:source": { system: "SAP" }, "x-owner": "HR" };
    const standard = {
      path: "things.csv",
      mediatype: "text/csv",
      encoding: "utf-8",
      dialect: { delimiter: ";" },
      profile: "tabular-data-resource",
    };
    expect(
      refusing((input, [, name]) => {
        Object.assign(input, own, { licenses: [{ name: "CC0-1.0" }], contributors: [], created: "2026-01-01T00:00:00Z", version: "1.2.0" });
        Object.assign(input.resources[0] ?? {}, own, standard);
        Object.assign(input.resources[0]?.schema ?? {}, own, { missingValues: [""], fieldsMatch: "equal" });
        Object.assign(name ?? {}, own, { rdfType: "https://schema.org/name", example: "x", description: "A name." });
      }),
    ).toEqual([]);
  });
});

test("every kind of mistake is told in a file with its line, in the words that the service has for a draft", () => {
  for (const [kind, change, , message] of WRONG_DICTIONARIES) {
    const reported = reasonsOf(JSON.stringify(withMistake(change), null, 1));
    expect({ kind, reported }).toEqual({ kind, reported: [expect.stringMatching(/^(\S.*, )?line \d+/)] });
    expect(reported[0]?.endsWith(`: ${message}`), kind).toBe(true);
  }
});

test("a name that stands twice in one object is refused: JSON keeps only the second", () => {
  const text =
    '{"resources": [{"name": "things",\n "schema": {"fields": [{"name": "id", "type": "integer"}],\n "primaryKey": "id"},\n "name": "things"}]}';
  expect(reasonsOf(text)).toEqual(["things, line 1 and line 4, name: stands twice in one object"]);
});

test("a byte order mark is read", () => {
  expect(reasonsOf(`\uFEFF${JSON.stringify(things())}`)).toEqual([]);
});

test("what is no JSON is refused with line and column, what is no UTF-8 with that", () => {
  expect(reasonsOf('{\n  "name": "x",\n}')).toEqual(['line 3, column 1: "}" is no JSON here']);
  expect(reasonsOf('{\r\n  "name": "x"')).toEqual(["line 2, column 14: the text ends too early"]);
  expect(reasonsOf(Buffer.from([0x7b, 0x22, 0xe4, 0x22]))).toEqual(["the dictionary FILE cannot be read: it is not UTF-8"]);
  expect(() => readDictionary(join(folder, "none.json"))).toThrow(/none\.json cannot be read: ENOENT/);
});

describe("two fields of one heading", () => {
  test.each<[string, Loose, Loose, string]>([
    ["one alias", { aliases: ["x"] }, { aliases: ["X"] }, '"X"'],
    ["one title", { title: "Größe" }, { title: "groesse", aliases: ["GRÖSSE"] }, '"GRÖSSE"'],
    ["an alias that is the other's name", {}, { aliases: ["Name"] }, '"Name"'],
    ["one title in one language", { translations: { de: { title: "Ort" } } }, { translations: { de: { title: "ort" } } }, '"ort"'],
  ])("%s", (_, one, other, heading) => {
    const [reason, ...more] = refusing((_input, [, name, made]) => {
      Object.assign(name ?? {}, one);
      Object.assign(made ?? {}, other);
    });
    expect(more).toEqual([]);
    expect(reason).toMatch(/^things\.made, line \d+: /);
    expect(reason).toContain(`${heading} is a name, title or alias of "name" already`);
  });

  test("one word in two languages may mean two things", () => {
    const changes = refusing((_input, [, name, made]) => {
      Object.assign(name ?? {}, { title: "Art" });
      Object.assign(made ?? {}, { title: "Kind", translations: { de: { title: "Art" }, nl: { title: "Soort" } } });
    });
    expect(changes).toEqual([]);
  });
});

test("a circle of required references is refused once, with all its fields", () => {
  const inCircle = (required: boolean) =>
    refusing(({ resources }, fields, [, thingId]) => {
      fields.push({ name: "partId", type: "integer", constraints: { required } });
      Object.assign(resources[0]?.schema ?? {}, {
        foreignKeys: [{ fields: ["partId"], reference: { resource: "parts", fields: ["id"] }, onDelete: "cascade" }],
      });
      Object.assign(thingId ?? {}, { constraints: { required: true } });
    });
  expect(inCircle(false)).toEqual([]);
  expect(inCircle(true)).toEqual([
    expect.stringMatching(/^parts\.thingId, line \d+: the required references things\.partId, parts\.thingId lead in a circle: no record/),
  ]);
});

test("a pattern that is too slow has its place", async () => {
  const path = write(
    JSON.stringify(
      things((_, [, name]) => Object.assign(name ?? {}, { constraints: { pattern: "(a+)+" } })),
      null,
      1,
    ),
  );
  await expect(refuseSlowPatterns(readDictionary(path), path)).rejects.toThrow(
    /things\.name, line 16, constraints\.pattern: the pattern takes exponential/,
  );
});
