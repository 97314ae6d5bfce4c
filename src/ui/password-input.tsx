import { type InputHTMLAttributes, type Ref, useState } from "react";
import { t } from "../../core/i18n/translate.ts";
import * as formStyles from "./form.module.css";

type PasswordInputProps = Omit<InputHTMLAttributes<HTMLInputElement>, "type"> & { id: string; ref?: Ref<HTMLInputElement> };

/** Draws a hidden text with a button that shows it. `autoComplete` tells a password manager what it is. */
export function PasswordInput({ id, ...input }: PasswordInputProps) {
  const [isShown, setShown] = useState(false);
  return (
    <span className={formStyles.withAction}>
      <input {...input} id={id} type={isShown ? "text" : "password"} spellCheck={false} autoCapitalize="none" />
      <button type="button" aria-pressed={isShown} aria-controls={id} onClick={() => setShown(!isShown)}>
        {isShown ? t("Hide") : t("Show")}
      </button>
    </span>
  );
}
