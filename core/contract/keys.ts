/** An API key without its secret. Times are RFC 3339 in UTC with milliseconds. */
export interface ApiKey {
  id: string;
  /** Holds what people call it; it may be empty. */
  name: string;
  /** The id of the person who made it; null for a key that belongs to the organisation. */
  owner: string | null;
  /** Words separated by spaces (scopes.ts). */
  scope: string;
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

export const MOST_KEYS_OF_PERSON = 50; // that are neither revoked nor expired
