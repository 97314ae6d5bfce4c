import { useState } from "react";
import type { Role } from "../../core/contract/people.ts";
import { t } from "../../core/i18n/translate.ts";
import { useDictionary } from "../app/services/services.ts";
import * as formStyles from "../ui/form.module.css";
import * as textStyles from "../ui/text.module.css";
import { findLike } from "../values/find-like.ts";
import { count } from "../values/format.ts";
import { FindInput, MANY } from "./find-input.tsx";
import * as styles from "./people-page.module.css";
import { roleName } from "./role-name.ts";
import { briefScope } from "./scope-text.ts";

interface RoleChoiceProps {
  roles: readonly Role[];
  /** Ids. */
  chosen: readonly string[];
  onChange: (ids: string[]) => void;
  error?: string | undefined;
}

/** Shows the roles that are chosen at first before all others; where there are many, these are searched. */
export function RoleChoice({ roles, chosen, onChange, error }: RoleChoiceProps) {
  const { collections } = useDictionary();
  const [sought, setSought] = useState("");
  const [first] = useState(chosen);
  const isMany = roles.length > MANY;
  const nameOf = ({ id }: Role) => roleName(roles, id);
  const inOrder = isMany ? [...roles].sort((one, other) => Number(first.includes(other.id)) - Number(first.includes(one.id))) : roles;
  const found = findLike(sought.trim(), inOrder, nameOf);
  return (
    <fieldset aria-describedby={error && "roles-error"}>
      <legend>{t("Roles")}</legend>
      {isMany && (
        <div className={styles.box}>
          <FindInput
            label={t("Find roles")}
            sought={sought}
            onSought={setSought}
            found={sought === "" ? "" : count(found.length, "{n} role", "{n} roles")}
          />
          <span className={textStyles.hint}>
            {chosen.length === 0
              ? t("None is chosen.")
              : t("Chosen: {names}", { names: chosen.map((id) => roleName(roles, id)).join(", ") })}
          </span>
        </div>
      )}
      <div className={isMany ? styles.many : undefined}>
        {found.map((role) => (
          <label key={role.id} className={formStyles.choice}>
            <input
              type="checkbox"
              checked={chosen.includes(role.id)}
              onChange={({ target }) => onChange(target.checked ? [...chosen, role.id] : chosen.filter((one) => one !== role.id))}
            />
            <span>
              <span dir="auto">{nameOf(role)}</span> <span className={textStyles.hint}>{briefScope(role.scope, collections)}</span>
            </span>
          </label>
        ))}
        {found.length === 0 && <p className={textStyles.hint}>{t("No role is called like that.")}</p>}
      </div>
      {error && (
        <span className={textStyles.error} id="roles-error" role="alert">
          {error}
        </span>
      )}
    </fieldset>
  );
}
