// Converts a field into another kind: what would become of its values, the run, its progress, and the way back.

import type { FastifyRequest } from "fastify";
import type { Conversion, ConversionPreview } from "../../core/contract/dictionary.ts";
import { API_ROOT, CONVERSIONS_PATH } from "../../core/contract/paths.ts";
import type { Principal } from "../../core/contract/principals.ts";
import { allows, SHAPE } from "../../core/contract/scopes.ts";
import { checkRules } from "../../core/dictionary/check-rules.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { columnName } from "../../core/dictionary/column-name.ts";
import { type Field, isObject } from "../../core/dictionary/fields.ts";
import { isPackage, kindIn, type Package, type PackageField } from "../../core/dictionary/packages.ts";
import { canConvert, convertValue, type Reads, readingsOf } from "../../core/forms/conversion.ts";
import { readWithRetired } from "../access/retired.ts";
import { narrowAlso, rolesChoosingBy } from "../access/role-conditions.ts";
import { DictionaryRefused } from "../engine/migrate-dictionary.ts";
import { httpErrors } from "../http/errors.ts";
import { listOf, named, object } from "../http/json-schemas.ts";
import { type FieldReader, flag, line, optional, readFields } from "../http/read-fields.ts";
import { idOf } from "../http/request.ts";
import { emptyAnswer, jsonAnswer, NO_STORE, showing } from "../http/responses.ts";
import { JSON_TYPE, type Route } from "../http/route.ts";
import type { Session } from "../people/auth/access-tokens.ts";
import { randomId } from "../people/auth/random-codes.ts";
import { logSecurityEvent } from "../people/auth/security-events.ts";
import { applyPackage } from "./apply-package.ts";
import { withNewField, withWayBack } from "./convert-package.ts";
import { type Converter, leave } from "./converter.ts";
import { type DraftParts, servedOf } from "./draft-impact.ts";
import { mistakesIn } from "./mistakes.ts";
import { newId } from "./start-dictionary.ts";
import type { StoredConversion } from "./store/conversions.ts";

export interface ConversionParts extends Pick<DraftParts, "living"> {
  isFile: boolean;
  /** DICTIONARY_APPROVAL: nobody changes the dictionary alone. */
  needsApproval: boolean;
  /** Is undefined in a service that converts nothing. */
  converter: Pick<Converter, "wake"> | undefined;
}

const MOST_EXAMPLES = 20;
const MOST_FORMS = 50;
const MOST_MEANINGS = 1_000;
const PAUSE_AFTER = 500; // values that are converted in one turn

const field = line("field", 130);
const to: FieldReader<Record<string, unknown>> = (given) =>
  isObject(given) && Object.keys(given).every((word) => WORDS.has(word))
    ? { value: given }
    : { problem: `to must be what the field is to be: an object with ${[...WORDS].join(", ")}.` };
const WORDS = new Set(["type", "decimals", "format", "categories", "constraints", "example"]);
const forms: FieldReader<string[]> = (given) =>
  Array.isArray(given) && given.length <= MOST_FORMS && given.every((one) => typeof one === "string" && one.length <= 60)
    ? { value: given }
    : { problem: `forms must be a list of at most ${MOST_FORMS} ways of writing, such as "date:d.m.y".` };
const values: FieldReader<Record<string, string>> = (given) =>
  isObject(given) && Object.keys(given).length <= MOST_MEANINGS && Object.values(given).every((one) => typeof one === "string")
    ? { value: given as Record<string, string> }
    : { problem: `values must say what at most ${MOST_MEANINGS} texts mean, as in { "unknown": "" }.` };

export function conversionRoutes(parts: ConversionParts): Route[] {
  return [conversionsRoute(parts), conversionRoute(parts), undoRoute(parts)];
}

/** Throws what keeps a caller from changing the dictionary at once. */
export function changeable({ living, isFile, needsApproval, converter }: ConversionParts) {
  if (needsApproval)
    throw httpErrors.dictionaryRefused(
      "Only a draft can be approved by a second person (DICTIONARY_APPROVAL), and this changes the dictionary at once.",
    );
  if (isFile || !living || !converter)
    throw httpErrors.dictionaryRefused("A file is the dictionary of this service (DICTIONARY): change it there.");
  return { living, converter };
}

function toWire(
  { id, collection, name, fromKind, toKind, state, by, at, ...more }: StoredConversion & { by: Principal },
  all: readonly StoredConversion[],
): Conversion {
  const { seen, total, converted, left, empty, leftRecords, undoes, detail } = more;
  const isUndone = all.some((other) => other.undoes === id && (other.state === "running" || other.state === "done"));
  return {
    ...{ id, field: `${collection}.${name}`, fromKind, toKind, state, by, at: new Date(at).toISOString() },
    ...{ seen, total: Math.max(seen, total), converted, left, empty, leftRecords, undoes, detail },
    canUndo: state === "done" && undoes === null && !isUndone,
  };
}

