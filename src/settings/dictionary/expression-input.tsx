// An input for an expression of a rule or a condition: it shows what is wrong in it, and offers the words that exist.

import { type KeyboardEvent, useId, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { compileCondition, type WrongExpression, wrongText } from "../../../core/dictionary/expressions.ts";
import type { Field } from "../../../core/dictionary/fields.ts";
import { t, tCount } from "../../../core/i18n/translate.ts";
import { Announce } from "../../ui/announce.tsx";
import * as formStyles from "../../ui/form.module.css";
import * as textStyles from "../../ui/text.module.css";
import { useDebounced } from "../../ui/use-debounced.ts";
import { OptionList, optionId } from "../../values/picker.tsx";
import * as styles from "./dictionary-editor.module.css";
import { type Offer, wordsAt } from "./expression-words.ts";

interface ExpressionInputProps {
  id: string;
  label: string;
  value: string;
  fields: readonly Field[];
  onChange: (value: string) => void;
  hint?: string;
  /** Says what is wrong where nothing stands; undefined where nothing may. */
  missing?: string | undefined;
  /** Returns what is wrong in an expression that is no condition. */
  mistakeIn?: ((text: string) => WrongExpression | undefined) | undefined;
}

const REST = 400; // ms without a key, after which a mistake is shown
const NOTHING: Offer = { from: 0, words: [] };

export function ExpressionInput({ id, label, value, fields, onChange, hint, missing, mistakeIn: own }: ExpressionInputProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const list = useId();
  const [offer, setOffer] = useState(NOTHING);
  const [at, setAt] = useState(0);
  const rested = useDebounced(value, REST);
  const mistake = value === rested && value !== "" ? (own ? own(value) : mistakeIn(value, fields)) : undefined;
  const error = mistake ? mistakeSentence(mistake) : value === "" ? missing : undefined;
  const { words } = offer;
  const isOpen = words.length > 0;
  const offerAt = (text: string, caret: number, isAsked = false) => {
    setOffer(wordsAt(text, caret, fields, isAsked));
    setAt(0);
  };
  const choose = (index: number) => {
    const [input, word] = [area.current, words[index]];
    setOffer(NOTHING);
    if (!input || !word) return;
    const rest = value.slice(input.selectionStart).replace(/^\w*/, "");
    const isClosed = word.insert.endsWith('"') && rest.startsWith('"');
    const begin = value.slice(0, offer.from) + (isClosed ? word.insert.slice(0, -1) : word.insert);
    flushSync(() => onChange(begin + rest)); // the caret must stand there before the next key
    const caret = begin.length + (isClosed ? 1 : 0);
    input.setSelectionRange(caret, caret);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const { key, nativeEvent, currentTarget } = event;
    if (nativeEvent.isComposing || event.altKey || event.metaKey) return;
    const by = { ArrowDown: 1, ArrowUp: -1 }[key];
    if (isOpen && by !== undefined) setAt((at + by + words.length) % words.length);
    else if (isOpen && key === "Enter" && !event.shiftKey) choose(at);
    else if (isOpen && key === "Escape") setOffer(NOTHING);
    else if (event.ctrlKey && key === " ") offerAt(value, currentTarget.selectionStart, true);
    else if (key === "ArrowDown" && !value.slice(currentTarget.selectionStart).includes("\n"))
      offerAt(value, currentTarget.selectionStart, true);
    else if (key === "Enter" && !event.shiftKey) currentTarget.form?.requestSubmit();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className={formStyles.field}>
      <label htmlFor={id}>{label}</label>
      <div className={styles.expression}>
        <Marked value={value} mistake={mistake} />
        <textarea
          ref={area}
          id={id}
          rows={1}
          dir="ltr"
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="off"
          aria-autocomplete="list"
          aria-haspopup="listbox"
          aria-controls={isOpen ? list : undefined}
          aria-activedescendant={isOpen ? optionId(list, at) : undefined}
          aria-invalid={error !== undefined}
          aria-describedby={`${id}-hint`}
          value={value}
          onChange={({ target }) => {
            onChange(target.value);
            offerAt(target.value, target.selectionStart);
          }}
          onKeyDown={onKeyDown}
          onBlur={() => setOffer(NOTHING)}
        />
      </div>
      <OptionList
        {...{ list, at, isOpen }}
        label={t("Words")}
        anchor={area}
        options={words.map(({ insert, title }) => ({ key: insert, content: <Word insert={insert} title={title} /> }))}
        onPoint={setAt}
        onChoose={choose}
      />
      <span className={formStyles.hints} id={`${id}-hint`}>
        {/* A mistake takes the place of the hint: a line more would move the button below from under the pointer. */}
        {error ? (
          <span className={textStyles.error}>{error}</span>
        ) : (
          <span className={textStyles.hint}>{hint ?? t("↓ offers fields and functions.")}</span>
        )}
      </span>
      <Announce
        text={
          isOpen
            ? tCount(
                words.length,
                "{n} word is offered. Arrow keys choose, Enter takes it.",
                "{n} words are offered. Arrow keys choose, Enter takes one.",
              )
            : (error ?? "")
        }
      />
    </div>
  );
}

/** Returns what keeps a text from being a condition over these fields. */
export function mistakeIn(text: string, fields: readonly Field[]): WrongExpression | undefined {
  const compiled = compileCondition(text, fields);
  return compiled.status === "wrong" ? compiled : undefined;
}

/** Says it in the reader's language, with its place. */
export function mistakeSentence(mistake: WrongExpression): string {
  return t("Character {at}: {what}", { at: mistake.at, what: wrongText(mistake) });
}

/** Lies below the text of the input, letter below letter, and underlines the word that is wrong. */
function Marked({ value, mistake }: { value: string; mistake: WrongExpression | undefined }) {
  const start = Math.min((mistake?.at ?? 1) - 1, value.length);
  const word = mistake ? (/^(?:[\w.]+|"[^"]*"?|.)/.exec(value.slice(start))?.[0] ?? " ") : "";
  return (
    <div aria-hidden="true" dir="ltr">
      {value.slice(0, start)}
      {mistake && <mark>{word}</mark>}
      {value.slice(start + word.length)}
      {"\u200b" /* a line at the end that is empty has its height, too */}
    </div>
  );
}

function Word({ insert, title }: { insert: string; title: string }) {
  return (
    <>
      <bdi className={textStyles.code}>{insert}</bdi>
      <bdi className={textStyles.dim}>{title}</bdi>
    </>
  );
}
