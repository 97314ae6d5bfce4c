// Keeps a service busy until it is ended: CSV exports of everything and lists that no index serves.

import { argv } from "node:process";

const [, , origin = "", exportTokens = "", listTokens = ""] = argv;
const WORST = "sort=-lastName,firstName&firstName[gte]=b&lastName[gte]=b&accountID[lte]=9&count=exact";
const EXPORTS_OF_EACH = 4;
const LISTS_OF_EACH = 2;

/** Reads the answer to its end, again and again. */
async function readForever(path: string, token: string, accept: string): Promise<never> {
  for (;;) {
    const reply = await fetch(`${origin}${path}`, { headers: { Authorization: `Bearer ${token}`, Accept: accept } });
    for await (const _ of reply.body ?? []);
  }
}

for (const token of exportTokens.split(",")) {
  for (let i = 0; i < EXPORTS_OF_EACH; i++) void readForever("/v1/customers", token, "text/csv");
}
for (const token of listTokens.split(",")) {
  for (let i = 0; i < LISTS_OF_EACH; i++) void readForever(`/v1/customers?${WORST}`, token, "application/json");
}
process.stdout.write(`heavy readers ready at ${origin}\n`);
