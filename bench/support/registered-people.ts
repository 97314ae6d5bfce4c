// Makes people of a register in the shape of Febrl's sets, and says which records are of one person.

import type { Match } from "../../core/dictionary/match.ts";
import { createRandom, type Random, withSlip } from "./labelled-people.ts";

/** The columns of those sets; `id` stands for rec_id, and the street for its number and address_1. Nothing is copied from them. */
export interface Registered {
  id: number;
  givenName: string | null;
  surname: string | null;
  street: string | null;
  suburb: string | null;
  postcode: string | null;
  state: string | null;
  birthday: string | null;
  number: string | null;
}

/** How many values of a record have a slip, are missing, or stand in each other's place. */
export const SLIPS = ["1 slip", "2 slips", "3 slips", "4 slips", "two with slips"] as const;

export interface RegisteredPeople {
  people: Registered[];
  /** Two records with slips of their own are "two with slips". */
  twins: { one: number; other: number; kind: (typeof SLIPS)[number] }[];
}

/** How these people are compared. */
export const REGISTER_MATCH: Match = {
  comparisons: [
    { fields: ["givenName", "surname"], as: "name", weight: 6, unlike: 3 },
    { fields: ["birthday"], as: "date", weight: 5, unlike: 3 },
    { fields: ["number"], as: "letters", weight: 6, unlike: 2, letters: 2 },
    { fields: ["street"], as: "letters", weight: 4, unlike: 0.5, letters: 2 },
    { fields: ["postcode"], as: "exact", weight: 1, unlike: 0.5 },
  ],
  same: 9,
  maybe: 6,
};

const GIVEN =
  "jack joshua thomas lachlan matthew james daniel benjamin samuel nicholas emily jessica georgia sophie chloe isabella olivia hannah ella mia zoe ruby charlotte lucy grace madison".split(
    " ",
  );
const SURNAMES =
  "smith jones williams brown wilson taylor white martin anderson thompson ryan campbell clarke nguyen kelly walker harris roberts mitchell young webb green reid matthews coleman dixon stephenson goode mccarthy petersen".split(
    " ",
  );
const STREETS = "barton moulden kingsford hawkesbury dryandra bunker antill mugga paperbark wattle banksia waterhouse".split(" ");
const KINDS_OF_STREET = ["street", "crescent", "place", "circuit"];
const STATES = ["nsw", "vic", "qld", "wa", "sa", "act", "tas"];
const MOST_DUPLICATES = 4; // of one person
const MOST_SLIPS = 4; // in one record

/** A quarter of the people has more records, as in the larger of those sets: most of them one, few four. */
export function registeredPeople(originals: number, seed = 1): RegisteredPeople {
  const random = createRandom(seed);
  const people: Registered[] = Array.from({ length: originals }, (_, i) => newPerson(i + 1, random));
  const twins: RegisteredPeople["twins"] = [];
  for (let i = 0; i < originals; i += 4) {
    const one = people[i] as Registered;
    const others: Registered[] = [];
    const count = 1 + Math.min(random(MOST_DUPLICATES), random(MOST_DUPLICATES));
    while (others.length < count) {
      const slips = 1 + random(MOST_SLIPS);
      const other = withSlips({ ...one, id: people.length + 1 }, slips, random);
      twins.push({ one: one.id, other: other.id, kind: SLIPS[slips - 1] as (typeof SLIPS)[number] });
      for (const before of others) twins.push({ one: before.id, other: other.id, kind: "two with slips" });
      others.push(other);
      people.push(other);
    }
  }
  return { people, twins };
}

function newPerson(id: number, random: Random): Registered {
  const of = (list: readonly string[]) => list[random(list.length)] as string;
  const two = (number: number) => String(number).padStart(2, "0");
  const orMissing = (value: string) => (random(20) === 0 ? null : value);
  return {
    id,
    givenName: orMissing(of(GIVEN)),
    surname: of(SURNAMES),
    street: orMissing(`${1 + random(250)} ${of(STREETS)} ${of(KINDS_OF_STREET)}`),
    suburb: `${of(SURNAMES)}${["ville", " park", "ton", " heights"][random(4)]}`,
    postcode: String(2_000 + random(5_000)),
    state: orMissing(of(STATES)),
    birthday: orMissing(`${1_900 + random(100)}-${two(1 + random(12))}-${two(1 + random(28))}`),
    number: String(1_000_000 + random(9_000_000)),
  };
}

const SLIPPING = ["givenName", "surname", "street", "suburb", "postcode", "birthday", "number"] as const;

function withSlips(person: Registered, count: number, random: Random): Registered {
  const changed = { ...person };
  for (let i = 0; i < count; i++) {
    const name = SLIPPING[random(SLIPPING.length)] as (typeof SLIPPING)[number];
    const value = changed[name];
    const kind = random(10);
    if (kind === 0) [changed.givenName, changed.surname] = [changed.surname, changed.givenName];
    else if (value === null) continue;
    else if (kind === 1) changed[name] = null;
    else if (kind === 2) changed[name] = asHeard(asScanned(value, random));
    else changed[name] = name === "birthday" ? withOtherDigit(value, random) : withSlip(value, random);
  }
  return changed;
}

/** As a scanner reads it. */
function asScanned(text: string, random: Random): string {
  return random(2) === 0 ? text.replace("o", "0").replace("l", "1") : text.replace("rn", "m").replace("5", "s");
}

/** As somebody spells what they hear. */
function asHeard(text: string): string {
  return text.replace("ph", "f").replace("ck", "k").replace("mc", "mac");
}

/** It stays a date, since others are not stored. */
function withOtherDigit(day: string, random: Random): string {
  return `${day.slice(0, 3)}${random(10)}${day.slice(4)}`;
}
