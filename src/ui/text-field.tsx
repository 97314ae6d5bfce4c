import type { InputHTMLAttributes } from "react";
import { t } from "../../core/i18n/translate.ts";
import * as formStyles from "./form.module.css";
import * as textStyles from "./text.module.css";

interface TextFieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, "onChange" | "value"> {
  id: string;
  label: string;
  value: string;
  onChange: (value: string) => void;
  hint?: string;
  error?: string | undefined;
}

/** Draws an input of one line with its label, its hint, and instead of the hint what is wrong with it. */
export function TextField({ id, label, value, onChange, hint, error, ...input }: TextFieldProps) {
  const text = error ?? hint;
  return (
    <div className={formStyles.field}>
      <label htmlFor={id}>{label}</label>
      <input
        {...input}
        id={id}
        value={value}
        aria-invalid={error !== undefined}
        aria-describedby={text && `${id}-hint`}
        onChange={({ target }) => onChange(target.value)}
      />
      {text && (
        <span className={error ? textStyles.error : textStyles.hint} id={`${id}-hint`}>
          {text}
        </span>
      )}
    </div>
  );
}

/** Says what is wrong with a text that is too long. It is not cut while it is typed: whoever looks at the keys would not see it. */
export function lengthError(title: string, text: string, most: number): string | undefined {
  const { length } = [...text.trim().normalize("NFC")]; // as the service counts
  return length > most ? t("{title} may have at most {most} characters; this has {n}.", { title, most, n: length }) : undefined;
}
