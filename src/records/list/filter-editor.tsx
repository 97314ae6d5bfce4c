// Adds or changes one filter: a field, an operator of its kind, and a value.

import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type KeyboardEvent, type MouseEvent, type RefObject, useEffect, useId, useRef, useState } from "react";
import type { Collection } from "../../../core/dictionary/collections.ts";
import type { Field } from "../../../core/dictionary/fields.ts";
import { type FilterOperator, operatorsOf, readValueList, takesSeveral } from "../../../core/dictionary/filters.ts";
import { KIND_TRAITS, type KindFamily } from "../../../core/dictionary/kinds.ts";
import { fieldsOfParents } from "../../../core/dictionary/parent-fields.ts";
import { liesOnDays, readRelativeTime } from "../../../core/dictionary/relative-times.ts";
import { t } from "../../../core/i18n/translate.ts";
import { seenPrincipals } from "../../service/seen-principals.ts";
import * as buttonStyles from "../../ui/button.module.css";
import * as formStyles from "../../ui/form.module.css";
import * as panelStyles from "../../ui/panel.module.css";
import * as textStyles from "../../ui/text.module.css";
import { textOf } from "../../values/field-text.ts";
import { PersonValue } from "../../values/people/lazy-person-value.tsx";
import { ReferenceValue } from "../../values/references/lazy-reference-inputs.tsx";
import { separatorOf } from "../../values/typed-numbers.ts";
import { isTyped } from "../../values/typed-values.ts";
import { ValueInput } from "../../values/value-input.tsx";
import { emptyLabel, operatorLabel } from "../query/describe-filter.ts";
import { type Bounds, isRelative, PERIODS, type Period, periodOf, putFilters, relativeWords } from "../query/filter-bounds.ts";
import { type ChangeList, type Filter, filteredField, type ListState, listFields } from "../query/list-url.ts";
import { parseFilter, takesPart } from "../query/parse-filter.ts";
import { isOfPerson, wordsOfPerson } from "../query/person-values.ts";

interface FilterEditorProps {
  collection: Collection;
  state: ListState;
  go: ChangeList;
  /** The filter to change, or the two bounds of a range; without them a new one is added. */
  bounds?: Bounds;
  /** Names attributes of people with which a condition may compare that holds at all times and stands in a form; or that it may not. */
  attributes?: readonly string[] | "none";
  onDone: () => void;
}

type Choice = FilterOperator | "empty" | "between" | "period";

