// Says what operations, modes and parameters mean, in the words of whoever calls them.

import { API_ROOT } from "../../core/contract/paths.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import type { Parameter } from "../http/query-parameters.ts";
import { ANY_TYPE, type RouteHandler } from "../http/route.ts";

const FORMS = "The body is one record or an array of them, bare or in the collection's name; the answer has the same form.";

const GUARDED =
  "With `If-Match` and the ETag that was read it overwrites no later change. The ETag stands for what a request can change: what the service notes by itself, such as a sign-in or a delivery, leaves it as it is.";

/** Describes operations by method and address, in which `*` stands for the collection. */
const OPERATIONS: Record<string, string> = {
  "GET /*":
    "A page of the list. Follow `next` (or the `Link` header) with the same parameters until there is none: no record is skipped or comes twice while others write. " +
    "With `Accept: text/csv` it is all rows as a file, from the cursor on. A list has no ETag, so `If-Match` with one is refused (412). " +
    "`filter` has values of fields, or of fields below an operator: `filter[age]=30`, `filter[gte][age]=30`, of a parent `filter[customer][city]=Ulm`, of its parent one name more. By hand `age=30`, `age[gte]=30` and `customer.city=Ulm` are the same. " +
    "A record must meet all of them. `or` has several such objects, of which it must meet one besides: `or[0][city]=Ulm&or[0][gte][age]=30&or[1][city]=Bonn`, by hand `or[0].city=Ulm&or[0].age[gte]=30&or[1].city=Bonn`. " +
    "Texts have all operators, yes and no only `ne` and `null`, the others all but those about parts of a text; who wrote a record only `in`. " +
    "Days and moments may be relative: `today`, `now`, or when this `week` (from Monday on), `month` or `year` began, with as many hours, days, weeks, months or years more or less as in `today-7d`, `now-36h` or `month-1m`. They mean the time of the request in `timeZone`, on each page anew.",
  "GET /*.csv":
    "All rows of the list as a file, streamed; the first line has the names of the fields. It begins at the cursor, if one is given. The same as the list with `Accept: text/csv`.",
  "POST /*":
    `${FORMS} Without parameters it is all or nothing: every record in the way is named in \`errors\`, and nothing is written. ` +
    "`onError=continue` writes each record for itself and answers 207 with one result for each. `onConflict` says what becomes of a record whose key is taken, `onMissing=error` changes " +
    "only what is there, `match=version` overwrites no later change, `dryRun=true` answers the same and writes nothing.",
  "GET /*/:id": "The record with its `ETag`. With `If-None-Match` it is 304 while the record is unchanged.",
  "PUT /*/:id":
    "Replaces the whole record: optional fields that are left out are cleared. Without `If-Match` it creates the record where there is none; `If-None-Match: *` only creates.",
  "PATCH /*/:id":
    "Only the fields that are given change; a value that the record has already is never refused; null clears an optional one (RFC 7396). Send `If-Match` with the ETag that you read, so that nobody's later change is overwritten. " +
    "An empty object changes nothing and keeps the ETag.",
  "DELETE /*/:id":
    "The record goes; its history stays, and it can be brought back. Deleting again is the same 204; an id that never existed is a 404.",
  "PATCH /*":
    "Changes every record that the filters of a list and `q` choose, each for itself (RFC 7396). It takes two requests: with `dryRun=true` it answers what would become of each, and a `token`; the same request with `token` in place of `dryRun` does it. " +
    "Each has up to `limit` records in the order of their keys; with `next` of the dry run as `cursor` the further ones follow in the same way, as parts of one run, which `undo` takes back. " +
    "What was made or changed after the dry run, by whomever, is left alone, also by a token that is sent again. A token is void after half an hour, for another caller, filter or change, once the dictionary is another one, and where others are chosen because parents changed. It takes the right to read, too.",
  "DELETE /*": "Deletes every record that the filters choose, in two requests, as a change of them is made.",
  "PUT /*/:id/<file>":
    "The body is the content of the file, whatever `Content-Type` says: its type is found in its bytes, and what the field does not take is refused with 415, what is too large with 413. `name` is the name under which it is saved later. The same content again changes nothing. With `If-Match` and the ETag that was read it overwrites no later change.",
  "GET /*/:id/<file>":
    "The bytes of the file, to be saved and not shown: the answer is an attachment. Its `ETag` names the content, parts are asked for by `Range`, and with `version` it is the file that the record had then.",
  "POST /*/deletions":
    "Deletes many in one request, each named by its key and, with `match=version`, by the version that was read. All or nothing, or with `onError=continue` each for itself.",
  "POST /*/batch":
    "Creates, changes and deletes in one request: each operation has an `action` (`create`, `update`, `upsert`, `delete`) and a record; `update` changes only the fields that are given, `delete` reads only the key. They are done in the order of the request, so one record may come several times. " +
    "All or nothing, or with `onError=continue` each for itself. Each action needs its own right: `create`, `update`, both of them, `delete`.",
  "GET /*/violations":
    "Counts the records that break a constraint or condition of a field, or a rule, of today; with `constraint` and `field`, or with `rule`, lists them in the order of their keys. A field counts once, with the first that its value breaks. Records that break one on purpose (`PUT …/violations/{rule}/exceptions/{id}`) count apart; with `days=true` the counts of each of the last 90 days are answered instead.",
  "GET /search":
    "Looks through every collection that the caller may read, or those of `collection`, and answers the first records of each, five unless `limit` says otherwise. Each word is the beginning of one in the record; case and accents do not count. Records of a parent that was found stand by themselves, with the parent's name. " +
    "What one may not see is not found, and finds nothing. For all hits of one collection, use `q` of its list.",
  "GET /*/summary":
    "Counts and sums of the records that the list would have, with its filters and `q`: `group=city,createdAt:month&measure=count,sum:total`. Sums and averages are texts with all their digits; an average is rounded to ten decimals. " +
    "Days and moments are grouped as `day`, `week` (named by its Monday), `month`, `quarter` or `year`, where `timeZone` says. Without `group` there is the total alone. The order is that of the groups; `sort=-count` begins with the largest.",
  "GET /*/template.csv": "A file with the collection's headings, to be filled in with a spreadsheet and uploaded.",
  "GET /*/:id/history":
    "The changes of the record, the latest first: who, when, how, and the values before and after. It can be read after the deletion, too.",
  "POST /*/:id/restore":
    "Writes the values of an earlier version as a new one. It also brings back a deleted record. Rules that were narrowed since do not count; a parent that is gone and a unique value that is taken do. With an `Idempotency-Key` it overwrites no later change when it is sent again.",
  "POST /*/undo": "Takes back what an upload or a run changed. What was changed since stays as it is.",
  "POST /*/:id/erasure":
    "Removes the record, its history and all that was kept of it for good. What stays is that it was erased, when and by whom.",
  "GET /*/:id/copy": "All that is held about the record, for whoever asks what is stored about them.",
  "GET /changes":
    "Every change of every record: those of one record in the order of its versions, and each after all that was answered before it was sent. Changes of different records that were written at the same time may stand in another order when they are read again. Nothing is missed and nothing comes twice. Keep `next` and ask with `after=` for what comes after it; `wait` holds the request until there is " +
    "something. With `Accept: text/event-stream` it is a stream of Server-Sent Events.",
  "POST /oauth/token":
    "The client credentials grant of OAuth 2.0 (RFC 6749 section 4.4). Send the two parts of the key as `client_id` and `client_secret` in the form, or by HTTP Basic. A key `ink_<id>.<secret>` can also be the bearer token itself.",
};

