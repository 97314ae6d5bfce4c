// Every limit of the service: its environment variable, default and meaning, and the errors of those for a person.

import { MOST_KEYS_OF_PERSON } from "../../core/contract/keys.ts";
import { MAX_BATCH, MAX_COLLECTION_BODY, MAX_PAGE, MAX_RECORD_BODY } from "../../core/contract/limits.ts";
import { MOST_RECIPES_OF_PERSON } from "../../core/contract/recipes.ts";
import { MOST_VIEWS_OF_PERSON } from "../../core/contract/views.ts";
import { DEFAULT_SETTINGS } from "../engine/store.ts";
import { HttpError } from "./errors.ts";

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
  keyHeldBytes: ["MAX_KEY_HELD_BYTES", 64 * MIB, "bytes of request bodies that it holds at once for one person"],
  connections: ["MAX_CONNECTIONS", 2_000, "connections at once; further ones are closed without an answer"],
  sourceConnections: ["MAX_SOURCE_CONNECTIONS", 500, "connections at once from one address that is no trusted proxy's"],
  requestsPerSecond: ["RATE_PER_SECOND", 50, "requests a second for each person, held over time; a collection write counts as one"],
  requestBurst: ["RATE_BURST", 200, "requests that a person may send at once after a rest"],
  headerSeconds: ["HEADER_SECONDS", 10, "seconds for the header of a request to arrive"],
  requestSeconds: ["REQUEST_SECONDS", 60, "seconds for a whole request to arrive, unless it is a file"],
  handlingSeconds: ["HANDLING_SECONDS", 30, "seconds for the service to answer a request that has arrived"],
  exportsPerKey: ["MAX_EXPORTS", 4, "exports of a list as CSV that a person may have under way at once"],
  importBytes: ["MAX_IMPORT_BYTES", 1_024 * MIB, "bytes of a file that is sent as an import"],
  importsPerKey: ["MAX_IMPORTS", 10, "imports of a person that wait or run at once"],
  uploadBytes: ["MAX_UPLOAD_BYTES", 8_192 * MIB, "bytes of files of a person that come in several requests and are not whole yet"],
  followersPerKey: ["MAX_FOLLOWERS", 50, "requests waiting for changes, or streams of them, for a person at once"],
  readSeconds: ["READ_SECONDS", DEFAULT_SETTINGS.readSeconds, "seconds for one read: a page, a count, or one page of an export"],
} as const;

export type LimitName = keyof typeof LIMITS;
export type Limits = Record<LimitName, number>;

const NAMES = Object.keys(LIMITS) as LimitName[];

export const DEFAULT_LIMITS = Object.fromEntries(NAMES.map((name) => [name, LIMITS[name][1]])) as Limits;

/** Explains who is meant where a limit speaks of a person (limitedAs). */
const WHO = "A person counts with all their API keys; a key of the organisation counts as one";

function meaningOf(name: LimitName): string {
  const [, , meaning] = LIMITS[name];
  return /\bperson\b/.test(meaning) ? `${meaning}. ${WHO}` : meaning;
}

/** Says what each limit means, for the OpenAPI document. */
export const LIMIT_MEANINGS = Object.fromEntries(NAMES.map((name) => [name, meaningOf(name)])) as Record<LimitName, string>;

/** A limit in the environment is not a positive whole number; the message is a sentence for whoever set it. */
export class InvalidLimit extends Error {}

/** Returns the defaults, replaced where the environment sets a limit. Throws InvalidLimit. */
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

/**
 * The errors of limits that count for a person, with all their API keys, or for a key of the organisation (limitedAs). One function for
 * each, as httpErrors has them.
 */
export const limitErrors = {
  /** 409: more recipes of one person than one may make. */
  recipeShareUsed: () =>
    new HttpError(
      "RECIPE_SHARE_USED",
      `You have made ${MOST_RECIPES_OF_PERSON} of the recipes, which is the most for one person. Delete one of yours.`,
    ),

  /** 409: more views for everybody of one collection, made by one person, than one may make. */
  viewShareUsed: () =>
    new HttpError(
      "VIEW_SHARE_USED",
      `One person has made ${MOST_VIEWS_OF_PERSON} of the views that everybody sees here, which is the most for one person. Delete one of those first.`,
    ),

  /** 409: more API keys of one person that live than one may have. */
  tooManyKeys: () =>
    new HttpError("TOO_MANY_KEYS", `You have ${MOST_KEYS_OF_PERSON} API keys, which is the most. Revoke one that you do not use.`),

  /** 429 for more requests than one person, with all their API keys, or a key of the organisation may send. */
  tooManyRequests: (seconds: number, perSecond: number) =>
    new HttpError("TOO_MANY_REQUESTS", `You may send ${perSecond} requests a second, with all your API keys together. Wait ${seconds} s.`, {
      headers: { "Retry-After": String(seconds) },
    }),

  /** 429 for a person or an organisation's key that exchanges keys too often. `policy`: the RateLimit-Policy field. */
  tooManyExchanges: (seconds: number, policy: string) =>
    new HttpError("TOO_MANY_REQUESTS", `API keys are exchanged too often here. Use the token that you have, or wait ${seconds} s.`, {
      headers: { "Retry-After": String(seconds), "RateLimit-Policy": policy, RateLimit: `"exchange";r=0;t=${seconds}` },
    }),

  /** 429 for more bytes of request bodies at once than one person, with all their API keys, or a key of the organisation may have. */
  tooManyBytes: (most: number) =>
    new HttpError("TOO_MANY_REQUESTS", `The bodies of your requests may take ${most} bytes at once. Send fewer at a time.`, {
      headers: { "Retry-After": "1" },
    }),

  /** 429: more exports at once than MAX_EXPORTS allows. */
  tooManyExports: (most: number) =>
    new HttpError("TOO_MANY_EXPORTS", `You have ${most} exports under way, with all your API keys. Wait until one has ended.`, {
      headers: { "Retry-After": "10" },
    }),

  /** 429: more imports at once than MAX_IMPORTS allows. */
  tooManyImports: (most: number) =>
    new HttpError("TOO_MANY_IMPORTS", `You have ${most} imports that wait or run, with all your API keys. Wait until one has ended.`, {
      headers: { "Retry-After": "10" },
    }),

  /** 429: more files that come in several requests at once, or more of their bytes, than one may have under way. */
  tooManyUploads: (count: number, bytes: number) =>
    new HttpError(
      "TOO_MANY_UPLOADS",
      `You may have ${count} files with ${bytes} bytes under way, with all your API keys. Finish one, or delete it. One without a new byte ends after a day.`,
      { headers: { "Retry-After": "3600" } },
    ),

  /** 429: more requests that wait for changes at once than MAX_FOLLOWERS allows. */
  tooManyFollowers: (most: number) =>
    new HttpError("TOO_MANY_FOLLOWERS", `${most} requests of yours wait for changes already. End one, or ask without wait.`, {
      headers: { "Retry-After": "10" },
    }),
};
