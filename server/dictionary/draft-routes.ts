// Drafts of the next dictionary: who may shape it prepares one, sees what it does to what is stored, and applies it.

import type { FastifyRequest } from "fastify";
import { type DictionaryDraft, MAX_COMMENT, MAX_DRAFT_TITLE, MAX_DRAFTS, type WholeDraft } from "../../core/contract/dictionary.ts";
import { API_ROOT, DRAFTS_PATH } from "../../core/contract/paths.ts";
import type { Principal } from "../../core/contract/principals.ts";
import { allows, SHAPE } from "../../core/contract/scopes.ts";
import { isObject } from "../../core/dictionary/fields.ts";
import type { Preferred } from "../../core/dictionary/merge-packages.ts";
import type { AppliedDictionary } from "../access/living-dictionary.ts";
import { DictionaryRefused } from "../engine/migrate-dictionary.ts";
import { StoreOutdated } from "../engine/store.ts";
import { type Cursors, MAX_CURSOR, type Place } from "../http/cursor.ts";
import { httpErrors } from "../http/errors.ts";
import { listOf, named, object, type Schema } from "../http/json-schemas.ts";
import type { Limits } from "../http/limits.ts";
import { ifMatchTags } from "../http/preconditions.ts";
import { readParameters, text } from "../http/query-parameters.ts";
import { type FieldReader, line, lines, optional, readFields, version } from "../http/read-fields.ts";
import { idOf } from "../http/request.ts";
import { emptyAnswer, jsonAnswer, NO_STORE } from "../http/responses.ts";
import { JSON_TYPE, MERGE_PATCH_TYPE, type Route } from "../http/route.ts";
import type { Session } from "../people/auth/access-tokens.ts";
import type { CheckProof } from "../people/auth/proof-check.ts";
import { randomId } from "../people/auth/random-codes.ts";
import { logSecurityEvent } from "../people/auth/security-events.ts";
import { bringRoles, foreseeRoles } from "../people/brought-roles.ts";
import { allowsTag } from "../people/store/etags.ts";
import {
  type DraftParts,
  impactOf,
  type NextDictionary,
  nextOf,
  type RulePlace,
  refuseWhatIsUnderWay,
  servedOf,
  withoutNewIds,
} from "./draft-impact.ts";
import { draftTag, type StoredDraft } from "./store/drafts.ts";

export interface DraftRouteParts extends DraftParts {
  /** The dictionary is a file, which alone changes it. */
  isFile: boolean;
  /** DICTIONARY_APPROVAL: another person than the one who changed a draft last applies it. */
  needsApproval: boolean;
  cursors: Cursors;
  limits: Limits;
  checkProof: CheckProof;
}

const DRAFT = named("IntakeDictionaryDraft");
const TITLE: Schema = { type: "string", minLength: 1, maxLength: MAX_DRAFT_TITLE };
const COMMENT: Schema = { type: "string", maxLength: MAX_COMMENT };
const BASE: Schema = { type: "integer", minimum: 1, description: "The version from which `package` was made; that which is served." };
const PACKAGE: Schema = { type: "object", description: "A data package. What has the `id` of something known is that, whatever its name." };

const PREFER: Schema = {
  enum: ["mine", "theirs"],
  description: "Whose value counts where a version that was applied since changed the same: the draft's, or that version's.",
};

const BROUGHT = listOf(named("IntakeBroughtRole"));

const title = line("title", MAX_DRAFT_TITLE);
const comment = lines("comment", MAX_COMMENT);
const dataPackage: FieldReader<object> = (given) =>
  isObject(given) ? { value: given } : { problem: "package must be a data package: an object with resources." };

const prefer: FieldReader<Preferred> = (given) =>
  given === "mine" || given === "theirs" ? { value: given } : { problem: "prefer must be mine or theirs." };

export function draftRoutes(parts: DraftRouteParts): Route[] {
  return [draftsRoute(parts), draftRoute(parts), impactRoute(parts), applyRoute(parts)];
}

type Caller = Pick<Session, "limitedAs">;

