// Measures how long a colleague and a supervisor wait while others export everything and ask for the worst lists.

import { type Call, load, request } from "../../support/http-load.ts";
import { type Service, startProcess } from "../../support/service.ts";
import { round } from "../../support/table.ts";

const EXPORT_KEYS = 5; // with four exports each, as many as a key may have
const LIST_KEYS = 4; // with two lists each
const CALLS = 200; // of each kind
const WARM_UP = 3_000; // ms

export interface IsolationFigures {
  /** ms. Of 200 calls, so that p99 is the longest but one. */
  waits: { what: string; p50: number; p99: number; goal: number }[];
}

export async function measureIsolation(service: Service, token: string, ids: readonly (string | number)[]): Promise<IsolationFigures> {
  const tokens = await Promise.all(Array.from({ length: EXPORT_KEYS + LIST_KEYS }, () => newToken(service.origin, token)));
  const program = [
    ...["--import", "tsx", "bench/floors/heavy-readers.ts", service.origin],
    ...[tokens.slice(0, EXPORT_KEYS).join(","), tokens.slice(EXPORT_KEYS).join(",")],
  ];
  const heavy = await startProcess(program);
  try {
    await new Promise((resolve) => setTimeout(resolve, WARM_UP));
    const headers = { Authorization: `Bearer ${token}` };
    const get = (path: string): Call => ({ method: "GET", path, headers, status: 200 });
    const kinds: [what: string, goal: number, callOf: (i: number) => Call][] = [
      ["/livez", 100, () => get("/livez")],
      ["a colleague's GET of one", 200, (i) => get(`/v1/customers/${ids[(i * 7_919) % ids.length]}`)],
      ["a colleague's page of 25", 200, () => get("/v1/customers?limit=25")],
    ];
    const waits: IsolationFigures["waits"] = [];
    for (const [what, goal, callOf] of kinds) {
      const { p50, p99 } = await load(service.origin, CALLS, 1, callOf);
      waits.push({ what, p50: round(p50), p99: round(p99), goal });
    }
    return { waits };
  } finally {
    await heavy.stop();
  }
}

/** A token of a new key that may read. */
async function newToken(origin: string, admin: string): Promise<string> {
  const json = { Authorization: `Bearer ${admin}`, "Content-Type": "application/json" };
  const body = JSON.stringify({ scope: "read" });
  const { key } = JSON.parse(await request(origin, { method: "POST", path: "/v1/keys", headers: json, body, status: 201 }));
  const [, id = "", secret = ""] = /^ink_([^.]+)\.(.+)$/.exec(key) ?? [];
  const form = new URLSearchParams({ grant_type: "client_credentials", client_id: id, client_secret: secret }).toString();
  const headers = { "Content-Type": "application/x-www-form-urlencoded" };
  return JSON.parse(await request(origin, { method: "POST", path: "/v1/oauth/token", headers, body: form, status: 200 })).access_token;
}
