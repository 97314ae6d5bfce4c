// Compares a draft with the dictionary that is served now, and with what is stored.

import type { DictionaryChange, DictionaryImpact } from "../../core/contract/dictionary.ts";
import { CONDITIONALS } from "../../core/contract/problems.ts";
import type { Broken } from "../../core/contract/violations.ts";
import { changesOf } from "../../core/dictionary/changes.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { isObject } from "../../core/dictionary/fields.ts";
import { mergePackages, type Preferred } from "../../core/dictionary/merge-packages.ts";
import type { Package } from "../../core/dictionary/packages.ts";
import { addImpact, withRecords } from "../../core/dictionary/rule-impact.ts";
import { isOfChange } from "../../core/dictionary/rules.ts";
import type { LivingDictionary } from "../access/living-dictionary.ts";
import type { Served } from "../access/served-routes.ts";
import { type Finding, MOST_EXAMPLES } from "../engine/dictionary-findings.ts";
import { type ReadOptions, type Store, StoreTooCostly } from "../engine/store.ts";
import { httpErrors } from "../http/errors.ts";
import { readBroughtRoles } from "../people/brought-roles.ts";
import type { StoredRole } from "../people/store/users.ts";
import { changedWhileConverted } from "./convert-package.ts";
import { isShown } from "./emptier.ts";
import { dateOf, readUses } from "./former-name-routes.ts";
import { type NextPackage, nextPackage } from "./next-package.ts";
import type { StoredDraft } from "./store/drafts.ts";
import { withNamingParts } from "./uses.ts";

export interface DraftParts {
  store: Store;
  /** Is undefined in a service whose dictionary cannot change while it runs. */
  living: Pick<LivingDictionary, "served" | "apply"> | undefined;
}

export function servedOf(living: DraftParts["living"]) {
  if (!living) throw httpErrors.dictionaryRefused("This service cannot change its dictionary while it runs.");
  return living.served();
}

/** Throws 409 for what changes a field that is being converted, or brings back what is being emptied for good. */
export async function refuseWhatIsUnderWay({ store, living }: DraftParts, dataPackage: unknown): Promise<void> {
  const converted = changedWhileConverted(servedOf(living).dataPackage, dataPackage);
  if (converted) throw httpErrors.dictionaryRefused(`"${converted}" is being converted. Wait until that is done, or cancel it.`);
  for (const { id } of await store.emptyings.listEmptyings())
    if (isShown(dataPackage, id)) throw httpErrors.dictionaryRefused("Something that comes back with it is being emptied for good.");
}

export interface NextDictionary extends NextPackage {
  /** The roles that the draft brings. */
  roles: readonly StoredRole[];
  /** The version that is served, which it follows. */
  base: number;
  served: Pick<Served, "dataPackage" | "collections">;
  changes: DictionaryChange[];
}

/**
 * Makes the next version of a draft: where another one was applied since its base, with the changes of both. Throws 422 for mistakes, and 409
 * where both changed the same, unless it is said whose value is preferred.
 */
export async function nextOf(
  { store, living }: DraftParts,
  draft: Pick<StoredDraft, "base" | "text">,
  preferred?: Preferred,
): Promise<NextDictionary> {
  const served = servedOf(living);
  const own: unknown = JSON.parse(draft.text);
  let wanted = own;
  if (draft.base !== served.version) {
    const base = await store.versions.readVersion(draft.base);
    if (!base) throw new Error(`the version ${draft.base} of the dictionary is not kept`);
    const first: unknown = JSON.parse(base.text);
    const merged = mergePackages(first, (await nextPackage(own, first)).dataPackage, served.dataPackage, preferred);
    if (merged.conflicts.length > 0 && !preferred) throw httpErrors.dictionaryConflict(merged.conflicts);
    wanted = withoutNewIds(merged.package, served.dataPackage);
  }
  const next = await nextPackage(wanted, served.dataPackage);
  const roles = readBroughtRoles(own, next.dataPackage);
  return { ...next, roles, base: served.version, served, changes: changesOf(served.dataPackage, next.dataPackage) };
}

/** New parts of a draft have got ids for the merge, which the dictionary that is served does not know. They get others. */
export function withoutNewIds(merged: unknown, served: unknown): object {
  const known = new Set((served as Package).resources.flatMap(({ id, schema }) => [id, ...schema.fields.map((field) => field.id)]));
  const fresh = <One extends { id?: string }>({ id, ...rest }: One) => (known.has(id) ? { id, ...rest } : rest) as One;
  const { resources, ...rest } = merged as Package;
  return {
    ...rest,
    resources: resources.map((one) => fresh({ ...one, schema: { ...one.schema, fields: one.schema.fields.map(fresh) } })),
  };
}

