// Files that GnuCOBOL itself writes: the programs beside them, how they were run, and how to run them again.

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";

const FOLDER = "layouts/testing/cobol";
const DEBIAN = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };

interface CobolFile {
  program: string;
  flags?: readonly string[];
  env?: Readonly<Record<string, string>>;
}

/** Each file in `layouts/testing/cobol` holds the bytes that the program wrote, compiled and run so by GnuCOBOL 4.0-early of Debian on x86. GnuCOBOL 3.1 writes the same. */
export const COBOL_FILES = {
  "numbers.dat": { program: "numbers.cob" },
  "numbers-ebcdic-sign.dat": { program: "numbers.cob", flags: ["-fsign=ebcdic"] },
  "variable-0.dat": { program: "variable.cob", env: { COB_VARSEQ_FORMAT: "0" } },
  "variable-1.dat": { program: "variable.cob", env: { COB_VARSEQ_FORMAT: "1" } },
  "variable-2.dat": { program: "variable.cob", env: { COB_VARSEQ_FORMAT: "2" } },
  "variable-3.dat": { program: "variable.cob", env: { COB_VARSEQ_FORMAT: "3" } },
  "depending-slides.dat": { program: "depending.cob", flags: ["-fodoslide"] },
  "depending-in-place.dat": { program: "depending.cob", flags: ["-fcomplex-odo"] },
  "lines.dat": { program: "lines.cob" },
  "branches.dat": { program: "branches.cob" },
  "edited.dat": { program: "edited.cob" },
  "occurs.dat": { program: "occurs.cob" },
  "occurs-depending.dat": { program: "occurs-depending.cob", flags: ["-fodoslide"] },
} as const satisfies Record<string, CobolFile>;
export type CobolFileName = keyof typeof COBOL_FILES;

export function cobolFile(name: CobolFileName): Uint8Array {
  return readFileSync(join(FOLDER, name));
}

/** Compiles the program in `folder`, runs it, and returns what it wrote. */
export function writeAnew(name: CobolFileName, folder: string): Uint8Array {
  const { program, flags = [], env = {} }: CobolFile = COBOL_FILES[name];
  mkdirSync(folder, { recursive: true });
  const [run, out] = [join(folder, `${name}.run`), join(folder, name)];
  execFileSync(findCompiler(), ["-x", ...flags, "-o", run, resolve(FOLDER, program)], { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  execFileSync(run, { cwd: folder, env: { ...process.env, ...env, DD_OUTFILE: out }, stdio: ["ignore", "ignore", "pipe"] });
  return readFileSync(out);
}

/** The compiler that COBC_PATH names, one on the PATH, else Debian's package. Throws with what to do when there is none. */
export function findCompiler(): string {
  const found = installed() ?? install();
  if (!found) throw new Error("GnuCOBOL was not found. Install it and name cobc in COBC_PATH.");
  return found;
}

function installed(): string | undefined {
  const named = process.env.COBC_PATH;
  if (named) return existsSync(named) ? named : undefined;
  return (process.env.PATH ?? "")
    .split(delimiter)
    .map((folder) => join(folder, "cobc"))
    .find((path) => existsSync(path));
}

function install(): string | undefined {
  if (process.getuid?.() !== 0 || process.platform !== "linux") return undefined;
  const run = (...args: string[]) => execFileSync("apt-get", args, { stdio: ["ignore", "ignore", "inherit"], env: DEBIAN });
  run("update", "-qq");
  run("install", "-y", "-qq", "--no-install-recommends", "gnucobol4");
  return installed();
}
