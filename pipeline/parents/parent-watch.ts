// Follows the parents that a checked file lacks while the user decides about them.

import type { Collection } from "../../core/dictionary/collections.ts";
import type { ParentRule } from "../model/corrections.ts";
import type { Plan } from "../model/plan.ts";
import type { ParentService, PostBatch } from "../sending/responses.ts";
import { chosenParents, gatherParents, refusedParents } from "./create-parents.ts";
import { findMissingParents } from "./find-missing.ts";
import {
  findNear,
  type KnownMissing,
  type MissingValue,
  missingValues,
  type NearParent,
  NOTHING_MISSING,
  type ParentGroup,
  parentGroups,
} from "./parent-groups.ts";

interface WatchedFile {
  file: Blob;
  collection: Collection;
}

/** A decision for these values, or for all of the field about which none was made; `to` undefined takes decisions back. */
export type ParentAct =
  | { do: "parents"; field: string; values: readonly { from: string; to: ParentRule["to"] | undefined }[] }
  | { do: "allParents"; field: string; to: "new" | "near" | null | undefined };

export class ParentWatch {
  readonly #source: WatchedFile;
  #known: KnownMissing = NOTHING_MISSING;

  constructor(source: WatchedFile) {
    this.#source = source;
  }

  groups(plan: Plan): ParentGroup[] {
    return parentGroups(this.#known, this.#source.collection, plan);
  }

  /** Returns the values of a field, those of most rows first. */
  values(field: string, plan: Plan): MissingValue[] {
    const missing = this.#known.all.find(({ column }) => column.field.name === field);
    return missing ? missingValues(missing, this.#known, plan) : [];
  }

  /** Returns the rules that an act means. */
  rulesOf(act: ParentAct, plan: Plan): { field: string; from: string; to: ParentRule["to"] | undefined }[] {
    const { field } = act;
    if (act.do === "parents") return act.values.map((value) => ({ field, ...value }));
    const values = this.values(field, plan);
    if (act.to === undefined) return values.map(({ text }) => ({ field, from: text, to: undefined }));
    const open = values.filter(({ to }) => to === undefined);
    if (act.to !== "near") return open.map(({ text }) => ({ field, from: text, to: act.to as "new" | null }));
    return open.flatMap(({ text, near }) => (near ? [{ field, from: text, to: near.key }] : []));
  }

  /** Reads the file and asks the service. Near matches follow: `onFound` is called when the parents are known, and again with these. */
  async find(plan: Plan, service: ParentService, signal: AbortSignal, onFound: () => void): Promise<void> {
    const source = { ...this.#source, plan, signal };
    const all = await findMissingParents(source, async (...asked) => {
      const answer = await service.find(...asked);
      return answer.kind === "read" ? answer.found : undefined;
    });
    if (signal.aborted) return;
    const { near: before } = this.#known;
    this.#known = { all, near: before, refused: new Map() };
    await this.#rehearse(plan, service, signal);
    if (signal.aborted) return;
    onFound();
    const near = new Map<string, Map<string, NearParent>>();
    for (const missing of all) {
      const { name } = missing.column.field;
      near.set(name, await findNear(missing, service.findNear, signal, before.get(name)));
    }
    if (signal.aborted) return;
    this.#known = { ...this.#known, near };
    onFound();
  }

  /** Asks the service what it would do with the parents that are to be created. */
  async #rehearse(plan: Plan, service: ParentService, signal: AbortSignal): Promise<void> {
    if (chosenParents(plan).size === 0) return;
    const refused = new Map<string, ReadonlyMap<string, string>>();
    for (const parents of await gatherParents({ ...this.#source, plan, signal })) {
      const { field, collection } = parents.column;
      const its = await refusedParents(parents, service.dryPost(collection), signal);
      if (its) refused.set(field.name, its);
    }
    if (!signal.aborted) this.#known = { ...this.#known, refused };
  }

  /** Lists what a preview may take for created: field → the texts of the values. */
  toBeCreated(plan: Plan): Map<string, Set<string>> {
    const chosen = chosenParents(plan);
    for (const [field, texts] of chosen) for (const text of this.#known.refused.get(field)?.keys() ?? []) texts.delete(text);
    return chosen;
  }
}

/**
 * `post`, with a success where the service refuses a record for nothing but parents that are created before it. `onAwaiting` is called
 * with the result of each such record.
 */
export function awaitingParents(
  post: PostBatch,
  created: ReadonlyMap<string, ReadonlySet<string>>,
  onAwaiting: (result: object) => void,
): PostBatch {
  if (created.size === 0) return post;
  return async (...given) => {
    const answer = await post(...given);
    if (answer.kind !== "answered") return answer;
    const results = answer.results.map((result) => {
      const record = given[0][result.index] ?? {};
      const errors = result.problem?.errors ?? [];
      const isAwaited = ({ code, pointer = "" }: (typeof errors)[number]) => {
        const field = pointer.split("/").at(-1) ?? "";
        return code === "REFERENCE_NOT_FOUND" && created.get(field)?.has(String(record[field]));
      };
      if (result.outcome !== "failed" || errors.length === 0 || !errors.every(isAwaited)) return result;
      const stored = { index: result.index, outcome: "created" as const, status: 201 };
      onAwaiting(stored);
      return stored;
    });
    return { ...answer, results };
  };
}
