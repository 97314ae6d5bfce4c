// Chooses a person by name or address as one types (ARIA APG, editable combobox with a listbox).

import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { type Control, type UseFormRegisterReturn, useWatch } from "react-hook-form";
import { labelOf } from "../../../core/dictionary/categories.ts";
import type { Field } from "../../../core/dictionary/fields.ts";
import { ME } from "../../../core/dictionary/filters.ts";
import { type Fields, valueOfLabel } from "../../../core/dictionary/validate.ts";
import { t } from "../../../core/i18n/translate.ts";
import { foldWords } from "../../../core/text/fold.ts";
import * as buttonStyles from "../../ui/button.module.css";
import { Monogram } from "../../ui/monogram.tsx";
import { usePlaceBelow } from "../../ui/place-below.ts";
import * as textStyles from "../../ui/text.module.css";
import type { Texts } from "../field-text.ts";
import * as styles from "../references/reference-input.module.css";

type Described = Pick<
  React.ComponentProps<"input">,
  "readOnly" | "title" | "aria-label" | "aria-describedby" | "aria-invalid" | "aria-required"
>;

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

export interface FormPersonProps extends UseFormRegisterReturn, Described {
  field: Field;
  id: string;
  control: Control<Texts, unknown, Fields>;
}

/** In a form, which holds the id as the text of the field. */
export function FormPerson({ field, id, name, control, onChange, onBlur, ...described }: FormPersonProps) {
  const text = useWatch({ control, name }) ?? "";
  const latest = useRef(text);
  latest.current = text;
  return (
    <PersonInput
      {...{ field, id, name, text }}
      onText={(next) => {
        latest.current = next;
        void onChange({ type: "change", target: { name, value: next } });
      }}
      onLeave={() => void onBlur({ type: "blur", target: { name, value: latest.current } })}
      readOnly={described.readOnly}
      title={described.title}
      aria-label={described["aria-label"]}
      aria-describedby={described["aria-describedby"]}
      aria-invalid={described["aria-invalid"]}
      aria-required={described["aria-required"]}
    />
  );
}

/** A person outside a form: for a filter or a change of many records. */
export function PersonValue({ wrong, id, ...props }: PersonInputProps & { wrong: string | undefined }) {
  return (
    <>
      <PersonInput {...props} id={id} aria-invalid={wrong !== undefined} aria-describedby={wrong ? `${id}-wrong` : undefined} />
      {wrong && (
        <span className={textStyles.error} id={`${id}-wrong`} role="alert">
          {wrong}
        </span>
      )}
    </>
  );
}

const MOST_OPTIONS = 50;

const optionId = (list: string, at: number) => `${list}-${at}`;

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
        // Not in the order of Tab: with the keyboard the text is deleted.
        <button
          type="button"
          className={`${buttonStyles.bare} ${styles.clear}`}
          tabIndex={-1}
          aria-label={t("Clear {what}", { what: shown })}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => {
            choose("");
            input.current?.focus();
          }}
        >
          ✕
        </button>
      )}
      <Options {...{ field, options, at, list, input, isOpen }} onPoint={setAt} onChoose={choose} />
    </div>
  );
}

interface OptionsProps {
  field: Field;
  options: readonly string[];
  at: number;
  list: string;
  input: React.RefObject<HTMLInputElement | null>;
  isOpen: boolean;
  onPoint: (at: number) => void;
  onChoose: (id: string) => void;
}

function Options({ field, options, at, list, input, isOpen, onPoint, onChoose }: OptionsProps) {
  const box = useRef<HTMLDivElement>(null);
  usePlaceBelow(box, input, isOpen);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another one is active, and is to be seen
  useEffect(() => {
    box.current?.querySelector("[aria-selected=true]")?.scrollIntoView?.({ block: "nearest" });
  }, [at]);
  const option = (id: string, index: number) => ({
    role: "option",
    id: optionId(list, index),
    "aria-selected": index === at,
    onMouseMove: () => index === at || onPoint(index),
    onClick: () => onChoose(id),
  });
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the focus stays in the input, also for who scrolls the list
    <div popover="manual" ref={box} className={styles.options} onMouseDown={(event) => event.preventDefault()}>
      <div role="listbox" id={list} aria-label={field.title} hidden={!isOpen || options.length === 0}>
        {isOpen &&
          options.map((id, index) => (
            <div key={id} {...option(id, index)}>
              {id === ME ? (
                t("Me, whoever looks")
              ) : (
                <>
                  <Monogram name={nameOf(field, id)} />
                  <bdi>{nameOf(field, id)}</bdi>
                  <bdi className={textStyles.dim}>{field.people?.addresses.get(id)}</bdi>
                </>
              )}
            </div>
          ))}
      </div>
      {isOpen && options.length === 0 && <p className={textStyles.dim}>{t("Nobody found.")}</p>}
    </div>
  );
}

/** The name alone: the address stands beside it. */
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