const PARAMETERS: Record<string, string> = {
  onError: "`stop` (the default) writes all or nothing; `continue` writes each record for itself and answers 207.",
  onConflict:
    "What a taken key means: `error` (the default) refuses the record, `skip` leaves the stored one, `update` changes the fields that are given and needs the right `update` besides.",
  onMissing:
    "With `onConflict=update`: `create` (the default) makes a record that there is not, `error` refuses it and needs only the right `update`.",
  matchBy:
    "The unique field that says which record is meant, if it is not the key, or the fields that are unique together (`uniqueKeys`), with commas between.",
  match: "`version`: each record's `version` must be the stored one, else it is refused with 412.",
  unlessChangedSince:
    "A time, such as that of a dry run. A record that somebody else has made or changed after it is refused with 412, neither changed nor deleted; your own changes do not count. One that was deleted after it is not made again, except by a batch of operations.",
  dryRun: "`true`: the same checks and the same answer, and nothing is written.",
  acknowledge: "Warnings that are confirmed, by commas, or `all`.",
  onDuplicate:
    "What becomes of a new record that is stored already, by the comparisons of the dictionary (`match`): `warn` stores it, and `warnings` names what is like it; `error` refuses it with 409 where one is the same. It needs the right `read`. Records of one request are not compared with each other.",
  exceptions: "`true`: with `rule`, or with `constraint` and `field`, the records that break it on purpose.",
  days: "`true`: the counts of the last days.",
  limit: "How many records a page has.",
  cursor: "`next` or `prev` of another page of this list.",
  offset: "How many records to leave out, for tools that jump to pages. Following `next` costs less and skips nothing.",
  sort: "The order. `-` before a field turns it round; the name of a parent means what the parent is called; the key decides where all else is equal.",
  q: "Searches as people type: each word is the beginning of some word of the record, in any order, whatever its case and accents.",
  filter: "Only records with these values; the list's description says how they are written.",
  or: "Only records with the values of one of these objects, which are filters as `filter` is; their names are numbers from 0 to 99.",
  fields: "Only these fields of each record.",
  expand: "Adds the key and the label of the records that these refer to; in a file they are columns such as `customer.name`.",
  count:
    "`exact` adds `total`; of more than a million records it is a million, and `totalIsAtLeast` is true. A number counts no further than that: cheap, however many there are.",
  hints:
    "`true` adds what has exactly this key or text (`exact`), and other searches that find something (`didYouMean`), to a search's first page.",
  guard: "`off`: a file has each value as it is stored. Without it an apostrophe stands before what a spreadsheet would run as a formula.",
  deleted: "`true` lists what is deleted and can be brought back, the latest first.",
  after: "The cursor to go on from; `now` is the present end, and without it the feed begins with the oldest change that is kept.",
  wait: "Seconds to wait for a change while there is none.",
  include: "`changes` adds the values before and after, `record` the record as it is now.",
  collection: "Only changes of these collections.",
  by: "Only what this person or API key did.",
  source: "Only what came in this way.",
  run: "Only what this upload or run did.",
  operation: "Only changes of this sort.",
  write: "Only the changes of this write.",
  from: "The first day.",
  to: "The last day.",
  group: "The fields by whose values records are put together.",
  measure: "What is said of each group; how many records it has, if nothing is given.",
  timeZone: "Where the days begin and end; UTC if it is not given.",
  before: "Only what is older than this: `next` of the page before.",
  return_to: "Where the browser comes back to.",
  code_challenge: "So that nobody but this app can use the code that comes back.",
  state: "Comes back unchanged.",
  constraint: "Lists the records that break this rule of `field`, in the order of their keys.",
  field: "The field whose rule they break.",
  rule: "In place of both: lists the records that break this rule of the collection.",
  tab: "Names the tab or window, so that one person may have several.",
};

