// The values of a closed list, one a line.

import { useRef } from "react";
import { t } from "../../../core/i18n/translate.ts";
import * as buttonStyles from "../../ui/button.module.css";
import * as styles from "./dictionary-editor.module.css";
import type { Choice } from "./field-kinds.ts";

interface ChoiceListProps {
  choices: readonly Choice[];
  /** A list of numbers gets no further value here, for its label alone does not say which. */
  isText: boolean;
  onChange: (choices: readonly Choice[]) => void;
}

/** Another label leaves the stored value as it is. Enter begins another value; several lines that are pasted become several values. */
export function ChoiceList({ choices, isText, onChange }: ChoiceListProps) {
  const list = useRef<HTMLFieldSetElement>(null);
  const kept = useRef<readonly boolean[]>([]); // by place: records may have the value
  if (kept.current.length !== choices.length) kept.current = choices.map(({ value }) => value !== "" && value !== t("First value"));
  const focus = (at: number) => setTimeout(() => list.current?.querySelectorAll<HTMLInputElement>("input")[at]?.focus());
  const relabel = (at: number, label: string) =>
    onChange(choices.map((one, i) => (i !== at ? one : kept.current[at] ? { ...one, label } : { value: label, label })));
  const add = (after: number, labels: readonly string[]) => {
    const fresh = labels.filter((label) => !choices.some((one) => one.label === label)).map((label) => ({ value: label, label }));
    const inserted = <One,>(all: readonly One[], more: readonly One[]) => [...all.slice(0, after + 1), ...more, ...all.slice(after + 1)];
    kept.current = inserted(
      kept.current,
      fresh.map(() => false),
    );
    onChange(inserted(choices, fresh));
    focus(after + fresh.length);
  };
  const remove = (at: number) => {
    kept.current = kept.current.filter((_, i) => i !== at);
    onChange(choices.filter((_, i) => i !== at));
    focus(Math.max(0, at - 1));
  };
  return (
    <fieldset ref={list} className={styles.choices}>
      <legend>{t("Values")}</legend>
      {choices.map((choice, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a value is known by its place while its label is typed
        <div key={at}>
          <input
            aria-label={t("Value {n}", { n: at + 1 })}
            dir="auto"
            value={choice.label}
            onChange={({ target }) => relabel(at, target.value)}
            onKeyDown={(event) => {
              if (event.key !== "Enter" || !isText) return;
              event.preventDefault();
              add(at, [""]);
            }}
            onPaste={(event) => {
              const lines = event.clipboardData
                .getData("text")
                .split(/[\r\n]+/)
                .map((line) => line.trim())
                .filter((line) => line !== "");
              if (lines.length < 2 || !isText) return;
              event.preventDefault();
              add(at, [...new Set(lines)]);
            }}
          />
          <button
            type="button"
            className={buttonStyles.quiet}
            aria-label={t("Remove {label}", { label: choice.label || t("Value {n}", { n: at + 1 }) })}
            onClick={() => remove(at)}
          >
            ✕
          </button>
        </div>
      ))}
      {isText && (
        <button type="button" onClick={() => add(choices.length - 1, [""])}>
          {t("Add value")}
        </button>
      )}
    </fieldset>
  );
}