/** Holds what an order is about, as the dictionary is now. */
interface Asked {
  collection: Collection;
  source: Field;
  target: Field;
  old: PackageField;
  made: PackageField;
  dataPackage: Package;
}

const REPLY = { 200: named("IntakeConversionPreview"), 201: named("IntakeConversion") };

function conversionsRoute(parts: ConversionParts): Route {
  return {
    url: API_ROOT + CONVERSIONS_PATH,
    GET: {
      scope: SHAPE,
      doc: {
        id: "list_conversions",
        summary: "Conversions of fields into another kind, the latest first",
        responses: { 200: object({ conversions: listOf(named("IntakeConversion")) }) },
      },
      async handle() {
        const all = await servedOf(parts.living).store.conversions.listConversions();
        return jsonAnswer(200, { conversions: all.map((one) => toWire(one, all)) }, NO_STORE);
      },
    },
    POST: {
      scope: SHAPE,
      acceptedTypes: [JSON_TYPE],
      doc: {
        id: "convert_field",
        summary: "Converts the stored values of a field into another kind. With `dryRun` it is only said what would become of them",
        body: {
          ...object(
            {
              field: { type: "string", description: "Collection and field with a dot between." },
              to: { type: "object", description: "What the field is to be, as in a data package: `type` and what belongs to it." },
              forms: {
                ...listOf({ type: "string" }),
                description: "Ways of writing that texts are read in, such as `date:d.m.y`. By default those that can mean one value only.",
              },
              values: { type: "object", additionalProperties: { type: "string" }, description: "Text → what it means; empty: no value." },
              dryRun: { type: "boolean" },
            },
            ["field", "to"],
          ),
          additionalProperties: false,
        },
        responses: REPLY,
        sentHeaders: { 201: ["Location"] },
        errors: [409, 422],
      },
      async handle(request, session) {
        const given = readFields(request.body, { field, to, forms: optional(forms), values: optional(values), dryRun: optional(flag) });
        const reads = { ...(given.forms && { forms: given.forms }), ...(given.values && { values: given.values }) };
        const asked = askedFor(parts, session, given, reads);
        if (given.dryRun) return preview(parts, asked, reads);
        const conversion = await begin(parts, request, session, { ...asked, reads, undoes: null, next: asked.dataPackage });
        return jsonAnswer(201, conversion, { ...NO_STORE, location: `${API_ROOT}${CONVERSIONS_PATH}/${conversion.id}` });
      },
    },
  };
}

/** Throws what forbids the conversion, each in a sentence. */
function askedFor(parts: ConversionParts, session: Session, given: { field: string; to: object }, reads: Reads): Asked {
  const { dataPackage, collections } = servedOf(parts.living);
  const [name = "", own = ""] = given.field.split(".");
  const collection = collections.find((one) => one.name === name);
  const resource = isPackage(dataPackage) ? dataPackage.resources.find((one) => one.name === name) : undefined;
  const old = resource?.schema.fields.find((one) => one.name === own && !one.retired);
  const isHidden = resource?.retired || session.hidden?.get(name)?.has(own);
  if (!collection || !old || isHidden) throw invalid("/field", `There is no field "${given.field}".`);
  requireRights(session, name);
  const source = collection.byName.get(own) as Field;
  const isHeld = collections.some(({ name: child, references }) =>
    references.some(({ reference }) =>
      reference.where?.some(
        ({ parent, own: theirs }) => (reference.collection === name && parent === own) || (child === name && theirs === own),
      ),
    ),
  );
  const why =
    (source === collection.key && "is the key, by which every record is known") ||
    ((source.reference || isHeld) && "refers to other records, or is compared with theirs. Take that out of the dictionary first") ||
    (source.computed !== undefined && "is computed. Add another field with the formula instead") ||
    ((source.unique || collection.uniqueKeys.some((fields) => fields.includes(source))) &&
      "is unique. Make it not unique, convert it, and make it unique again");
  if (why) throw httpErrors.dictionaryRefused(`"${given.field}" cannot become another kind: it ${why}.`);
  const to = newId();
  const next = withNewField(dataPackage, { collection: name, from: String(old.id), to }, { ...given.to }, reads);
  const fields = next.resources.find((one) => one.name === name)?.schema.fields ?? [];
  const [made, place] = [fields.find(({ id }) => id === to) as PackageField, fields.findIndex(({ id }) => id === to)];
  const isUnique = (made.constraints as { unique?: boolean } | undefined)?.unique;
  if (isUnique) throw invalid("/to/constraints/unique", "A field becomes unique when its values are converted, not before.");
  const mistakes = mistakesIn(next);
  const [first] = mistakes;
  if (first) {
    const at = `/resources/${next.resources.findIndex((one) => one.name === name)}/schema/fields/${place}`;
    throw invalid(first.path.startsWith(at) ? `/to${first.path.slice(at.length)}` : "/to", `${first.message}.`);
  }
  const read = readWithRetired(next);
  if ("mistakes" in read) throw invalid("/to", `${read.mistakes[0]?.message}.`);
  const whole = read.collections.find((one) => one.name === name) as Collection;
  const target = whole.byName.get(made.name) as Field;
  const isSame = kindIn(old) === kindIn(made) && !target.enum;
  if (isSame) throw httpErrors.dictionaryRefused(`"${given.field}" is of type ${kindIn(old)} already. Change its rules in a draft.`);
  if (source.isPerson || target.isPerson)
    throw httpErrors.dictionaryRefused(
      "No run converts texts into people or back. Add a field of a person, and upload it by name or e-mail address.",
    );
  if (!canConvert(source.kind, target.kind))
    throw httpErrors.dictionaryRefused(`No value of type ${source.kind} can mean one of type ${target.kind}.`);
  const fieldsThen = collection.fields.map((field) => (field === source ? { ...field, kind: target.kind } : field));
  const [wrong] = checkRules({ resources: [resource] }, [{ ...collection, fields: fieldsThen }]);
  if (wrong)
    throw httpErrors.dictionaryRefused(`"${given.field}" cannot become another kind: in a rule ${wrong.message}. Change the rule first.`);
  return { collection, source, target, old, made, dataPackage: next };
}

