// Decides what references allow: which parents a record may name, and what goes along with a deletion.

import type { Problem } from "../../core/contract/problems.ts";
import type { WireRecord } from "../../core/contract/records.ts";
import type { Right } from "../../core/contract/scopes.ts";
import { childrenOf } from "../../core/dictionary/children.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import type { StoredRecord } from "../people/store/principals.ts";
import { type OpWithId, recompute, type Stamp } from "./decide.ts";
import { heldKey, type KnownRelations, type Relation, relationKey } from "./find-relations.ts";
import type { RowCheck } from "./row-rights.ts";
import type { Changes, Decision, InUse } from "./store.ts";

type Dependent = Extract<Decision, { outcome: "updated" | "deleted" }>;

/** One write's view of the references, updated from op to op. */
export interface Relations {
  /**
   * Reports a problem for each reference of a new or changed record whose parent is not there, or does not agree with it (`where`), and for each
   * change after which records that refer to it would not. `changes`: undefined for a new record.
   */
  wrongReferences(next: WireRecord, changes: Changes | undefined): Problem[];
  /** Notes a record that is written: from now on others may refer to it. */
  keep(record: WireRecord): void;
  /** Deletes the record and what goes along, or answers what forbids that. */
  remove(id: number): InUse | undefined;
  /** Returns the records that were deleted or cleared along, for each collection. */
  changes(): { collection: Collection; decisions: Dependent[] }[];
}

/** A record of any collection. */
interface Node {
  collection: Collection;
  id: number;
}

const nameOf = ({ collection, id }: Node) => `${collection.name}/${id}`;

/** `own`: the stored records of the ops. */
export function createRelations(...parts: ConstructorParameters<typeof RelationsOfWrite>): Relations {
  return new RelationsOfWrite(...parts);
}

/** The records that go and change with one record. */
interface Followed {
  going: ReadonlyMap<string, Node>;
  cleared: readonly (readonly [Node, field: string])[];
}

class RelationsOfWrite implements Relations {
  private readonly collection: Collection;
  private readonly own: ReadonlyMap<number, WireRecord>;
  private readonly known: KnownRelations;
  private readonly stamp: Stamp;
  private readonly rows: RowCheck | undefined;
  private readonly inRequest: ReadonlySet<string>;
  private readonly gone = new Set<string>();
  /** Records of this write, where the collection refers to itself. */
  private readonly made = new Map<number, WireRecord>();
  /** Parents that records of this write refer to. */
  private readonly named = new Set<string>();
  private readonly dependents = new Map<string, { node: Node; decision: Dependent }>();

  constructor(
    collection: Collection,
    ops: readonly OpWithId[],
    own: ReadonlyMap<number, WireRecord>,
    known: KnownRelations,
    stamp: Stamp,
    rows?: RowCheck,
  ) {
    this.rows = rows;
    this.collection = collection;
    this.own = own;
    this.known = known;
    this.stamp = stamp;
    this.inRequest = new Set(ops.map((op) => nameOf({ collection, id: op.id })));
  }

  wrongReferences(next: WireRecord, changes: Changes | undefined): Problem[] {
    const missing = this.missingParents(next, changes);
    if (missing.length > 0) return missing;
    const circles = this.circles(next, changes);
    return circles.length > 0 ? circles : [...this.otherParents(next, changes), ...(changes ? this.heldChanges(next, changes) : [])];
  }

  keep(record: WireRecord): void {
    if (this.collection.references.some(({ reference }) => reference.collection === this.collection.name))
      this.made.set(record[this.collection.key.name] as unknown as number, record);
  }

  /** Reports a record that would lie below itself, by what is stored and what this write has decided before. */
  private circles(next: WireRecord, changes: Changes | undefined): Problem[] {
    const { collection, known, made } = this;
    const id = next[collection.key.name] as unknown as number;
    return collection.references.flatMap((field): Problem[] => {
      if (!field.reference.acyclic || (changes && !Object.hasOwn(changes, field.name))) return [];
      const stored = known.above.get(field.name);
      const passed = new Set<number>();
      let at = (next[field.name] ?? null) as number | null;
      while (at !== null && at !== id && !passed.has(at)) {
        passed.add(at);
        const record = made.get(at);
        at = record ? ((record[field.name] ?? null) as number | null) : (stored?.get(at) ?? null);
      }
      if (at === null) return [];
      return [
        {
          field: field.name,
          code: "CIRCLE",
          message: `${field.title}: a ${collection.noun} cannot lie below itself. Choose one that is not below it.`,
        },
      ];
    });
  }

