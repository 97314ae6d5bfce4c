// Leaves a record as it is on purpose though it breaks a rule, until a field that the rule reads changes.

import { API_ROOT } from "../../core/contract/paths.ts";
import { type Exception, exceptionPath, MOST_REASON } from "../../core/contract/violations.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { brokenRules } from "../../core/dictionary/rules.ts";
import { dayIn } from "../../core/forms/time-zones.ts";
import { columnOf } from "../engine/columns.ts";
import type { RuleException } from "../engine/exceptions.ts";
import type { Store } from "../engine/store.ts";
import { httpErrors } from "../http/errors.ts";
import { named, object } from "../http/json-schemas.ts";
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

/** `collection`: as the caller knows it, so that a rule of a hidden field is not there. */
export function ruleExceptionRoute(collection: Collection, store: Store): Route {
  const { name, noun, singular } = collection;
  const scope = `${name}:update` as const;
  const ruleOf = (params: unknown): string => {
    const { rule } = params as { rule: string };
    if (!collection.rules?.some((one) => one.name === rule)) throw httpErrors.notFound("The collection has no rule of this name.");
    return rule;
  };
  return {
    url: API_ROOT + exceptionPath(name, ":rule", ":id"),
    PUT: {
      scope,
      acceptedTypes: [JSON_TYPE],
      doc: {
        id: `put_${singular}_exception`,
        summary: `Leaves a ${noun} as it is though it breaks a rule, until a field that the rule reads changes`,
        body: { ...object({ reason: { type: "string", minLength: 1, maxLength: MOST_REASON } }), additionalProperties: false },
        responses: { 200: named("IntakeException") },
        errors: [404, 422],
      },
      async handle(request, { principal: by }) {
        const given = readFields(request.body, { reason });
        const [rule, id] = [ruleOf(request.params), recordIdOf(collection, request)];
        const key = columnOf(collection.key);
        for (let tries = 0; tries < MOST_TRIES; tries++) {
          const record = await store.read(collection, id);
          if (!record) throw recordNotFound(collection);
          const today = dayIn(collection.timeZone ?? "UTC", Date.now());
          if (!brokenRules(collection, record, today).some((one) => one.rule === rule))
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
        responses: { 204: null },
        errors: [404],
      },
      async handle(request) {
        const [rule, id] = [ruleOf(request.params), recordIdOf(collection, request)];
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