/** Values are read and written in all records of the collection. */
function requireRights({ scope }: Session, collection: string): void {
  const missing = [`${collection}:read` as const, `${collection}:update` as const].filter((one) => !allows(scope, one));
  if (missing.length > 0) throw httpErrors.insufficientScope(missing.join(" "));
}

function invalid(pointer: string, detail: string) {
  return httpErrors.validation([{ pointer, code: "DICTIONARY", detail }]);
}

async function preview({ living }: ConversionParts, { collection, source, target }: Asked, reads: Reads) {
  const counted = await servedOf(living).store.countValues(collection, source);
  const found = { converted: 0, left: 0, empty: 0 };
  const [convertedExamples, leftExamples]: [ConversionPreview["convertedExamples"][number][], ConversionPreview["leftExamples"][number][]] =
    [[], []];
  const byForm = new Map<string, number>();
  for (const [i, { value, count, id }] of counted.values.entries()) {
    if (i % PAUSE_AFTER === PAUSE_AFTER - 1) await new Promise(setImmediate);
    const meant = convertValue(source, target, value, reads);
    found[value === null ? "empty" : meant === undefined ? "left" : "converted"] += count;
    if (value !== null && meant === undefined && leftExamples.length < MOST_EXAMPLES) leftExamples.push({ id, from: value, count });
    if (value !== null && meant !== undefined && meant !== value && convertedExamples.length < MOST_EXAMPLES)
      convertedExamples.push({ id, from: value, to: meant });
    if (typeof value !== "string" || convertValue(source, target, value, { forms: [] }) !== undefined) continue;
    for (const { name } of readingsOf(target, value)) byForm.set(name, (byForm.get(name) ?? 0) + count);
  }
  const named = [...byForm].map(([name, count]) => ({ name, count })).sort((a, b) => b.count - a.count);
  const body: ConversionPreview = {
    ...found,
    ...{ convertedExamples, leftExamples, forms: named.slice(0, MOST_FORMS), complete: counted.isAll },
  };
  const ids = [...convertedExamples, ...leftExamples].map(({ id }) => id);
  return showing(jsonAnswer(200, body, NO_STORE), () => [{ collection: collection.name, ids }]);
}

type Begun = Pick<Asked, "collection" | "target" | "old" | "made"> & Pick<StoredConversion, "reads" | "undoes"> & { next: Package };