const FILE_PLACE = "/*/:id/<file>";

export type Describe = (method: string, url: string, collection: Collection | undefined, handler: RouteHandler) => string;

/** Describes operations. Those of one kind on several collections are described in full at the first of them. */
export function createDescriptions(): Describe {
  const first = new Map<string, string>(); // operation ids by the description
  return (method, url, collection, handler) => {
    const isContent = [...(handler.acceptedTypes ?? []), ...(handler.produces ?? [])].includes(ANY_TYPE);
    const place = isContent ? FILE_PLACE : url.slice(API_ROOT.length).replace(collection ? `/${collection.name}` : "/ ", "/*");
    const text =
      OPERATIONS[`${method} ${place}`] ?? `${handler.doc.summary}.${handler.doc.headers?.includes("If-Match") ? ` ${GUARDED}` : ""}`;
    const known = first.get(text);
    first.set(text, known ?? handler.doc.id);
    return known === undefined ? `${text} ${whoMay(handler)}` : `As \`${known}\`.`; // its scope stands in `security`
  };
}

function whoMay({ scope, needsOneOf }: RouteHandler): string {
  if (needsOneOf) return `Needs a token with at least one of the scopes ${needsOneOf.map((one) => `\`${one}\``).join(", ")}.`;
  if (scope === "open") return "Needs no token.";
  if (scope === "signed-in") return "Needs a token, whatever its scope.";
  if (scope === "person") return "Needs the token of a person.";
  return `Needs the scope \`${scope}\`.`;
}

const LONG = 300; // characters of a rule; a longer one lists the names that the schema has

export function describeParameter(name: string, { expects, meaning = PARAMETERS[name] ?? "" }: Parameter<unknown>): string {
  return expects.length > LONG ? meaning : `${meaning} ${name} must be ${expects}.`.trim();
}
