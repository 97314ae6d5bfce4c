// Axios, the data providers that frameworks bring along, and the parser of Power Query, each as it is.

import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestService, type TestService } from "../../server/testing/service.ts";
import { createFrameworkFolder, type FrameworkFolder } from "./framework-folder.ts";

const run = promisify(execFile);
const IS_DEEP = process.env.DEEP !== undefined;
const MINUTES = 60_000;
const PACKAGES = [
  "axios@1.21.1",
  "ra-core@5.15.4",
  "ra-data-simple-rest@5.15.3",
  "ra-data-json-server@5.15.3",
  "@refinedev/core@5.0.12",
  "@refinedev/simple-rest@6.0.1",
  "react@19",
  "react-dom@19",
  "react-router@7",
  "react-hook-form@7",
  "@tanstack/react-query@5",
  "@microsoft/powerquery-parser@0.18.4",
];

const AXIOS = `
import axios from "axios";
const api = axios.create({ baseURL: process.env.BASE, headers: { Authorization: "Bearer " + process.env.TOKEN } });
const names = async (params) => (await api.get("/customers", { params })).data.customers.map(({ lastName }) => lastName);
const made = (await api.post("/customers", { lastName: "Ek", accountID: "1" })).data;
const each = await api.post("/customers", [{ lastName: "Alm", accountID: "2" }, { lastName: "Nobody" }], { params: { onError: "continue" } });
const alm = each.data.results[0].objectId;
const etag = \`"\${made.objectId}-\${made.version}"\`;
const changed = await api.patch("/customers/" + made.objectId, { firstName: "Eva" }, { headers: { "If-Match": etag } });
const stale = await api.patch("/customers/" + made.objectId, { firstName: "Lost" }, { headers: { "If-Match": etag } }).catch(({ response }) => response);
const report = {
  each: each.data.results.map(({ status }) => status),
  changed: changed.data.firstName,
  stale: [stale.status, stale.data.code],
  sorted: await names({ sort: ["lastName", "-objectId"] }),
  both: await names({ objectId: [made.objectId, alm], sort: ["-lastName"] }),
  oneOf: await names({ "objectId[in]": [made.objectId] }),
  nested: await names({ lastName: { prefix: "al" } }),
  fields: Object.keys((await api.get("/customers", { params: { fields: ["lastName", "accountID"] } })).data.customers[0]),
  deleted: (await api.delete("/customers/" + alm)).status,
};
console.log(JSON.stringify(report));
`;

const OWN_PROVIDERS = `
import { fetchUtils } from "ra-core";
import simpleRest from "ra-data-simple-rest";
import jsonServer from "ra-data-json-server";
import refineRest from "@refinedev/simple-rest";
import axios from "axios";
const { BASE, TOKEN } = process.env;
const fetchJson = (url, options = {}) => fetchUtils.fetchJson(url, { ...options, user: { authenticated: true, token: "Bearer " + TOKEN } });
const list = { pagination: { page: 1, perPage: 10 }, sort: { field: "lastName", order: "ASC" }, filter: {} };
const refine = refineRest(BASE, axios.create({ headers: { Authorization: "Bearer " + TOKEN } }));
const calls = {
  "ra-data-simple-rest list": () => simpleRest(BASE, fetchJson).getList("customers", list),
  "ra-data-simple-rest one": () => simpleRest(BASE, fetchJson).getOne("customers", { id: 7 }),
  "ra-data-json-server list": () => jsonServer(BASE, fetchJson).getList("customers", list),
  "ra-data-json-server one": () => jsonServer(BASE, fetchJson).getOne("customers", { id: 7 }),
  "@refinedev/simple-rest list": () => refine.getList({ resource: "customers", pagination: { currentPage: 1, pageSize: 10 }, sorters: [{ field: "lastName", order: "asc" }] }),
  "@refinedev/simple-rest one": () => refine.getOne({ resource: "customers", id: 7 }),
};
const report = {};
for (const [name, call] of Object.entries(calls)) {
  report[name] = await call().then(
    ({ data }) => data.lastName ?? "a list",
    (error) => [error.status ?? error.response?.status, (error.body ?? error.response?.data)?.errors?.map(({ parameter }) => parameter).sort()],
  );
}
console.log(JSON.stringify(report));
`;

/** Microsoft's own parser of Power Query's language. */
const PARSER = `
import pq from "@microsoft/powerquery-parser";
const isValid = async (text) => pq.TaskUtils.isParseStageOk(await pq.TaskUtils.tryLexParse(pq.DefaultSettings, text));
console.log(JSON.stringify(await Promise.all(JSON.parse(process.env.QUERIES).map(isValid))));
`;

let service: TestService;
let folder: FrameworkFolder;
beforeAll(async () => {
  if (!IS_DEEP) return;
  folder = createFrameworkFolder(PACKAGES);
  service = await openTestService();
  await service.app.listen({ port: 0, host: "127.0.0.1" });
}, 10 * MINUTES);
afterAll(async () => {
  await service?.close();
  folder?.remove();
});

async function report(program: string, more: Record<string, string> = {}) {
  const { port } = service.app.server.address() as { port: number };
  const env = { ...process.env, BASE: `http://127.0.0.1:${port}/v1`, TOKEN: await service.tokenFor("write"), ...more };
  writeFileSync(join(folder.path, "program.mjs"), program);
  return JSON.parse((await run(process.execPath, [join(folder.path, "program.mjs")], { env })).stdout);
}

test.runIf(IS_DEEP)("axios reads and writes, with lists and conditions as it writes them by itself", async () => {
  expect(await report(AXIOS)).toEqual({
    each: [201, 422],
    changed: "Eva",
    stale: [412, "PRECONDITION_FAILED"],
    sorted: ["Alm", "Ek"],
    both: ["Ek", "Alm"],
    oneOf: ["Ek"],
    nested: ["Alm"],
    fields: ["lastName", "accountID"],
    deleted: 204,
  });
});

// They speak other interfaces than this one: parameters of their own, bare arrays, totals in header fields, keys called "id".
test.runIf(IS_DEEP)("the frameworks' own providers are told what is in the way of a list, and read one record", async () => {
  await service.call("PUT", "/v1/customers/7", { lastName: "Berg", accountID: "7" });
  expect(await report(OWN_PROVIDERS)).toEqual({
    "ra-data-simple-rest list": [400, ["filter", "range", "sort"]],
    "ra-data-simple-rest one": "Berg",
    "ra-data-json-server list": [400, ["_end", "_order", "_sort", "_start"]],
    "ra-data-json-server one": "Berg",
    "@refinedev/simple-rest list": [400, ["_end", "_order", "_sort", "_start"]],
    "@refinedev/simple-rest one": "Berg",
  });
});

test.runIf(IS_DEEP)("the queries for Power Query are what its parser takes", async () => {
  const queries = [...readFileSync("docs/other-programs.md", "utf8").matchAll(/```powerquery\n(.*?)```/gs)].map(([, text]) => text);
  expect(await report(PARSER, { QUERIES: JSON.stringify([...queries, "let a = 1 in in"]) })).toEqual([true, true, false]);
});
