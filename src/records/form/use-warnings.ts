// Asks whoever saves whether what a rule warns of is meant so, once as long as what the rule reads stays as it is.

import { useRef } from "react";
import type { Acknowledged } from "../../../core/contract/records.ts";
import { askRules, fieldsRead, loadRules, ruleMessage } from "../../../core/dictionary/ask-rules.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { t } from "../../../core/i18n/translate.ts";
import type { RecordValues } from "../../values/field-value.ts";
import { computeAndAsk } from "./resolver.ts";
import type { SaveRequest } from "./save-result.ts";

export interface Warning {
  /** Is undefined for a rule that reads what this person may not see. */
  rule?: string | undefined;
  message: string;
}

export interface Warnings {
  /** Returns what nobody has confirmed yet of these values. Rules about who saves are asked by the service alone. */
  ask(request: SaveRequest): Promise<Warning[]>;
  confirm(warnings: readonly Warning[], isConfirmed: boolean): void;
  /** Names what is confirmed of the values that were asked about last. */
  acknowledged(): Acknowledged;
}

export function useWarnings(collection: Collection): Warnings {
  const record = useRef<RecordValues>({});
  const confirmed = useRef(new Map<string | undefined, string>());
  const { current: all } = confirmed;
  /** Returns the values that the rule reads. */
  const valuesFor = (rule: string | undefined) => {
    const names = rule === undefined ? Object.keys(record.current).sort() : fieldsRead(collection, rule);
    return JSON.stringify(names.map((name) => record.current[name] ?? null));
  };
  const isConfirmed = (rule: string | undefined) => all.get(rule) === valuesFor(rule);
  return {
    async ask(request) {
      const base = request.kind === "create" ? undefined : request.base;
      record.current = { ...base, ...request.fields };
      if (!collection.hasRules) return [];
      await loadRules(collection);
      const broken = askRules(collection, ...computeAndAsk(collection, request.fields, base).asked).filter(
        ({ code }) => code === "WARNING",
      );
      return each(broken).filter(({ rule }) => !isConfirmed(rule));
    },
    confirm(warnings, isConfirmed) {
      for (const { rule } of warnings) {
        if (isConfirmed) all.set(rule, valuesFor(rule));
        else all.delete(rule);
      }
    },
    acknowledged() {
      const rules = [...all.keys()].filter(isConfirmed);
      return rules.includes(undefined) ? "all" : rules.filter((rule) => rule !== undefined);
    },
  };
}

/** Returns what the service has asked, each once and in the reader's language. */
export function inOwnWords(collection: Collection, asked: readonly Warning[]): Warning[] {
  const hidden = t("A rule about a field that you may not see asks whether this is meant so.");
  return each(asked).map(({ rule, message }) => ({ rule, message: rule === undefined ? hidden : ruleMessage(collection, message) }));
}

/** A warning stands at each field of its rule. */
function each(warnings: readonly Warning[]): Warning[] {
  return warnings
    .filter(({ rule }, i) => warnings.findIndex((other) => other.rule === rule) === i)
    .map(({ rule, message }) => ({ rule, message }));
}
