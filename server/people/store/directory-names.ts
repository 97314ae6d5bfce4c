// Keeps what the organisation's directory calls people by (SCIM), and of whom it has said that they are gone.

import { ask, type Script } from "../../engine/script/script.ts";

export interface DirectoryName {
  userId: string;
  /** Empty: none. */
  externalId: string;
  /** The directory has deleted the person, whose account stays disabled: what they did is theirs. */
  isGone: boolean;
}

function* listDirectoryNames(): Script<DirectoryName[]> {
  const { rows } = yield* ask("SELECT user_id, external_id, is_gone FROM directory_names");
  return rows.map(([userId, externalId, isGone]) => ({
    userId: String(userId),
    externalId: String(externalId),
    isGone: Number(isGone) === 1,
  }));
}

function* putDirectoryName({ userId, externalId, isGone }: DirectoryName): Script<void> {
  const sql = `INSERT INTO directory_names (user_id, external_id, is_gone) VALUES ($1, $2, $3)
    ON CONFLICT (user_id) DO UPDATE SET external_id = excluded.external_id, is_gone = excluded.is_gone`;
  yield* ask(sql, userId, externalId, isGone ? 1 : 0);
}

export const DIRECTORY_READS = { listDirectoryNames };
export const DIRECTORY_WRITES = { putDirectoryName };