function toWire({ text: _, editedBy, ...draft }: StoredDraft, { limitedAs }: Caller): DictionaryDraft {
  const [createdAt, updatedAt] = [draft.createdAt, draft.updatedAt].map((at) => new Date(at).toISOString()) as [string, string];
  return { ...draft, createdAt, updatedAt, isOwn: editedBy === limitedAs };
}

function wholeAnswer(status: number, draft: StoredDraft, caller: Caller, headers: Record<string, string> = {}) {
  const whole: WholeDraft = { ...toWire(draft, caller), package: JSON.parse(draft.text) };
  return jsonAnswer(status, whole, { ...NO_STORE, etag: draftTag(draft), ...headers });
}

async function draftOf({ store }: DraftRouteParts, request: FastifyRequest): Promise<StoredDraft> {
  const draft = await store.drafts.readDraft(idOf(request));
  if (!draft) throw httpErrors.notFound("There is no such draft: it was applied or discarded.");
  return draft;
}

/** Returns the version from which a draft is made. Throws 422 for one that is not kept. */
async function versionOf({ store, living }: DraftRouteParts, base: number | undefined) {
  const served = servedOf(living);
  if (base === undefined || base === served.version) return served;
  const kept = base <= served.version ? await store.versions.readVersion(base) : undefined;
  if (!kept)
    throw httpErrors.validation([
      { pointer: "/base", code: "DICTIONARY", detail: `There is no version ${base}; ${served.version} is the newest.` },
    ]);
  return { version: base, dataPackage: JSON.parse(kept.text) as unknown };
}

function draftsRoute(parts: DraftRouteParts): Route {
  const { store, isFile, needsApproval, limits } = parts;
  return {
    url: API_ROOT + DRAFTS_PATH,
    GET: {
      scope: SHAPE,
      doc: {
        id: "list_dictionary_drafts",
        summary: "Drafts of the next dictionary, the latest first, without their data packages",
        responses: {
          200: object({
            drafts: listOf(DRAFT),
            isFile: { type: "boolean", description: "A file is the truth: drafts cannot be applied." },
            needsApproval: { type: "boolean", description: "A draft is applied by another person than the one who changed it last." },
          }),
        },
      },
      async handle(_, session) {
        const drafts = (await store.drafts.listDrafts()).map((draft) => toWire(draft, session));
        return jsonAnswer(200, { drafts, isFile, needsApproval }, NO_STORE);
      },
    },
    POST: {
      scope: SHAPE,
      acceptedTypes: [JSON_TYPE],
      bodyLimit: limits.collectionBytes,
      doc: {
        id: "create_dictionary_draft",
        summary: "A draft, made from the version that is served, or from `base`. Without `package` it is that",
        body: { ...object({ title: TITLE, comment: COMMENT, package: PACKAGE, base: BASE }, ["title"]), additionalProperties: false },
        responses: { 201: named("IntakeWholeDraft") },
        sentHeaders: { 201: ["ETag", "Location"] },
        errors: [409, 422],
      },
      async handle(request, { principal, limitedAs }) {
        const fields = { title, comment: optional(comment), package: optional(dataPackage), base: optional(version) };
        const given = readFields(request.body, fields);
        const served = await versionOf(parts, given.base);
        const now = Date.now();
        const draft: StoredDraft = {
          id: randomId(),
          title: given.title,
          comment: given.comment ?? "",
          base: served.version,
          text: JSON.stringify(given.package ?? served.dataPackage),
          ...{ createdAt: now, createdBy: principal, updatedAt: now, editedBy: limitedAs },
        };
        if ((await store.drafts.addDraft(draft, MAX_DRAFTS)) === "full")
          throw httpErrors.dictionaryRefused(`There are ${MAX_DRAFTS} drafts. Apply or discard one first.`);
        return wholeAnswer(201, draft, { limitedAs }, { location: `${API_ROOT}${DRAFTS_PATH}/${draft.id}` });
      },
    },
  };
}