export function FilterEditor({ collection, state, go, bounds, attributes, onDone }: FilterEditorProps) {
  const [filter, upper] = bounds ?? [];
  const id = useId();
  const queries = useQueryClient();
  const isLasting = attributes !== undefined;
  const isOffered = (one: Field) => !one.masked && !(isLasting && OF_EACH_WRITE.test(one.name));
  const fields = listFields(collection).filter(isOffered);
  const first = useRef<HTMLSelectElement>(null);
  const [name, setName] = useState(filter?.name ?? (collection.list.find((one) => fields.includes(one)) ?? fields[0])?.name ?? "");
  const field = filteredField(collection, name) ?? (fields[0] as Field);
  const of = field.item ?? field; // several values are asked for one by one
  const [choice, setChoice] = useState<Choice>(bounds ? choiceOf(bounds) : defaultChoice(field));
  const [text, setText] = useState(filter && !isOfPerson(filter.text) ? typedText(field, filter) : "");
  const [mine, setMine] = useState(filter && isOfPerson(filter.text) ? filter.text : "");
  const [upperText, setUpperText] = useState(upper ? typedText(field, upper) : "");
  const [period, setPeriod] = useState(Math.max(0, PERIODS.indexOf((bounds && periodOf(bounds)) as Period)));
  const isRelativeText = [filter, upper].some((one) => one && isRelative(collection, one)); // an input of dates would make a fixed day of it
  const [wrong, setWrong] = useState<string>();
  const [whole, isForgotten] = useHeldForm();
  useEffect(() => first.current?.focus(), []);

  function chooseField(next: string): void {
    const chosen = filteredField(collection, next);
    if (!chosen) return;
    const isOther =
      chosen.reference ||
      field.reference ||
      chosen.isPerson ||
      field.isPerson ||
      chosen.kind !== field.kind ||
      chosen.enum !== field.enum ||
      chosen.item !== field.item ||
      operatorsOf(chosen) !== operatorsOf(field);
    if (isOther) {
      setText("");
      setUpperText("");
    }
    if (!choicesOf(collection, chosen).includes(choice) || chosen.kind !== field.kind) setChoice(defaultChoice(chosen));
    setName(next);
    setWrong(undefined);
  }

  /** Returns the filters that were chosen, or what is wrong with them. */
  function chosen(): Filter[] | { wrong: string } {
    if (choice === "period") {
      const { from, until } = PERIODS[period] as Period;
      return [
        { name, operator: "gte", text: from },
        { name, operator: "lt", text: until },
      ];
    }
    if (choice === "between") return range(field, text, upperText);
    if (mine && canBeOfPerson) return [{ name, operator: choice as FilterOperator, text: mine }];
    const isEmpty = choice === "empty";
    const operator = isEmpty ? (field.item ? "null" : "eq") : choice;
    const validated = hasValue(choice) ? parseFilter(field, operator, text) : { text: !isEmpty ? "false" : field.item ? "true" : "" };
    return "wrong" in validated ? validated : [{ name, operator, text: validated.text }];
  }

  function apply(event: FormEvent | KeyboardEvent | MouseEvent): void {
    event.preventDefault();
    const next = chosen();
    if ("wrong" in next) {
      setWrong(next.wrong);
      return;
    }
    go({ filters: putFilters(state.filters, next, bounds) });
    onDone();
  }

  const valueInput = (valueId: string, value: string, onText: (text: string) => void) =>
    isRelativeText && name === filter?.name ? (
      <RelativeInput id={valueId} text={value} onText={onText} wrong={wrong} />
    ) : field.reference && (choice === "eq" || choice === "ne") ? (
      <ReferenceValue field={field} id={valueId} text={value} wrong={wrong} onText={onText} />
    ) : field.isPerson && !isList(choice) ? (
      <PersonValue field={field} id={valueId} text={value} wrong={wrong} onText={onText} hasMe={!isLasting} />
    ) : (
      <ValueInput
        field={of}
        seen={seenPrincipals(queries, collection)}
        id={valueId}
        text={value}
        wrong={wrong}
        isList={isList(choice)}
        isPart={takesPart(choice)}
        onText={onText}
      />
    );

  const choices = choicesOf(collection, field).filter((one) => !isLasting || one !== "period");
  const canBeOfPerson = isLasting && attributes !== "none" && OF_PERSONS.includes(choice);
  const content = (
    <>
      <FieldChoice {...{ collection, field, isOffered }} id={`${id}-field`} input={first} onChoose={chooseField} />
      <div className={formStyles.field}>
        <label htmlFor={`${id}-operator`}>{t("Condition")}</label>
        <select id={`${id}-operator`} value={choice} onChange={({ target }) => setChoice(target.value as Choice)}>
          {choices.map((one) => (
            <option key={one} value={one}>
              {labelOf(field, one)}
            </option>
          ))}
        </select>
      </div>
      {canBeOfPerson && (
        <div className={formStyles.field}>
          <label htmlFor={`${id}-mine`}>{t("Compared with")}</label>
          <select id={`${id}-mine`} value={mine} onChange={({ target }) => setMine(target.value)}>
            <option value="">{t("a value")}</option>
            {["{me}", "{me.email}", ...attributes.map((one) => `{me.${one}}`)].map((value) => (
              <option key={value} value={value}>
                {wordsOfPerson(value)}
              </option>
            ))}
          </select>
        </div>
      )}
      {choice === "period" ? (
        <div className={formStyles.field}>
          <label htmlFor={`${id}-period`}>{t("Period")}</label>
          <select id={`${id}-period`} value={period} onChange={({ target }) => setPeriod(Number(target.value))}>
            {PERIODS.map(({ from, until, words }, i) => (
              <option key={`${from} ${until}`} value={i}>
                {words()}
              </option>
            ))}
          </select>
        </div>
      ) : (
        hasValue(choice) &&
        !(mine && canBeOfPerson) && (
          <div className={formStyles.field}>
            <label htmlFor={`${id}-value`}>
              {choice === "between" ? t("From") : isList(choice) ? LISTS[separatorOf(of)]() : t("Value")}
            </label>
            {valueInput(`${id}-value`, text, setText)}
          </div>
        )
      )}
      {choice === "between" && (
        <div className={formStyles.field}>
          <label htmlFor={`${id}-upper`}>{t("To")}</label>
          {valueInput(`${id}-upper`, upperText, setUpperText)}
        </div>
      )}
      <button type={isLasting ? "button" : "submit"} className={buttonStyles.primary} onClick={isLasting ? apply : undefined}>
        {isLasting ? t("Apply the condition") : bounds ? t("Change filter") : t("Add filter")}
      </button>
    </>
  );
  if (!isLasting)
    return (
      <form className={panelStyles.content} onSubmit={apply} noValidate>
        {content}
      </form>
    );
  // It stands in the form of the role, which Enter must not save.
  const onKeyDown = (event: KeyboardEvent) => event.key === "Enter" && event.target instanceof HTMLInputElement && apply(event);
  return (
    <fieldset ref={whole} className={panelStyles.content} onKeyDown={onKeyDown}>
      {content}
      {isForgotten && (
        <span className={textStyles.error} role="alert">
          {t("Nothing is saved yet: this condition is neither applied nor cancelled.")}
        </span>
      )}
    </fieldset>
  );
}

