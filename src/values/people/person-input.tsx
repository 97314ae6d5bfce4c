// Chooses a person by name or address as one types (ARIA APG, editable combobox with a listbox).

import { type KeyboardEvent, useId, useRef, useState } from "react";
import { labelOf } from "../../../core/dictionary/categories.ts";
import type { Field } from "../../../core/dictionary/fields.ts";
import { ME } from "../../../core/dictionary/filters.ts";
import { valueOfLabel } from "../../../core/dictionary/validate.ts";
import { t } from "../../../core/i18n/translate.ts";
import { foldWords } from "../../../core/text/fold.ts";
import { Monogram } from "../../ui/monogram.tsx";
import * as textStyles from "../../ui/text.module.css";
import * as styles from "../picker.module.css";
import { ClearButton, type Described, type InputOfForm, OptionList, optionId, useTextOfForm, withReason } from "../picker.tsx";

export interface PersonInputProps extends Described {
  field: Field;
  id: string;
  name?: string | undefined;
  /** The id of the chosen person; while nobody is chosen, what was typed. */
  text: string;
  onText: (text: string) => void;
  onLeave?: (() => void) | undefined;
  /** Whoever asks can be chosen as well, as in a filter. */
  hasMe?: boolean;
}

const MOST_OPTIONS = 50;

/** Stands in a form, which holds the id as the text of the field. */
export function FormPerson(props: InputOfForm) {
  return <PersonInput {...useTextOfForm(props)} />;
}

/** A person outside a form: for a filter or a change of many records. */
export const PersonValue = withReason(PersonInput);

/** Shows an id as the name; who has left is shown, and not offered. */
export function PersonInput({ field, id, name, text, onText, onLeave, hasMe = false, readOnly, ...described }: PersonInputProps) {
  const [list, input] = [useId(), useRef<HTMLInputElement>(null)];
  const [typed, setTyped] = useState<string>();
  const [isOpen, setOpen] = useState(false);
  const [at, setAt] = useState(0);
  const isTyping = typed !== undefined && typed === text;
  const options = optionsOf(field, isTyping ? text : "", hasMe);
  const shown = isTyping ? text : text === ME ? t("me") : labelOf(field, text);

  function choose(value: string | undefined): void {
    setOpen(false);
    setTyped(undefined);
    if (value !== undefined) onText(value);
  }

  /** What was typed stands for the one whom it names, or else for the one that is marked. */
  function takeTyped(): void {
    const named = valueOfLabel(field, text.trim());
    const meant = field.labels?.has(named) ? named : isOpen ? options[at] : undefined;
    setOpen(false);
    setTyped(undefined);
    if (isTyping && text.trim() !== "" && meant !== undefined) onText(meant);
  }

  function open(): void {
    if (readOnly) return;
    setAt(0);
    setOpen(true);
  }

  function onKeyDown(event: KeyboardEvent): void {
    const { key, ctrlKey, metaKey, altKey, nativeEvent } = event;
    if (nativeEvent.isComposing || altKey) return;
    if (ctrlKey || metaKey) {
      if (key === "s" || key === "Enter") takeTyped(); // saving takes what is seen
      return;
    }
    if (key === "ArrowDown" || key === "ArrowUp") {
      if (!isOpen) open();
      else if (options.length > 0) setAt((at + (key === "ArrowDown" ? 1 : -1) + options.length) % options.length);
    } else if (key === "Enter" && isOpen && options[at] !== undefined) choose(options[at]);
    else if (key === "Escape" && isOpen) setOpen(false);
    else return;
    event.preventDefault();
    event.stopPropagation(); // a row of the list takes these keys, too
  }

  return (
    <div className={styles.picker}>
      <input
        type="text"
        role="combobox"
        ref={input}
        id={id}
        name={name}
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        dir="auto"
        placeholder={t("Search people")}
        aria-expanded={isOpen}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && options[at] !== undefined ? optionId(list, at) : undefined}
        readOnly={readOnly}
        {...described}
        value={shown}
        onChange={({ target }) => {
          setTyped(target.value);
          onText(target.value);
          open();
        }}
        onClick={() => isOpen || open()}
        onFocus={({ target }) => target.select()}
        onBlur={() => {
          takeTyped();
          onLeave?.();
        }}
        onKeyDown={onKeyDown}
      />
      {text !== "" && !readOnly && (
        <ClearButton
          what={shown}
          onClear={() => {
            choose("");
            input.current?.focus();
          }}
        />
      )}
      <OptionList
        {...{ list, at, isOpen }}
        label={field.title}
        anchor={input}
        options={options.map((one) => ({ key: one, content: <Person field={field} id={one} /> }))}
        onPoint={setAt}
        onChoose={(index) => choose(options[index])}
      >
        {options.length === 0 && <p className={textStyles.dim}>{t("Nobody found.")}</p>}
      </OptionList>
    </div>
  );
}

function Person({ field, id }: { field: Field; id: string }) {
  if (id === ME) return t("Me, whoever looks");
  return (
    <>
      <Monogram name={nameOf(field, id)} />
      <bdi>{nameOf(field, id)}</bdi>
      <bdi className={textStyles.dim}>{field.people?.addresses.get(id)}</bdi>
    </>
  );
}

/** Returns the name alone: the address stands beside it. */
function nameOf(field: Field, id: string): string {
  return labelOf(field, id).replace(/ <[^<>]+>$/, "");
}

/** Each word that was typed begins a word of the name or the address. */
function optionsOf({ people, labels }: Field, typed: string, hasMe: boolean): string[] {
  const words = foldWords(typed);
  const isFound = (id: string) => {
    const own = foldWords(`${labels?.get(id)} ${people?.addresses.get(id) ?? ""}`);
    return words.every((word) => own.some((one) => one.startsWith(word)));
  };
  const found = (people?.offered ?? []).filter(isFound).slice(0, MOST_OPTIONS);
  return [...(hasMe && words.every((word) => t("me").startsWith(word)) ? [ME] : []), ...found];
}
