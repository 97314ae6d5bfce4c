// Chooses a record of another collection by searching as one types (ARIA APG, editable combobox with a listbox).

import { useQueryClient } from "@tanstack/react-query";
import { type FocusEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { useWatch } from "react-hook-form";
import { isIdText } from "../../../core/contract/paths.ts";
import type { WireRecord } from "../../../core/contract/records.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import type { Field } from "../../../core/dictionary/fields.ts";
import { withoutRules } from "../../../core/dictionary/filters.ts";
import { isProblem, validateValue } from "../../../core/dictionary/validate.ts";
import { t } from "../../../core/i18n/translate.ts";
import { useMay } from "../../app/services/permissions.ts";
import { useCollection, useServices } from "../../app/services/services.ts";
import { idOf } from "../../service/records.ts";
import { parentQuery } from "../../service/references.ts";
import * as textStyles from "../../ui/text.module.css";
import { type Texts, textToValidate } from "../field-text.ts";
import * as styles from "../picker.module.css";
import { ClearButton, type Described, type InputOfForm, optionId, useTextOfForm, withReason } from "../picker.tsx";
import { nounsOf } from "../record-name.ts";
import { ReferenceOptions } from "./reference-options.tsx";
import { useFound } from "./use-found.ts";
import { useParent } from "./use-parent.ts";

export interface ReferenceInputProps extends Described {
  field: Field;
  id: string;
  name?: string | undefined;
  /** The key of the chosen record; while none is chosen, what was typed. */
  text: string;
  onText: (text: string) => void;
  onLeave?: (() => void) | undefined;
  /** Is called with the key of a record that is chosen, after `onText`, which gets a number that is only typed as well. */
  onChoose?: ((key: string) => void) | undefined;
  /** Makes a new record of the other collection. Called with what was typed. */
  onCreate?: ((typed: string) => void) | undefined;
  /** Field of the other collection → the text of the value that is offered alone. */
  held?: Texts;
}

export interface FormReferenceProps extends InputOfForm {
  onCreate?: ((typed: string) => void) | undefined;
}

/** Stands in a form, which holds the key as the text of the field. */
export function FormReference({ onCreate, ...props }: FormReferenceProps) {
  const where = props.field.reference?.where ?? [];
  const texts = useWatch({ control: props.control, name: where.map(({ own }) => own) });
  const held = Object.fromEntries(where.map(({ parent }, i) => [parent, texts[i] ?? ""]));
  return <ReferenceInput {...useTextOfForm(props)} held={held} onCreate={onCreate} />;
}

/** A record chosen outside a form: for a filter or a bulk change. */
export const ReferenceValue = withReason(ReferenceInput);

/** A number is typed where the caller does not know the other collection. */
export function ReferenceInput({ field, ...props }: ReferenceInputProps) {
  const parent = useCollection(field.reference?.collection);
  if (parent) return <Picker parent={parent} {...props} />;
  const { text, onText, onLeave, onChoose: _chosen, onCreate: _, held: _held, ...rest } = props;
  return (
    <input
      type="text"
      inputMode="numeric"
      autoComplete="off"
      {...rest}
      value={text}
      onChange={({ target }) => onText(target.value)}
      onBlur={onLeave}
    />
  );
}

function Picker({
  parent,
  id,
  name,
  text,
  onText,
  onLeave,
  onChoose,
  onCreate,
  held = {},
  readOnly,
  ...described
}: Omit<ReferenceInputProps, "field"> & { parent: Collection }) {
  const { client } = useServices();
  const queries = useQueryClient();
  const list = useId();
  const input = useRef<HTMLInputElement>(null);
  const chosen = useParent(parent, text);
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState<string>();
  const isTyping = typed !== undefined && typed === text;
  const isLoose = text !== "" && !isIdText(text); // typed, but no record is chosen
  const found = useFound(parent, isTyping || isLoose ? text.trim() : "", filtersOf(parent, held), isOpen || isLoose);
  const [at, setAt] = useState(0);
  const [isHurried, setHurried] = useState(false); // Enter was pressed before the answer came
  const mayCreate = useMay(parent)("create") === true;
  const canCreate = onCreate !== undefined && mayCreate && !found.isSearching;
  const count = found.records.length + (canCreate ? 1 : 0);

  function choose(index: number): void {
    const record = found.records[index];
    setOpen(false);
    setTyped(undefined);
    setHurried(false);
    if (record) {
      queries.setQueryData(parentQuery(client, parent, idOf(parent, record)).queryKey, record); // its name is known
      onText(String(idOf(parent, record)));
      onChoose?.(String(idOf(parent, record)));
    } else onCreate?.(isTyping ? text.trim() : "");
  }

  /** What was typed stands for the first record that was found for it. */
  function takeMarked(): void {
    setOpen(false);
    if (isOpen && isTyping && text.trim() !== "" && found.isFresh && found.records[at]) choose(at);
    setTyped(undefined);
  }

  function onKeyDown(event: KeyboardEvent): void {
    const { key, ctrlKey, metaKey, altKey, nativeEvent } = event;
    if (nativeEvent.isComposing || altKey) return;
    if (ctrlKey || metaKey) {
      if (key === "s" || key === "Enter") takeMarked(); // saving takes what is seen
      return;
    }
    if (key === "ArrowDown" || key === "ArrowUp") {
      if (isOpen && count > 0) setAt((at + (key === "ArrowDown" ? 1 : -1) + count) % count);
      else if (!isOpen) open();
    } else if (key === "Enter" && isOpen && isTyping && found.isSearching) setHurried(true);
    else if (key === "Enter" && isOpen && at < count) choose(at);
    else if (key === "Escape" && isOpen) {
      setOpen(false);
      setHurried(false);
    } else return;
    event.preventDefault();
    event.stopPropagation(); // a row of the list takes these keys, too
  }

  function open(): void {
    if (readOnly) return;
    setAt(0);
    setOpen(true);
  }

  useMatch(found.records[0], isHurried && found.isFresh, () => choose(0));
  const isOnly = found.isFresh && found.records.length === 1;
  useMatch(found.records[0], isLoose && isOnly && !isOpen && document.activeElement !== input.current, () => choose(0));

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
        placeholder={t("Search {nouns}", nounsOf(parent))}
        aria-expanded={isOpen}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && at < count ? optionId(list, at) : undefined}
        readOnly={readOnly}
        {...described}
        value={isTyping ? text : (chosen.name ?? text)}
        onChange={({ target }) => {
          setTyped(target.value);
          setHurried(false);
          onText(target.value);
          open();
        }}
        onClick={() => isOpen || open()}
        onFocus={({ target }: FocusEvent<HTMLInputElement>) => target.select()}
        onBlur={() => {
          takeMarked();
          onLeave?.();
        }}
        onKeyDown={onKeyDown}
      />
      {text !== "" && !readOnly && (
        <ClearButton
          what={chosen.name ?? text}
          onClear={() => {
            onText("");
            setTyped(undefined);
            setHurried(false);
            input.current?.focus();
          }}
        />
      )}
      <ReferenceOptions
        {...{ parent, found, at, list, input, isOpen }}
        typed={isTyping ? text.trim() : ""}
        canCreate={canCreate}
        onPoint={setAt}
        onChoose={choose}
      />
      {chosen.isMissing && !isTyping && (
        <span className={textStyles.error} role="status">
          {t("There is no {noun} {id}", { noun: parent.noun, id: text })}
        </span>
      )}
    </div>
  );
}

/** Without a value, or with one that is not right yet, nothing is left out. */
function filtersOf({ byName }: Collection, held: Texts): Texts {
  const filters = Object.entries(held).flatMap(([name, typed]) => {
    const field = byName.get(name);
    const text = field && textToValidate(field, typed);
    return text && !isProblem(validateValue(withoutRules(field), text, "text")) ? [[name, text]] : [];
  });
  return Object.fromEntries(filters);
}

/** Who types faster than the service answers has gone on already: the record is chosen when it is there. */
function useMatch(record: WireRecord | undefined, isWanted: boolean, onMatch: () => void): void {
  const latest = useRef(onMatch);
  latest.current = onMatch;
  const match = isWanted ? record : undefined;
  useEffect(() => {
    if (match) latest.current();
  }, [match]);
}