interface FieldChoiceProps {
  collection: Collection;
  /** The one that is chosen. */
  field: Field;
  isOffered: (field: Field) => boolean;
  id: string;
  input: RefObject<HTMLSelectElement | null>;
  onChoose: (name: string) => void;
}

/** Offers the fields of the collection, and below them those of its parents. One of a parent's parent is there where it is chosen by an address. */
function FieldChoice({ collection, field, isOffered, id, input, onChoose }: FieldChoiceProps) {
  const own = listFields(collection).filter(isOffered);
  const parents = fieldsOfParents(collection);
  const isFarther = ![...own, ...parents.flatMap(({ fields }) => fields)].some(({ name }) => name === field.name);
  const optionOf = ({ name, title }: Field) => (
    <option key={name} value={name}>
      {title}
    </option>
  );
  return (
    <div className={formStyles.field}>
      <label htmlFor={id}>{t("Field")}</label>
      <select id={id} ref={input} value={field.name} onChange={({ target }) => onChoose(target.value)}>
        {own.map(optionOf)}
        {parents.map(({ reference, fields }) => (
          <optgroup key={reference.name} label={reference.title}>
            {fields.filter(isOffered).map(optionOf)}
          </optgroup>
        ))}
        {isFarther && optionOf(field)}
      </select>
    </div>
  );
}

/** Keeps the form around a condition from being saved without it: it would be about more records than somebody meant. */
function useHeldForm(): [RefObject<HTMLFieldSetElement | null>, isForgotten: boolean] {
  const [isForgotten, setForgotten] = useState(false);
  const whole = useRef<HTMLFieldSetElement>(null);
  useEffect(() => {
    const form = whole.current?.form;
    const stop = (event: Event) => {
      event.preventDefault();
      event.stopPropagation();
      setForgotten(true);
      whole.current?.scrollIntoView({ block: "nearest" });
    };
    form?.addEventListener("submit", stop, true);
    return () => form?.removeEventListener("submit", stop, true);
  }, []);
  return [whole, isForgotten];
}

const OF_EACH_WRITE = /^(.+\.)?updated(At|By)$/; // by them no record would stay in sight
const OF_PERSONS: readonly Choice[] = ["eq", "in", "notIn", "hasAny"];

/** Returns the two filters of a range, the smaller value first. */
function range(field: Field, lower: string, upper: string): Filter[] | { wrong: string } {
  const [from, to] = [parseFilter(field, "gte", lower), parseFilter(field, "lte", upper)];
  if ("wrong" in from) return from;
  if ("wrong" in to) return to;
  const { fromText, order } = KIND_TRAITS[field.kind];
  const [a, b] = [fromText(from.text), fromText(to.text)];
  const isTurned = a !== undefined && b !== undefined && order?.isAfter(a, b);
  return [
    { name: field.name, operator: "gte", text: isTurned ? to.text : from.text },
    { name: field.name, operator: "lte", text: isTurned ? from.text : to.text },
  ];
}

