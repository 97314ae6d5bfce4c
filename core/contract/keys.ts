/** An API key without its secret. Times are RFC 3339 in UTC with milliseconds. */
export interface ApiKey {
  id: string;
  /** Holds what people call it; it may be empty. */
  name: string;
  /** The id of the person who made it; null for a key that belongs to the organisation. */
  owner: string | null;
  /** Words separated by spaces (scopes.ts). With roles: the most that they give to the key. */
  scope: string;
  /** Ids of roles, whose conditions hold for the key. Without them the scope alone says what it may. */
  roles: string[];
  createdAt: string;
  expiresAt: string | null;
  revokedAt: string | null;
  lastUsedAt: string | null;
  /** The network from which it was used last; null if it is not known. */
  lastUsedFrom: string | null;
}

/** RFC 6749 section 5.1. */
export interface TokenReply {
  access_token: string;
  token_type: "Bearer";
  expires_in: number;
  scope: string;
}

/** The scope of a key with roles, unless it is told a smaller one: it does all that they allow, and administers nothing. */
export const SCOPE_WITH_ROLES = "write dictionary";

export const MOST_KEYS_OF_PERSON = 50; // that are neither revoked nor expired
