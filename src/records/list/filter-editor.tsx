// Adds or changes one filter: a field, an operator of its kind, and a value.

import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import type { Collection } from "../../../core/dictionary/collections.ts";
import type { Field } from "../../../core/dictionary/fields.ts";
import { type FilterOperator, operatorsOf, readValueList } from "../../../core/dictionary/filters.ts";
import { KIND_TRAITS, type KindFamily } from "../../../core/dictionary/kinds.ts";
import { t } from "../../../core/i18n/translate.ts";
import { seenPrincipals } from "../../service/seen-principals.ts";
import * as buttonStyles from "../../ui/button.module.css";
import * as formStyles from "../../ui/form.module.css";
import * as panelStyles from "../../ui/panel.module.css";
import { textOf } from "../../values/field-text.ts";
import { ReferenceValue } from "../../values/references/lazy-reference-inputs.tsx";
import { separatorOf } from "../../values/typed-numbers.ts";
import { isTyped } from "../../values/typed-values.ts";
import { ValueInput } from "../../values/value-input.tsx";
import { emptyLabel, operatorLabel } from "../query/describe-filter.ts";
import { type ChangeList, type Filter, fieldOf, type ListState, listFields, putFilter } from "../query/list-url.ts";
import { parseFilter } from "../query/parse-filter.ts";

interface FilterEditorProps {
  collection: Collection;
  state: ListState;
  go: ChangeList;
  /** The filter to change; without it a new one is added. */
  filter?: Filter;
  onDone: () => void;
}

type Choice = FilterOperator | "empty";

export function FilterEditor({ collection, state, go, filter, onDone }: FilterEditorProps) {
  const id = useId();
  const queries = useQueryClient();
  const fields = listFields(collection);
  const first = useRef<HTMLSelectElement>(null);
  const [name, setName] = useState(filter?.name ?? collection.list[0]?.name ?? "");
  const field = fieldOf(collection, name) ?? (fields[0] as Field);
  const [choice, setChoice] = useState<Choice>(filter ? choiceOf(filter) : defaultChoice(field));
  const [text, setText] = useState(filter ? typedText(field, filter) : "");
  const [wrong, setWrong] = useState<string>();
  useEffect(() => first.current?.focus(), []);

  function chooseField(next: string): void {
    const chosen = fieldOf(collection, next);
    if (!chosen) return;
    const isOther =
      chosen.reference ||
      field.reference ||
      chosen.kind !== field.kind ||
      chosen.enum !== field.enum ||
      operatorsOf(chosen) !== operatorsOf(field);
    if (isOther) setText("");
    if (!choicesOf(collection, chosen).includes(choice) || chosen.kind !== field.kind) setChoice(defaultChoice(chosen));
    setName(next);
    setWrong(undefined);
  }

  function apply(event: FormEvent): void {
    event.preventDefault();
    const operator = choice === "empty" ? "eq" : choice;
    const validated = hasValue(choice) ? parseFilter(field, operator, text) : { text: choice === "empty" ? "" : "false" };
    if ("wrong" in validated) {
      setWrong(validated.wrong);
      return;
    }
    go({ filters: putFilter(state.filters, { name, operator, text: validated.text }, filter) });
    onDone();
  }

  return (
    <form className={panelStyles.content} onSubmit={apply} noValidate>
      <div className={formStyles.field}>
        <label htmlFor={`${id}-field`}>{t("Field")}</label>
        <select id={`${id}-field`} ref={first} value={name} onChange={({ target }) => chooseField(target.value)}>
          {fields.map((one) => (
            <option key={one.name} value={one.name}>
              {one.title}
            </option>
          ))}
        </select>
      </div>
      <div className={formStyles.field}>
        <label htmlFor={`${id}-operator`}>{t("Condition")}</label>
        <select id={`${id}-operator`} value={choice} onChange={({ target }) => setChoice(target.value as Choice)}>
          {choicesOf(collection, field).map((one) => (
            <option key={one} value={one}>
              {one === "empty" ? emptyLabel(field) : operatorLabel(field, one)}
            </option>
          ))}
        </select>
      </div>
      {hasValue(choice) && (
        <div className={formStyles.field}>
          <label htmlFor={`${id}-value`}>{choice === "in" ? LISTS[separatorOf(field)]() : t("Value")}</label>
          {field.reference && (choice === "eq" || choice === "ne") ? (
            <ReferenceValue field={field} id={`${id}-value`} text={text} wrong={wrong} onText={setText} />
          ) : (
            <ValueInput
              field={field}
              seen={seenPrincipals(queries, collection)}
              id={`${id}-value`}
              text={text}
              wrong={wrong}
              isList={choice === "in"}
              isPart={choice === "prefix" || choice === "contains"}
              onText={setText}
            />
          )}
        </div>
      )}
      <button type="submit" className={buttonStyles.primary}>
        {filter ? t("Change filter") : t("Add filter")}
      </button>
    </form>
  );
}

/**
 * The operators of the field's kind, of a closed list those that name whole values, and about having none if the field may have none.
 * "Is not yes" would say less clearly what "is no" and "is empty" say.
 */
function choicesOf({ key }: Collection, field: Field): Choice[] {
  const isOptional = !field.required && field !== key && field.name !== "createdAt" && field.name !== "updatedAt";
  const ofWholes: FilterOperator[] = ["eq", "ne", "in", "null"];
  const omitted = new Set<FilterOperator>([
    ...(isOptional ? [] : (["null"] as const)),
    ...(KIND_TRAITS[field.kind].choices ? (["ne"] as const) : []),
  ]);
  const operators = operatorsOf(field).filter((one) => !omitted.has(one) && (!(field.enum || field.reference) || ofWholes.includes(one)));
  return [...operators, ...(isOptional ? (["empty"] as const) : [])];
}

/** "Has no value" stands in an address in several ways. */
function choiceOf({ operator, text }: Filter): Choice {
  if (operator === "null") return text === "true" ? "empty" : "null";
  if (text !== "") return operator;
  return operator === "ne" ? "null" : "empty";
}

function hasValue(choice: Choice): boolean {
  return choice !== "empty" && choice !== "null";
}

const DEFAULT_OPERATORS: Record<KindFamily, FilterOperator> = { text: "prefix", amount: "eq", time: "gte", yesNo: "eq" };

/** The most likely operator for a field. */
function defaultChoice(field: Field): Choice {
  const usual = DEFAULT_OPERATORS[KIND_TRAITS[field.kind].family];
  return field.enum || !operatorsOf(field).includes(usual) ? "eq" : usual;
}

const LISTS = { ",": () => t("Values, separated by commas"), ";": () => t("Values, separated by semicolons") };

/** Returns the text of a filter as it is typed: in the user's time zone, and with numbers and times as in the user's locale. */
function typedText(field: Field, { operator, text }: Filter): string {
  if (text === "" || operator === "null") return "";
  if (operator !== "in") return isTyped(field) ? textOf(field, text) : text;
  const values = isTyped(field) ? readValueList(text) : undefined;
  return values ? values.map((value) => textOf(field, value)).join(`${separatorOf(field)} `) : text;
}
