/** The version is part of the base URL; inside v1 only additive change. */
export const API_ROOT = "/v1";
export const TOKEN_PATH = "/oauth/token";
export const REVOKE_PATH = "/oauth/revoke";
export const DICTIONARY_PATH = "/dictionary";
export const BACKUP_PATH = "/backup";
export const KEYS_PATH = "/keys";
export const LIMITS_PATH = "/limits";
export const OPENAPI_PATH = "/openapi.json";

/** Paths below the base URL. */
export function collectionPath(collection: string): string {
  return `/${collection}`;
}

export function recordPath(collection: string, id: number): string {
  return `/${collection}/${id}`;
}

export function deletionsPath(collection: string): string {
  return `/${collection}/deletions`;
}

export function templatePath(collection: string): string {
  return `/${collection}/template.csv`;
}
