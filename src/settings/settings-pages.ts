// Says which pages of Settings a caller may use, besides that of the browser.

import type { Me } from "../../core/contract/people.ts";
import { allows } from "../../core/contract/scopes.ts";
import { message, t } from "../../core/i18n/translate.ts";

export interface SettingsLink {
  /** The parameter of /settings/$page. */
  page: string;
  label: string;
}

const ACCOUNT = { page: "account", label: message("My account") };
const API_KEYS = { page: "keys", label: message("API keys") };
const ORGANISATION = { page: "organisation", label: message("Organisation") };
const PEOPLE = { page: "people", label: message("People") };
const REQUESTS = { page: "requests", label: message("Access requests") };
const ROLES = { page: "roles", label: message("Roles") };
const WEBHOOKS = { page: "webhooks", label: message("Webhooks") };

/** `me`: undefined while unknown. */
export function settingsPages(me: Me | undefined): SettingsLink[] {
  if (me === undefined) return [];
  const isPerson = me.principal.type === "user";
  const isAdmin = allows(me.scope, "admin");
  const pages = [
    ...(isPerson ? [ACCOUNT] : []),
    ...(isAdmin ? [ORGANISATION, PEOPLE, REQUESTS, ROLES] : []),
    ...(isPerson || isAdmin ? [API_KEYS] : []),
    ...(isAdmin ? [WEBHOOKS] : []),
  ];
  return pages.map(({ page, label }) => ({ page, label: t(label) }));
}
