import type { Role } from "../../core/contract/people.ts";
import { t } from "../../core/i18n/translate.ts";

/** Returns the name of a role for people; its id if there is no such role any more. Only the built-in roles have names in every language. */
export function roleName(roles: readonly Role[], id: string): string {
  const role = roles.find((one) => one.id === id);
  if (!role) return id;
  return role.isBuiltIn ? t(role.name) : role.name;
}
