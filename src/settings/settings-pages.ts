// Says which pages of Settings a caller may open, in their groups and their order.

import type { IconNode } from "lucide";
import { Building2, Info, KeyRound, MonitorCog, ScrollText, Shapes, ShieldCheck, UserRound, UserRoundPlus, Users, Webhook } from "lucide";
import type { Me } from "../../core/contract/people.ts";
import { allows } from "../../core/contract/scopes.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { t } from "../../core/i18n/translate.ts";
import type { Target } from "../app/router/paths.ts";
import { formatNumber } from "../values/format.ts";

export interface SettingsLink {
  target: Target;
  icon: IconNode;
  label: string;
  /** Says in one line what stands there. */
  line: string;
}

export interface SettingsGroup {
  title: string;
  links: SettingsLink[];
}

/** `me`: undefined while unknown. `waiting`: how many people ask for an account. */
export function settingsGroups(me: Me | undefined, collections: readonly Collection[], waiting = 0): SettingsGroup[] {
  const isPerson = me?.principal.type === "user";
  const isAdmin = !!me && allows(me.scope, "admin");
  const mayUpload = collections.some(
    ({ name }) => me && (["create", "update"] as const).some((right) => allows(me.scope, `${name}:${right}`)),
  );
  const keys = at("keys", KeyRound, t("API keys"), t("With which programs sign in"));
  const groups: SettingsGroup[] = [
    {
      title: t("For you"),
      links: [
        ...(isPerson ? [at("account", UserRound, t("My account"), t("Name, password, passkeys and sessions"))] : []),
        at("browser", MonitorCog, t("This browser"), t("Language, appearance, keyboard, numbers and dates, stored data")),
        ...(isPerson && !isAdmin ? [keys] : []),
      ],
    },
    {
      title: t("Organisation and access"),
      links: isAdmin
        ? [
            at("organisation", Building2, t("Organisation"), t("Name, logo, colour, sign-in page and help")),
            at("people", Users, t("People"), t("Who has an account, with which roles")),
            at(
              "requests",
              UserRoundPlus,
              `${t("Access requests")}${waiting > 0 ? ` (${formatNumber(waiting)})` : ""}`,
              t("Who asks for an account"),
            ),
            at("roles", ShieldCheck, t("Roles"), t("What people may see and do")),
            keys,
          ]
        : [],
    },
    {
      title: t("Data"),
      links: [
        ...collections.slice(0, 1).map(({ name }) => ({
          target: { to: "/$collection/dictionary", params: { collection: name } } as const,
          icon: Shapes,
          label: t("Data dictionary"),
          line: t("Collections, their fields and rules"),
        })),
        ...(mayUpload
          ? [{ target: { to: "/recipes" } as const, icon: ScrollText, label: t("Recipes"), line: t("How files are read that come again") }]
          : []),
        ...(isAdmin ? [at("webhooks", Webhook, t("Webhooks"), t("Which programs hear of changes"))] : []),
      ],
    },
    {
      title: t("This app"),
      links: [{ target: { to: "/about" }, icon: Info, label: t("About"), line: t("Version, limits and keyboard shortcuts") }],
    },
  ];
  return groups.filter(({ links }) => links.length > 0);
}

function at(page: string, icon: IconNode, label: string, line: string): SettingsLink {
  return { target: { to: "/settings/$page", params: { page } }, icon, label, line };
}
