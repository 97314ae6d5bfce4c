// Asks all keys at once: which are an administrator's, so that one is left, and how many a person has.

const hasWord = (text: string, word: string) => `' ' || ${text} || ' ' LIKE '% ' || ${word} || ' %'`;

/**
 * The ids of the keys that are valid at the time `now`, a parameter, and allow everything; at most two. A person's key allows no more
 * than the person: it counts while they are active and an administrator.
 */
export function selectAdminKeys(now: string): string {
  return `SELECT k.id FROM keys k LEFT JOIN users u ON u.id = k.user_id
    WHERE ${hasWord("k.scope", "'admin'")} AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > ${now})
      AND (k.user_id IS NULL OR (u.status = 'active' AND (${hasWord("u.roles", "'administrator'")}
        OR EXISTS (SELECT 1 FROM roles r WHERE ${hasWord("r.scope", "'admin'")} AND ${hasWord("u.roles", "r.id")}))))
    LIMIT 2`;
}

/** The number of a person's keys that are neither revoked nor expired. The parameters: the person's id, and the time `now`. */
export function countLivingKeys(userId: string, now: string): string {
  return `SELECT count(*) AS n FROM keys WHERE user_id = ${userId} AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${now})`;
}
