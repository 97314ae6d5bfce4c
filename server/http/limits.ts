// Every limit of the service: its environment variable, its default and its meaning.

import { MAX_BATCH, MAX_COLLECTION_BODY, MAX_PAGE, MAX_RECORD_BODY } from "../../core/contract/limits.ts";
import { DEFAULT_SETTINGS } from "../store/store.ts";

const MIB = 1024 * 1024;

const LIMITS = {
  recordsPerRequest: ["MAX_RECORDS", MAX_BATCH, "records in one collection write"],
  collectionBytes: ["MAX_COLLECTION_BYTES", MAX_COLLECTION_BODY, "bytes in the body of a collection write, also after unzipping"],
  recordBytes: ["MAX_RECORD_BYTES", MAX_RECORD_BODY, "bytes in the body of a record write"],
  recordsPerPage: ["MAX_PAGE", MAX_PAGE, "records in one page of a list; a larger limit is taken as this"],
  countedRecords: ["MAX_COUNT", 1_000_000, "records that count=exact counts; where there are more, the answer says so"],
  urlCharacters: ["MAX_URL", 4_096, "characters in an address"],
  headerBytes: ["MAX_HEADER_BYTES", 16_384, "bytes in the header of a request"],
  heldBytes: ["MAX_HELD_BYTES", 128 * MIB, "bytes of request bodies that the service holds at once"],
  keyHeldBytes: ["MAX_KEY_HELD_BYTES", 64 * MIB, "bytes of request bodies that it holds at once for one API key"],
  connections: ["MAX_CONNECTIONS", 2_000, "connections at once; further ones are closed without an answer"],
  sourceConnections: ["MAX_SOURCE_CONNECTIONS", 500, "connections at once from one address that is no trusted proxy's"],
  requestsPerSecond: ["RATE_PER_SECOND", 50, "requests a second for each API key, held over time; a collection write counts as one"],
  requestBurst: ["RATE_BURST", 200, "requests that an API key may send at once after a rest"],
  headerSeconds: ["HEADER_SECONDS", 10, "seconds for the header of a request to arrive"],
  requestSeconds: ["REQUEST_SECONDS", 60, "seconds for a whole request to arrive"],
  handlingSeconds: ["HANDLING_SECONDS", 30, "seconds for the service to answer a request that has arrived"],
  exportsPerKey: ["MAX_EXPORTS", 4, "exports of a list as CSV that an API key may have under way at once"],
  followersPerKey: ["MAX_FOLLOWERS", 50, "requests waiting for changes, or streams of them, for a person or an API key at once"],
  readSeconds: ["READ_SECONDS", DEFAULT_SETTINGS.readSeconds, "seconds for one read: a page, a count, or one page of an export"],
} as const;

export type LimitName = keyof typeof LIMITS;
export type Limits = Record<LimitName, number>;

const NAMES = Object.keys(LIMITS) as LimitName[];

export const DEFAULT_LIMITS = Object.fromEntries(NAMES.map((name) => [name, LIMITS[name][1]])) as Limits;

/** What each limit means, for the OpenAPI document. */
export const LIMIT_MEANINGS = Object.fromEntries(NAMES.map((name) => [name, LIMITS[name][2]])) as Record<LimitName, string>;

/** A limit in the environment is not a positive whole number; the message is a sentence for whoever set it. */
export class InvalidLimit extends Error {}

/** The defaults, replaced where the environment sets a limit. Throws InvalidLimit. */
export function readLimits(env: Readonly<Record<string, string | undefined>>): Limits {
  const limits = { ...DEFAULT_LIMITS };
  for (const name of NAMES) {
    const [variable] = LIMITS[name];
    const text = env[variable];
    if (text === undefined || text === "") continue;
    if (!/^[1-9][0-9]{0,9}$/.test(text)) throw new InvalidLimit(`${variable} must be a whole number from 1 on, not "${text}".`);
    limits[name] = Number(text);
  }
  return limits;
}
