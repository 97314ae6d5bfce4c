import { hash } from "@node-rs/argon2";
import { describe, expect, test } from "vitest";
import { LEAST_PASSWORD } from "../../../core/contract/limits.ts";
import { createQueue, QueueFull } from "./bounded-queue.ts";
import commonPasswords from "./common-passwords.json" with { type: "json" };
import { checkPassword, hashPassword, MOST_CHARACTERS, needsRehash, verifyPassword } from "./passwords.ts";

const PASSWORD = "violet kettle 71";
const OWNER = { email: "anna.zedler@beispiel.example", name: "Anna-Lena Zedler" };
const codeOf = (text: string, owner = OWNER) => checkPassword(text, owner)?.code;

describe("a stored password", () => {
  test("is verified, and no other is", async () => {
    const stored = await hashPassword(PASSWORD);
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await hashPassword(PASSWORD)).not.toBe(stored); // each has a salt of its own
    expect(await Promise.all([PASSWORD, `${PASSWORD} `, PASSWORD.toUpperCase(), ""].map((text) => verifyPassword(stored, text)))).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  test("is the same password however the keyboard composes its letters", async () => {
    const stored = await hashPassword("Ma\u0308dchen am Café");
    expect(await verifyPassword(stored, "M\u00e4dchen am Cafe\u0301")).toBe(true);
    expect(await verifyPassword(stored, "Madchen am Cafe")).toBe(false);
  });

  test("counts to its last character", async () => {
    const long = "ö".repeat(MOST_CHARACTERS - 1);
    const stored = await hashPassword(`${long}a`);
    expect([
      await verifyPassword(stored, `${long}a`),
      await verifyPassword(stored, `${long}b`),
      await verifyPassword(stored, long),
    ]).toEqual([true, false, false]);
  });

  test("is hashed anew when its hash is weaker than today's, or of another kind", async () => {
    const make = (parameters: object) => hash(PASSWORD, { memoryCost: 19_456, timeCost: 2, parallelism: 1, ...parameters });
    const stored = await Promise.all([{}, { memoryCost: 9_728 }, { timeCost: 1 }, { algorithm: 1 }, { outputLen: 16 }].map(make));
    expect(await Promise.all([await hashPassword(PASSWORD), ...stored].map(needsRehash))).toEqual([false, false, true, true, true, true]);
    expect(await verifyPassword(stored[1], PASSWORD)).toBe(true); // until then it is valid
  });
});

test("without a stored password none is right, after as much work as with one", async () => {
  const stored = await hashPassword(PASSWORD);
  // The processor's time of all threads, in µs: what this process does, however busy the machine is. The least of several, because a
  // garbage collection or a thread of another test counts, too.
  const workOf = async (hash: string | undefined) => {
    const works: number[] = [];
    for (let i = 0; i < 7; i++) {
      const before = process.cpuUsage();
      expect(await verifyPassword(hash, "not the password")).toBe(false);
      const { user, system } = process.cpuUsage(before);
      works.push(user + system);
    }
    return Math.min(...works);
  };
  await workOf(undefined);
  const ratio = (await workOf(undefined)) / (await workOf(stored));
  expect(ratio).toBeGreaterThan(0.5);
  expect(ratio).toBeLessThan(2);
});

describe("when many sign in at once", () => {
  test("two hashes run, a hundred wait, and the next one is refused at once", async () => {
    const sent = 2 + 100 + 3;
    const ended = await Promise.allSettled(Array.from({ length: sent }, () => verifyPassword(undefined, PASSWORD)));
    const refused = ended.filter((one) => one.status === "rejected");
    expect(refused.map(({ reason }) => reason instanceof QueueFull)).toEqual([true, true, true]);
    expect(ended.filter((one) => one.status === "fulfilled").map(({ value }) => value)).toEqual(Array(sent - 3).fill(false));
    expect(await hashPassword(PASSWORD)).toContain("$argon2id$"); // there is room again
  });

  test("tasks run in the order in which they came, and one that fails leaves its place to the next", async () => {
    const inTurn = createQueue(1, 3);
    const log: number[] = [];
    const task = (n: number) =>
      inTurn(async () => {
        log.push(n);
        await new Promise(setImmediate);
        if (n === 1) throw new Error("failed");
        return n;
      });
    const ended = await Promise.allSettled([0, 1, 2, 3, 4].map(task));
    expect(log).toEqual([0, 1, 2, 3]);
    expect(ended.map((one) => (one.status === "fulfilled" ? one.value : one.reason.message))).toEqual([
      0,
      "failed",
      2,
      3,
      "Too many tasks wait already.",
    ]);
    expect(await task(5)).toBe(5);
  });
});

describe("a queue with ranks", () => {
  /** Starts tasks of these ranks at once, of which one runs and three may wait. Answers the order in which they ran, and who was refused. */
  async function run(ranks: readonly number[]): Promise<{ ran: string[]; refused: string[] }> {
    const inTurn = createQueue(1, 3);
    const [ran, refused]: string[][] = [[], []];
    const names = ranks.map((rank, i) => `${"abcdefgh"[i]}${rank}`);
    const task = (name: string, rank: number) =>
      inTurn(async () => {
        ran?.push(name);
        await new Promise(setImmediate);
      }, rank).catch((error) => refused?.push(error instanceof QueueFull ? name : String(error)));
    await Promise.all(names.map((name, i) => task(name, ranks[i] ?? 0)));
    return { ran: ran ?? [], refused: refused ?? [] };
  }

  test("runs the lower rank first, equal ones as they came", async () => {
    expect(await run([9, 2, 1, 2])).toEqual({ ran: ["a9", "c1", "b2", "d2"], refused: [] });
  });

  test("when it is full, refuses the last one of the highest rank, also one that waits already", async () => {
    expect(await run([1, 2, 3, 4, 1])).toEqual({ ran: ["a1", "e1", "b2", "c3"], refused: ["d4"] });
    expect(await run([1, 2, 3, 4, 4])).toEqual({ ran: ["a1", "b2", "c3", "d4"], refused: ["e4"] });
    expect(await run([1, 1, 1, 1, 9])).toEqual({ ran: ["a1", "b1", "c1", "d1"], refused: ["e9"] });
  });
});

describe("a new password", () => {
  test("needs 12 characters as people count them, and has 200 at most", () => {
    expect(["kettle violet", "käse + größe", "violett 🦊🐌🐢", "violet 12345"].map((text) => codeOf(text))).toEqual([
      undefined,
      undefined,
      "PASSWORD_TOO_SHORT",
      undefined,
    ]);
    expect(codeOf("violet a\u0308pfe")).toBe("PASSWORD_TOO_SHORT"); // 12 code points as typed, 11 letters
    const random = (length: number) => Array.from({ length }, (_, i) => String.fromCodePoint(0x4e00 + i)).join("");
    expect([LEAST_PASSWORD - 1, LEAST_PASSWORD, MOST_CHARACTERS, MOST_CHARACTERS + 1].map((n) => codeOf(random(n)))).toEqual([
      "PASSWORD_TOO_SHORT",
      undefined,
      undefined,
      "PASSWORD_TOO_LONG",
    ]);
  });

  test("may be of any kind of characters", () => {
    for (const text of ["correct horse battery", "839201748261", "ΑΒΓΔΕΖΗΘΙΚΛΜ", "   spaces   count   "])
      expect(codeOf(text)).toBeUndefined();
  });

  test("is not one of the common ones, also not in capitals", () => {
    for (const text of ["1qaz2wsx3edc", "QwertyQwerty", "123456789987654321", "chickenwing101"])
      expect(codeOf(text)).toBe("PASSWORD_COMMON");
    for (const text of commonPasswords.slice(0, 3_000)) expect(codeOf(text)).toBe("PASSWORD_COMMON");
  });

  test("is not a short text again and again", () => {
    for (const text of ["aaaaaaaaaaaaaaaa", "kiwikiwikiwikiwi", "🦊🐌🦊🐌🦊🐌🦊🐌🦊🐌🦊🐌"]) expect(codeOf(text)).toBe("PASSWORD_COMMON");
    expect(codeOf("kiwi kiwi kiwi mango")).toBeUndefined();
  });

  test("is more than the person's own words, the service's name and some digits", () => {
    for (const text of ["anna.zedler@beispiel.example", "AnnaZedler2026", "Intake2026!!", "zedler-lena-anna", "Beispiel intake 1"])
      expect(codeOf(text)).toBe("PASSWORD_PERSONAL");
    expect(codeOf("Anna mag Kraniche")).toBeUndefined();
    expect(codeOf("Jürgen#20261122", { email: "x@y.example", name: "Ju\u0308rgen Li" })).toBe("PASSWORD_PERSONAL");
  });

  test("that is refused is not repeated in the sentence", () => {
    for (const text of ["s3cret", "123456789987654321", "AnnaZedler2026"]) {
      const { detail = "" } = checkPassword(text, OWNER) ?? {};
      expect(detail).toMatch(/^\S.*\.$/);
      expect(detail).not.toContain(text);
    }
  });
});

test("the list of common passwords has what a new password is compared with", () => {
  expect(commonPasswords.length).toBeGreaterThanOrEqual(3_000); // OWASP ASVS 5.0, V6.2.4
  expect(new Set(commonPasswords).size).toBe(commonPasswords.length);
  expect(commonPasswords.filter((text) => [...text].length < LEAST_PASSWORD || text !== text.normalize("NFC").toLowerCase())).toEqual([]);
});
