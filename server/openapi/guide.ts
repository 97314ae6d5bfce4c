// The guide at /docs: from a key to the first record, then what a program has to know. Its requests fit the dictionary.

import { IDEMPOTENCY_HOURS } from "../../core/contract/limits.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { EXAMPLE_ID, examplesOf } from "./examples.ts";
import { problemsTable } from "./problem-page.ts";
import type { SampleRequest } from "./samples.ts";

export interface GuideSection {
  id: string;
  title: string;
  /** Paragraphs, in which words between backticks are code, and requests. */
  parts: readonly (string | SampleRequest)[];
  /** HTML at the end. */
  table?: string;
}

/**
 * Its requests are those of the first collection that has examples; the record 7 is made by one of them. Without any it shows those that only read, and
 * without a collection, as to a reader whose key is not known yet, those that name none.
 */
export function guideOf(collections: readonly Collection[]): GuideSection[] {
  const collection = collections.find((one) => examplesOf(one).length > 0);
  const [first] = collections;
  const problems: GuideSection = {
    id: "problems",
    title: "Problems",
    parts: [
      "Every error is a problem document (RFC 9457): compare its `code`, show its `detail`, and follow `type` to what it means. `errors` names each value, parameter or header field that is in the way.",
      "Send `Accept-Language: de` to read sentences and titles in German, with the names and messages that the dictionary has in that language; `Content-Language` says which one came. Codes stay the same, and what has no translation is English. The service stores answers in English: a request that is sent again under its `Idempotency-Key` is answered in the language that it asks for then, and byte for byte as before in the same one.",
    ],
    table: problemsTable(),
  };
  if (collection) return [...sectionsOf(collection), problems];
  return first ? [...sectionsOf(first).map(onlyReading), problems] : [...GENERAL, problems];
}

/** What a program writes is known only where the dictionary has examples. */
function onlyReading({ parts, ...section }: GuideSection): GuideSection {
  return { ...section, parts: parts.filter((part) => typeof part === "string" || part.method === "GET") };
}

const KEY =
  "Make an API key in the app under Settings, API keys, or ask an administrator for one. Put it and the address of this service where your program finds them, as `INTAKE_KEY` and `INTAKE_URL`. The key is the bearer token of each request.";
const HOME: readonly (string | SampleRequest)[] = ["Ask what the key may see:", { method: "GET", path: "/v1/" }];
const TOKENS =
  "Programs that hand tokens on exchange the key at `/v1/oauth/token` for one that holds for an hour, or until the key ends (OAuth 2.0, client credentials). OpenAPI tools find it in `openapi.json`.";
const CHANGES: GuideSection = {
  id: "changes-feed",
  title: "Change feed",
  parts: [
    "`/v1/changes` has every change of every record, deletions included: those of one record in the order of its versions, and each after all that was answered before it was sent. Nothing is missed and nothing comes twice. Ask for `after=now` once, read all records, and then ask with the cursor that you kept. Store the cursor together with what you made of the changes. 410 `CURSOR_EXPIRED` means that the changes after it are no longer kept, or that the service was restored from a backup: do the same anew.",
    { method: "GET", path: "/v1/changes?limit=100&include=record" },
    "`wait=30` holds the request until there is something new. `Accept: text/event-stream` makes it a stream of Server-Sent Events. To be called instead of asking, set up a webhook.",
  ],
};
const GENERAL: readonly GuideSection[] = [
  {
    id: "quickstart",
    title: "Quickstart",
    parts: [
      KEY,
      "Enter the key at the top of this page, too: then it shows the collections that the key may see, with requests to copy. `openapi.json` names them to whoever sends the key.",
      ...HOME,
      TOKENS,
    ],
  },
  CHANGES,
];

