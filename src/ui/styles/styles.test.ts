import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

/** Every class that is not of a CSS module, and why. */
const GLOBAL_CLASSES: Readonly<Record<string, string>> = {
  button: "a link or a label that looks like a <button>: base.css gives both one look",
  layout: "index.html paints the layout before any module is there",
  sidebar: "index.html paints the empty sidebar",
  brand: "index.html paints the sign in the sidebar",
  start: "index.html: the page while the app starts",
  starting: "index.html: the words on that page",
  late: "index.html: the words that come when starting takes long",
};

const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const paths = readdirSync(join(ROOT, "src"), { recursive: true }).map((path) => `src/${String(path).replaceAll("\\", "/")}`);
const sheets = new Map(paths.filter((path) => path.endsWith(".css")).map((path) => [path, withoutComments(read(path))]));
const modules = new Map([...sheets].filter(([path]) => path.endsWith(".module.css")));
const globals = new Map([...sheets].filter(([path]) => !path.endsWith(".module.css")));
const components = new Map(paths.filter((path) => /(?<!\.test)\.tsx$/.test(path)).map((path) => [path, read(path)]));

function withoutComments(css: string): string {
  return css.replace(/\/\*[\s\S]*?\*\//g, "");
}

/** Returns what stands before each "{" and is no at-rule. */
function selectors(css: string): string[] {
  return [...css.matchAll(/([^{};]+)\{/g)].map(([, prelude = ""]) => prelude.trim()).filter((prelude) => !prelude.startsWith("@"));
}

function classesOf(css: string): Set<string> {
  return new Set(selectors(css).flatMap((selector) => [...selector.matchAll(/\.([a-zA-Z][\w-]*)/g)].map(([, name = ""]) => name)));
}

/** Each `className={…}` or `className="…"`, without the quotation marks or braces around it. */
function classNames(source: string): string[] {
  return [...source.matchAll(/className=(["{])/g)].map(({ index, 0: start, 1: opening }) => {
    const from = index + start.length;
    if (opening === '"') return source.slice(from - 1, source.indexOf('"', from) + 1);
    let depth = 1;
    let to = from;
    for (; depth > 0; to++) depth += source[to] === "{" ? 1 : source[to] === "}" ? -1 : 0;
    return source.slice(from, to - 1);
  });
}

/** The words that an expression writes out itself and compares with nothing: in quotation marks, or in a template outside of `${…}`. */
function writtenWords(expression: string): string[] {
  const quoted = [...expression.matchAll(/(?<!=== )"([^"]*)"/g)].map(([, text = ""]) => text);
  const template = [...expression.matchAll(/`([^`]*)`/g)].map(([, text = ""]) => text.replace(/\$\{[^}]*\}/g, " "));
  return [...quoted, ...template].flatMap((text) => text.split(/\s+/)).filter(Boolean);
}

/** Finds which classes of which module a component names: "src/x.module.css#name". */
function usesOf(path: string, source: string): string[] {
  return [...source.matchAll(/import \* as (\w+) from "([^"]+\.module\.css)"/g)].flatMap(([, alias = "", from = ""]) => {
    const module = relative(ROOT, join(ROOT, dirname(path), from)).replaceAll("\\", "/");
    return [...source.matchAll(new RegExp(`\\b${alias}\\.(\\w+)`, "g"))].map(([, name]) => `${module}#${name}`);
  });
}

const used = new Set([...components].flatMap(([path, source]) => usesOf(path, source)));
const defined = new Set([...modules].flatMap(([path, css]) => [...classesOf(css)].map((name) => `${path}#${name}`)));
const composed = (css: string) => [...css.matchAll(/composes: ([\w ]+?)(?: from (\w+))?;/g)];

describe("class names", () => {
  test("a component names no class in its own words but the global ones", () => {
    const foreign = [...components].flatMap(([path, source]) =>
      classNames(source)
        .flatMap(writtenWords)
        .filter((word) => !(word in GLOBAL_CLASSES))
        .map((word) => `${path}: ${word}`),
    );
    expect(foreign).toEqual([]);
  });

  test("every class that a component takes from a CSS module is defined there", () => {
    expect([...used].filter((name) => !defined.has(name))).toEqual([]);
  });

  test("every class of a CSS module is used", () => {
    const parts = [...modules].flatMap(([path, css]) => composed(css).map(([, name]) => `${path}#${name}`));
    expect([...defined].filter((name) => !used.has(name) && !parts.includes(name))).toEqual([]);
  });

  test("class names of CSS modules are in camel case, as JavaScript names them", () => {
    expect([...defined].filter((name) => !/#[a-z][a-zA-Z0-9]*$/.test(name))).toEqual([]);
  });

  test("the global style sheets style the global classes and no others", () => {
    const styled = [...globals.values()].flatMap((css) => [...classesOf(css)]);
    expect(new Set(styled)).toEqual(new Set(Object.keys(GLOBAL_CLASSES)));
  });

  test("index.html has no class that is not global", () => {
    const named = [...read("index.html").matchAll(/class="([^"]*)"/g)].flatMap(([, text = ""]) => text.split(/\s+/));
    expect(named.filter((name) => !(name in GLOBAL_CLASSES))).toEqual([]);
  });

  test("a CSS module styles no global class", () => {
    const leaks = [...modules].filter(([, css]) => css.includes(":global")).map(([path]) => path);
    expect(leaks).toEqual([]);
    const taken = [...modules.values()].flatMap((css) => composed(css).filter(([, , from]) => from === "global"));
    expect(taken.filter(([, name = ""]) => !(name in GLOBAL_CLASSES))).toEqual([]);
  });
});

describe("cascade", () => {
  test("every rule stands in a layer, so that the order of loading does not matter", () => {
    const outside = [...sheets].flatMap(([path, css]) =>
      topLevel(css)
        .filter((rule) => !/^@(layer|import|custom-media|font-face)\b/.test(rule) && !/^\.\w+ \{\s*(composes: [^;]+;\s*)+$/.test(rule))
        .map((rule) => `${path}: ${rule.slice(0, 60)}`),
    );
    expect(outside).toEqual([]);
  });

  test("no font stands in a layer, so that a style sheet that comes later does not lay out the whole page again", () => {
    const layered = [...sheets].filter(([, css]) => topLevel(css).some((rule) => rule.startsWith("@layer") && rule.includes("@font-face")));
    expect(layered.map(([path]) => path)).toEqual([]);
    expect([...sheets.values()].join()).toContain("@font-face");
  });

  test("the app loads the order of the layers before any module", () => {
    expect(/^import .*$/m.exec(read("src/main.tsx"))?.[0]).toBe('import "./ui/styles/styles.css";');
    expect(read("src/ui/styles/styles.css")).toContain("@layer tokens, base, parts, page;");
  });
});

/** The rules and statements that stand in no other, without their closing brace or semicolon. */
function topLevel(css: string): string[] {
  const rules: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < css.length; at++) {
    if (css[at] === "{") depth++;
    if (css[at] === "}") depth--;
    if (depth > 0 || (css[at] !== "}" && css[at] !== ";")) continue;
    rules.push(css.slice(from, at).trim());
    from = at + 1;
  }
  return rules;
}

describe("breakpoints", () => {
  const LIST = "src/ui/styles/breakpoints.css";
  const names = [...read(LIST).matchAll(/@custom-media (--[\w-]+)/g)].map(([, name]) => name);
  const queries = [...sheets].flatMap(([path, css]) => [...css.matchAll(/@media ([^{]+)\{/g)].map(([, query = ""]) => ({ path, query })));

  test("a media query takes its widths from the list", () => {
    const own = queries.filter(({ query }) => query.includes("width"));
    expect(own).toEqual([]);
    const unknown = queries.flatMap(({ path, query }) =>
      [...query.matchAll(/--[\w-]+/g)].filter(([name]) => !names.includes(name)).map(([name]) => `${path}: ${name}`),
    );
    expect(unknown).toEqual([]);
  });

  test("every breakpoint of the list is used", () => {
    expect(names.filter((name) => !queries.some(({ query }) => query.includes(`(${name})`)))).toEqual([]);
  });

  test("a CSS module that uses a breakpoint imports the list", () => {
    const without = [...modules].filter(([, css]) => css.includes("@media (--") && !css.includes('styles/breakpoints.css"'));
    expect(without.map(([path]) => path)).toEqual([]);
  });
});
