// Every error that the service answers: `throw httpErrors.notFound()`.

import type { ChangedField } from "../../core/contract/merges.ts";
import { MOST_PASSKEYS } from "../../core/contract/passkeys.ts";
import { PROBLEM_CATALOGUE } from "../../core/contract/problem-catalogue.ts";
import type { CurrentVersion, HttpErrorCode, ProblemDetail } from "../../core/contract/problems.ts";
import { MOST_RECIPES } from "../../core/contract/recipes.ts";
import { MOST_VIEWS } from "../../core/contract/views.ts";
import { MOST_WEBHOOKS } from "../../core/contract/webhooks.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { MAX_FAILED, WINDOW_SECONDS } from "../people/auth/login-attempts.ts";
import type { Confusable } from "../people/store/confusable-names.ts";

interface Extra {
  /** Is left out where it is the first of the code's in the catalogue. */
  status?: number;
  /** Comes with 412, for the body. */
  current?: CurrentVersion;
  /** Comes with MERGE_CHANGED, for the body. */
  fields?: readonly ChangedField[];
  /** Says where and why, for the body's `errors`. */
  errors?: ProblemDetail[];
  headers?: Record<string, string>;
  /** The error code of RFC 6749 section 5.2. */
  oauth?: string;
  /** The error code of RFC 7644 section 3.12. */
  scim?: string;
}

/**
 * Is thrown anywhere while a request is handled. `cause`: what the log is told of it. problem.ts turns it into the answer's problem
 * document (RFC 9457).
 */
export class HttpError extends Error {
  readonly status: number;
  readonly code: HttpErrorCode;
  readonly extra: Extra;

  /** `detail` is a sentence for people. It must not repeat what was sent, because problems are logged. */
  constructor(code: HttpErrorCode, detail: string, extra: Extra = {}, cause?: unknown) {
    super(detail, { cause });
    this.status = extra.status ?? PROBLEM_CATALOGUE[code].status[0];
    this.code = code;
    this.extra = extra;
  }
}

export const REALM = "intake";
/** Says how to send credentials, without an error code. */
const BEARER: Extra = { headers: { "WWW-Authenticate": `Bearer realm="${REALM}"` } };
export const WRONG_KEY = "The API key is not known, or was revoked.";

function attemptFields(seconds: number): Record<string, string> {
  return {
    "Retry-After": String(seconds),
    "RateLimit-Policy": `"attempts";q=${MAX_FAILED};w=${WINDOW_SECONDS}`,
    RateLimit: `"attempts";r=0;t=${seconds}`,
  };
}

function unavailable(whatToDo: string): HttpError {
  return new HttpError("UNAVAILABLE", `The service cannot do this just now. ${whatToDo}`, { headers: { "Retry-After": "2" } });
}

/** Returns the sentence of the one problem; undefined where there are several. */
function onlyDetail(errors: readonly ProblemDetail[]): string | undefined {
  return errors.length === 1 ? errors[0]?.detail : undefined;
}

/** Goes with a 403: the token is valid, and allows too little (RFC 6750 section 3). */
const TOO_NARROW = { headers: { "WWW-Authenticate": `Bearer realm="${REALM}", error="insufficient_scope"` } };

/**
 * One function for each error. The status of its code stands in the catalogue of problems.
 *
 * @example
 * if (!record) throw httpErrors.notFound(`There is no ${collection.noun} with this ${collection.key.title}.`);
 */
