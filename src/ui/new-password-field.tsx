import { LEAST_PASSWORD } from "../../core/contract/limits.ts";
import { t } from "../../core/i18n/translate.ts";
import * as formStyles from "./form.module.css";
import { PasswordInput } from "./password-input.tsx";
import * as textStyles from "./text.module.css";

interface NewPasswordFieldProps {
  value: string;
  onChange: (value: string) => void;
  label: string;
  error?: string | undefined;
  autoFocus?: boolean;
}

/** Says while someone types how many characters are missing. `error`: why it is refused. */
export function NewPasswordField({ value, onChange, label, error, autoFocus = false }: NewPasswordFieldProps) {
  const length = [...value].length;
  const isLong = length >= LEAST_PASSWORD;
  return (
    <div className={formStyles.field}>
      <label htmlFor="new-password">{label}</label>
      <PasswordInput
        id="new-password"
        autoComplete="new-password"
        aria-describedby="new-password-hint"
        aria-invalid={error !== undefined}
        autoFocus={autoFocus}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
      <span className={error ? textStyles.error : textStyles.hint} id="new-password-hint">
        {error ??
          (isLong
            ? t("✓ Long enough. Three or four words that nobody would guess are good, too.")
            : t("At least {n} characters; this has {length}.", { n: LEAST_PASSWORD, length }))}
      </span>
    </div>
  );
}

/** Returns undefined if the password is long enough to be sent. */
export function passwordError(password: string): string | undefined {
  return [...password].length < LEAST_PASSWORD ? t("The password needs at least {n} characters.", { n: LEAST_PASSWORD }) : undefined;
}
