// The data and auth providers are what the frameworks' own types ask for.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished, test } from "vitest";

const IS_DEEP = process.env.DEEP !== undefined;

// No dependencies of the project, and pinned: what a new version asks for is decided here, not there.
const FRAMEWORKS = ["ra-core@5.15.4", "@refinedev/core@5.0.12", "react@19", "react-dom@19", "react-router@7", "react-hook-form@7"];
const TOOLS = ["@tanstack/react-query@5", "typescript@5.9.3", "@types/react@19"];

const PROGRAM = `
import type { AuthProvider as AuthOfRefine, DataProvider as OfRefine } from "@refinedev/core";
import type { AuthProvider, DataProvider } from "ra-core";
import type { Client } from "./client/client/http-client.js";
import type { PersonSession } from "./client/client/person-session.js";
import { reactAdminAuth, refineAuth } from "./client/client/providers/auth.js";
import { reactAdminProvider } from "./client/client/providers/react-admin.js";
import { refineProvider } from "./client/client/providers/refine.js";
declare const client: Client;
declare const session: PersonSession;
export const authOfReactAdmin: AuthProvider = reactAdminAuth(session);
export const authOfRefine: AuthOfRefine = refineAuth(session);
export const ofReactAdmin: DataProvider = reactAdminProvider(client);
export const ofRefine: OfRefine = refineProvider(client);
`;

test.skipIf(!IS_DEEP)(
  "react-admin and Refine take the providers",
  () => {
    const folder = mkdtempSync(join(tmpdir(), "intake-providers-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const run = (command: string, args: string[], cwd: string) => execFileSync(command, args, { cwd, stdio: "inherit" });
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    run("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--silent", ...FRAMEWORKS, ...TOOLS], folder);
    run("node", ["node_modules/typescript/bin/tsc", "-p", "client/tsconfig.build.json", "--outDir", join(folder, "client")], ".");
    writeFileSync(join(folder, "program.ts"), PROGRAM);
    const compilerOptions = {
      strict: true,
      module: "NodeNext",
      target: "ES2023",
      lib: ["ES2023", "DOM", "DOM.Iterable"],
      skipLibCheck: true,
      noEmit: true,
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["program.ts"] }));
    run("node", ["node_modules/typescript/bin/tsc", "-p", "."], folder);
  },
  600_000,
);
