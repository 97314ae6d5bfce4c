// Passwords of people: which may be chosen, how they are stored, how one is verified.

import { randomBytes } from "node:crypto";
import { LEAST_PASSWORD } from "../../../core/contract/limits.ts";
import { createQueue } from "./bounded-queue.ts";
import commonPasswords from "./common-passwords.json" with { type: "json" };

export interface PasswordProblem {
  code: "PASSWORD_TOO_SHORT" | "PASSWORD_TOO_LONG" | "PASSWORD_COMMON" | "PASSWORD_PERSONAL";
  /** A whole sentence for people. It never has the password. */
  detail: string;
}

export interface PasswordOwner {
  email: string;
  name: string;
}

// OWASP ASVS 5.0, V6.2: 8 characters at least, 15 advised; 64 must be allowed; no rules about kinds of characters; none of the 3,000
// most common that are long enough (10,000 here); no words of the context. NIST SP 800-63B asks for the same and counts code points.
export const MOST_CHARACTERS = 200;
const LEAST_OTHER_LETTERS = 4; // beside the person's own words
const SHORTEST_WORD = 3; // shorter ones stand in many words by chance
const SERVICE_WORDS = ["intake"];

/**
 * Argon2id as the OWASP Password Storage Cheat Sheet advises it at least. One hash takes 40 ms of one core; sign-in is limited anyway.
 * Stronger ones may take their place: `needsRehash` then finds the old hashes.
 */
const PARAMETERS = {
  memoryCost: 19_456, // KiB, so 19 MiB for each hash under way
  timeCost: 2, // passes over that memory
  parallelism: 1, // lanes
  outputLen: 32, // bytes
};

/**
 * Two at once: 38 MiB, and two of the four threads that Node has for such work stay free for files. 100 wait for 2 to 4 s. `rank` says
 * in which turn (bounded-queue.ts): a source's first attempt of the minute goes before the second one of any other.
 */
const AT_ONCE = 2;
const MOST_WAITING = 100;
const inTurn = createQueue(AT_ONCE, MOST_WAITING);

/** It is loaded with the first password: a process without one does without its native code. */
const argon2 = () => import("@node-rs/argon2");

/** Stands in for a person who does not exist or has no password. It is a hash of nothing, so no password is right. */
const NOBODYS_HASH = `$argon2id$v=19$m=${PARAMETERS.memoryCost},t=${PARAMETERS.timeCost},p=${PARAMETERS.parallelism}$${unpadded(16)}$${unpadded(PARAMETERS.outputLen)}`;

let commonOnes: ReadonlySet<string> | undefined;

/**
 * Says why a person may not choose this password; undefined if they may. Only for a new one: what was chosen under older rules stays valid.
 *
 * @example checkPassword("Anna.Berg2026!", { email: "anna.berg@example.org", name: "Anna Berg" }) // { code: "PASSWORD_PERSONAL", … }
 */
export function checkPassword(text: string, owner: PasswordOwner): PasswordProblem | undefined {
  const password = normalize(text);
  const length = [...password].length;
  if (length < LEAST_PASSWORD)
    return { code: "PASSWORD_TOO_SHORT", detail: `Use at least ${LEAST_PASSWORD} characters; this has ${length}.` };
  if (length > MOST_CHARACTERS)
    return { code: "PASSWORD_TOO_LONG", detail: `Use at most ${MOST_CHARACTERS} characters; this has ${length}.` };
  const small = password.toLowerCase();
  commonOnes ??= new Set(commonPasswords);
  if (commonOnes.has(small) || repeats(small)) {
    return { code: "PASSWORD_COMMON", detail: "Many people use this password or one like it, so it is tried first. Choose another." };
  }
  if (isPersonal(small, owner)) {
    return {
      code: "PASSWORD_PERSONAL",
      detail: "This is little more than your name, your address or the name of this service. Choose another.",
    };
  }
  return undefined;
}

/** Returns the PHC string to store. Throws QueueFull. */
export function hashPassword(text: string, rank?: number): Promise<string> {
  return inTurn(async () => (await argon2()).hash(normalize(text), PARAMETERS), rank);
}

/**
 * Says whether this is the password of this hash. Without a hash (no such person, or no password) it works as long and answers false, so
 * that the time does not tell which people exist. Throws QueueFull.
 */
export async function verifyPassword(stored: string | undefined, text: string, rank?: number): Promise<boolean> {
  const isRight = await inTurn(async () => (await argon2()).verify(stored ?? NOBODYS_HASH, normalize(text)), rank);
  return isRight && stored !== undefined;
}

/** Says whether a hash was made with other parameters than today's. After a right sign-in the password is then hashed anew. */
export async function needsRehash(stored: string): Promise<boolean> {
  if (!stored.startsWith("$argon2id$v=19$")) return true;
  const { memoryCost, timeCost, parallelism, outputLen } = (await argon2()).parseOptions(stored);
  const { memoryCost: memory, timeCost: passes, parallelism: lanes, outputLen: length } = PARAMETERS;
  return memoryCost !== memory || timeCost !== passes || parallelism !== lanes || outputLen !== length;
}

/** Keyboards write one letter as one code point or as several; RFC 8265 asks for this form. */
function normalize(text: string): string {
  return text.normalize("NFC");
}

/** "abcabcabcabc" is as easy to guess as "abc". */
function repeats(text: string): boolean {
  const period = (text + text).indexOf(text, 1);
  return [...text.slice(0, period)].length < LEAST_PASSWORD;
}

/** Digits and signs beside one's own name do not make a password: they are the first that a guesser adds. */
function isPersonal(small: string, { email, name }: PasswordOwner): boolean {
  const words = [...SERVICE_WORDS, ...wordsOf(email), ...wordsOf(name)].sort((a, b) => b.length - a.length);
  const rest = words.reduce((left, word) => left.replaceAll(word, " "), small);
  return rest !== small && [...rest.matchAll(/\p{L}/gu)].length < LEAST_OTHER_LETTERS;
}

function wordsOf(text: string): string[] {
  return normalize(text)
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length >= SHORTEST_WORD);
}

function unpadded(bytes: number): string {
  return randomBytes(bytes).toString("base64").replaceAll("=", "");
}