/** Says of a former name that is taken back how often it was used. */
async function withUses(store: Store, changes: readonly DictionaryChange[]): Promise<DictionaryChange[]> {
  const used = changes.some(({ kind }) => kind === "withdrawn") ? await readUses(store) : [];
  return changes.map((change) => {
    const found =
      change.kind === "withdrawn" && used.find(({ collection, name }) => change.path.startsWith(`${collection}.`) && name === change.from);
    return found ? { ...change, requests: found.uses, lastUsedOn: dateOf(found.lastDay), lastUsedBy: found.lastBy } : change;
  });
}

/** Says where the counting of rules goes on: in this collection after this key, then in those that follow it. */
export interface RulePlace {
  collection: string;
  after: number;
  /** Everything else was counted to its end. */
  isRestCounted: boolean;
}

interface ImpactQuery extends ReadOptions {
  /** Says whose records the caller may read. Of others nothing is counted: a rule, or a bound that is moved, can ask for any value. */
  mayRead: (collection: string) => boolean;
  /** Rules alone are counted, from there on. */
  from?: RulePlace | undefined;
  /** Ends the counting after about so many ms; what was counted by then is told. */
  ms?: number;
}

interface FoundImpact extends Omit<DictionaryImpact, "next"> {
  /** Rules were counted up to there. */
  place?: RulePlace;
}

export async function impactOf(store: Store, next: NextDictionary, query: ImpactQuery): Promise<FoundImpact> {
  const found = query.from ? { changes: [], complete: query.from.isRestCounted } : await findStored(store, next, query);
  const { counted, complete, end } = await countRules(store, next, query);
  const changes = query.from
    ? [...counted.values()]
    : found.changes.map((change, i) => withUsesOf(change, counted.get(next.changes[i] ?? change)));
  return { changes, complete: found.complete && complete, ...(end && { place: { ...end, isRestCounted: found.complete } }) };
}

function withUsesOf({ uses, ...change }: DictionaryChange, counted: DictionaryChange | undefined): DictionaryChange {
  return { ...(counted ?? change), ...(uses && { uses }) };
}

/** Does as `impactOf`, and takes the time that it needs. */
export async function wholeImpactOf(store: Store, next: NextDictionary): Promise<DictionaryImpact> {
  const mayRead = () => true;
  let { place, ...all } = await impactOf(store, next, { mayRead });
  while (place) {
    const more = await impactOf(store, next, { mayRead, from: place });
    all = addImpact(all, more);
    place = more.place;
  }
  return all;
}

/** Finds what stored records have to say to all changes but those of rules. */
async function findStored(store: Store, next: NextDictionary, { mayRead }: ImpactQuery): Promise<DictionaryImpact> {
  const changes = await withNamingParts(store, await withUses(store, next.changes), next.dataPackage, next.served);
  try {
    const { refused, stands } = await store.impactOf(next.collections);
    const isSeen = (path: string) => mayRead(path.split(".")[0] ?? "");
    const counted = await Promise.all(
      changes.map((change) =>
        isSeen(change.path) ? withComputation(store, withFindings(change, { refused, stands }), next.collections) : change,
      ),
    );
    const isKnown = ({ place, kind }: Finding) => changes.some((change) => change.path === place && change.kind === kind);
    const others = refused
      .filter((finding) => isSeen(finding.place) && !isKnown(finding))
      .map((finding) => ({ kind: finding.kind, path: finding.place, ...effectOf([finding], "refused") }));
    return { changes: [...counted, ...others], complete: true };
  } catch (error) {
    if (error instanceof StoreTooCostly) return { changes, complete: false };
    throw error;
  }
}

const FIRST_FIGURE = 400; // ms
const NEXT_FIGURE = 1_500; // ms

interface CountedRules {
  /** Maps the change of a rule to the change with its count. */
  counted: ReadonlyMap<DictionaryChange, DictionaryChange>;
  complete: boolean;
  end?: Pick<RulePlace, "collection" | "after">;
}

