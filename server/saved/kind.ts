// Declares how recipes and views differ, and how both stand on the wire.

import type { Principal } from "../../core/contract/principals.ts";
import { allows, type Needed } from "../../core/contract/scopes.ts";
import type { HttpError } from "../http/errors.ts";
import type { Schema } from "../http/json-schemas.ts";
import type { FieldReader } from "../http/read-fields.ts";
import type { MostSaved, Saved, SavedKind } from "./store/saved.ts";

/** An item as a body has it. */
export type Given = Pick<Saved, "name" | "isShared" | "brief" | "content"> & { place?: number | undefined };
export interface NewGiven extends Given {
  collection: string;
  /** Belongs to a deleted item that comes back, as `createdBy` does. */
  id?: string | undefined;
  createdBy?: Principal | undefined;
}

export interface Kind {
  kind: SavedKind;
  path: string;
  /** The member of a list that has them all. */
  many: string;
  most: MostSaved;
  bodyLimit: number;
  /** The fields of the body; `new`: of one that is made, besides. */
  fields: { all: Record<string, Schema>; required: readonly string[]; new: Record<string, Schema> };
  readNew(body: unknown, collection: FieldReader<string>): NewGiven;
  readChange(body: unknown): Given & { version: number | undefined };
  schemas: { one: Schema; inList: Schema };
  toWire(item: Saved): object;
  inList(items: readonly Saved[]): object[];
  summaries: Record<"list" | "create" | "read" | "change" | "delete", string>;
  sees(scope: string, collection: string): boolean;
  /** Returns the right that somebody lacks to save such an item; undefined: none. */
  lacks(scope: string, collection: string, isShared: boolean): Needed | undefined;
  errors: { missing: string; taken(): HttpError; full(): HttpError; share(): HttpError };
}

export function madeOnWire({
  version,
  createdAt,
  createdBy,
  updatedAt,
  updatedBy,
}: Pick<Saved, "version" | "createdAt" | "createdBy" | "updatedAt" | "updatedBy">) {
  return { version, createdAt: new Date(createdAt).toISOString(), createdBy, updatedAt: new Date(updatedAt).toISOString(), updatedBy };
}

export function mayWrite(scope: string, collection: string): boolean {
  return allows(scope, `${collection}:create`) || allows(scope, `${collection}:update`);
}
