import type { InputHTMLAttributes } from "react";
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

/** An input of one line with its label, its hint, and instead of the hint what is wrong with it. */
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
