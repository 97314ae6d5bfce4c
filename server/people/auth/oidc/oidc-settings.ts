// Reads OIDC_ISSUER and what belongs to it.

import { ATTRIBUTE_NAME, MAX_ATTRIBUTES, type Role } from "../../../../core/contract/people.ts";
import { BUILT_IN_ROLES, isRoleCalled } from "../../../../core/contract/roles.ts";
import { isUnencrypted } from "../../../../core/contract/unencrypted.ts";

/** The organisation's own sign-in, an OpenID Connect provider. */
export interface OidcSettings {
  /** Stands as the provider writes it in its tokens. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Says what people call it, on the button. */
  name: string;
  /** Says which group gives which role, by its id or name. The group "*" is everybody. */
  roles: readonly { group: string; role: string }[];
  /** Says which claim gives which attribute of a person. */
  attributes: readonly { name: string; claim: string }[];
}

/** A setting cannot be used; the message is a sentence for whoever set it. It never has the secret. */
export class InvalidOidcSettings extends Error {}

const MOST_CHARACTERS = 60; // of a name on a button

/** Reads the provider of `OIDC_ISSUER`; undefined without one. Throws InvalidOidcSettings. */
export function readOidcSettings(env: Readonly<Record<string, string | undefined>>): OidcSettings | undefined {
  const { OIDC_ISSUER = "", OIDC_CLIENT_ID = "", OIDC_CLIENT_SECRET = "", OIDC_ROLES = "", OIDC_NAME = "", OIDC_ATTRIBUTES = "" } = env;
  const set = Object.entries({ OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_ROLES, OIDC_NAME, OIDC_ATTRIBUTES }).filter(
    ([, text]) => text !== "",
  );
  if (OIDC_ISSUER === "") {
    if (set[0]) throw new InvalidOidcSettings(`${set[0][0]} is set, but OIDC_ISSUER is not: the address of the sign-in's provider.`);
    return undefined;
  }
  const url = readIssuer(OIDC_ISSUER);
  if (OIDC_CLIENT_ID === "" || OIDC_CLIENT_SECRET === "")
    throw new InvalidOidcSettings(
      "With OIDC_ISSUER, set OIDC_CLIENT_ID and OIDC_CLIENT_SECRET, which the provider gives for this service.",
    );
  const name = OIDC_NAME.trim() || url.hostname;
  if (name.length > MOST_CHARACTERS || /\p{Cc}/u.test(name))
    throw new InvalidOidcSettings(`OIDC_NAME must be one line of at most ${MOST_CHARACTERS} characters.`);
  const mapped = { roles: readRoles(OIDC_ROLES), attributes: readAttributes(OIDC_ATTRIBUTES) };
  return { issuer: OIDC_ISSUER, clientId: OIDC_CLIENT_ID, clientSecret: OIDC_CLIENT_SECRET, name, ...mapped };
}

function readIssuer(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isUsable = url && ["https:", "http:"].includes(url.protocol) && !url.search && !url.hash && !url.username && !isUnencrypted(text);
  if (!isUsable)
    throw new InvalidOidcSettings(`OIDC_ISSUER must be an address such as https://login.example.org/realms/staff, not "${text}".`);
  return url;
}

/** @example readRoles("Front desk=editor, it=administrator") */
function readRoles(text: string): OidcSettings["roles"] {
  return pairsOf(text).map((pair) => {
    const at = pair.lastIndexOf("="); // a group's name may have the sign itself
    const [group, role] = [pair.slice(0, Math.max(0, at)).trim(), pair.slice(at + 1).trim()];
    if (!group || !role) throw new InvalidOidcSettings(`OIDC_ROLES must be pairs such as "staff=editor, it=administrator", not "${pair}".`);
    return { group, role };
  });
}

/** @example readAttributes("regions:regions, unit:https://example.org/unit") */
function readAttributes(text: string): OidcSettings["attributes"] {
  const attributes = pairsOf(text).map((pair) => {
    const at = pair.indexOf(":"); // a claim's name may be an address
    const [name, claim] = [pair.slice(0, Math.max(0, at)).trim(), pair.slice(at + 1).trim()];
    if (!ATTRIBUTE_NAME.test(name) || !claim)
      throw new InvalidOidcSettings(
        `OIDC_ATTRIBUTES must be pairs of an attribute and a claim such as "regions:branch, unit:department", not "${pair}".`,
      );
    return { name, claim };
  });
  const isClear = new Set(attributes.map(({ name }) => name)).size === attributes.length && attributes.length <= MAX_ATTRIBUTES;
  if (!isClear) throw new InvalidOidcSettings(`OIDC_ATTRIBUTES must name each attribute once, and at most ${MAX_ATTRIBUTES}.`);
  return attributes;
}

function pairsOf(text: string): string[] {
  return text
    .split(",")
    .map((pair) => pair.trim())
    .filter(Boolean);
}

/** Returns the words of OIDC_ROLES that are no role, `custom` being those of one's own. */
export function unknownRoles({ roles }: Pick<OidcSettings, "roles">, custom: readonly Pick<Role, "id" | "name">[]): string[] {
  const known = [...BUILT_IN_ROLES, ...custom];
  return [...new Set(roles.map(({ role }) => role))].filter((word) => !known.some((role) => isRoleCalled(role, word)));
}

/** Returns the roles of somebody with these groups, each once. */
export function rolesOfGroups({ roles }: Pick<OidcSettings, "roles">, groups: readonly string[]): string[] {
  return [...new Set(roles.filter(({ group }) => group === "*" || groups.includes(group)).map(({ role }) => role))];
}
