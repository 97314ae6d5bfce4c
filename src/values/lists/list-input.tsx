// Enters several values: checkboxes for a short closed list, else chips with an input (ARIA APG, combobox with a listbox).

import { type ClipboardEvent, type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState } from "react";
import { labelOf } from "../../../core/dictionary/categories.ts";
import type { Field } from "../../../core/dictionary/fields.ts";
import { KIND_TRAITS } from "../../../core/dictionary/kinds.ts";
import { valueOfLabel } from "../../../core/dictionary/validate.ts";
import { t } from "../../../core/i18n/translate.ts";
import { fold } from "../../../core/text/fold.ts";
import { readItems, writeItems } from "../../../core/text/items.ts";
import * as buttonStyles from "../../ui/button.module.css";
import * as textStyles from "../../ui/text.module.css";
import { textToValidate } from "../field-text.ts";
import { formatValue } from "../format-value.ts";
import { type Described, type InputOfForm, OptionList, optionId, useTextOfForm, withReason } from "../picker.tsx";
import { separatorOf } from "../typed-numbers.ts";
import * as styles from "./list-input.module.css";

export interface ListInputProps extends Described {
  field: Field;
  id: string;
  name?: string | undefined;
  /** The values as a cell of a file has them. */
  text: string;
  onText: (text: string) => void;
  onLeave?: (() => void) | undefined;
  /** In a row of a list there is no room for a checkbox each. */
  isShort?: boolean | undefined;
}

export interface FormListProps extends InputOfForm {
  isShort?: boolean | undefined;
}

/** Stands in a form, which holds the values as one text. */
export function FormList({ isShort, ...props }: FormListProps) {
  return <ListInput {...useTextOfForm(props)} isShort={isShort} />;
}

/** Several values outside a form: for a change of many records. */
export const ListValue = withReason(ListInput);

const MOST_CHECKS = 7; // with more of them a search is faster

export function ListInput({ isShort = false, ...props }: ListInputProps) {
  const choices = props.field.item?.enum;
  return choices && choices.length <= MOST_CHECKS && !isShort && !props.readOnly ? (
    <Checks {...props} choices={choices.map(String)} />
  ) : (
    <Chips {...props} isShort={isShort} choices={choices?.map(String)} />
  );
}

/** Keeps the order of the list. A value that has left it stays until it is unchecked. */
function Checks({
  field,
  id,
  name,
  text,
  onText,
  onLeave,
  choices,
  readOnly: _,
  title: __,
  "aria-required": ___,
  ...described
}: ListInputProps & { choices: string[] }) {
  const { item = field, delimiter } = field;
  const items = readItems(text, delimiter);
  const all = [...choices, ...items.filter((one) => !choices.includes(one))];
  const toggle = (value: string, isOn: boolean) =>
    onText(
      writeItems(
        all.filter((one) => (one === value ? isOn : items.includes(one))),
        delimiter,
      ),
    );
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a legend, and the label stands above it as for every input
    <div
      role="group"
      className={styles.checks}
      id={id}
      tabIndex={-1}
      aria-label={field.title}
      {...described}
      onFocus={({ target, currentTarget }) => target === currentTarget && currentTarget.querySelector("input")?.focus()}
    >
      {all.map((value) => (
        <label key={value}>
          <input
            type="checkbox"
            name={name}
            aria-invalid={described["aria-invalid"]}
            checked={items.includes(value)}
            onChange={({ target }) => toggle(value, target.checked)}
            onBlur={onLeave}
          />
          <bdi>{choices.includes(value) ? labelOf(item, value) : t("{value} (no longer a choice)", { value })}</bdi>
        </label>
      ))}
    </div>
  );
}

