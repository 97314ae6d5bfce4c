// Says in sentences why somebody may do what they may do with records and fields.

import { t } from "../i18n/translate.ts";
import type { FieldCondition } from "./field-conditions.ts";
import { RIGHTS } from "./scopes.ts";

/** The rights on a collection, and to take its lists along as files. */
export const EXPLAINED_RIGHTS = [...RIGHTS, "export"] as const;
export type ExplainedRight = (typeof EXPLAINED_RIGHTS)[number];

/** A role that gives a right. */
export interface GivingRole {
  name: string;
  /** Says about which records, as a filter; left out where about all, and empty where it is about a field that the caller may not know. */
  where?: string;
  /** Says, of one record, whether it is among them. */
  isMet?: boolean;
}

export interface RightAccess {
  right: ExplainedRight;
  isAllowed: boolean;
  /** The roles that give the right, some of them for other records only. */
  roles: GivingRole[];
  /** Is set where the right fails because the record is not seen. */
  isUnseen?: true;
  sentence: string;
}

/** Says how much a role, or all of them together, let somebody do with the values of a field. */
export type FieldShown = FieldCondition | "changeable";

export interface FieldAccess {
  field: string;
  shown: FieldShown;
  /** Says what each role makes of it that reads the collection, or where none does, each that writes. */
  roles: { name: string; shown: FieldShown }[];
  sentence: string;
}

/** The answer to `GET /v1/access`. `id`: the record that it is about, where one was asked for. */
export interface ExplainedAccess {
  user: { id: string; name: string };
  collection: string;
  id?: number;
  rights: RightAccess[];
  fields: FieldAccess[];
}

/** Names the roles as in a sentence: “Branch”, “Temp”. */
function named(roles: readonly { name: string }[]): string {
  return roles.map(({ name }) => t("“{name}”", { name })).join(", ");
}

/** Says in one sentence why a right is there or not. */
export function sentenceOfRight({ right, isAllowed, roles, isUnseen }: Omit<RightAccess, "sentence">): string {
  if (roles.length === 0) return right === "export" ? t("No role lets these lists leave as files.") : t("No role gives this right.");
  if (isUnseen) return t("This record is not seen, and nobody does anything with what they do not see.");
  const [whole] = roles.filter(({ where }) => where === undefined);
  if (whole) return t("{roles} gives this right for all records.", { roles: named([whole]) });
  const wheres = (all: readonly GivingRole[]) => all.map(({ where }) => where || t("(a field that you may not see)")).join(t(" or "));
  const met = roles.filter(({ isMet }) => isMet);
  if (met.length > 0)
    return t("{roles} gives this right for records with {where}; this is one.", { roles: named(met), where: wheres(met) });
  const parts = { roles: named(roles), where: wheres(roles) };
  return isAllowed
    ? t("{roles} gives this right only for records with {where}.", parts)
    : t("{roles} gives this right only for records with {where}; this is none.", parts);
}

/** Says in one sentence what is seen of a field, and whether it can be changed. `mayWrite`: the record can be changed at all. */
export function sentenceOfField({ shown, roles }: Omit<FieldAccess, "sentence">, mayWrite: boolean): string {
  const having = (word: FieldShown) => named(roles.filter((role) => role.shown === word));
  switch (shown) {
    case "hidden":
      return t("Hidden by {roles}, and shown by no role.", { roles: named(roles) });
    case "masked":
      return t("Masked by {roles}, and shown as it is by no role.", { roles: having("masked") });
    case "readOnly":
      return mayWrite ? t("Seen, and to be changed by no role.") : t("Seen, and nothing here can be changed.");
    case "changeable":
      return t("Seen and to be changed.");
  }
}