  private missingParents(next: WireRecord, changes: Changes | undefined): Problem[] {
    return this.collection.references.flatMap((field) => {
      const value = next[field.name] ?? null;
      if (value === null || (changes && !Object.hasOwn(changes, field.name))) return [];
      const { collection: parent, as } = field.reference;
      const name = `${parent}/${value}`;
      const isSeen = this.known.seen.get(field.name)?.has(value as number) ?? true;
      const isMade = parent === this.collection.name && this.made.has(value as number);
      const isThere = (isMade || (isSeen && this.known.parents.get(field.name)?.has(value as number))) && !this.gone.has(name);
      if (isThere) this.named.add(name);
      return isThere
        ? []
        : { field: field.name, code: "REFERENCE_NOT_FOUND", message: `${field.title}: there is no ${as} with this number.` };
    });
  }

  /** The problem stands at the reference, or where that is as it was at the field that was changed. */
  private otherParents(next: WireRecord, changes: Changes | undefined): Problem[] {
    const { byName, references } = this.collection;
    return references.flatMap((field) => {
      const at = next[field.name] as number;
      const isOwn = field.reference.collection === this.collection.name;
      const parent = (isOwn && this.made.get(at)) || this.known.parents.get(field.name)?.get(at);
      const isNew = !changes || Object.hasOwn(changes, field.name);
      const other = field.reference.where?.find(({ own, parent: theirs }) => {
        const mine = next[own] ?? null;
        const isChanged = isNew || (Object.hasOwn(changes, own) && !this.movesAlong(this.collection, own));
        return parent && mine !== null && isChanged && mine !== (parent[theirs as keyof StoredRecord] ?? null);
      });
      if (!other) return [];
      const title = byName.get(other.own)?.title;
      const message = `${field.title}: this ${field.reference.as} has another ${title}. Choose one with the same, or change ${title}.`;
      return { field: isNew ? field.name : other.own, code: "REFERENCE_MISMATCH", message };
    });
  }

  private heldChanges(next: WireRecord, changes: Changes): Problem[] {
    const { collection, known } = this;
    return childrenOf(known.collections, collection).flatMap((relation) => {
      const pairs = relation.field.reference.where ?? [];
      const held = pairs.filter((pair) => Object.hasOwn(changes, pair.parent) && !this.movesAlong(relation.child, pair.own));
      return held.flatMap((pair): Problem[] => {
        const count = known.held.get(heldKey(relation, next[collection.key.name] as number, pair));
        const { title = "" } = collection.byName.get(pair.parent) ?? {};
        const some = this.rows?.isLimited("read", relation.child) ? "Other records" : `${count} ${count === 1 ? "record" : "records"}`;
        const refer = `${some} of ${relation.child.name} name this ${collection.noun} as ${relation.field.title}`;
        const message = `${title}: ${refer} and have the same ${title}. Change these first.`;
        return count ? [{ field: pair.parent, code: "REFERENCE_MISMATCH", message }] : [];
      });
    });
  }

  /** The field refers to what is merged, so that another batch of the merge changes it alike. */
  private movesAlong({ byName }: Collection, field: string): boolean {
    const { moves } = this.known;
    return moves !== undefined && byName.get(field)?.reference?.collection === moves;
  }

  remove(id: number): InUse | undefined {
    const root = { collection: this.collection, id };
    const followed = this.follow(root);
    if ("count" in followed) return followed;
    const forbidden = this.forbiddenAlong(root, followed);
    if (forbidden) return forbidden;
    for (const [name, node] of followed.going) {
      this.gone.add(name);
      if (name !== nameOf(root)) this.dependents.set(name, { node, decision: { outcome: "deleted", record: this.recordOf(node) } });
    }
    for (const [node, field] of followed.cleared) {
      const before = this.dependents.get(nameOf(node))?.decision;
      this.dependents.set(nameOf(node), { node, decision: clear(node.collection, this.recordOf(node), field, before, this.stamp) });
    }
    return undefined;
  }