function Chips({
  field,
  id,
  name,
  text,
  onText,
  onLeave,
  choices,
  readOnly = false,
  isShort = false,
  ...described
}: ListInputProps & { choices: string[] | undefined }) {
  const { item = field, delimiter = "," } = field;
  const items = readItems(text, delimiter);
  const [list, input, place] = [useId(), useRef<HTMLInputElement>(null), useRef<HTMLDivElement>(null)];
  const [typed, setTyped] = useState("");
  const [isOpen, setOpen] = useState(false);
  const [at, setAt] = useState(0);
  const [news, setNews] = useState("");
  const options = (choices ?? []).filter((one) => !items.includes(one) && fold(labelOf(item, one)).includes(fold(typed.trim())));
  const shown = (value: string) => formatItem(item, value);
  /** What stands there already is said, and not added a second time. */
  function add(texts: readonly string[]): void {
    const read = texts.map((one) => valueOfLabel(item, textToValidate(item, one).trim())).filter((one) => one !== "");
    const added = [...new Set(read)].filter((one) => !items.includes(one));
    const known = read.filter((one) => items.includes(one));
    setTyped("");
    setAt(0);
    setOpen(false);
    if (added.length > 0) onText(writeItems([...items, ...added], delimiter));
    setNews(
      added.length > 0
        ? t("{values} added.", { values: added.map(shown).join(", ") })
        : known.length > 0
          ? t("{values} is there already.", { values: known.map(shown).join(", ") })
          : "",
    );
  }

  function remove(value: string): void {
    onText(
      writeItems(
        items.filter((one) => one !== value),
        delimiter,
      ),
    );
    setNews(t("{value} taken out.", { value: shown(value) }));
    input.current?.focus();
  }

  /** What was typed stands for the option that is marked, else for itself. */
  function take(): void {
    const marked = isOpen && typed.trim() !== "" ? options[at] : undefined;
    if (marked !== undefined || typed.trim() !== "") add([marked ?? typed]);
    setOpen(false);
  }
  useClickElsewhere(place, take);

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    const { key, ctrlKey, metaKey, altKey, nativeEvent } = event;
    if (nativeEvent.isComposing || altKey || readOnly) return;
    const isOfRow = isShort && !choices && (key === "ArrowDown" || key === "ArrowUp"); // it saves and goes on
    if (ctrlKey || metaKey || isOfRow) {
      if (isOfRow || key === "s" || key === "Enter") take(); // saving takes what is seen
      return;
    }
    const isAtStart = input.current?.selectionEnd === 0;
    if (choices && (key === "ArrowDown" || key === "ArrowUp")) {
      if (isOpen && options.length > 0) setAt((at + (key === "ArrowDown" ? 1 : -1) + options.length) % options.length);
      setOpen(true);
    } else if (key === "Enter" && isOpen && options[at] !== undefined) add([options[at]]);
    else if (key === "Enter" && typed.trim() !== "") take();
    else if (key === "Escape" && isOpen) setOpen(false);
    else if (key === "Backspace" && typed === "" && items.length > 0) remove(items.at(-1) as string);
    else if (key === "ArrowLeft" && isAtStart && items.length > 0) [...(place.current?.querySelectorAll("button") ?? [])].at(-1)?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation(); // a row of the list takes these keys, too
  }

  function onPaste(event: ClipboardEvent): void {
    const parts = splitPasted(field, event.clipboardData.getData("text"));
    if (parts.length < 2 || readOnly) return;
    event.preventDefault();
    add([typed, ...parts]);
  }

  function onType(value: string): void {
    const parts = splitTyped(field, value);
    if (parts) add(parts);
    else {
      setTyped(value);
      setAt(0);
      setOpen(true);
    }
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a press beside the chips goes on typing, as in every input
    <div
      className={styles.list}
      data-short={isShort || undefined}
      ref={place}
      onMouseDown={(event) => event.target === event.currentTarget && focusSoon(event, input.current)}
    >
      <ChipList {...{ items, shown, readOnly, input }} title={field.title} onRemove={remove} />
      <input
        type="text"
        ref={input}
        id={id}
        name={name}
        autoComplete="off"
        spellCheck={false}
        dir="auto"
        readOnly={readOnly}
        {...(choices && {
          role: "combobox",
          "aria-expanded": isOpen,
          "aria-controls": list,
          "aria-autocomplete": "list" as const,
          "aria-activedescendant": isOpen && options[at] !== undefined ? optionId(list, at) : undefined,
        })}
        {...described}
        aria-description={items.length > 0 ? items.map(shown).join(", ") : undefined}
        value={typed}
        onChange={({ target }) => onType(target.value)}
        onPaste={onPaste}
        onKeyDown={onKeyDown}
        onClick={() => setOpen(!readOnly)}
        onBlur={() => {
          take();
          onLeave?.();
        }}
      />
      {choices && (
        <OptionList
          {...{ list, at, isOpen }}
          label={field.title}
          anchor={place}
          options={options.map((value) => ({ key: value, content: <bdi>{shown(value)}</bdi> }))}
          onPoint={setAt}
          onChoose={(index) => add(options.slice(index, index + 1))}
        >
          {options.length === 0 && <p className={textStyles.dim}>{t("No results.")}</p>}
        </OptionList>
      )}
      <span className={textStyles.hidden} role="status">
        {news}
      </span>
    </div>
  );
}