function draftRoute(parts: DraftRouteParts): Route {
  const { store, limits } = parts;
  return {
    url: `${API_ROOT}${DRAFTS_PATH}/:id`,
    GET: {
      scope: SHAPE,
      doc: {
        id: "read_dictionary_draft",
        summary: "A draft with its data package",
        responses: { 200: named("IntakeWholeDraft") },
        sentHeaders: { 200: ["ETag"] },
        errors: [404],
      },
      handle: async (request, session) => wholeAnswer(200, await draftOf(parts, request), session),
    },
    PATCH: {
      scope: SHAPE,
      acceptedTypes: [JSON_TYPE, MERGE_PATCH_TYPE],
      bodyLimit: limits.collectionBytes,
      doc: {
        id: "change_dictionary_draft",
        summary: "Changes the title, the comment, or the whole data package, or brings the draft to the version that is served (`prefer`)",
        headers: ["If-Match"],
        body: { ...object({ title: TITLE, comment: COMMENT, package: PACKAGE, prefer: PREFER }, []), additionalProperties: false },
        responses: { 200: named("IntakeWholeDraft") },
        sentHeaders: { 200: ["ETag"] },
        errors: [404, 412, 422],
      },
      async handle(request, { limitedAs }) {
        const fields = { title: optional(title), comment: optional(comment), package: optional(dataPackage), prefer: optional(prefer) };
        const given = readFields(request.body, fields);
        if (given.prefer !== undefined && given.package !== undefined)
          throw httpErrors.validation([
            { pointer: "/prefer", code: "KIND", detail: "prefer is about the package that the draft has. Send it without package." },
          ]);
        const sent = ifMatchTags(request);
        const draft = given.prefer === undefined ? undefined : await draftOf(parts, request);
        if (draft && !allowsTag(sent, draftTag(draft))) throw httpErrors.changedMeanwhile("draft");
        const change = {
          ...(draft && (await rebased(parts, draft, given.prefer, limitedAs))),
          ...(given.title !== undefined && { title: given.title }),
          ...(given.comment !== undefined && { comment: given.comment }),
          ...(given.package !== undefined && { text: JSON.stringify(given.package), editedBy: limitedAs }),
          updatedAt: Date.now(),
        };
        const changed = await store.drafts.changeDraft(idOf(request), change, draft ? [draftTag(draft)] : sent);
        if (changed === "missing") throw httpErrors.notFound("There is no such draft: it was applied or discarded.");
        if (changed === "other version") throw httpErrors.changedMeanwhile("draft");
        return wholeAnswer(200, changed, { limitedAs });
      },
    },
    DELETE: {
      scope: SHAPE,
      doc: { id: "discard_dictionary_draft", summary: "Discards a draft", responses: { 204: null }, errors: [404] },
      async handle(request) {
        if (!(await store.drafts.deleteDraft(idOf(request))))
          throw httpErrors.notFound("There is no such draft: it was applied or discarded.");
        return emptyAnswer(204);
      },
    },
  };
}

/** Returns the draft with its changes made to the version that is served. It is one by who asks for it, like every other change of the package. */
async function rebased(parts: DraftRouteParts, draft: StoredDraft, preferred: Preferred | undefined, editedBy: string) {
  const { dataPackage, served, base } = await nextOf(parts, draft, preferred);
  const { roles } = JSON.parse(draft.text) as { roles?: unknown };
  const text = JSON.stringify({ ...withoutNewIds(dataPackage, served.dataPackage), ...(roles !== undefined && { roles }) });
  return { base, text, editedBy };
}

function placeIn(place: Place): RulePlace {
  const [collection, after, isRestCounted] = "after" in place ? place.after : [];
  return { collection: String(collection), after: Number(after), isRestCounted: isRestCounted === true };
}