  /** Returns the first record that would go or change along and that the caller may not delete or change. */
  private forbiddenAlong(root: Node, { going, cleared }: Followed): InUse | undefined {
    const { rows } = this;
    if (!rows) return undefined;
    const isFree = (right: Right, node: Node) =>
      (["read", right] as const).every((one) => rows.allows(one, node.collection, this.recordOf(node)));
    const deleted = [...going].filter(([name]) => name !== nameOf(root)).find(([, node]) => !isFree("delete", node))?.[1];
    const changed = deleted ?? cleared.find(([node]) => !isFree("update", node))?.[0];
    return changed && { ...parentOf(root), child: changed.collection.name, field: "", count: 1, reason: "rights" };
  }

  changes() {
    return byCollection(this.dependents.values());
  }

  private follow(root: Node): Followed | InUse {
    const going = new Map([[nameOf(root), root]]);
    const cleared: [Node, string][] = [];
    const forbidden: InUse[] = [];
    for (const parent of going.values()) {
      if (this.named.has(nameOf(parent))) {
        forbidden.push({ ...parentOf(parent), child: this.collection.name, field: "", count: 1, reason: "request" });
      }
      for (const relation of childrenOf(this.known.collections, parent.collection)) {
        const found = this.known.forbidding.get(relationKey(relation, parent.id));
        if (found) forbidden.push({ ...placeOf(parent, relation), ...found });
        for (const node of this.referringTo(parent, relation)) {
          if (relation.field.reference.onDelete === "cascade") going.set(nameOf(node), node);
          else cleared.push([node, relation.field.name]);
          const isOther = nameOf(node) !== nameOf(root);
          if (isOther && this.inRequest.has(nameOf(node))) forbidden.push({ ...placeOf(parent, relation), count: 1, reason: "request" });
        }
      }
    }
    const left = forbidden.map((one) => ({ ...one, count: one.count - this.countGoing(one, going) })).find(({ count }) => count > 0);
    return left ?? { going, cleared: cleared.filter(([node]) => !going.has(nameOf(node))) };
  }

  /** Returns the records that are read and still there. */
  private referringTo(parent: Node, relation: Relation): Node[] {
    const ids = this.known.referring.get(relationKey(relation, parent.id)) ?? [];
    return ids.map((id) => ({ collection: relation.child, id })).filter((node) => !this.gone.has(nameOf(node)));
  }

  /** Counts those of the records that forbid the deletion of one which go as well. */
  private countGoing({ reason, child, field, id }: InUse, going: ReadonlyMap<string, Node>): number {
    if (reason !== "rule") return 0;
    const isGoing = (childId: number) => going.has(`${child}/${childId}`) || this.gone.has(`${child}/${childId}`);
    const read = this.known.records.get(child) as unknown as ReadonlyMap<number, WireRecord> | undefined;
    const records = new Map([...(read ?? []), ...(child === this.collection.name ? this.own : [])]);
    return [...records].filter(([childId, record]) => record[field] === id && isGoing(childId)).length;
  }

  private recordOf({ collection, id }: Node): WireRecord {
    return this.known.records.get(collection.name)?.get(id) as unknown as WireRecord;
  }
}

/** A record may lose several references in one request; that is one change of it. */
function clear(collection: Collection, record: WireRecord, field: string, before: Dependent | undefined, stamp: Stamp): Dependent {
  const earlier = before?.outcome === "updated" ? before.changes : {};
  const changes: Changes = { ...earlier, [field]: [record[field] as number, null] };
  const next: WireRecord = { ...record, updatedAt: stamp.at, updatedBy: stamp.by, version: record.version + 1 };
  for (const [name, [, value]] of Object.entries(changes)) next[name] = value;
  recompute(collection, next, record, changes, stamp);
  return { outcome: "updated", record: next, changes };
}

function parentOf({ collection, id }: Node): Pick<InUse, "collection" | "id"> {
  return { collection: collection.name, id };
}

function placeOf(parent: Node, { child, field }: Relation): Pick<InUse, "collection" | "id" | "child" | "field"> {
  return { ...parentOf(parent), child: child.name, field: field.name };
}

function byCollection(dependents: Iterable<{ node: Node; decision: Dependent }>): { collection: Collection; decisions: Dependent[] }[] {
  const groups = new Map<Collection, Dependent[]>();
  for (const { node, decision } of dependents) {
    const group = groups.get(node.collection) ?? [];
    group.push(decision);
    groups.set(node.collection, group);
  }
  return [...groups].map(([collection, decisions]) => ({ collection, decisions }));
}