interface ChipListProps {
  items: readonly string[];
  shown: (value: string) => string;
  title: string;
  readOnly: boolean;
  input: RefObject<HTMLInputElement | null>;
  onRemove: (value: string) => void;
}

function ChipList({ items, shown, title, readOnly, input, onRemove }: ChipListProps) {
  return (
    <ul className={styles.chips} aria-label={t("{title}: values", { title })}>
      {items.map((value) => (
        <li key={value}>
          <bdi>{shown(value)}</bdi>
          {!readOnly && (
            <button
              type="button"
              className={buttonStyles.bare}
              tabIndex={-1}
              aria-label={t("Take out {value}", { value: shown(value) })}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => onRemove(value)}
              onKeyDown={(event) => moveAmongChips(event, input.current, () => onRemove(value))}
            >
              ✕
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Writes a value as lists show it; a text that is none stays as it is. */
function formatItem(item: Field, text: string): string {
  const value = KIND_TRAITS[item.kind].fromText(text);
  return value === undefined ? text : formatValue(item, value);
}

/** Returns the signs that end a value where it is typed or pasted: that of the field, and those that people use, but no decimal sign. */
function separatorsOf({ item, delimiter = "," }: Field): string[] {
  const isCommaFree = item !== undefined && separatorOf(item) === ";";
  return [...new Set([...(isCommaFree ? [] : [",", delimiter]), ";"])];
}

function splitBy(text: string, separators: readonly string[]): string[] {
  return separators.reduce((parts, by) => parts.flatMap((part) => part.split(by)), [text]);
}

function splitPasted(field: Field, text: string): string[] {
  return splitBy(text, [...separatorsOf(field), "\n", "\t"])
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/** Returns undefined while no value has ended. */
function splitTyped(field: Field, text: string): string[] | undefined {
  const parts = splitBy(text, separatorsOf(field));
  return parts.length > 1 ? parts : undefined;
}

function focusSoon(event: React.MouseEvent, input: HTMLInputElement | null): void {
  event.preventDefault();
  input?.focus();
  input?.click();
}

/** Acts before a button does what it is for: those that save leave the focus in the input. */
function useClickElsewhere(place: RefObject<HTMLElement | null>, act: () => void): void {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    const onClick = ({ target }: MouseEvent) => {
      if (!(target instanceof Node && place.current?.contains(target))) latest.current();
    };
    document.addEventListener("click", onClick, true);
    return () => document.removeEventListener("click", onClick, true);
  }, [place]);
}

/** The chips are reached with the arrow keys, so that Tab leads from input to input. */
function moveAmongChips(event: KeyboardEvent<HTMLButtonElement>, input: HTMLInputElement | null, remove: () => void): void {
  const { key, currentTarget } = event;
  const all = [...(currentTarget.closest("ul")?.querySelectorAll("button") ?? [])];
  const next = { ArrowLeft: -1, ArrowRight: 1 }[key];
  if (next !== undefined) (all[all.indexOf(currentTarget) + next] ?? (next > 0 ? input : currentTarget))?.focus();
  else if (key === "Backspace" || key === "Delete") remove();
  else if (key === "Enter" || key === " ")
    event.stopPropagation(); // a press of the button
  else return;
  if (key !== "Enter" && key !== " ") event.preventDefault();
  event.stopPropagation();
}