function sectionsOf(collection: Collection): GuideSection[] {
  const { name, key, noun } = collection;
  const path = `/v1/${name}`;
  const bodyOf = (example: string) => examplesOf(collection).find((one) => one.name === example)?.body;
  const record = (bodyOf("one") ?? {}) as Record<string, unknown>;
  const [first = ""] = Object.keys(record);
  return [
    {
      id: "quickstart",
      title: "Quickstart",
      parts: [
        KEY,
        ...HOME,
        `Create a ${noun}. The answer is the record with the ${key.title} that the service gave it; \`Location\` is its address and \`ETag\` names its version.`,
        { method: "POST", path, body: record },
        `Or choose the ${key.title} yourself, here ${EXAMPLE_ID}, which later examples name. \`If-None-Match: *\` makes sure that you replace nothing: a 412 means that there is one already.`,
        { method: "PUT", path: `${path}/${EXAMPLE_ID}`, headers: { "If-None-Match": "*" }, body: record },
        "Read the list. `next` is the cursor of the next page, while there is one.",
        { method: "GET", path: `${path}?sort=-createdAt&limit=10` },
        TOKENS,
      ],
    },
    {
      id: "summaries",
      title: "Counts and sums",
      parts: [
        "A summary counts and sums what a list has, with the list's filters and `q`, in groups of up to three fields. Days and moments are put together by `day`, `week`, `month`, `quarter` or `year`. Sums are exact, so they are texts.",
        { method: "GET", path: `${path}/summary?group=createdAt:month&measure=count,max:updatedAt&timeZone=Europe/Berlin` },
        "`sort=-count` begins with the largest group, `total` has the same of all records together, and `next` is the cursor of the next page.",
      ],
    },
    {
      id: "batches",
      title: "Batches",
      parts: [
        "An array writes many records in one request, 1,000 at a time at best. Without parameters it is all or nothing. With `onError=continue` each record is written for itself: the answer is a 207 with one result for each, in the order of the request, and a summary.",
        { method: "POST", path: `${path}?onError=continue`, body: bodyOf("partialFailure") ?? bodyOf("many") },
        `\`onConflict=update\` changes the record whose ${key.name} is there already and creates the others; \`onMissing=error\` only changes; \`onConflict=skip\` only creates. \`dryRun=true\` answers the same and writes nothing:`,
        { method: "POST", path: `${path}?onConflict=update&dryRun=true`, body: [{ [key.name]: EXAMPLE_ID, ...record }] },
        "A batch of operations creates, changes and deletes in one request, in the order in which they stand. Each has an `action`: `create`, `update`, `upsert` (create or update) or `delete`, for which the key is enough. A key needs the right to each action that it sends.",
        { method: "POST", path: `${path}/batch`, body: bodyOf("mixed") },
        "To change or delete what filters choose, ask first what would become of it. The answer says it of each record and how many match in all (`total`), and has a `token`: the same request with `token` in place of `dryRun` does it. What was changed meanwhile is left alone. One request has up to `limit` records; `cursor` goes on with `next`. All parts are one `run`, which `undo` takes back.",
        { method: "PATCH", path: `${path}?updatedAt.lt=today-365d&dryRun=true`, body: { [first]: record[first] } },
      ],
    },
    {
      id: "retries",
      title: "Retries",
      parts: [
        `Send every POST and PATCH of records with an \`Idempotency-Key\`, new for each request. If no answer comes, send the same request with the same key again: it is done once, and for ${IDEMPOTENCY_HOURS} hours the first answer comes again with \`Idempotent-Replayed: true\`. PUT and DELETE may be sent again as they are. What takes no key, such as a new webhook, look up before you send it again.`,
        { method: "POST", path, headers: { "Idempotency-Key": "order-4711" }, body: record },
        "Send again after 408, 429, 503 and a lost connection, and wait as long as `Retry-After` says, else a second, two, four … up to a minute. Every other status from 400 to 499 gets the same answer again: change the request first.",
      ],
    },
    {
      id: "conflicts",
      title: "Conflicts",
      parts: [
        "Two programs may change one record. `If-Match` with the ETag that you read makes sure that you overwrite nothing that you have not seen: a 412 means that somebody was faster. Read again, apply your change, and send it with the new ETag.",
        { method: "PATCH", path: `${path}/${EXAMPLE_ID}`, headers: { "If-Match": `"${EXAMPLE_ID}-1"` }, body: { [first]: record[first] } },
        "In a batch each record carries the `version` that you read, with `match=version`:",
        { method: "POST", path: `${path}?onConflict=update&match=version&onError=continue`, body: bodyOf("matchVersion") },
      ],
    },
    CHANGES,
    {
      id: "files",
      title: "Files",
      parts: [
        "The list as CSV has all rows, streamed; filters, order and `fields` work as ever. What a spreadsheet might run as a formula has an apostrophe before it.",
        { method: "GET", path: `${path}?sort=${key.name}`, headers: { Accept: "text/csv" } },
        "An empty file with the right headings, for people who fill it in and upload it in the app:",
        { method: "GET", path: `${path}/template.csv`, headers: { Accept: "text/csv" } },
      ],
    },
  ];
}