async function begin(
  parts: ConversionParts,
  request: FastifyRequest,
  { principal }: Pick<Session, "principal">,
  { collection, target, old, made, reads, undoes, next }: Begun,
): Promise<Conversion> {
  const { living, converter } = changeable(parts);
  const { store } = living.served();
  const choosing = rolesChoosingBy(await store.people.listRoles(), String(old.id));
  if (choosing.length > 0)
    throw httpErrors.dictionaryRefused(
      `The conditions of roles choose records by "${collection.name}.${old.name}": ${choosing.join(", ")}. Change these first.`,
    );
  const now = Date.now();
  const { values: counted } = await store.countValues(collection, collection.byName.get(old.name) as Field);
  const conversion: StoredConversion = {
    ...{ id: randomId(), collection: collection.name, from: String(old.id), to: String(made.id) },
    ...{ column: columnName(target), name: old.name, fromKind: kindIn(old), toKind: kindIn(made), reads, undoes },
    ...{ by: { type: principal.type, id: principal.id }, at: now, state: "running", after: null, detail: "", touchedAt: now },
    ...{ seen: 0, total: counted.reduce((sum, { count }) => sum + count, 0), converted: 0, left: 0, empty: 0, leftRecords: [] },
  };
  if ((await store.conversions.addConversion(conversion)) === "busy")
    throw httpErrors.dictionaryRefused(`"${collection.name}.${old.name}" is being converted. Wait until that is done, or cancel it.`);
  const path = `${collection.name}.${old.name}`;
  const comment = undoes ? `${path} becomes ${kindIn(made)} again` : `${path}: ${kindIn(old)} is converted into ${kindIn(made)}`;
  try {
    await narrowAlso(store.people, conversion.from, conversion.to);
    await applyPackage(living, next, { by: principal, comment });
  } catch (error) {
    await store.conversions.saveConversion(
      { ...conversion, state: "failed", detail: "The dictionary was changed at the same time." },
      null,
    );
    if (error instanceof DictionaryRefused) throw httpErrors.dictionaryRefused(error.sentence, error.reasons);
    throw error;
  }
  converter.wake(conversion.id);
  logSecurityEvent(request, "dictionary changed", { principal, target: String(living.served().version) });
  return toWire({ ...conversion, by: principal }, []);
}

async function storedOf({ living }: ConversionParts, request: FastifyRequest) {
  const all = await servedOf(living).store.conversions.listConversions();
  const found = all.find(({ id }) => id === idOf(request));
  if (!found) throw httpErrors.notFound("There is no such conversion.");
  return { all, found };
}

function conversionRoute(parts: ConversionParts): Route {
  return {
    url: `${API_ROOT}${CONVERSIONS_PATH}/:id`,
    GET: {
      scope: SHAPE,
      doc: {
        id: "read_conversion",
        summary: "A conversion, and how far it is",
        responses: { 200: named("IntakeConversion") },
        errors: [404],
      },
      async handle(request) {
        const { all, found } = await storedOf(parts, request);
        return jsonAnswer(200, toWire(found, all), NO_STORE);
      },
    },
    DELETE: {
      scope: SHAPE,
      doc: {
        id: "cancel_conversion",
        summary: "Cancels a conversion that runs: the field keeps its kind and its values",
        responses: { 204: null },
        errors: [404, 409],
      },
      async handle(request, { principal }) {
        const { living } = changeable(parts);
        const { store } = living.served();
        for (;;) {
          const { found } = await storedOf(parts, request);
          if (found.state !== "running") throw httpErrors.dictionaryRefused(`The conversion is ${found.state} already.`);
          const cancelled = { ...found, state: "cancelled" as const };
          if (!(await store.conversions.saveConversion(cancelled, found.after))) continue; // it has gone on meanwhile
          await leave(living, { ...cancelled, by: principal });
          logSecurityEvent(request, "dictionary changed", { principal, target: String(living.served().version) });
          return emptyAnswer(204);
        }
      },
    },
  };
}

function undoRoute(parts: ConversionParts): Route {
  return {
    url: `${API_ROOT}${CONVERSIONS_PATH}/:id/undo`,
    POST: {
      scope: SHAPE,
      doc: {
        id: "undo_conversion",
        summary:
          "Takes a conversion back by another one: the field is of its old kind again, with its old values where nobody has changed them since",
        responses: { 201: named("IntakeConversion") },
        sentHeaders: { 201: ["Location"] },
        errors: [404, 409],
      },
      async handle(request, session) {
        const { all, found } = await storedOf(parts, request);
        requireRights(session, found.collection);
        const { dataPackage, collections } = servedOf(parts.living);
        const collection = collections.find(({ name }) => name === found.collection);
        const fields = isPackage(dataPackage) ? dataPackage.resources.find(({ name }) => name === found.collection)?.schema.fields : [];
        const [made, old] = [found.from, found.to].map((id) => fields?.find((one) => one.id === id));
        if (!toWire(found, all).canUndo || !collection || !made?.retired || !old || old.retired)
          throw httpErrors.dictionaryRefused(
            "The conversion cannot be taken back: it is not done, it was taken back, or one of its fields has changed since.",
          );
        const pair = { collection: found.collection, from: found.to, to: found.from };
        const conversion = await begin(parts, request, session, {
          ...{ collection, target: collection.byName.get(made.name) as Field, old, made, reads: found.reads, undoes: found.id },
          next: withWayBack(dataPackage, pair, found.reads),
        });
        return jsonAnswer(201, conversion, { ...NO_STORE, location: `${API_ROOT}${CONVERSIONS_PATH}/${conversion.id}` });
      },
    },
  };
}