export const httpErrors = {
  badRequest: (detail: string) => new HttpError("BAD_REQUEST", detail),

  /** 400. A byte that is not UTF-8 would be replaced by another character, and that one would be searched for. */
  undecodableAddress: () => new HttpError("BAD_REQUEST", "The address has a % that begins no valid character of UTF-8."),

  /** 400. Where the body ends cannot be known, so the connection ends (RFC 9112 section 6.3). */
  unknownTransferCoding: () =>
    new HttpError("BAD_REQUEST", "Send the body whole or in chunks, not coded otherwise.", { headers: { Connection: "close" } }),

  malformedJson: (detail: string) => new HttpError("MALFORMED_JSON", detail),

  badParameters: (errors: ProblemDetail[]) =>
    new HttpError("BAD_PARAMETER", onlyDetail(errors) ?? `The address has ${errors.length} parameters that cannot be used.`, {
      errors,
    }),

  badCursor(parameter = "cursor") {
    const errors = [{ parameter, code: "BAD_CURSOR", detail: "Start again without a cursor." }];
    return new HttpError("BAD_CURSOR", "The cursor was not made for this list, order and search.", { errors });
  },

  cursorExpired() {
    const errors = [{ parameter: "after", code: "CURSOR_EXPIRED", detail: "Read the records anew, and follow from after=now." }];
    return new HttpError("CURSOR_EXPIRED", "Changes after this cursor are no longer kept, or the store was restored.", { errors });
  },

  badHeader: (header: string, detail: string) => new HttpError("BAD_HEADER", detail, { errors: [{ header, code: "BAD_HEADER", detail }] }),

  /** 400 (RFC 9110 section 14.5) */
  noPartialPut: () => httpErrors.badHeader("Content-Range", "PUT replaces the whole record; send it whole, or PATCH what changes."),

  /** 400 of the routes for directories (RFC 7644 section 3.12). */
  scim: (scim: "invalidFilter" | "invalidSyntax" | "invalidValue" | "noTarget" | "uniqueness", detail: string) =>
    new HttpError("BAD_REQUEST", detail, { scim }),

  /** 409 of the routes for directories. */
  scimTaken: () =>
    new HttpError("ROLE_IN_USE", "There is a role with this name already. Find it by a filter, and give it to people.", {
      scim: "uniqueness",
    }),

  /** 400 of the token routes (RFC 6749 section 5.2). */
  badTokenRequest: (oauth: "invalid_request" | "unsupported_grant_type" | "invalid_scope", detail: string) =>
    new HttpError("BAD_REQUEST", detail, { oauth }),

  /** 401 without any credentials: no error code, only how to send them (RFC 6750 section 3.1). */
  unauthenticated: () => new HttpError("UNAUTHENTICATED", "Send an access token: Authorization: Bearer <token>.", BEARER),

  invalidToken: (detail = "The access token is unknown or has expired. Exchange the API key for a new one.") =>
    new HttpError("INVALID_TOKEN", detail, {
      headers: { "WWW-Authenticate": `Bearer realm="${REALM}", error="invalid_token"` },
    }),

  /** 401 for every wrong API key; a client that used Basic must get it with this header (RFC 6749 section 5.2). */
  invalidClient: (detail = WRONG_KEY) =>
    new HttpError("INVALID_CLIENT", detail, {
      oauth: "invalid_client",
      headers: { "WWW-Authenticate": `Basic realm="${REALM}"` },
    }),

  /** 401 for every reason why a person cannot sign in with this address and password, so that nobody learns who has an account. */
  wrongPassword: () =>
    new HttpError("WRONG_PASSWORD", "Address and password do not belong together, or the account cannot be used.", BEARER),

  /** 401 for every reason why a passkey is not taken, so that nobody learns whose it was. */
  passkeyRefused: () => new HttpError("PASSKEY_REFUSED", "This passkey cannot be used here. Try again, or sign in another way.", BEARER),

  /** 401 after a right password, where passkeys are compulsory and the person has one. */
  passkeyNeeded: () =>
    new HttpError(
      "PASSKEY_NEEDED",
      "Here you sign in with your passkey, not with your password. If it is lost, ask an administrator.",
      BEARER,
    ),

  /** 401 for a refresh token that is wrong, used up, or whose session has ended. */
  sessionEnded: () =>
    new HttpError("SESSION_ENDED", "This session has ended. Sign in again.", {
      headers: { "WWW-Authenticate": `Bearer realm="${REALM}", error="invalid_token"` },
    }),

  /** 401 for every reason why the code of the organisation's own sign-in cannot be used. */
  signInCodeInvalid: () => new HttpError("CODE_INVALID", "This sign-in took too long or was used already. Sign in again.", BEARER),

  /** 404 for every reason why a one-time link cannot be used. */
  linkInvalid: () =>
    new HttpError("LINK_INVALID", "This link was used already, has expired, or is not whole. Ask an administrator for a new one."),

  /** 404 where nobody may ask for access (SIGN_UP). */
  signUpClosed: () =>
    new HttpError("SIGN_UP_CLOSED", "Nobody can ask for access here. Ask an administrator of this service for an invitation."),

  /** 404 where the service has no place for files. */
  noFilesHere: () => new HttpError("NO_FILES_HERE", "This service keeps no files: FILES names no place for them."),

  /** 503: the record is erased, and its content is still there. */
  filesLeft(cause: unknown) {
    const detail =
      "The record is erased. Its files could not be removed just now: the service does it with its next sweeps, within 30 hours.";
    return new HttpError("UNAVAILABLE", detail, { headers: { "Retry-After": "2" } }, cause);
  },

  /** 422: `word` is what the scanner says, one line. */
  fileDangerous: (word: string) =>
    new HttpError("FILE_REFUSED", `The scanner of this service refuses the file, and nothing was stored: ${word}`),

  /** 415: `accepted` names media types, the field is named by its title. */
  fileRefused: (title: string, accepted: readonly string[], found: string) =>
    new HttpError("UNSUPPORTED_MEDIA_TYPE", `${title} takes ${accepted.join(", ")}. By its content this file is ${found}.`),

  /** 409: a file that comes in several requests is gone on with from its end alone, by one request at a time. */
  uploadOffset: () =>
    new HttpError(
      "UPLOAD_OFFSET",
      "The file goes on elsewhere: ask by HEAD for Upload-Offset, and send what comes after it. Nothing was added.",
    ),

  /** 416 (RFC 9110 section 15.5.17) */
  noSuchRange: (bytes: number) =>
    new HttpError("RANGE_NOT_SATISFIABLE", `The file has ${bytes} bytes.`, { headers: { "Content-Range": `bytes */${bytes}` } }),

  /** 404 where the service cannot send a link. */
  noMailHere: () => new HttpError("NO_MAIL_HERE", "This service sends no mail. Ask an administrator for a link that sets a new password."),

  /** 403 where a person is meant. */
  notAPerson: () => new HttpError("NOT_A_PERSON", "An API key has no account. This is for people who have signed in.", TOO_NARROW),

  /** 403 for a session that began with a password where passkeys are compulsory. */
  passkeyRequired: () =>
    new HttpError(
      "PASSKEY_REQUIRED",
      "Passkeys are compulsory here. Add one to your account, or use the one that you have, to go on.",
      TOO_NARROW,
    ),

  /** 403 before anything is given that outlives the session. */
  proofNeeded: () => new HttpError("PROOF_NEEDED", "Prove again who you are, as /v1/me/proof says. It holds for ten minutes.", TOO_NARROW),

  insufficientScope: (scope: string) =>
    new HttpError("INSUFFICIENT_SCOPE", `This needs the scope "${scope}".`, {
      headers: { "WWW-Authenticate": `Bearer realm="${REALM}", error="insufficient_scope", scope="${scope}"` },
    }),

  /** 403 for every change while an administrator looks at the app as somebody else. */
  viewing: (name: string) =>
    new HttpError("VIEWING", `You look at the app as ${name} and change nothing meanwhile. End the view first.`, TOO_NARROW),

  /** 403 for what the conditions of the caller's roles forbid. */
  forbiddenByRoles: (detail: string, errors: ProblemDetail[] = []) =>
    new HttpError("INSUFFICIENT_SCOPE", detail, { ...TOO_NARROW, ...(errors.length > 0 && { errors }) }),

  notFound: (detail = "There is nothing at this address.", errors: ProblemDetail[] = []) =>
    new HttpError("NOT_FOUND", detail, errors.length > 0 ? { errors } : {}),

  methodNotAllowed: (method: string, allow: string) =>
    new HttpError("METHOD_NOT_ALLOWED", `${method} is not possible here. Possible: ${allow}.`, { headers: { Allow: allow } }),

  notAcceptable: (type: string) => new HttpError("NOT_ACCEPTABLE", `The answer is ${type}, which the Accept header leaves out.`),

  requestTimeout: () => new HttpError("REQUEST_TIMEOUT", "The request did not arrive in time."),

  alreadyExists: (errors: ProblemDetail[]) => new HttpError("ALREADY_EXISTS", errors[0]?.detail ?? "It exists already.", { errors }),

  /** 409: with `onDuplicate=error` a stored record is the same. */
  duplicate: (errors: ProblemDetail[]) => new HttpError("DUPLICATE", errors[0]?.detail ?? "The same record is stored already.", { errors }),

  inUse: (errors: ProblemDetail[]) => new HttpError("IN_USE", errors[0]?.detail ?? "Other records refer to it.", { errors }),

  /** 409: it is written to the record that it is part of. */
  merged: (errors: ProblemDetail[]) => new HttpError("MERGED", errors[0]?.detail ?? "It was merged into another record.", { errors }),

  /** 409: `why` is a sentence. */
  mergeFixed: (why: string) => new HttpError("MERGE_FIXED", why),

  /** 409: whoever takes the merge apart says to which record each value belongs. */
  mergeChanged(fields: readonly ChangedField[], { byName }: Pick<Collection, "byName">) {
    const titleOf = ({ field }: ChangedField) => byName.get(field)?.title ?? field;
    const errors = fields.map((one) => ({
      parameter: "values",
      code: "MERGE_CHANGED",
      detail: `${titleOf(one)} was changed after the merge. Say in values to which record the value of now belongs.`,
    }));
    return new HttpError("MERGE_CHANGED", errors[0]?.detail ?? "Fields were changed after the merge.", { errors, fields });
  },

  idempotencyKeyInProgress: () =>
    new HttpError("IDEMPOTENCY_IN_PROGRESS", "The first request with this Idempotency-Key is still running.", {
      headers: { "Retry-After": "1" },
    }),

  lastAdministrator: () =>
    new HttpError("LAST_ADMIN_KEY", "This is the last administrator's key that is valid. Make another one first, then revoke this one."),

  lastPersonWhoAdministers: () =>
    new HttpError("LAST_ADMINISTRATOR", "This is the last active administrator. Make somebody else one first."),

  runBusy: () => new HttpError("RUN_BUSY", "Somebody is sending the rows of this run just now. Nothing was done."),

  runChanged: () =>
    new HttpError("RUN_CHANGED", "The rows of this run were sent again meanwhile, or are no longer kept. Read the run anew."),

  recipeNameTaken: () =>
    new HttpError("RECIPE_NAME_TAKEN", "There is a recipe of this name already. Choose another name, or change that one."),

  tooManyRecipes: () =>
    new HttpError("TOO_MANY_RECIPES", `There are ${MOST_RECIPES} recipes, which is the most. Delete one that nobody uses.`),

  viewNameTaken: () => new HttpError("VIEW_NAME_TAKEN", "There is a view of this name already. Choose another name, or change that one."),

  /** 409. The app's translations take the other name out of the quotes. */
  nameConfusable({ confusableWith }: Confusable) {
    const detail = `This name looks like “${confusableWith}”, which is there already. Choose another name.`;
    return new HttpError("NAME_CONFUSABLE", detail, { errors: [{ pointer: "/name", code: "NAME_CONFUSABLE", detail }] });
  },

  tooManyViews: () => new HttpError("TOO_MANY_VIEWS", `There are ${MOST_VIEWS} such views, which is the most. Delete one first.`),

  emailTaken: () => new HttpError("EMAIL_TAKEN", "Somebody with this address is here already."),

  userDisabled: () => new HttpError("USER_DISABLED", "This account is disabled. Make it active first."),

  tooManyPasskeys: () =>
    new HttpError("TOO_MANY_PASSKEYS", `You have ${MOST_PASSKEYS} passkeys, which is the most. Remove one that you do not use.`),

  /** 409 where passkeys are compulsory. */
  lastPasskey: () => new HttpError("LAST_PASSKEY", "This is your last passkey, and passkeys are compulsory here. Add another one first."),

  tooManyWebhooks: () =>
    new HttpError("TOO_MANY_WEBHOOKS", `There are ${MOST_WEBHOOKS} webhooks, which is the most. Delete one that is not used.`),

  rewriteTooLong: () =>
    new HttpError(
      "REWRITE_TOO_LONG",
      "Not all was rewritten: it takes too long, or the tables are of another role. Stop the service and run intake erase --rewrite, or VACUUM FULL on PostgreSQL.",
    ),

  roleInUse: () =>
    new HttpError("ROLE_IN_USE", "People or API keys have this role. Give those people another one, and revoke the keys first."),

  roleBuiltIn: () => new HttpError("ROLE_BUILT_IN", "This role is built in. Make one of your own instead."),

  /** 409. `reasons` begin with their places. */
  dictionaryRefused: (detail: string, reasons: readonly string[] = []) =>
    new HttpError("DICTIONARY_REFUSED", detail, { errors: reasons.map((reason) => ({ code: "DICTIONARY_REFUSED", detail: reason })) }),

  /** 409 where two drafts changed the same. */
  dictionaryConflict: (conflicts: readonly { path: string; property: string }[]) =>
    new HttpError("DICTIONARY_CONFLICT", "Another version was applied since, and it changed the same as this draft.", {
      errors: conflicts.map(({ path, property }) => ({
        pointer: `/${(path || property).replace(".", "/")}`,
        code: "DICTIONARY_CONFLICT",
        detail: `${path || "The dictionary"}: ${property} was changed in both.`,
      })),
    }),

  changedMeanwhile: (what: string) => new HttpError("PRECONDITION_FAILED", `Somebody changed the ${what} meanwhile. Nothing was done.`),

  preconditionFailed(errors: ProblemDetail[] = []) {
    const detail = "Somebody changed the record meanwhile. Nothing was done.";
    return new HttpError("PRECONDITION_FAILED", detail, errors.length > 0 ? { errors } : {});
  },

  changedByOthers(errors: ProblemDetail[] = []) {
    const detail = "The record was made, changed or deleted elsewhere meanwhile. Nothing was overwritten.";
    return new HttpError("CHANGED_BY_OTHERS", detail, errors.length > 0 ? { errors } : {});
  },

  tooLarge: (detail: string) => new HttpError("TOO_LARGE", detail),

  uriTooLong: () => new HttpError("URI_TOO_LONG", "The address is longer than the service takes."),

  unsupportedMediaType: (accepted: readonly string[], method: string, beginning = "Send the body as") =>
    new HttpError("UNSUPPORTED_MEDIA_TYPE", `${beginning} ${accepted.join(" or ")}.`, {
      headers: { [method === "PATCH" ? "Accept-Patch" : "Accept-Post"]: accepted.join(", ") },
    }),

  /** 415 for a Content-Encoding; Accept-Encoding names those that can be used (RFC 9110 section 15.5.16). */
  unsupportedEncoding: (acceptsGzip: boolean) =>
    new HttpError("UNSUPPORTED_MEDIA_TYPE", `Send the body ${acceptsGzip ? "plain or as gzip" : "not compressed"}.`, {
      headers: { "Accept-Encoding": acceptsGzip ? "gzip, identity" : "identity" },
    }),

  expectationFailed: () => new HttpError("BAD_REQUEST", "The Expect header may ask for 100-continue only.", { status: 417 }),

  /** 422: the data is not valid. `errors` say where and why; all problems at once. */
  validation(errors: ProblemDetail[], code: HttpErrorCode = "VALIDATION") {
    const detail = onlyDetail(errors) ?? `The request has ${errors.length} problems; nothing was written.`;
    return new HttpError(code, detail, { errors });
  },

  idempotencyKeyReused() {
    const detail = "This Idempotency-Key was used with another request. Use a new key for a new request.";
    const errors = [{ header: "Idempotency-Key", code: "IDEMPOTENCY_KEY_REUSED", detail }];
    return new HttpError("IDEMPOTENCY_KEY_REUSED", detail, { errors });
  },

  /** 429 instead of 401 for a wrong API key after too many of them. */
  tooManyAttempts: (seconds: number) =>
    new HttpError(
      "TOO_MANY_REQUESTS",
      `The API key is not known, or was revoked, and there were too many such attempts. Wait ${seconds} s.`,
      {
        headers: attemptFields(seconds),
      },
    ),

  /** 429 instead of 401 for a wrong password after too many of them. The password is not looked at. */
  tooManySignIns: (seconds: number) =>
    new HttpError("TOO_MANY_REQUESTS", `There were too many attempts to sign in. Wait ${seconds} s.`, {
      headers: attemptFields(seconds),
    }),

  /** 429 for open requests that make the service write or send mail. */
  tooManyFromSource: (seconds: number) =>
    new HttpError("TOO_MANY_REQUESTS", `There were too many such requests from your network. Wait ${seconds} s.`, {
      headers: attemptFields(seconds),
    }),

  /** 503 while the service checks as many passwords as it can. */
  busyWithPasswords: () =>
    new HttpError("UNAVAILABLE", "Too many people sign in at this moment. Try again in a few seconds.", {
      headers: { "Retry-After": "2" },
    }),

  headersTooLarge: () => new HttpError("HEADERS_TOO_LARGE", "The header has more bytes than the service takes."),

  /** 500 for a bug. The log has its stack under the request id. */
  internal: () => new HttpError("INTERNAL", "Something went wrong in the service. The request id says which case it was."),

  /** 503: nothing was written, and the same request may be sent again. */
  unavailable: () => unavailable("Nothing was written; send the same request again."),

  /** 503: this process is to be started again; `why` is a sentence. */
  outdated: (why: string) => unavailable(why),

  /** 503 to a GET or HEAD. */
  readUnavailable: () => unavailable("Send the same request again."),

  /** 503: the write may have been done, or may still be. */
  outcomeUnknown() {
    const detail =
      "It is not known whether this was written. Send the same request again if it has an Idempotency-Key; otherwise read before you repeat it.";
    return new HttpError("OUTCOME_UNKNOWN", detail, { headers: { "Retry-After": "2" } });
  },

  /** 503: a read that took longer than its budget. */
  readTooCostly() {
    const detail = "Reading this takes too long. Use fewer filters, another sort, a smaller limit, or no count.";
    return new HttpError("READ_TOO_COSTLY", detail, { headers: { "Retry-After": "10" } });
  },

  /** 503 while the bodies of other requests take all the room there is. */
  busyWithBodies: () =>
    new HttpError("UNAVAILABLE", "The service holds as many request bodies as it can. Nothing was written; send the same request again.", {
      headers: { "Retry-After": "2" },
    }),

  /** 507 (RFC 4918 section 11.5) */
  storeFull: () => new HttpError("STORE_FULL", "The service has no room left to store this. Nothing was written."),
};
