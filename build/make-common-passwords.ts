// Makes server/people/auth/common-passwords.json: node --import tsx build/make-common-passwords.ts LIST
// LIST has one password a line, the most frequent first. Which list it was: docs/decisions/0075.

import { readFileSync, writeFileSync } from "node:fs";
import { LEAST_PASSWORD } from "../core/contract/limits.ts";

const MOST = 10_000;

const [list = ""] = process.argv.slice(2);
const all = readFileSync(list, "utf8")
  .split(/\r?\n/)
  .map((line) => line.normalize("NFC").toLowerCase());
const longEnough = [...new Set(all)].filter((password) => [...password].length >= LEAST_PASSWORD);
writeFileSync("server/people/auth/common-passwords.json", `${JSON.stringify(longEnough.slice(0, MOST), null, 2)}\n`);
