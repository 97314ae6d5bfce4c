// Says what each problem code of the API means, and what to do about it. The address in a problem's `type` shows it.

export interface ProblemMeaning {
  /** A few words, the same each time (RFC 9457 section 3.1.3). */
  title: string;
  /** The statuses that it comes with. */
  status: readonly [number, ...number[]];
  meaning: string;
  /** Says what the client should do. */
  whatToDo: string;
  /** Says whether the same request, sent again later, can succeed without a change. */
  isTransient?: true;
}

const entry = (status: number, title: string, meaning: string, whatToDo: string): ProblemMeaning => ({
  status: [status],
  title,
  meaning,
  whatToDo,
});
const passing = (status: number, title: string, meaning: string, whatToDo: string): ProblemMeaning => ({
  ...entry(status, title, meaning, whatToDo),
  isTransient: true,
});

const READ_AGAIN = "Read the record again, apply your change to what is stored now, and send it with the new ETag or version.";
const ASK_ADMINISTRATOR = "Ask an administrator of this service.";

/** The one list of codes: what is no member of it is none (HttpErrorCode). */
export const PROBLEM_CATALOGUE = {
  BAD_REQUEST: {
    ...entry(
      400,
      "The request cannot be read",
      "The request breaks a rule of HTTP, or something in it cannot be decoded.",
      "Correct the request as the detail says. Sending it again does not help.",
    ),
    status: [400, 417],
  },
  MALFORMED_JSON: entry(
    400,
    "The body is not JSON",
    "The body is no valid JSON in UTF-8, names a key twice, or is nested deeper than twelve levels.",
    "Write the body with a JSON library. The detail names the place.",
  ),
  BAD_PARAMETER: entry(
    400,
    "A parameter cannot be used",
    "The address has a parameter that there is not, or a value that it does not take. `errors` names each.",
    "Correct the address; the details list what there is.",
  ),
  BAD_CURSOR: entry(
    400,
    "The cursor does not fit",
    "A cursor belongs to one list with its order, filters and search. This one was made for another, or was changed.",
    "Begin the list again without a cursor, and follow `next` with unchanged parameters.",
  ),
  DICTIONARY_REFUSED: entry(
    409,
    "The dictionary cannot be changed like this",
    "Stored records, another service or a limit forbid the change. `errors` names each reason with its place.",
    "Change the draft or the records as the reasons say, and apply it again.",
  ),
  DICTIONARY_CONFLICT: entry(
    409,
    "Another version changed the same",
    "The draft was made from an older version of the dictionary, and a newer one changed the same property.",
    "Say whose values count, with PATCH of the draft and `prefer` (`mine` or `theirs`), and look at its impact again. Or discard the draft.",
  ),
  CURSOR_EXPIRED: entry(
    410,
    "The feed does not go on from this cursor",
    "The changes after this cursor are no longer kept, or the store has been restored since, or is another one.",
    "Read all records once, and follow the feed again from `after=now`, which you asked for before reading.",
  ),
  BAD_HEADER: entry(
    400,
    "A header field cannot be used",
    "A header field has a value that it does not take. `errors` names it.",
    "Send the field as the detail says, or leave it out.",
  ),
  UNAUTHENTICATED: entry(
    401,
    "An access token is needed",
    "The request came without an access token.",
    "Exchange your API key at `/v1/oauth/token` and send `Authorization: Bearer <token>`.",
  ),
  INVALID_TOKEN: entry(
    401,
    "The access token is not valid",
    "The token is unknown, has expired, or was revoked.",
    "Get a new token once, and send the request again. If that is refused, too, the key was revoked.",
  ),
  INVALID_CLIENT: entry(
    401,
    "The API key is not valid",
    "The key is not known, has expired, or was revoked, or the account of the person whose key it is is disabled.",
    "Check that the key is whole (`ink_…`). Make a new one if it was revoked or its owner has left.",
  ),
  INSUFFICIENT_SCOPE: entry(
    403,
    "The token may not do this",
    "The token is valid, but its scope does not allow this request. `WWW-Authenticate` names what is needed.",
    "Use a key with this scope.",
  ),
  NOT_A_PERSON: entry(403, "This is for people", "An API key has no account, passkeys or sessions.", "Sign in as a person."),
  PASSKEY_REQUIRED: entry(
    403,
    "A passkey is needed first",
    "Passkeys are compulsory here, and this session began with a password.",
    "Add a passkey to the account, or sign in with the one that it has.",
  ),
  PROOF_NEEDED: entry(
    403,
    "Prove again who you are",
    "What outlives a session, such as a key, a passkey, a webhook or a role, is given only shortly after a proof of who asks.",
    "Send the password, a passkey, or the code of the organisation's own sign-in to `/v1/me/proof` first.",
  ),
  VIEWING: entry(
    403,
    "Nothing is changed in somebody else's view",
    "An administrator looks at the app as another person, which is a read and nothing else: no change, and no list as a file.",
    "End the view with `DELETE /v1/sessions/current` and go on with your own session.",
  ),
  NOT_FOUND: entry(
    404,
    "There is nothing here",
    "No record, and nothing else, has this address. In a batch `errors` names the records that there are not.",
    "Check the address and the id.",
  ),
  LINK_INVALID: entry(404, "The link cannot be used", "A one-time link was used already, has expired, or is not whole.", ASK_ADMINISTRATOR),
  SIGN_UP_CLOSED: entry(404, "Nobody can ask for access here", "People get accounts by invitation only (SIGN_UP).", ASK_ADMINISTRATOR),
  NO_FILES_HERE: entry(
    404,
    "This service keeps no files",
    "The dictionary has fields with files, and the service has no place for their content (FILES).",
    ASK_ADMINISTRATOR,
  ),
  FILE_REFUSED: entry(
    422,
    "The file is refused",
    "The scanner that the service asks about each file (FILES_SCAN) takes this one for dangerous. `detail` has its words; nothing was stored.",
    "Send another file, or ask an administrator what the scanner's words mean.",
  ),
  UPLOAD_OFFSET: entry(
    409,
    "The file goes on elsewhere",
    "The service has more or fewer bytes of it than `Upload-Offset` says, or another request adds to it now.",
    "Ask by HEAD how many bytes there are, and send what comes after them.",
  ),
  RANGE_NOT_SATISFIABLE: entry(
    416,
    "The file has no such part",
    "The header field Range asks for bytes behind the end of the file.",
    "Ask for a part that there is; Content-Range says how many bytes the file has.",
  ),
  NO_MAIL_HERE: entry(404, "This service sends no mail", "A link for a new password would be sent by mail.", ASK_ADMINISTRATOR),
  METHOD_NOT_ALLOWED: entry(
    405,
    "The address has other methods",
    "The address is right, the method is not one of its own.",
    "Use one of those in `Allow`.",
  ),
  NOT_ACCEPTABLE: entry(
    406,
    "The answer has another media type",
    "The `Accept` header leaves out what this address answers.",
    "Send `Accept: application/json`, or leave the field out.",
  ),
  REQUEST_TIMEOUT: passing(
    408,
    "The request came too slowly",
    "Header or body did not arrive within the time that `/v1/limits` names.",
    "Send the request again, with a smaller body on a slow line.",
  ),
  ALREADY_EXISTS: entry(
    409,
    "It exists already",
    "Another record has this key, or this value of a field that is unique. `errors[].href` leads to it.",
    "Change that record instead, or send the batch with `onConflict=skip` or `onConflict=update`.",
  ),
  DUPLICATE: entry(
    409,
    "The same record is stored already",
    "By the comparisons of the dictionary (`match`) a stored record is the same, and `onDuplicate=error` asks to refuse it then. `errors[].href` leads to it, and `errors[].similar` says why.",
    "Change that record instead; or send the same with `onDuplicate=warn`, if it is another one.",
  ),
  IN_USE: entry(
    409,
    "Other records refer to it",
    "A record to which others refer is not deleted while the dictionary says so (`onDelete`). `errors[].href` leads to them.",
    "Delete the others first, or let them refer to another record.",
  ),
  MERGED: entry(
    409,
    "The record is part of another one",
    "It was merged into another record, to which its address leads. `errors[].href` leads there, too.",
    "Write to that record, or take the merge apart.",
  ),
  MERGE_FIXED: entry(
    409,
    "The merge cannot be taken apart now",
    "The record that it made was itself merged or deleted since, or the history no longer keeps what the records were.",
    "Do first what `detail` says.",
  ),
  MERGE_CHANGED: entry(
    409,
    "Fields were changed after the merge",
    "Nobody but you knows to which record the new value of each of `fields` belongs.",
    "Send the request again with `values`: for each field the key of the record to which the value of now belongs, or `none`.",
  ),
  IDEMPOTENCY_IN_PROGRESS: passing(
    409,
    "The first request is still running",
    "A request with the same Idempotency-Key has not been answered yet.",
    "Wait as `Retry-After` says and send the same again: it gets the first answer.",
  ),
  LAST_ADMIN_KEY: entry(
    409,
    "It is the last administrator's key",
    "Without it nobody could administer the service.",
    "Make another administrator's key first.",
  ),
  LAST_ADMINISTRATOR: entry(
    409,
    "It is the last administrator",
    "Without this person nobody could administer the service.",
    "Make somebody else an administrator first.",
  ),
  EMAIL_TAKEN: entry(
    409,
    "The address is taken",
    "Somebody with this mail address is here already.",
    "Change that account, or use another address.",
  ),
  USER_DISABLED: entry(409, "The account is disabled", "A disabled account gets no links.", "Make it active first."),
  TOO_MANY_PASSKEYS: entry(
    409,
    "There are too many passkeys",
    "The account has as many passkeys as it may.",
    "Remove one that is not used.",
  ),
  LAST_PASSKEY: entry(
    409,
    "It is the last passkey",
    "Passkeys are compulsory here, and this is the only one left.",
    "Add another one first.",
  ),
  TOO_MANY_WEBHOOKS: entry(
    409,
    "There are too many webhooks",
    "The service has as many webhooks as it may.",
    "Delete one that is not used.",
  ),
  RUN_BUSY: passing(
    409,
    "The rows of this run are being sent",
    "Somebody is sending the rows of this run just now, or has begun to and has not ended.",
    "Read the run: it says who. Read its rows again when it has ended.",
  ),
  RUN_CHANGED: entry(
    409,
    "The run goes on elsewhere",
    "The rows that this run did not store were sent again meanwhile, are no longer kept, or the run is of another collection.",
    "Read the run and its rows anew.",
  ),
  RECIPE_NAME_TAKEN: entry(
    409,
    "The name is taken",
    "There is a recipe of this name in the collection.",
    "Choose another name, or change that recipe.",
  ),
  TOO_MANY_RECIPES: entry(409, "There are too many recipes", "The service has as many recipes as it may.", "Delete one that nobody uses."),
  RECIPE_SHARE_USED: entry(
    409,
    "Your share of the recipes is used",
    "You, with all your API keys, have made as many of the recipes as one person may.",
    "Delete one of yours.",
  ),
  VIEW_NAME_TAKEN: entry(
    409,
    "The name is taken",
    "There is a view of this name among those of the collection for all, or among your own.",
    "Choose another name, or change that view.",
  ),
  TOO_MANY_VIEWS: entry(
    409,
    "There are too many views",
    "The collection has as many views for all, or you have as many of your own, as there may be.",
    "Delete one that nobody uses.",
  ),
  VIEW_SHARE_USED: entry(
    409,
    "One person's share of the views is used",
    "One person, with all their API keys, has made as many of the collection's views for all as one may.",
    "Delete one of those first.",
  ),
  TOO_MANY_KEYS: entry(
    409,
    "You have too many API keys",
    "You have as many keys as one person may. Those that are revoked or expired do not count.",
    "Revoke one that you do not use.",
  ),
  NAME_CONFUSABLE: entry(
    409,
    "The name looks like another one",
    "Another role, recipe or view has a name that people cannot tell from this one, such as one with letters of another alphabet.",
    "Choose a name that differs visibly; `detail` says which one is there.",
  ),
  REWRITE_TOO_LONG: entry(
    409,
    "Rewriting takes too long",
    "The store is so large that others would wait for too long while its files are rewritten, or its tables belong to another role. No record was changed; some tables may have been rewritten.",
    "Stop the service and rewrite them by command, as `docs/erasure.md` says.",
  ),
  ROLE_IN_USE: entry(
    409,
    "People or API keys have this role",
    "A role goes only when nobody has it.",
    "Give these people another role first, and revoke the keys.",
  ),
  ROLE_BUILT_IN: entry(409, "The role is built in", "Built-in roles stay as they are.", "Make a role of your own."),
  PRECONDITION_FAILED: entry(
    412,
    "It was changed meanwhile",
    "`If-Match`, `If-None-Match` or, with `match=version`, the version names another state than the stored one. Nothing was overwritten. Whoever may read the record finds in `current` who wrote it last and when.",
    READ_AGAIN,
  ),
  CHANGED_BY_OTHERS: entry(
    412,
    "Somebody else changed it",
    "With `unlessChangedSince`: somebody else has made or changed the record after that time, or it was deleted since. Nothing was overwritten. `current` says who and when.",
    READ_AGAIN,
  ),
  TOO_LARGE: entry(
    413,
    "The body is too large",
    "The body has more bytes, or the batch more records, than `/v1/limits` says.",
    "Send fewer records at a time; 1,000 are a good batch.",
  ),
  URI_TOO_LONG: entry(
    414,
    "The address is too long",
    "The address has more characters than the service takes.",
    "Ask for fewer values at a time.",
  ),
  UNSUPPORTED_MEDIA_TYPE: entry(
    415,
    "The body has another media type",
    "The `Content-Type` or `Content-Encoding` is not one that this address takes.",
    "Use one that `Accept-Post`, `Accept-Patch` or `Accept-Encoding` names.",
  ),
  VALIDATION: entry(
    422,
    "The data is refused",
    "The body can be read, but the data breaks a rule of the dictionary. `errors` has every problem with a JSON pointer into the body as it was sent; nothing was written.",
    "Correct the values that `errors` points at.",
  ),
  ID_MISMATCH: entry(
    422,
    "Two different ids",
    "The id in the body is not the one in the address; an id never changes.",
    "Leave the id out of the body, or use the right address.",
  ),
  DUPLICATE_IN_REQUEST: entry(
    422,
    "Twice in one request",
    "An earlier record of the request has the same key or unique value.",
    "Send each record once, or as operations of a `batch` request, which are done in their order.",
  ),
  REFERENCE_NOT_FOUND: entry(
    422,
    "It refers to a record that is not there",
    "A field that refers to another collection has the key of no record there. In one batch a reference may be to a record of an earlier request only.",
    "Create the other record first, in a request of its own.",
  ),
  WARNING: entry(
    422,
    "Is this meant so?",
    "Nothing is wrong with the record but that it breaks rules that warn; `rule` in `errors` names them.",
    "Correct the record, or send it again with `acknowledge` and the names of the rules, or `acknowledge=all`.",
  ),
  IDEMPOTENCY_KEY_REUSED: entry(
    422,
    "The Idempotency-Key is used up",
    "This key came with another body before.",
    "Make a new key for each new request; keep it only to send the same again.",
  ),
  TOO_MANY_REQUESTS: passing(
    429,
    "Too many requests",
    "The person with all their API keys, the organisation's key, or the network has sent more than it may.",
    "Wait as many seconds as `Retry-After` says. Batches count as one request each.",
  ),
  TOO_MANY_EXPORTS: passing(
    429,
    "Too many exports at once",
    "You, with all your API keys, have as many exports under way as you may.",
    "Wait until one has ended.",
  ),
  TOO_MANY_IMPORTS: passing(
    429,
    "Too many imports at once",
    "You, with all your API keys, have as many imports that wait or run as you may.",
    "Wait until one has ended, or end one.",
  ),
  TOO_MANY_UPLOADS: passing(
    429,
    "Too many files under way",
    "You, with all your API keys, have as many files, or bytes of them, under way as you may.",
    "Finish one or delete it. What nobody goes on with is removed after a day.",
  ),
  TOO_MANY_FOLLOWERS: passing(
    429,
    "Too many waiting requests",
    "As many requests of yours, with all your API keys, wait for changes as may.",
    "End one, or ask without `wait`.",
  ),
  HEADERS_TOO_LARGE: entry(
    431,
    "The header is too large",
    "The header fields have more bytes than the service takes.",
    "Send fewer or shorter fields.",
  ),
  INTERNAL: entry(
    500,
    "A fault of the service",
    "The service has a bug. Its log has the details under the `requestId`.",
    "Tell the operator the `requestId`. Look whether a write was done before you send it again, or send it with the same Idempotency-Key.",
  ),
  UNAVAILABLE: passing(
    503,
    "Not available at this moment",
    "The service starts, stops, or has too much to do. Nothing was written.",
    "Send the same again after `Retry-After`.",
  ),
  OUTCOME_UNKNOWN: passing(
    503,
    "Whether it was written is not known",
    "The write took too long or its commit got no answer: it may have been done.",
    "Send the same again with the same Idempotency-Key, or read the record first.",
  ),
  READ_TOO_COSTLY: entry(
    503,
    "The read takes too long",
    "This search, order or count would take longer than one read may.",
    "Search for a longer beginning of a word, filter more, or leave out `count`.",
  ),
  STORE_FULL: entry(
    507,
    "There is no room left",
    "The disk or the database of the service is full. Nothing was written.",
    ASK_ADMINISTRATOR,
  ),
  WRONG_PASSWORD: entry(
    401,
    "Address and password do not belong together",
    "The same answer for every reason, so that nobody learns who has an account.",
    "Try again, or ask for a new password.",
  ),
  SESSION_ENDED: entry(
    401,
    "The session has ended",
    "The refresh token is wrong, was used before, or its session is over.",
    "Sign in again.",
  ),
  CODE_INVALID: entry(401, "The sign-in cannot be used", "The organisation's sign-in took too long or was used already.", "Sign in again."),
  PASSKEY_REFUSED: entry(401, "The passkey is refused", "The same answer for every reason.", "Try again, or sign in in another way."),
  PASSKEY_NEEDED: entry(
    401,
    "Sign in with the passkey",
    "Passkeys are compulsory here, and this account has one.",
    "Sign in with it. If it is lost, ask an administrator.",
  ),
} satisfies Record<string, ProblemMeaning>;

