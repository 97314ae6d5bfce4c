import type { Role } from "../../core/contract/people.ts";
import { t } from "../../core/i18n/translate.ts";
import { useDictionary } from "../app/services/services.ts";
import * as formStyles from "../ui/form.module.css";
import * as textStyles from "../ui/text.module.css";
import { roleName } from "./role-name.ts";
import { describeScope } from "./scope-text.ts";

interface RoleChoiceProps {
  roles: readonly Role[];
  /** Ids. */
  chosen: readonly string[];
  onChange: (ids: string[]) => void;
  error?: string | undefined;
}

export function RoleChoice({ roles, chosen, onChange, error }: RoleChoiceProps) {
  const { collections } = useDictionary();
  return (
    <fieldset aria-describedby={error && "roles-error"}>
      <legend>{t("Roles")}</legend>
      {roles.map(({ id, scope }) => (
        <label key={id} className={formStyles.choice}>
          <input
            type="checkbox"
            checked={chosen.includes(id)}
            onChange={({ target }) => onChange(target.checked ? [...chosen, id] : chosen.filter((one) => one !== id))}
          />
          <span>
            {roleName(roles, id)} <span className={textStyles.hint}>{describeScope(scope, collections).join(" · ")}</span>
          </span>
        </label>
      ))}
      {error && (
        <span className={textStyles.error} id="roles-error" role="alert">
          {error}
        </span>
      )}
    </fieldset>
  );
}
