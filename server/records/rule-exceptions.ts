// Leaves a record as it is on purpose though it breaks a rule or a constraint.

import type { FastifyRequest } from "fastify";
import { API_ROOT } from "../../core/contract/paths.ts";
import { type Broken, type Exception, exceptionPath, isConstraint, MOST_REASON } from "../../core/contract/violations.ts";
import { parentsOf } from "../../core/dictionary/children.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { columnOf } from "../engine/columns.ts";
import { exceptionName, type RuleException } from "../engine/exceptions.ts";
import type { Store } from "../engine/store.ts";
import { isHeld } from "../engine/violations.ts";
import { httpErrors } from "../http/errors.ts";
import { named, object } from "../http/json-schemas.ts";
import { nameAmong, readParameters } from "../http/query-parameters.ts";
import { type FieldReader, readFields } from "../http/read-fields.ts";
import { emptyAnswer, jsonAnswer } from "../http/responses.ts";
import { JSON_TYPE, type Route } from "../http/route.ts";
import { recordIdOf, recordNotFound } from "./record-id.ts";

const MOST_TRIES = 3; // while others change the record

const reason: FieldReader<string> = (given) => {
  const text = typeof given === "string" ? given.trim() : "";
  return text !== "" && text.length <= MOST_REASON && !text.includes("\0")
    ? { value: text }
    : { problem: `reason must be a text of 1 to ${MOST_REASON} characters.` };
};

/** `collections`: as the caller knows them, so that a rule of a hidden field is not there. */
export function ruleExceptionRoute(
  collection: Collection,
  { store, collections }: { store: Store; collections: readonly Collection[] },
): Route {
  const { name, noun, singular } = collection;
  const scope = `${name}:update` as const;
  const parents = parentsOf(collection, collections).map(({ parent }) => parent);
  const parameters = {
    field: {
      ...nameAmong("the name of a field", collection.fields),
      meaning: "Of a constraint, the name of which then stands in place of the rule's.",
    },
  };
  const readField = (request: FastifyRequest) => readParameters<{ field: string }>(request.query, parameters).field;
  const askedOf = (request: FastifyRequest, field = readField(request)): { broken: Broken; rule: string } => {
    const { rule } = request.params as { rule: string };
    const broken =
      field === undefined ? { rule, field: collection.key.name } : isConstraint(rule) ? { constraint: rule, field } : undefined;
    if (!broken || !isHeld(collection, broken, parents)) throw httpErrors.notFound("The collection has no rule of this name.");
    return { broken, rule: exceptionName(collection, broken) };
  };
  /** An exception that stands may have another reason. */
  const breaks = async (broken: Broken, id: number): Promise<boolean> => {
    const query = { parents, broken, after: id - 1, last: id, limit: 1 };
    const found = [await store.findBroken(collection, query), await store.findBroken(collection, { ...query, isExcepted: true })];
    return found.some(({ ids }) => ids.includes(id));
  };
  return {
    url: API_ROOT + exceptionPath(name, ":rule", ":id"),
    PUT: {
      scope,
      acceptedTypes: [JSON_TYPE],
      doc: {
        id: `put_${singular}_exception`,
        summary: `Leaves a ${noun} as it is though it breaks a rule, until a field that the rule reads changes`,
        parameters,
        body: { ...object({ reason: { type: "string", minLength: 1, maxLength: MOST_REASON } }), additionalProperties: false },
        responses: { 200: named("IntakeException") },
        errors: [404, 422],
      },
      async handle(request, { principal: by }) {
        const field = readField(request);
        const given = readFields(request.body, { reason });
        const { broken, rule } = askedOf(request, field);
        const id = recordIdOf(collection, request);
        const key = columnOf(collection.key);
        for (let tries = 0; tries < MOST_TRIES; tries++) {
          const record = await store.read(collection, id);
          if (!record) throw recordNotFound(collection);
          if (!(await breaks(broken, id)))
            throw httpErrors.notFound(`This ${noun} does not break the rule, so there is nothing to leave as it is.`);
          const made: RuleException = { collection: name, id, rule, at: Date.now(), by, ...given };
          if (await store.exceptions.putException(made, { key, version: record.version })) return jsonAnswer(200, toException(made));
        }
        throw httpErrors.unavailable();
      },
    },
    DELETE: {
      scope,
      doc: {
        id: `delete_${singular}_exception`,
        summary: `Counts a ${noun} again among those that break a rule; again is the same`,
        parameters,
        responses: { 204: null },
        errors: [404],
      },
      async handle(request) {
        const { rule } = askedOf(request);
        const id = recordIdOf(collection, request);
        if (!(await store.read(collection, id))) throw recordNotFound(collection);
        await store.exceptions.endException({ collection: name, id, rule });
        return emptyAnswer(204);
      },
    },
  };
}

/** Returns an exception as it is answered. */
export function toException({ id, reason, at, by }: Omit<RuleException, "collection" | "rule">): Exception {
  return { id, reason, at: new Date(at).toISOString(), by };
}