/** Counts what new rules and conditions, and those that ask for something else now, would find among stored records. */
async function countRules(store: Store, { collections, changes }: NextDictionary, query: ImpactQuery): Promise<CountedRules> {
  const { mayRead, from, ms = from ? NEXT_FIGURE : FIRST_FIGURE, ...options } = query;
  const until = Date.now() + ms;
  const counted = new Map<DictionaryChange, DictionaryChange>();
  const rules = collections.map((collection) => ({ collection, own: changes.flatMap((change) => ruleOf(change, collection) ?? []) }));
  if (!from)
    for (const { collection, own } of rules)
      for (const { change, rule } of own) counted.set(change, isOfChange(collection, rule) ? { ...change, effect: "at once" } : change);
  const asked = rules
    .map(({ collection, own }) => ({ collection, own: own.filter(({ rule }) => !isOfChange(collection, rule)) }))
    .filter(({ collection, own }) => own.length > 0 && mayRead(collection.name));
  const begin = from ? asked.findIndex(({ collection }) => collection.name === from.collection) : 0;
  for (const [i, { collection, own }] of (begin < 0 ? [] : asked.slice(begin)).entries()) {
    const after = collection.name === from?.collection ? from.after : 0;
    const left = until - Date.now();
    if (i > 0 && left <= 0) return { counted, complete: false, end: { collection: collection.name, after } };
    try {
      const { counts, next } = await store.countRules(collection, { rules: own.map(({ rule }) => rule), after, ms: left }, options);
      for (const [k, { change }] of own.entries()) {
        const { count = 0, examples = [] } = counts[k] ?? {};
        counted.set(change, withRecords(change, count, examples));
      }
      if (next !== undefined) return { counted, complete: false, end: { collection: collection.name, after: next } };
    } catch (error) {
      if (error instanceof StoreTooCostly) return { counted, complete: false };
      throw error;
    }
  }
  return { counted, complete: true };
}

/** Returns the rule of a collection, or the condition of a field, that a change brings or makes another one; undefined for other changes. */
function ruleOf(change: DictionaryChange, { name, byName, key }: Collection): { change: DictionaryChange; rule: Broken } | undefined {
  const { kind, path, to } = change;
  const [collection, field = ""] = path.split(".");
  if (collection !== name || !isObject(to)) return undefined;
  if (kind === "narrowed" && isObject(to.rule)) return { change, rule: { rule: String(to.rule.name), field: key.name } };
  const own = byName.get(field);
  const constraint = CONDITIONALS.find(
    (word) => own?.[word] !== undefined && (word in to || (word === "requiredIf" && kind === "required")),
  );
  return constraint && (kind === "narrowed" || kind === "required") ? { change, rule: { constraint, field } } : undefined;
}

const CONVERT = "They can be converted: Change kind, or POST /v1/dictionary/conversions.";
const COUNTED = new Set(["required", "narrowed", "unique", "converted", "reference"]);

function withFindings(
  change: DictionaryChange,
  { refused, stands }: { refused: readonly Finding[]; stands: readonly Finding[] },
): DictionaryChange {
  if (!COUNTED.has(change.kind)) return change;
  const of = ({ place, kind }: Finding) => place === change.path && kind === change.kind;
  const [forbid, breaks] = [refused.filter(of), stands.filter(of)];
  if (forbid.length > 0) {
    const refused = effectOf(forbid, "refused");
    return { ...change, ...refused, ...(change.kind === "converted" && { detail: `${refused.detail} ${CONVERT}` }) };
  }
  return breaks.length > 0 ? { ...change, ...effectOf(breaks, "stands") } : { ...change, effect: "at once", violations: 0 };
}

/** Says of a field that is computed how many records that concerns, and of one that was plain how many values give way. */
async function withComputation(store: Store, change: DictionaryChange, collections: readonly Collection[]): Promise<DictionaryChange> {
  const [name, own = ""] = change.path.split(".");
  const collection = collections.find((one) => one.name === name);
  const field = collection?.byName.get(own);
  const isPlain = change.kind === "computed" && field?.computed === undefined;
  if (isPlain) return { ...change, detail: "It is not computed any more; the values that it has stay." };
  if (!collection || field?.computed === undefined || !["computed", "added"].includes(change.kind)) return change;
  const hadFormula = change.kind === "added" || (change.from as { computed?: string }).computed !== undefined;
  const typed = { name: own, operator: "null" as const, values: [false] };
  const [all, given] = await Promise.all([
    store.count(collection, { words: [] }),
    hadFormula ? 0 : store.count(collection, { words: [], filters: [typed] }),
  ]);
  const anew = `${all.toLocaleString("en")} ${all === 1 ? "record is" : "records are"} computed anew.`;
  const have = given === 1 ? "has a value that was typed" : "have a value that was typed";
  const detail = given === 0 ? anew : `${anew} ${given.toLocaleString("en")} of them ${have}; the history keeps it.`;
  return { ...change, computes: all, ...(given > 0 && { replaces: given }), detail };
}

/** Each value that a closed list loses is a finding of its own. */
function effectOf(findings: readonly Finding[], effect: DictionaryChange["effect"]) {
  return {
    effect,
    violations: findings.reduce((sum, { count }) => sum + count, 0),
    examples: findings.flatMap(({ examples }) => examples).slice(0, MOST_EXAMPLES),
    detail: findings.map(({ text }) => text).join(" "),
  };
}
