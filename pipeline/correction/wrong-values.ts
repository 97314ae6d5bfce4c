// The distinct wrong values of a group of problems, with their counts, the ways to read them and a proposal for each.

import { meaningsOf } from "../../core/dictionary/categories.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import { KIND_TRAITS, type Value } from "../../core/dictionary/kinds.ts";
import { closestAlone } from "../../core/text/similarity.ts";
import type { CountValues, Offer, Proposal, ValueCounts, ValuesSummary, WrongValue } from "../checking/problem-groups.ts";
import type { ValueRule } from "../model/corrections.ts";
import { type AutoFixName, contradicts, decimalSignOf } from "../model/value-fixes.ts";
import { fixesOf } from "./fixes-of.ts";

interface Counted {
  rows: number;
  kind: Offered | undefined;
  proposal?: Proposal | undefined;
  isProposed: boolean;
}

/** Cells that the same fixes help. */
interface Offered extends Offer {
  rows: number;
  /** In a column with this decimal sign, the only choice would take it for a sign of thousands. */
  unlessSign: string;
}

/** Values that are counted one by one, of one field and in all. Further ones are only counted together, and by their form. */
export const MOST_VALUES = 20_000;
const MOST_IN_ALL = 100_000;
const LONGEST = 200; // UTF-16 units
/** Beyond it nobody maps value by value, and similarity costs time. */
const MOST_PROPOSED = 2_000;
const SHOWN_PROPOSALS = 6; // of a group, beside its button

/**
 * Counts the wrong values of all groups of one check. `remembered`: from an earlier file with such headings. `is1904`: the file is a
 * workbook that counts days from 1904.
 */
export function createValueCounts(remembered: readonly ValueRule[] = [], is1904 = false): CountValues {
  const room = { left: MOST_IN_ALL };
  return (field, _, signs) =>
    new WrongValues(
      field,
      room,
      remembered.filter((rule) => rule.field === field.name),
      signs,
      is1904,
    );
}

export class WrongValues implements ValueCounts {
  readonly field: Field;
  readonly #room: { left: number };
  readonly #remembered: ReadonlyMap<string, string | null>;
  readonly #values = new Map<string, Counted>();
  readonly #offers = new Map<string, Offered>();
  readonly #meanings: ReadonlyMap<string, string>;
  readonly #signs: () => string;
  readonly #is1904: boolean;
  #unlisted = 0;
  #isFull = false;

  constructor(field: Field, room: { left: number }, remembered: readonly ValueRule[], signs: () => string, is1904 = false) {
    this.field = field;
    this.#is1904 = is1904;
    this.#signs = signs;
    this.#room = room;
    this.#meanings = meaningsOf(field);
    this.#remembered = new Map(remembered.map(({ from, to }) => [from, to]));
  }

  count(text: string, by: 1 | -1): void {
    const known = this.#values.get(text);
    if (known) {
      known.rows += by;
      if (known.kind) known.kind.rows += by;
      return;
    }
    const kind = this.#offeredFor(text);
    if (kind) kind.rows += by;
    this.#isFull ||= this.#values.size >= MOST_VALUES || this.#room.left <= 0;
    if (this.#isFull || text.length > LONGEST) {
      this.#unlisted += by;
      return;
    }
    this.#room.left--;
    this.#values.set(structuredClone(text), { rows: by, kind, isProposed: false }); // a clone, because a cell keeps its block of text
  }

