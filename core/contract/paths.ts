/** The version is part of the base URL. Within v1, changes only add. */
export const API_ROOT = "/v1";
export const TOKEN_PATH = "/oauth/token";
export const REVOKE_PATH = "/oauth/revoke";
export const DICTIONARY_PATH = "/dictionary";
export const DRAFTS_PATH = `${DICTIONARY_PATH}/drafts`;
export const VERSIONS_PATH = `${DICTIONARY_PATH}/versions`;
export const FORMER_NAMES_PATH = `${DICTIONARY_PATH}/former-names`;
export const CONVERSIONS_PATH = `${DICTIONARY_PATH}/conversions`;
export const COMPUTATIONS_PATH = `${DICTIONARY_PATH}/computations`;
export const RETIRED_PATH = `${DICTIONARY_PATH}/retired`;
export const BACKUP_PATH = "/backup";
/** Rewrites the store's files without what erased records have left in them. */
export const REWRITE_PATH = "/rewrite";
export const KEYS_PATH = "/keys";
export const USERS_PATH = "/users";
/** Names of people, for fields of persons. */
export const NAMES_PATH = `${USERS_PATH}/names`;
export const ROLES_PATH = "/roles";
export const SCIM_PATH = "/scim";
/** The ways to sign in; open to everybody. */
export const SIGN_IN_PATH = "/sign-in";
export const SESSIONS_PATH = "/sessions";
export const PASSWORD_RESETS_PATH = "/password-resets";
export const ACCESS_REQUESTS_PATH = "/access-requests";
/** Sign-in with the organisation's own sign-in (OpenID Connect). */
export const OIDC_PATH = "/oidc";
export const LINKS_PATH = "/links";
export const ME_PATH = "/me";
/** Below a person. */
export const PASSKEYS_PATH = "/passkeys";
/** Says who may do what, and why; below a person: all that gives access besides the password. */
export const ACCESS_PATH = "/access";
/** Below a person: looking at the app as them. */
export const VIEW_PATH = "/view";
/** Below oneself. */
export const NOTICES_PATH = "/notices";
/** The change feed. */
export const CHANGES_PATH = "/changes";
/** The activity answers here: it says who did what, newest first. */
export const ACTIVITY_PATH = "/activity";
export const ACTIVITY_DAYS_PATH = "/activity/days";
export const ACTIVITY_EXPORTS_PATH = "/activity/exports";
/** A search over all collections. */
export const SEARCH_PATH = "/search";
/** Recipes answer here: they say how files are read and corrected, and are saved for everybody. */
export const RECIPES_PATH = "/recipes";
/** Uploads and batch runs answer here: what became of their rows. */
export const RUNS_PATH = "/runs";
/** Views answer here: they hold what lists show, and are saved under names. */
export const VIEWS_PATH = "/views";
/** The organisation answers here, also to whoever is not signed in. */
export const ORGANISATION_PATH = "/organisation";
/** Above the id of the picture. */
export const LOGO_PATH = "/organisation/logo";
export const WEBHOOKS_PATH = "/webhooks";
export const LIMITS_PATH = "/limits";
export const OPENAPI_PATH = "/openapi.json";

/** Like every path in this file, it is relative to the base URL. */
export function collectionPath(collection: string): string {
  return `/${collection}`;
}

export function recordPath(collection: string, id: number): string {
  return `/${collection}/${id}`;
}

export function historyPath(collection: string, id: number): string {
  return `${recordPath(collection, id)}/history`;
}

export function restorePath(collection: string, id: number): string {
  return `${recordPath(collection, id)}/restore`;
}

/** Leads to the content of a field with a file. `id` may be ":id", for the pattern of a route. */
export function filePath(collection: string, id: number | string, field: string): string {
  return `/${collection}/${id}/${field}`;
}

/** Returns where a file begins that comes in several requests; it goes on below, at an address of its own. */
export function fileUploadsPath(collection: string, id: number | string, field: string): string {
  return `${filePath(collection, id, field)}/uploads`;
}

/** Leads to one of several files of a field, by the SHA-256 of its content. `id` and `hash` may be ":id" and ":hash", for the pattern of a route. */
export function oneFilePath(collection: string, id: number | string, field: string, hash: string): string {
  return `${filePath(collection, id, field)}/${hash}`;
}

/** Leads to the records of another collection that refer to this one. `id` may be ":id", for the pattern of a route. */
export function childrenPath(collection: string, id: number | string, children: string): string {
  return `/${collection}/${id}/${children}`;
}

/** Names who has the record open. `id` may be ":id", for the pattern of a route. */
export function viewersPath(collection: string, id: number | string): string {
  return `/${collection}/${id}/viewers`;
}

export function erasurePath(collection: string, id: number): string {
  return `${recordPath(collection, id)}/erasure`;
}

export function copyPath(collection: string, id: number): string {
  return `${recordPath(collection, id)}/copy`;
}

export function deletionsPath(collection: string): string {
  return `/${collection}/deletions`;
}

/** Leads to many writes in one request, each with an action of its own. */
export function batchPath(collection: string): string {
  return `/${collection}/batch`;
}

/** Says what a run changed, in short. */
export function runPath(run: string): string {
  return `${ACTIVITY_PATH}/runs/${run}`;
}

/** Leads to the report of a run. `run` may be ":id", for the pattern of a route. */
export function runReportPath(run: string): string {
  return `${RUNS_PATH}/${run}`;
}

/** Leads to the rows of a run that were not stored. */
export function runRowsPath(run: string): string {
  return `${runReportPath(run)}/rows`;
}

/** Says how far an import is. `run`: its id, which is that of its run, or ":id" for the pattern of a route. */
export function importPath(run: string): string {
  return `${runReportPath(run)}/import`;
}

/** Files are imported here. */
export function importsPath(collection: string): string {
  return `/${collection}/imports`;
}

/** Several records become one here. */
export function mergesPath(collection: string): string {
  return `/${collection}/merges`;
}

/** Takes an upload or a batch run back. */
export function undoPath(collection: string): string {
  return `/${collection}/undo`;
}

export function templatePath(collection: string): string {
  return `/${collection}/template.csv`;
}

/** Says whether the text is written as the id of a record: a whole number above zero, without leading zeros. */
export function isIdText(text: string): boolean {
  return /^[1-9][0-9]{0,15}$/.test(text) && Number.isSafeInteger(Number(text));
}
