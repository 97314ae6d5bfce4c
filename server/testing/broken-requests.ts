// Breaks valid requests in one of many ways: address, method, header fields, token, body.

import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { FIELDS, KEYS, METHODS, RAW, TEXTS, TYPES, VALUES } from "./invalid-values.ts";
import type { Drawn } from "./request-generator.ts";

/** The request as it is sent. */
export interface Sent {
  method: string;
  path: string;
  headers: Record<string, string>;
  payload: Buffer | undefined;
}

type Break = (drawn: Drawn, badParts: BadParts) => Drawn | Sent;

interface BadParts {
  value: unknown;
  text: string;
  name: string;
  /** From 0; chooses a position. */
  at: number;
}

const pick = <T>(all: readonly T[], at: number): T => all[at % all.length] as T;
const header = (drawn: Drawn, name: string, value: string): Drawn => ({ ...drawn, headers: { ...drawn.headers, [name]: asField(value) } });
/** Without control characters and characters beyond Latin-1, which no HTTP client can send. */
const asField = (text: string) => text.replaceAll(/[^\x20-\x7e\xa0-\xff]/g, "");
const bytes = (drawn: Drawn, change: (text: string) => string | Buffer): Sent => {
  const sent = toSent(drawn);
  return { ...sent, payload: Buffer.from(change((sent.payload ?? "").toString())) };
};