  /** Returns the offers, those for most rows first, and those that must be asked after those that need not. The example is the commonest value. */
  offers(): Offer[] {
    const found = [...this.#offers.values()].filter((one) => one.rows > 0 && !this.#isContradicted(one));
    const commonest = new Map<Offered, [text: string, rows: number]>();
    for (const [text, { rows, kind }] of this.#values) {
      const [best, most] = (kind && commonest.get(kind)) ?? ["", 0];
      if (kind && (rows > most || (rows === most && rows > 0 && text < best))) commonest.set(kind, [text, rows]);
    }
    const shown = found.map((offered): Offer => {
      const example = commonest.get(offered)?.[0] ?? offered.example;
      const values = new Map(fixesOf(this.field, example, this.#is1904).map(({ name, value }) => [name, value]));
      return { choices: offered.choices.map(({ name }) => ({ name, becomes: values.get(name) ?? null })), rows: offered.rows, example };
    });
    return shown.sort(
      (a, b) => Number(a.choices.length > 1) - Number(b.choices.length > 1) || b.rows - a.rows || (nameOf(a) < nameOf(b) ? -1 : 1),
    );
  }

  summary(): ValuesSummary {
    let distinct = 0;
    for (const { rows } of this.#values.values()) if (rows > 0) distinct++;
    const proposed = this.proposals();
    return {
      distinct,
      unlisted: this.#unlisted,
      proposed: proposed.length,
      proposedRows: proposed.reduce((sum, { rows }) => sum + rows, 0),
      proposals: proposed.slice(0, SHOWN_PROPOSALS),
      corrected: this.#corrected(proposed),
    };
  }

  /** A fix goes before a remembered answer for the same value, which may be to leave its rows out. */
  #corrected(proposed: readonly WrongValue[]): number {
    const isClear = (kind: Offered | undefined) => kind?.choices.length === 1 && !this.#isContradicted(kind);
    let rows = 0;
    for (const kind of this.#offers.values()) if (isClear(kind)) rows += kind.rows;
    for (const { text, rows: its, proposal } of proposed) {
      if (proposal?.to !== null && !isClear(this.#values.get(text)?.kind)) rows += its;
    }
    return rows;
  }

  /** Returns the values that have a proposal which no offer makes for them. */
  proposals(): WrongValue[] {
    return this.list().filter(({ proposal }) => proposal !== undefined && proposal.why !== "fix");
  }

  /** Lists the commonest first. */
  list(): WrongValue[] {
    const found = [...this.#values]
      .filter(([, { rows }]) => rows > 0)
      .sort(([a, one], [b, other]) => other.rows - one.rows || (a < b ? -1 : 1));
    return found.map(([text, counted], i) => ({
      text,
      rows: counted.rows,
      proposal: i < MOST_PROPOSED ? this.#proposalFor(text, counted) : undefined,
    }));
  }

  #proposalFor(text: string, counted: Counted): Proposal | undefined {
    if (counted.kind && !this.#remembered.has(text) && this.#isContradicted(counted.kind)) return undefined;
    if (!counted.isProposed) {
      counted.proposal = this.#propose(text, counted.kind);
      counted.isProposed = true;
    }
    return counted.proposal;
  }

  /** Fixes of other cells in the group say it, too: of "0,50 €", which no number of the file says. */
  #isContradicted({ unlessSign }: Offered): boolean {
    if (unlessSign === "" || !KIND_TRAITS[this.field.kind].hasDecimals) return false;
    if (this.#signs().includes(unlessSign)) return true;
    const others = [...this.#offers.values()].filter((one) => one.rows > 0 && one.unlessSign === "" && one.choices.length === 1);
    return others.some(({ choices: [only] }) => only && decimalSignOf(only.name) === unlessSign);
  }

  #propose(text: string, kind: Offered | undefined): Proposal | undefined {
    const before = this.#remembered.get(text);
    if (before !== undefined) return { to: before, why: "remembered" };
    if (kind?.choices.length === 1) {
      const [fixed] = fixesOf(this.field, text, this.#is1904);
      return { to: fixed?.value === null || !fixed ? "" : String(fixed.value), why: "fix" };
    }
    const similar = kind ? undefined : closestAlone(text, this.#meanings);
    return similar === undefined ? undefined : { to: similar, why: "similar" };
  }

  /** A form is exact where it fits, so a plain fix for the same text is not needed beside it. */
  #offeredFor(text: string): Offered | undefined {
    if (text === "") return undefined;
    const choices = fixesOf(this.field, text, this.#is1904).map(({ name, value }): { name: AutoFixName; becomes: Value | null } => ({
      name,
      becomes: value,
    }));
    if (choices.length === 0) return undefined;
    const shown = choices.some(({ name }) => name.includes("?") || name.includes("@")) ? choices : choices.slice(0, 1);
    const [only] = shown;
    const unlessSign = shown.length === 1 && only ? ([",", "."].find((sign) => contradicts(only.name, text, sign)) ?? "") : "";
    const key = shown.map(({ name }) => name).join() + unlessSign;
    const known = this.#offers.get(key);
    if (known) return known;
    const offered = { choices: shown, rows: 0, example: structuredClone(text), unlessSign };
    this.#offers.set(key, offered);
    return offered;
  }
}

function nameOf({ choices }: Offer): string {
  return choices.map(({ name }) => name).join();
}