/** The codes in `errors`, where they are about one value. */
export const VALUE_PROBLEMS = {
  REQUIRED: "The field is required, or the record needs its key or version here.",
  KIND: 'The value has another type than the field. JSON values are never converted: "7" is no number.',
  CHARACTERS: "The text has control characters or others that no text may have.",
  TOO_SHORT: "The text has fewer characters than it must, or the list fewer values.",
  TOO_LONG: "The text has more characters than it may, or the list more values.",
  TOO_SMALL: "The value is below the smallest that is allowed.",
  TOO_LARGE: "The value is above the largest that is allowed.",
  TOO_PRECISE: "The number, or the second of a time, has more digits than can be kept without rounding.",
  PATTERN: "The text does not have the form that the field needs.",
  ENUM: "The value is not one of the closed list.",
  REPEATED: "The list has one of its values twice.",
  READ_ONLY: "Your rights let you see the value, and not change it.",
  UNKNOWN_FIELD: "The collection has no field of this name. The detail suggests a similar one.",
  UNIQUE: "Another record has this value of a field that is unique.",
  REFERENCE_NOT_FOUND:
    "There is no record with this key in the collection that the field refers to. Of a field of persons: nobody has this name or address, or several people have the name.",
  REFERENCE_MISMATCH:
    "The record that the field refers to has another value in a field that the dictionary compares (`where`), or records that refer to this one have its value of now.",
  CIRCLE: "The record would lie below itself: the field refers to the record, or to one below it.",
  ID_MISMATCH: "The id in the body is not the one in the address.",
  RULE: "The record breaks a rule of the collection, which `rule` names. The problem stands at each field that the rule names.",
  WARNING: "The record breaks a rule that warns, which `rule` names. If it is meant so, send it again with `acknowledge` and that name.",
};

export const PROBLEMS_PATH = "/problems";

/** Returns the address of the explanation, as a problem's `type`. */
export function problemPath(code: string): string {
  return `${PROBLEMS_PATH}/${code}`;
}