function impactRoute(parts: DraftRouteParts): Route {
  const { store, cursors } = parts;
  const parameters = { cursor: text(MAX_CURSOR) };
  return {
    url: `${API_ROOT}${DRAFTS_PATH}/:id/impact`,
    GET: {
      scope: SHAPE,
      doc: {
        id: "dictionary_draft_impact",
        summary: "What the draft changes, and what that means for stored records. Nothing is changed",
        parameters,
        responses: { 200: named("IntakeDictionaryImpact") },
        errors: [404, 409, 422],
      },
      async handle(request, { scope, limitedAs: owner }, { signal }) {
        const { cursor } = readParameters<{ cursor: string }>(request.query, parameters);
        const draft = await draftOf(parts, request);
        const next = await nextOf(parts, draft);
        const list = JSON.stringify(["impact", draftTag(draft), next.base]); // another draft has other rules
        const from = cursor === undefined ? undefined : placeIn(cursors.open(list, cursor));
        const mayRead = (collection: string) => allows(scope, `${collection}:read`);
        const { place, ...impact } = await impactOf(store, next, { mayRead, from, owner, signal });
        const more = place && { next: cursors.seal(list, { after: [place.collection, place.after, place.isRestCounted] }) };
        const roles = cursor === undefined ? await foreseeRoles(store.people, next.roles, scope, next.dataPackage) : [];
        return jsonAnswer(200, { ...impact, ...(roles.length > 0 && { roles }), ...more }, NO_STORE);
      },
    },
  };
}

const MOST_TRIES = 5; // each time another draft was applied just before

async function applyDraft(
  parts: DraftRouteParts,
  living: NonNullable<DraftParts["living"]>,
  draft: StoredDraft,
  by: Principal,
  tries = 1,
): Promise<AppliedDictionary & Pick<NextDictionary, "dataPackage" | "roles">> {
  const { dataPackage, collections, base, roles } = await nextOf(parts, draft);
  await refuseWhatIsUnderWay(parts, dataPackage);
  try {
    return { ...(await living.apply(dataPackage, collections, { by, comment: draft.comment || draft.title, base })), dataPackage, roles };
  } catch (error) {
    if (error instanceof DictionaryRefused) throw httpErrors.dictionaryRefused(error.sentence, error.reasons);
    if (!(error instanceof StoreOutdated) || tries === MOST_TRIES) throw error;
    return applyDraft(parts, living, draft, by, tries + 1);
  }
}

function applyRoute(parts: DraftRouteParts): Route {
  const { store, living, isFile, needsApproval, checkProof } = parts;
  return {
    url: `${API_ROOT}${DRAFTS_PATH}/:id/apply`,
    POST: {
      scope: SHAPE,
      doc: {
        id: "apply_dictionary_draft",
        summary: "Makes the draft the next version of the dictionary, and the roles that it brings. These need a proof, as a new role does",
        headers: ["If-Match"],
        responses: {
          200: object({ version: { type: "integer" }, notes: listOf({ type: "string" }), roles: BROUGHT }, ["version", "notes"]),
        },
        errors: [404, 409, 412, 422],
      },
      async handle(request, session) {
        const { principal, limitedAs, scope } = session;
        if (isFile || !living)
          throw httpErrors.dictionaryRefused(
            "A file is the dictionary of this service (DICTIONARY): put the draft in its place, and start the service again.",
          );
        const draft = await draftOf(parts, request);
        const tags = ifMatchTags(request);
        if (tags !== undefined && tags !== "any" && !tags.includes(draftTag(draft))) throw httpErrors.changedMeanwhile("draft");
        if (needsApproval && draft.editedBy === limitedAs)
          throw httpErrors.dictionaryRefused("The draft waits for a second person: you have changed it last (DICTIONARY_APPROVAL).");
        const foreseen = await nextOf(parts, draft).then((next) => foreseeRoles(store.people, next.roles, scope, next.dataPackage));
        if (foreseen.some(({ outcome }) => outcome === "made")) await checkProof(session);
        const { dataPackage, roles, ...applied } = await applyDraft(parts, living, draft, principal);
        const brought = await bringRoles(store.people, roles, scope, dataPackage);
        await store.drafts.deleteDraft(draft.id, draft.text); // what somebody has changed in it meanwhile is not applied, and stays
        logSecurityEvent(request, "dictionary changed", { principal, target: String(applied.version) });
        for (const { id } of brought.made) logSecurityEvent(request, "role made", { principal, target: id });
        return jsonAnswer(200, { ...applied, ...(brought.all.length > 0 && { roles: brought.all }) }, NO_STORE);
      },
    },
  };
}