const BREAKS: Break[] = [
  (drawn, { value, at }) => ({ ...drawn, body: put(drawn.body, value, at) }),
  (drawn, { value, at }) => ({ ...drawn, body: put(drawn.body, value, at) }),
  (drawn, { value, at }) => ({ ...drawn, body: put(drawn.body, value, at) }),
  (drawn, { value, name, at }) => ({ ...drawn, body: extend(drawn.body, name, value, at) }),
  (drawn, { value }) => ({ ...drawn, body: value }),
  (drawn, { value }) => ({ ...drawn, body: { customer: drawn.body, customers: [value] } }),
  (drawn) => ({ ...drawn, body: [drawn.body] }),
  (drawn) => bytes(drawn, (text) => text.slice(0, -1)),
  (drawn) => bytes(drawn, (text) => `\ufeff${text}`),
  (drawn) => bytes(drawn, (text) => `${text} ${text}`),
  (drawn) => bytes(drawn, (text) => text.replace(/\{("[^"]*")/, "{$1:1,$1")),
  (drawn) =>
    bytes(drawn, (text) => Buffer.concat([Buffer.from(text.slice(0, -2)), Buffer.from([0xff, 0xc0]), Buffer.from(text.slice(-2))])),
  (drawn) => bytes(header(drawn, "content-encoding", "gzip"), (text) => gzipSync(text).subarray(0, -3)),
  (drawn) => bytes(header(drawn, "content-encoding", "gzip"), (text) => text),
  (drawn) => bytes(drawn, (text) => `${text}${" ".repeat(70_000)}`),
  (drawn, { at }) => header(drawn, "content-type", pick(TYPES, at)),
  (drawn) => ({ ...drawn, headers: { ...(drawn.headers.authorization && { authorization: drawn.headers.authorization }) } }),
  (drawn, { text, at }) => header(drawn, pick(FIELDS, at), text),
  (drawn, { text, at }) => header(drawn, pick(FIELDS, at), text),
  (drawn, { text }) => header(drawn, "authorization", text),
  (drawn, { text }) => ({ ...drawn, headers: { authorization: `Bearer ${asField(text)}` } }),
  (drawn, { text, at }) => ({
    ...drawn,
    path: drawn.path
      .split("/")
      .with(-1 - (at % 2), text.replaceAll("/", ""))
      .join("/"),
  }),
  (drawn, { text }) => ({ ...drawn, path: `${drawn.path}/${text}` }),
  (drawn, { at }) => ({
    ...drawn,
    path: pick([drawn.path.toUpperCase(), `${drawn.path}/`, `${drawn.path}.json`, encodeURI(drawn.path).replace("c", "%63")], at),
  }),
  (drawn, { name, text }) => ({ ...drawn, query: [...drawn.query, [name, text]] }),
  (drawn, { text }) => ({ ...drawn, query: drawn.query.map(([name]) => [name, text]) }),
  (drawn) => ({ ...drawn, query: [...drawn.query, ...drawn.query] }),
  (drawn, { text, at }) => ({
    ...drawn,
    query: [[pick(["limit", "sort", "q", "fields", "count", "cursor", "onError", "lastName[in]"], at), text]],
  }),
  (drawn, { at }) => ({ ...drawn, method: pick(METHODS, at) }),
];

/** About half of the requests broken, the others unchanged. */
export function breakSome(drawn: fc.Arbitrary<Drawn>): fc.Arbitrary<Sent> {
  const badParts = fc.record({
    value: fc.oneof(fc.constantFrom(...VALUES), fc.constantFrom(...VALUES), fc.jsonValue({ maxDepth: 3, stringUnit: "binary" })),
    text: fc.oneof(fc.constantFrom(...TEXTS), fc.constantFrom(...TEXTS), fc.string({ unit: "binary", maxLength: 12 })),
    name: fc.constantFrom(...KEYS),
    at: fc.nat(1_000),
  });
  const whole: Break = (one) => one;
  const how = fc.oneof({ weight: 1, arbitrary: fc.constant(whole) }, { weight: 1, arbitrary: fc.constantFrom(...BREAKS) });
  return fc.tuple(drawn, how, badParts).map(([one, change, given]) => {
    const changed = change(one, given);
    return "payload" in changed ? changed : toSent(changed);
  });
}

function toSent({ method, path, query, headers, body }: Drawn): Sent {
  const queryText = query.map(([name, value]) => `${encode(name)}=${encode(value)}`).join("&");
  // This is as a client's URL parser writes it; invalid text after a % stays.
  const { pathname, search } = new URL(`http://localhost${path.replace(/^[/\\]*/, "/")}${queryText && `?${queryText}`}`);
  const text = body === undefined || typeof body === "string" ? body : asJson(body);
  const payload = text === undefined ? undefined : Buffer.from(text);
  const isZipped = headers["content-encoding"] === "gzip" && payload;
  return { method, path: pathname + search, headers, payload: isZipped ? gzipSync(payload) : payload };
}

function asJson(body: unknown): string {
  return (JSON.stringify(body) ?? "null").replaceAll(new RegExp(`"${RAW}([^"]*)${RAW}"`, "gu"), "$1");
}

/** Percent-encodes the text, unless it has a % already, valid or not. */
function encode(text: string): string {
  return text.includes("%") ? text.replaceAll(/[&#+\s]/g, "") : encodeURIComponent(text.replaceAll(/\p{Cs}/gu, "\ufffd"));
}

/** The body with the value at some position. */
function put(body: unknown, value: unknown, at: number): unknown {
  if (typeof body !== "object" || body === null) return value;
  const names = Object.keys(body);
  if (names.length === 0 || at % 7 === 6) return value;
  const chosen = pick(names, at);
  const inner = put((body as Record<string, unknown>)[chosen], value, Math.floor(at / 7));
  return Array.isArray(body) ? body.with(Number(chosen), inner) : Object.fromEntries([...Object.entries(body), [chosen, inner]]);
}

/** The body with one more field in some object. */
function extend(body: unknown, name: string, value: unknown, at: number): unknown {
  if (typeof body !== "object" || body === null) return body;
  const [first] = Object.keys(body);
  if (!Array.isArray(body) && (at % 2 === 0 || first === undefined)) return Object.fromEntries([...Object.entries(body), [name, value]]);
  const inner = extend((body as Record<string, unknown>)[first ?? ""], name, value, at >> 1);
  return Array.isArray(body) ? [inner, ...body.slice(1)] : { ...body, [first ?? ""]: inner };
}
