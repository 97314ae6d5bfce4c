// Drafts of the next dictionary. Both engines use the same statements.

import type { Principal } from "../../../core/contract/principals.ts";
import { ask, type Cell, lockByName, type Script } from "../../engine/script/script.ts";
import { type AllowedTags, allowsTag, etagOfValues } from "../../people/store/etags.ts";

/** Times in ms since 1970. */
export interface StoredDraft {
  id: string;
  title: string;
  comment: string;
  /** The version from which it was made. */
  base: number;
  /** The data package as JSON; empty in a list of all. */
  text: string;
  createdAt: number;
  createdBy: Principal;
  updatedAt: number;
  /** Names whoever changed the data package last, as `Session.limitedAs` has it: a person is one with all their keys. */
  editedBy: string;
}

export type DraftChange = Partial<Pick<StoredDraft, "title" | "comment" | "base" | "text" | "editedBy">> & Pick<StoredDraft, "updatedAt">;

export function draftTag({ title, comment, base, text }: StoredDraft): string {
  return etagOfValues(title, comment, String(base), text);
}

const select = (
  text: string,
) => `SELECT d.id, d.title, d.comment, d.base, ${text}, d.created_at, d.updated_at, d.created_type, d.created_by,
    coalesce(u.name, nullif(k.name, ''), d.created_by), d.edited_by FROM dictionary_drafts d
  LEFT JOIN users u ON d.created_type = 'user' AND u.id = d.created_by LEFT JOIN keys k ON d.created_type = 'key' AND k.id = d.created_by`;

function toDraft([id, title, comment, base, text, createdAt, updatedAt, type, by, name, editedBy]: readonly Cell[]): StoredDraft {
  return {
    ...({ id, title, comment, text } as Pick<StoredDraft, "id" | "title" | "comment" | "text">),
    base: Number(base),
    createdAt: Number(createdAt),
    createdBy: { type, id: by, name } as Principal,
    updatedAt: Number(updatedAt),
    editedBy: String(editedBy),
  };
}

/** Lists the latest first, without their data packages. */
function* listDrafts(): Script<StoredDraft[]> {
  return (yield* ask(`${select("''")} ORDER BY d.updated_at DESC, d.id`)).rows.map(toDraft);
}

function* readDraft(id: string): Script<StoredDraft | undefined> {
  return (yield* ask(`${select("d.package")} WHERE d.id = $1`, id)).rows.map(toDraft)[0];
}

/** Returns "full" where there are `most` drafts. */
function* addDraft(draft: StoredDraft, most: number): Script<"added" | "full"> {
  yield* lockByName("dictionary drafts");
  const count = Number((yield* ask("SELECT count(*) FROM dictionary_drafts")).rows[0]?.[0]);
  if (count >= most) return "full";
  const { id, title, comment, base, text, createdAt, createdBy, updatedAt, editedBy } = draft;
  const sql = `INSERT INTO dictionary_drafts (id, title, comment, base, package, created_at, updated_at, created_type, created_by, edited_by)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`;
  yield* ask(sql, id, title, comment, base, text, createdAt, updatedAt, createdBy.type, createdBy.id, editedBy);
  return "added";
}

/** `allowed`: only if the stored one has one of these ETags. */
function* changeDraft(id: string, change: DraftChange, allowed?: AllowedTags): Script<StoredDraft | "missing" | "other version"> {
  yield* lockByName("dictionary drafts");
  const before = yield* readDraft(id);
  if (!before) return "missing";
  if (!allowsTag(allowed, draftTag(before))) return "other version";
  const draft = { ...before, ...change };
  const sql =
    "UPDATE dictionary_drafts SET title = $2, comment = $3, base = $4, package = $5, updated_at = $6, edited_by = $7 WHERE id = $1";
  yield* ask(sql, id, draft.title, draft.comment, draft.base, draft.text, draft.updatedAt, draft.editedBy);
  return draft;
}

/** `text`: only while this is its data package. */
function* deleteDraft(id: string, text?: string): Script<boolean> {
  if (text === undefined) return (yield* ask("DELETE FROM dictionary_drafts WHERE id = $1", id)).count > 0;
  return (yield* ask("DELETE FROM dictionary_drafts WHERE id = $1 AND package = $2", id, text)).count > 0;
}

export const DRAFT_SCRIPTS = { reads: { listDrafts, readDraft }, writes: { addDraft, changeDraft, deleteDraft } };
