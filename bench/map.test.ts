// README's map is made of the files' first lines; this keeps it so. `UPDATE_MAP=1 npx vitest run bench/map` writes it anew.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOMS = [
  "dictionary",
  "server",
  "server/http",
  "server/auth",
  "server/store",
  "src",
  "src/pages",
  "src/form",
  "src/list",
  "src/upload",
  "src/api",
  "src/ui",
  "batch",
];
const BEGIN = "<!-- map: made of the files' first lines -->\n";
const END = "<!-- end of map -->";

test("the map in README says of each file what its first line says", () => {
  const readme = readFileSync("README.md", "utf8");
  const [before = "", rest = ""] = readme.split(BEGIN);
  const [map, after = ""] = rest.split(END);
  const made = ROOMS.map(roomText).join("\n");
  if (process.env.UPDATE_MAP) writeFileSync("README.md", before + BEGIN + made + END + after);
  else expect(map).toBe(made);
});

function roomText(room: string): string {
  const files = readdirSync(room).filter((name) => /\.(ts|tsx|css)$/.test(name) && !name.includes(".test."));
  return `**${room}/**\n\n${files.map((name) => `- \`${name}\` ${firstLine(join(room, name))}\n`).join("")}`;
}

function firstLine(path: string): string {
  const [line = ""] = readFileSync(path, "utf8").split("\n", 1);
  const sentence = /^(?:\/\/|\/\*) (.+?)(?: \*\/)?$/.exec(line)?.[1];
  expect(sentence, `${path} begins with one sentence: its job and its limit`).toBeDefined();
  return sentence ?? "";
}
