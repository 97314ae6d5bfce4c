// Holds the code to docs/architecture.md: imports between packages, no cycles, short headers.

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";
import { KIND_NAMES } from "../core/dictionary/kinds.ts";

/** The packages that a package may import, besides itself. Nothing imports `e2e`, `bench` and `docs`. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  core: [],
  client: ["core"],
  pipeline: ["core", "client"],
  src: ["core", "client", "pipeline", "layouts"],
  layouts: ["core", "pipeline"],
  batch: ["core", "client", "pipeline", "layouts"],
  server: ["core"],
};
/** The rooms of the app, and which of them each may use. `app` stands above all; what all share of it are the folders in SHARED. */
const ROOMS: Record<string, readonly string[]> = {
  browser: [],
  ui: ["browser"],
  service: ["browser", "values"],
  values: ["browser", "ui", "service"],
  records: ["browser", "ui", "service", "values"],
  upload: ["browser", "ui", "service", "values", "records"],
  people: ["browser", "ui", "service", "values", "records"],
  settings: ["browser", "ui", "service", "values", "records", "upload", "people"],
  activity: ["browser", "ui", "service", "values", "records"],
  home: ["browser", "ui", "service", "values", "records", "upload"],
};
const SHARED = /^src\/app\/(?:router|services|navigation|code)\//;
const LONG_FILE = 400; // lines; more are named, not refused
const LONGEST_HEADER = 120; // characters a line

interface SourceFile {
  path: string;
  folder: string;
  text: string;
  imports: string[];
}

const isTest = (path: string) => /\.(test|spec)\.tsx?$/.test(path);
/** What tests share stands in folders of its own and may import whatever they test. */
const isForTests = (path: string) => isTest(path) || /(^|\/)(testing|test|support)\//.test(path);

const paths = [...Object.keys(MAY_IMPORT), "e2e", "bench", "docs", "build"].flatMap((name) =>
  readdirSync(name, { recursive: true, encoding: "utf8", withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !/(^|\/)(node_modules|dist|results|files|tour)\//.test(path)),
);
const files: SourceFile[] = paths.filter((path) => /\.tsx?$/.test(path)).map(readSource);
const product = files.filter(({ path }) => !isForTests(path));

function readSource(path: string): SourceFile {
  const text = readFileSync(path, "utf8");
  const imports = [...text.matchAll(/\b(?:from|import)\s*\(?\s*"(\.{1,2}\/[^"?]+)/g)].map(([, name = ""]) =>
    normalize(join(dirname(path), name)),
  );
  return { path, folder: dirname(path), text, imports: imports.filter((name) => /\.tsx?$/.test(name)) };
}

const packageOf = (path: string) => path.split("/", 1)[0] as string;
const roomOf = (path: string) => /^src\/([^/]+)\//.exec(path)?.[1];

/** Depth first; each cycle is named once, by the folders on it. */
function findCycles(graph: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (node: string, trail: readonly string[]): void => {
    if (trail.includes(node)) cycles.push([...trail.slice(trail.indexOf(node)), node].join(" → "));
    if (trail.includes(node) || done.has(node)) return;
    for (const next of graph.get(node) ?? []) visit(next, [...trail, node]);
    done.add(node);
  };
  for (const node of graph.keys()) visit(node, []);
  return cycles;
}

test("a package imports only packages to its left", () => {
  const wrong = product.flatMap(({ path, imports }) =>
    imports
      .filter(
        (name) =>
          packageOf(name) !== packageOf(path) &&
          !(MAY_IMPORT[packageOf(path)] ?? [...Object.keys(MAY_IMPORT), "e2e", "bench"]).includes(packageOf(name)),
      )
      .map((name) => `${path} imports ${name}`),
  );
  expect(wrong).toEqual([]);
});

test("folders import each other in one direction only", () => {
  const graph = new Map<string, Set<string>>();
  for (const { folder, imports } of product) {
    const targets = graph.get(folder) ?? new Set();
    for (const name of imports) if (dirname(name) !== folder) targets.add(dirname(name));
    graph.set(folder, targets);
  }
  expect(findCycles(graph)).toEqual([]);
});

test("a room of the app uses only rooms that are below it", () => {
  const wrong = product.flatMap(({ path, imports }) => {
    const room = roomOf(path);
    const allowed = room === undefined ? undefined : ROOMS[room];
    return imports
      .filter((name) => allowed && roomOf(name) !== undefined && roomOf(name) !== room)
      .filter(
        (name) =>
          !allowed?.includes(roomOf(name) as string) && !(SHARED.test(name) && !["browser", "ui", "service"].includes(room as string)),
      )
      .map((name) => `${path} imports ${name}`);
  });
  expect(wrong).toEqual([]);
});

test("the first line of a file is short enough to be read at once", () => {
  const long = product.filter(({ text }) => text.split("\n").length > LONG_FILE + 1).map(({ path }) => path);
  if (long.length > 0) console.warn(`These files have more than ${LONG_FILE} lines: ${long.join(", ")}.`);
  const headers = files.filter(({ text }) =>
    text.startsWith("//") ? (text.split("\n", 1)[0] as string).length > LONGEST_HEADER + 3 : false,
  );
  expect(headers.map(({ path }) => path)).toEqual([]);
});

/**
 * Code that asks for a kind by its name: a comparison either way round, a switch, or a family. It has to ask for a trait instead
 * (`KindTraits` in core/dictionary/kinds.ts), so that a new kind is one row and not a search.
 */
const KIND_NAME = `"(?:${KIND_NAMES.join("|")})"`;
const ASKS_FOR_KIND = new RegExp(
  [
    `\\bkind\\)? ?[!=]== ${KIND_NAME}`,
    `${KIND_NAME} ?[!=]== [\\w.?]*\\bkind\\b`,
    `\\[[^\\]]*${KIND_NAME}[^\\]]*\\]\\.includes\\([\\w.?]*\\bkind\\b`,
    `\\bswitch \\([\\w.?]*\\bkind\\) \\{\\s*case ${KIND_NAME}`,
    "\\bfamily\\)? ?[!=]== ",
  ].join("|"),
  "g",
);

test.each([
  'field.kind === "integer"',
  '"date" !== field?.kind',
  '["date", "datetime"].includes(kind)',
  'switch (field.kind) {\n    case "year":',
  'KIND_TRAITS[field.kind].family === "time"',
])("this code would ask for a kind: %s", (code) => expect(code.match(ASKS_FOR_KIND)).toHaveLength(1));

test("no code asks for a kind by its name", () => {
  const asks = product.flatMap(({ path, text }) => text.match(ASKS_FOR_KIND)?.map((found) => `${path}: ${found}`) ?? []);
  expect(asks).toEqual([]);
});

/** A comment with such a beginning lacks its verb: "Of a file with these headings." */
const HALF_SENTENCE = /(?:^|[^:])(?:\/\*\*? |\/\/ |\/\*\*\n\s*\* )(?:Of|What|Which|Whether|Who|Whose|Those)\b.*/gm;

test("a comment in core and pipeline does not begin as half a sentence", () => {
  const texts = files.filter(({ path }) => ["core", "pipeline"].includes(packageOf(path)));
  const halves = texts.flatMap(({ path, text }) => text.match(HALF_SENTENCE)?.map((half) => `${path}: ${half.trim()}`) ?? []);
  expect(halves).toEqual([]);
});
