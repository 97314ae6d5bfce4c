import type { Role } from "../../core/contract/people.ts";
import { message, t } from "../../core/i18n/translate.ts";

// Only the built-in roles have names in every language.
const BUILT_IN: Readonly<Record<string, string>> = {
  viewer: message("Viewer"),
  contributor: message("Contributor"),
  editor: message("Editor"),
  steward: message("Steward"),
  administrator: message("Administrator"),
};

/** The name of a role for people; its id if there is no such role any more. */
export function roleName(roles: readonly Role[], id: string): string {
  const role = roles.find((one) => one.id === id);
  if (!role) return id;
  const known = role.isBuiltIn && BUILT_IN[role.id];
  return known ? t(known) : role.name;
}
