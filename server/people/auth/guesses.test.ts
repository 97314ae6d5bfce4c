import { expect, test } from "vitest";
import { createGuesses, type GuessLimit, TooManyGuesses } from "./guesses.ts";

const ANNA: GuessLimit = { name: "anna", most: 3 };
const OFFICE: GuessLimit = { name: "office", most: 5 };
const wrong = async () => undefined;
const right = async () => "anna";

/** Returns what became of an attempt: its result, or the seconds to wait. */
const outcomeOf = (attempt: Promise<unknown>) =>
  attempt.catch((error) => (error instanceof TooManyGuesses ? error.seconds : error.message));

test("a wrong secret counts under each name until the minute is over; one name that is full refuses", async () => {
  let now = 0;
  const guesses = createGuesses(undefined, () => now);
  for (let i = 0; i < 3; i++) expect(await guesses.run([ANNA, OFFICE], wrong)).toBeUndefined();
  now = 20_000;
  expect(await outcomeOf(guesses.run([ANNA, OFFICE], right))).toBe(40);
  const ben = { name: "ben", most: 3 };
  for (let i = 0; i < 2; i++) expect(await guesses.run([ben, OFFICE], wrong)).toBeUndefined(); // the refused one counted nowhere
  expect(await outcomeOf(guesses.run([ben, OFFICE], right))).toBe(40);
  expect(await guesses.run([ben], right)).toBe("anna");
  now = 60_000;
  expect(await guesses.run([ANNA, OFFICE], right)).toBe("anna");
});

test("attempts that are under way count, and what was right or could not be compared is given back", async () => {
  const guesses = createGuesses(undefined, () => 0);
  const ends: ((result: string | undefined) => void)[] = [];
  const ranks: number[] = [];
  const pending = [0, 1, 2].map(() =>
    guesses.run([ANNA, OFFICE], (rank) => {
      ranks.push(rank);
      return new Promise<string | undefined>((resolve) => ends.push(resolve));
    }),
  );
  expect(await outcomeOf(guesses.run([ANNA, OFFICE], right))).toBe(1); // they may still prove right
  expect(ranks).toEqual([1, 2, 3]);
  ends[0]?.("anna");
  await pending[0];
  const broken = async () => Promise.reject(new Error("down"));
  for (let i = 0; i < 9; i++) expect(await outcomeOf(guesses.run([ANNA, OFFICE], broken))).toBe("down");
  expect(await guesses.run([ANNA, OFFICE], right)).toBe("anna");
  for (const end of ends) end(undefined);
  expect(await Promise.all(pending)).toEqual(["anna", undefined, undefined]);
  expect(await guesses.run([ANNA, OFFICE], wrong)).toBeUndefined();
  expect(await outcomeOf(guesses.run([ANNA, OFFICE], right))).toBe(60);
});

test("what is given back after its minute makes no room in the next one", async () => {
  let now = 0;
  const guesses = createGuesses(undefined, () => now);
  let end = (_: string) => {};
  const late = guesses.run([ANNA], () => new Promise<string | undefined>((resolve) => (end = resolve)));
  now = 60_000;
  for (let i = 0; i < 3; i++) await guesses.run([ANNA], wrong);
  end("anna");
  expect(await late).toBe("anna");
  expect(await outcomeOf(guesses.run([ANNA], right))).toBe(60);
});

test("the table of all processes is asked after memory, and what it refuses is remembered for a second", async () => {
  let now = 0;
  const log: string[] = [];
  let isFull = false;
  const guesses = createGuesses(
    {
      async count(limits, ms) {
        log.push(`count ${limits.map(({ name }) => name).join(" ")} ${ms}`);
        if (isFull) return { full: ANNA, wait: 30_000 };
        return { giveBack: async () => void log.push("give back") };
      },
    },
    () => now,
  );
  await guesses.run([ANNA, OFFICE], wrong);
  await guesses.run([ANNA, OFFICE], right);
  expect(log.splice(0)).toEqual(["count anna office 60000", "count anna office 60000", "give back"]);
  isFull = true;
  expect(await outcomeOf(guesses.run([ANNA, OFFICE], right))).toBe(30);
  now = 500;
  for (let i = 0; i < 9; i++) expect(await outcomeOf(guesses.run([ANNA, OFFICE], right))).toBe(1);
  expect(log).toEqual(["count anna office 60000"]);
  now = 1_000;
  expect(await outcomeOf(guesses.run([ANNA, OFFICE], right))).toBe(30);
  isFull = false;
  expect(await guesses.run([{ name: "ben", most: 1 }, OFFICE], right)).toBe("anna"); // what was refused counts for no other name
  now = 2_000;
  expect(await guesses.run([ANNA, OFFICE], right)).toBe("anna");
});
