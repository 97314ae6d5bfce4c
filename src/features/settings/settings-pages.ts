// Which pages of Settings a caller may use, besides that of the browser.

import type { Me } from "../../../core/contract/people.ts";
import { allows } from "../../../core/contract/scopes.ts";
import { message, t } from "../../../core/i18n/translate.ts";

export interface SettingsLink {
  to: string;
  label: string;
}

const ACCOUNT = { to: "/settings/account", label: message("My account") };
const API_KEYS = { to: "/settings/keys", label: message("API keys") };
const PEOPLE = { to: "/settings/people", label: message("People") };
const REQUESTS = { to: "/settings/requests", label: message("Access requests") };
const ROLES = { to: "/settings/roles", label: message("Roles") };
const WEBHOOKS = { to: "/settings/webhooks", label: message("Webhooks") };

/** `me`: null from an older service, which cannot say and has no people; undefined while unknown. */
export function settingsPages(me: Me | null | undefined): SettingsLink[] {
  if (me === undefined) return [];
  const isPerson = me?.principal.type === "user";
  const isAdmin = me !== null && allows(me.scope, "admin");
  const pages = [
    ...(isPerson ? [ACCOUNT] : []),
    ...(isAdmin ? [PEOPLE, REQUESTS, ROLES] : []),
    ...(isPerson || isAdmin || me === null ? [API_KEYS] : []),
    ...(isAdmin ? [WEBHOOKS] : []),
  ];
  return pages.map(({ to, label }) => ({ to, label: t(label) }));
}
