// Which pages of Settings a caller may use, besides that of the browser.

import type { Me } from "../../../core/contract/people.ts";
import { allows } from "../../../core/contract/scopes.ts";
import { message, t } from "../../../core/i18n/translate.ts";

export interface SettingsLink {
  to: string;
  label: string;
}

const API_KEYS = { to: "/settings/keys", label: message("API keys") };

/** `me`: null from an older service, which cannot say; undefined while unknown. */
export function settingsPages(me: Me | null | undefined): SettingsLink[] {
  if (me === undefined) return [];
  const isAllowed = me === null || me.principal.type === "user" || allows(me.scope, "admin");
  return (isAllowed ? [API_KEYS] : []).map(({ to, label }) => ({ to, label: t(label) }));
}
