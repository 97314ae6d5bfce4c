// A date as text in the reader's form, with the browser's own picker behind a button and Alt+Down.

import { CalendarDays } from "lucide";
import { useRef, useState } from "react";
import type { Field } from "../../core/dictionary/fields.ts";
import { t } from "../../core/i18n/translate.ts";
import { Icon } from "../ui/primitives.tsx";
import * as textStyles from "../ui/text.module.css";
import * as styles from "./date-input.module.css";
import { typeInto } from "./type-into.ts";
import { pickerOf, rewritten, toPicker, typedForm } from "./typed-values.ts";

interface DateInputProps extends React.ComponentProps<"input"> {
  field: Field;
}

/**
 * Is one stop of Tab: the button is for pointers, and Alt+Down does the same. Whoever leaves the input, or presses Enter, sees the date as
 * it is always written.
 */
export function DateInput({ field, "aria-describedby": described, onBlur, ...props }: DateInputProps) {
  const box = useRef<HTMLSpanElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const form = typedForm(field);
  const formId = `${props.id}-form`;

  function write(text: string): void {
    const [input] = box.current?.getElementsByTagName("input") ?? [];
    if (input && input.value !== text) typeInto(input, text);
    input?.focus();
  }

  function tidy(input: HTMLInputElement): void {
    const text = rewritten(field, input.value);
    if (text !== input.value) typeInto(input, text);
  }

  function open(text: string | undefined): void {
    if (!picker.current || props.readOnly) return;
    picker.current.value = toPicker(field, text ?? "");
    picker.current.showPicker();
  }

  return (
    <span className={styles.date} ref={box}>
      <input
        autoComplete="off"
        spellCheck={false}
        dir="ltr"
        placeholder={form}
        {...props}
        type="text"
        data-picker=""
        aria-keyshortcuts="Alt+ArrowDown"
        aria-describedby={described ? `${described} ${formId}` : formId}
        onBlur={(event) => {
          tidy(event.target);
          onBlur?.(event);
        }}
        onKeyDown={(event) => {
          const input = event.currentTarget;
          if (event.key === "Enter") tidy(input);
          if (event.key !== "ArrowDown" || !event.altKey) return;
          event.preventDefault();
          open(input.value);
        }}
      />
      <span id={formId} className={textStyles.hidden}>
        {form}
      </span>
      {!props.readOnly && (
        <>
          <input
            ref={picker}
            className={styles.picker}
            type={pickerOf(field)}
            tabIndex={-1}
            aria-hidden="true"
            onChange={({ target }) => write(rewritten(field, target.value))}
          />
          <button
            type="button"
            tabIndex={-1}
            aria-label={t("Choose a day")}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => open(box.current?.getElementsByTagName("input")[0]?.value)}
          >
            <Icon of={CalendarDays} />
          </button>
        </>
      )}
    </span>
  );
}

interface DayInputProps extends Omit<React.ComponentProps<"input">, "value" | "onChange"> {
  id: string;
  /** Is as the service writes it: "2026-03-09". Empty for none. */
  day: string;
  /** Is called with a day, or with nothing, when Enter is pressed or the input is left, and never with a part of one. */
  onDay: (day: string) => void;
}

const DAY: Field = { name: "day", title: "", kind: "date", description: "", example: "", aliases: [], required: false, unique: false };

/** Edits a day that no field of the dictionary describes. */
export function DayInput({ day, onDay, ...props }: DayInputProps) {
  const [text, setText] = useState(() => rewritten(DAY, day));
  const [shown, setShown] = useState(day);
  const [isWrong, setWrong] = useState(false);
  if (shown !== day) {
    setShown(day);
    setText(rewritten(DAY, day));
  }

  function take(next: string): void {
    setText(next);
    setWrong(false);
    const read = toPicker(DAY, next);
    if (read === day || next !== rewritten(DAY, read)) return; // it is still being typed
    setShown(read);
    onDay(read);
  }

  return (
    <DateInput
      aria-invalid={isWrong || undefined}
      {...props}
      field={DAY}
      value={text}
      onChange={({ target }) => take(target.value)}
      onBlur={({ target }) => setWrong(target.value !== "" && toPicker(DAY, target.value) === "")}
    />
  );
}