function labelOf(field: Field, choice: Choice): string {
  if (choice === "empty") return emptyLabel(field);
  if (choice === "between") return t("is between");
  return choice === "period" ? t("is in the period") : operatorLabel(field, choice);
}

/** Edits a relative time as it stands in the address, such as `today-7d`. Another value may be typed in its place. */
function RelativeInput({
  id,
  text,
  wrong,
  onText,
}: {
  id: string;
  text: string;
  wrong: string | undefined;
  onText: (text: string) => void;
}) {
  return (
    <>
      <input
        id={id}
        autoComplete="off"
        spellCheck={false}
        dir="ltr"
        value={text}
        onChange={({ target }) => onText(target.value)}
        aria-invalid={wrong !== undefined}
        aria-describedby={`${id}-note`}
      />
      <span id={`${id}-note`} className={wrong ? textStyles.error : textStyles.note} role={wrong ? "alert" : undefined}>
        {wrong ?? relativeWords(text.trim()) ?? ""}
      </span>
    </>
  );
}

/**
 * Returns the operators of the field's kind, of a closed list those that name whole values, and about having none if the field may have none.
 * "Is not yes" would say less clearly what "is no" and "is empty" say.
 */
function choicesOf({ key }: Collection, field: Field): Choice[] {
  const isOptional = !field.required && field !== key && field.name !== "createdAt" && field.name !== "updatedAt";
  const ofWholes: FilterOperator[] = ["eq", "ne", "in", "notIn", "null"];
  const omitted = new Set<FilterOperator>([
    ...(isOptional ? [] : (["null"] as const)),
    ...(KIND_TRAITS[field.kind].choices ? (["ne"] as const) : []),
  ]);
  const operators = operatorsOf(field).filter((one) => !omitted.has(one) && (!(field.enum || field.reference) || ofWholes.includes(one)));
  const hasRange = KIND_TRAITS[field.kind].order && operators.includes("lte");
  return [
    ...operators,
    ...(hasRange ? (["between"] as const) : []),
    ...(hasRange && liesOnDays(field.kind) ? (["period"] as const) : []),
    ...(isOptional ? (["empty"] as const) : []),
  ];
}

/** "Has no value" stands in an address in several ways. */
function choiceOf(bounds: Bounds): Choice {
  const [{ operator, text }, upper] = bounds;
  if (upper) return periodOf(bounds) ? "period" : "between";
  if (operator === "null") return text === "true" ? "empty" : "null";
  if (text !== "") return operator;
  return operator === "ne" ? "null" : "empty";
}

function isList(choice: Choice): boolean {
  return takesSeveral(choice);
}

function hasValue(choice: Choice): boolean {
  return choice !== "empty" && choice !== "null";
}

const DEFAULT_OPERATORS: Record<KindFamily, FilterOperator> = { text: "prefix", amount: "eq", time: "gte", yesNo: "eq", list: "has" };

/** Returns the most likely operator for a field. */
function defaultChoice(field: Field): Choice {
  const usual = DEFAULT_OPERATORS[KIND_TRAITS[field.kind].family];
  return field.enum || !operatorsOf(field).includes(usual) ? "eq" : usual;
}

const LISTS = { ",": () => t("Values, separated by commas"), ";": () => t("Values, separated by semicolons") };

/** Returns the text of a filter as it is typed: in the user's time zone, and with numbers and times as in the user's locale. */
function typedText(given: Field, { operator, text }: Filter): string {
  const field = given.item ?? given;
  if (text === "" || operator === "null") return "";
  if (liesOnDays(field.kind) && readRelativeTime(text)) return text;
  if (!isList(operator)) return isTyped(field) ? textOf(field, text) : text;
  const values = isTyped(field) ? readValueList(text) : undefined;
  return values ? values.map((value) => textOf(field, value)).join(`${separatorOf(field)} `) : text;
}
