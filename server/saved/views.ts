// Views of lists: readers of a collection have their own, and who writes its records makes some for all.

import { VIEWS_PATH } from "../../core/contract/paths.ts";
import type { Principal } from "../../core/contract/principals.ts";
import { allows } from "../../core/contract/scopes.ts";
import { MAX_VIEW_NAME, MAX_VIEW_SEARCH, MOST_VIEWS, MOST_VIEWS_OF_PERSON, type View } from "../../core/contract/views.ts";
import { isObject } from "../../core/dictionary/fields.ts";
import { httpErrors } from "../http/errors.ts";
import { named, object } from "../http/json-schemas.ts";
import { limitErrors } from "../http/limits.ts";
import { type FieldReader, flag, line, optional, readFields, version } from "../http/read-fields.ts";
import { type Kind, madeOnWire, mayWrite } from "./kind.ts";
import type { Saved } from "./store/saved.ts";

const search: FieldReader<string> = (given) => {
  const isTexts = isObject(given) && Object.values(given).every((one) => typeof one === "string");
  return isTexts && JSON.stringify(given).length <= MAX_VIEW_SEARCH
    ? { value: JSON.stringify(given) }
    : { problem: `search must be an object of texts, of at most ${MAX_VIEW_SEARCH} characters of JSON.` };
};

const place: FieldReader<number> = (given) =>
  typeof given === "number" && Number.isFinite(given) ? { value: given } : { problem: "place must be a number." };

const idOfView: FieldReader<string> = (given) =>
  typeof given === "string" && /^[0-9a-f]{16}$/.test(given)
    ? { value: given }
    : { problem: "id must be 16 hexadecimal digits in lower case." };

const maker: FieldReader<Principal> = (given) =>
  isObject(given) && (given.type === "user" || given.type === "key") && typeof given.id === "string" && /^[\w-]{1,64}$/.test(given.id)
    ? { value: { type: given.type, id: given.id, name: "" } }
    : { problem: 'createdBy must be a person or an API key, such as { "type": "user", "id": "…" }.' };

/** A view that comes back has them from before. Names and times are not taken from the body. */
const COMING_BACK = { id: optional(idOfView), createdBy: optional(maker) };

const READERS = { name: line("name", MAX_VIEW_NAME), isShared: flag, search, place: optional(place) };

export const VIEWS: Kind = {
  kind: "view",
  path: VIEWS_PATH,
  many: "views",
  most: { all: MOST_VIEWS, ofMaker: MOST_VIEWS_OF_PERSON, isOfCollection: true },
  bodyLimit: 6 * (MAX_VIEW_SEARCH + 1_000), // each character may be written as \\u1234
  fields: {
    all: {
      name: { type: "string", minLength: 1, maxLength: MAX_VIEW_NAME },
      isShared: { type: "boolean", description: "For everybody who reads the collection. It needs the right to create or update records." },
      search: { type: "object", additionalProperties: { type: "string" }, description: "As the app writes it. It is stored as it is." },
      place: { type: "number", description: "Where it stands among the others; left out: where it was, or last." },
    },
    required: ["name", "isShared", "search"],
    new: {
      id: {
        type: "string",
        pattern: "^[0-9a-f]{16}$",
        description:
          "That of a view that was deleted and comes back, so that links to it go on. Or a new one by the caller, so that a view that is sent twice is made once: the second answer is 409.",
      },
      createdBy: {
        ...object({ type: { enum: ["user", "key"] }, id: { type: "string", maxLength: 64 }, name: { type: "string" } }, ["type", "id"]),
        description: "Whose view comes back. It needs the right `admin`, unless it is the caller.",
      },
    },
  },
  readNew(body, collection) {
    const { search: brief, ...given } = readFields(body, { collection, ...READERS, ...COMING_BACK });
    return { ...given, brief, content: "" };
  },
  readChange(body) {
    const { search: brief, ...given } = readFields(body, { ...READERS, version: optional(version) });
    return { ...given, brief, content: "" };
  },
  schemas: { one: named("IntakeView"), inList: named("IntakeView") },
  toWire: viewOf,
  inList: (items) => items.map(viewOf),
  summaries: {
    list: "The views for all, and the caller's own, of all collections that the caller reads, in their order",
    create: "A new view of a list, for everybody who reads the collection or for the caller alone",
    read: "One view",
    change: "Writes a view anew: its maker or, of one for all, an administrator. With `version`, only if it is still that one",
    delete: "Deletes a view: its maker or, of one for all, an administrator",
  },
  sees: (scope, collection) => allows(scope, `${collection}:read`),
  lacks(scope, collection, isShared) {
    if (!allows(scope, `${collection}:read`)) return `${collection}:read`;
    return isShared && !mayWrite(scope, collection) ? `${collection}:update` : undefined;
  },
  errors: {
    missing: "There is no view with this id, or it is somebody else's own.",
    taken: httpErrors.viewNameTaken,
    full: httpErrors.tooManyViews,
    share: limitErrors.viewShareUsed,
  },
};

function viewOf({ id, name, collection, isShared, brief, isPartial = false, place, ...item }: Saved): View {
  return { id, name, collection, isShared, search: JSON.parse(brief), isPartial, place, ...madeOnWire(item) };
}
