// `npm run sbom`: writes dist/sbom.cdx.json, the list of all packages that service, commands and app consist of.
// `npm sbom` would leave out what the build puts into our own files, which is most of it.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

interface LockedPackage {
  version: string;
  /** "sha512-" and base64. */
  integrity?: string;
  license?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}
type Lock = Record<string, LockedPackage | undefined>;

/** CycloneDX 1.6, as far as we use it. */
export interface Sbom {
  bomFormat: "CycloneDX";
  specVersion: "1.6";
  version: 1;
  metadata: { component: { type: "application"; "bom-ref": string; name: string; version: string } };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

export interface Component {
  type: "library";
  "bom-ref": string;
  name: string;
  version: string;
  /** Optional: a binary for one kind of machine. */
  scope: "required" | "optional";
  hashes: { alg: "SHA-512"; content: string }[];
  licenses: { expression: string }[];
  purl: string;
}

const PRODUCT = ["core", "client", "pipeline", "src", "layouts", "server", "batch"];
const NOT_SHIPPED = ["tsx"]; // runs the sources as they are, in a clone
const FOR_TESTS = /\.test\.tsx?$|(^|\/)(testing|test)\//;
const IMPORT = /(?:\bfrom|\bimport|createRequire\(import\.meta\.url\))\s*\(?\s*"((?:@[\w.-]+\/)?[\w-][\w.-]*)(?:\/[^"]*)?"/g;

/** Reads package.json, package-lock.json and the imports of the sources in the folder. */
export function makeSbom(folder: string): Sbom {
  const read = (name: string) => JSON.parse(readFileSync(join(folder, name), "utf8"));
  const { name, version, dependencies } = read("package.json") as { name: string; version: string; dependencies: Record<string, string> };
  const lock = (read("package-lock.json") as { packages: Lock }).packages;
  const installed = Object.keys(dependencies);
  const bundled = [...importedPackages(folder)].filter((name) => !installed.includes(name));
  const components = new Map<string, Component>();
  const edges = new Map<string, string[]>();

  /** `at`: a key of the lock file, such as node_modules/a/node_modules/b. */
  function add(at: string, scope: Component["scope"], withBinaries: boolean): string {
    const entry = lock[at] as LockedPackage;
    const component = toComponent(at.slice(at.lastIndexOf("node_modules/") + "node_modules/".length), entry, scope);
    const ref = component["bom-ref"];
    if (components.get(ref)?.scope === "required" || (components.has(ref) && scope === "optional")) return ref;
    components.set(ref, component);
    const needed = Object.keys(entry.dependencies ?? {}).map((name) => [name, scope] as const);
    const binaries = withBinaries ? Object.keys(entry.optionalDependencies ?? {}).map((name) => [name, "optional"] as const) : [];
    const places = [...needed, ...binaries].map(([name, scope]) => [locate(lock, at, name), scope] as const);
    edges.set(
      ref,
      places.flatMap(([place, scope]) => (place ? [add(place, scope, withBinaries)] : [])),
    );
    return ref;
  }
  const roots = [
    ...installed.map((name) => add(`node_modules/${name}`, "required", true)),
    ...bundled.map((name) => add(`node_modules/${name}`, "required", false)), // the build takes scripts alone
  ];
  const own = `pkg:npm/${name}@${version}`;
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component: { type: "application", "bom-ref": own, name, version } },
    components: [...components.values()].sort((a, b) => (a.purl < b.purl ? -1 : 1)),
    dependencies: [...edges.entries(), [own, roots] as const].map(([ref, on]) => ({ ref, dependsOn: [...new Set(on)].sort() })),
  };
}

/** The packages that the product's own sources import, without Node's own (`node:…`). */
function importedPackages(folder: string): Set<string> {
  const paths = PRODUCT.flatMap((name) =>
    readdirSync(join(folder, name), { recursive: true, encoding: "utf8" }).map((path) => join(name, path)),
  );
  const sources = paths.filter((path) => /\.tsx?$/.test(path) && !path.includes("node_modules") && !FOR_TESTS.test(path));
  const names = sources.flatMap((path) => [...readFileSync(join(folder, path), "utf8").matchAll(IMPORT)].map(([, name = ""]) => name));
  return new Set(names.filter((name) => !NOT_SHIPPED.includes(name)));
}

/** Finds where Node finds `name` from the package at `at`: the nearest node_modules. Undefined if npm did not install it (an optional one). */
function locate(lock: Lock, at: string, name: string): string | undefined {
  for (let from = at; ; from = from.slice(0, Math.max(0, from.lastIndexOf("/node_modules/")))) {
    const place = `${from ? `${from}/` : ""}node_modules/${name}`;
    if (lock[place]) return place;
    if (from === "") return undefined;
  }
}

function toComponent(name: string, { version, integrity = "", license }: LockedPackage, scope: Component["scope"]): Component {
  const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
  const content = Buffer.from(integrity.replace("sha512-", ""), "base64").toString("hex");
  return {
    type: "library",
    "bom-ref": purl,
    name,
    version,
    scope,
    hashes: content ? [{ alg: "SHA-512", content }] : [],
    licenses: license ? [{ expression: license }] : [],
    purl,
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  mkdirSync("dist", { recursive: true });
  writeFileSync("dist/sbom.cdx.json", `${JSON.stringify(makeSbom("."), null, 2)}\n`);
}
