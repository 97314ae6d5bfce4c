// People and roles as SCIM has them (RFC 7643), and what a request asks for.

import type { Role } from "../../../core/contract/people.ts";
import { isObject } from "../../../core/dictionary/fields.ts";
import { httpErrors } from "../../http/errors.ts";
import type { StoredUser } from "../store/users.ts";
import { timeOf } from "../wire.ts";

export const USER_SCHEMA = "urn:ietf:params:scim:schemas:core:2.0:User";
export const GROUP_SCHEMA = "urn:ietf:params:scim:schemas:core:2.0:Group";
export const MOST_RESOURCES = 200; // in one answer
export const LIST_SCHEMA = "urn:ietf:params:scim:api:messages:2.0:ListResponse";

/** A person with what the organisation's directory calls them by; empty unless it has said so. */
export interface KnownUser {
  user: StoredUser;
  externalId: string;
}

type RoleName = Pick<Role, "id" | "name">;

export function toScimUser({ user, externalId }: KnownUser, roles: readonly RoleName[], base: string) {
  const { id, email, name, status, createdAt } = user;
  const own = roles.filter((role) => user.roles.includes(role.id));
  return {
    schemas: [USER_SCHEMA],
    id,
    ...(externalId && { externalId }),
    userName: email,
    displayName: name,
    name: { formatted: name },
    active: status !== "disabled",
    emails: [{ value: email, type: "work", primary: true }],
    groups: own.map((role) => ({ value: role.id, display: role.name, type: "direct" })),
    meta: { resourceType: "User", created: timeOf(createdAt), location: `${base}/Users/${id}` },
  };
}

export function toScimGroup({ id, name }: RoleName, users: readonly StoredUser[], base: string) {
  const members = users.filter(({ roles }) => roles.includes(id)).map((user) => ({ value: user.id, display: user.name, type: "User" }));
  return { schemas: [GROUP_SCHEMA], id, displayName: name, members, meta: { resourceType: "Group", location: `${base}/Groups/${id}` } };
}

/** A request about a person, as it was read. Members that are not there stay as they are. */
export interface AskedUser {
  email?: string;
  name?: string;
  isActive?: boolean;
  externalId?: string;
}

/** Reads a whole person, as POST and PUT have it. What a person has not here is passed over (RFC 7644 section 3.3). Throws 400. */
export function readUser(body: unknown): AskedUser {
  if (!isObject(body)) throw notAnObject();
  return readValues(Object.entries(body), true);
}

/** Reads a PATCH of a person, with or without a path (RFC 7644 section 3.5.2). */
export function readUserPatch(body: unknown): AskedUser {
  return readValues(
    operationsOf(body).flatMap(({ op, path, value }): [string, unknown][] => {
      if (op === "remove") return [[path, path.toLowerCase() === "externalid" ? "" : undefined]];
      return path === "" ? Object.entries(isObject(value) ? value : {}) : [[path, value]];
    }),
    false,
  );
}

/**
 * A name may come whole or in parts; the one that people are shown counts. `isWhole`: a part that is not there is none; otherwise it stays as it
 * is, and because nobody knows it here, one part alone names nobody.
 */
function readValues(entries: readonly (readonly [string, unknown])[], isWhole: boolean): AskedUser {
  const asked: AskedUser = {};
  const names: Record<string, string> = {};
  for (const [path, value] of entries.flatMap(flat)) {
    if (path === "username") asked.email = textOf("userName", value);
    else if (path === "externalid") asked.externalId = textOf("externalId", value);
    else if (path === "active") asked.isActive = flagOf(value);
    else if (["displayname", "name.formatted", "name.givenname", "name.familyname"].includes(path) && typeof value === "string")
      names[path] = value.trim();
  }
  const parts = [names["name.givenname"], names["name.familyname"]].filter(Boolean);
  const name = names.displayname || names["name.formatted"] || (isWhole || parts.length === 2 ? parts.join(" ") : "");
  return { ...asked, ...(name && { name }) };
}

const PREFIX = `${USER_SCHEMA}:`.toLowerCase();

/** Paths are read without regard to case (RFC 7643 section 2.1). */
function flat([path, value]: readonly [string, unknown]): [string, unknown][] {
  const own = path.toLowerCase().startsWith(PREFIX) ? path.slice(PREFIX.length) : path;
  if (own.toLowerCase() === "name" && isObject(value))
    return Object.entries(value).map(([part, text]) => [`name.${part}`.toLowerCase(), text]);
  return [[own.toLowerCase(), value]];
}

const MOST_CHARACTERS = 256;

function textOf(what: string, value: unknown): string {
  if (typeof value === "string" && value.length <= MOST_CHARACTERS) return value.trim();
  throw httpErrors.scim("invalidValue", `${what} must be a text of at most ${MOST_CHARACTERS} characters.`);
}

/** Entra ID sends "True" and "False". */
function flagOf(value: unknown): boolean {
  const word = String(value).toLowerCase();
  if (word === "true" || word === "false") return word === "true";
  throw httpErrors.scim("invalidValue", "active must be true or false.");
}

interface Operation {
  op: "add" | "replace" | "remove";
  /** Empty: the value has the paths. */
  path: string;
  value: unknown;
}

const MOST_OPERATIONS = 1_000;

function operationsOf(body: unknown): Operation[] {
  const all = isObject(body) ? Object.entries(body).find(([name]) => name.toLowerCase() === "operations")?.[1] : undefined;
  if (!Array.isArray(all) || all.length > MOST_OPERATIONS)
    throw httpErrors.scim("invalidSyntax", `A PATCH has "Operations", a list of at most ${MOST_OPERATIONS}.`);
  return all.map((one) => {
    const { op, path = "", value } = isObject(one) ? one : {};
    const word = String(op).toLowerCase(); // Entra ID writes "Add"
    if (typeof path !== "string" || (word !== "add" && word !== "replace" && word !== "remove"))
      throw httpErrors.scim("invalidSyntax", 'Each operation has "op", which is add, replace or remove, and may have "path" and "value".');
    if (word === "remove" && path === "") throw httpErrors.scim("noTarget", "A removal names what is removed in its path.");
    return { op: word, path, value };
  });
}

/** A request about a role, as it was read. `members`: all of them; otherwise those that come and those that go. */
export interface AskedGroup {
  name?: string;
  members?: string[];
  added: string[];
  removed: string[];
}

export function readGroup(body: unknown): AskedGroup {
  if (!isObject(body)) throw notAnObject();
  const { displayName, members } = body;
  const name = displayName === undefined ? {} : { name: textOf("displayName", displayName) };
  return { ...name, ...(members !== undefined && { members: membersOf(members) }), added: [], removed: [] };
}

const ONE_MEMBER = /^members\[value eq "([^"]*)"\]$/i;

export function readGroupPatch(body: unknown): AskedGroup {
  const asked: AskedGroup = { added: [], removed: [] };
  for (const { op, path, value } of operationsOf(body)) {
    const values: Record<string, unknown> = path === "" && isObject(value) ? value : { [path]: value };
    for (const [own, one] of Object.entries(values)) {
      const single = ONE_MEMBER.exec(own)?.[1];
      if (single !== undefined) move(asked, op === "remove" ? op : "add", [single]);
      else if (own.toLowerCase() === "members") move(asked, op, op === "remove" && one === undefined ? undefined : membersOf(one));
      else if (own.toLowerCase() === "displayname" && op !== "remove") asked.name = textOf("displayName", one);
    }
  }
  return asked;
}

/** Goes by the order of the operations: the last one about somebody counts. `ids`: undefined for all. */
function move(asked: AskedGroup, op: Operation["op"], ids: string[] | undefined): void {
  const without = (list: readonly string[]) => list.filter((id) => !ids?.includes(id));
  if (op === "replace" || ids === undefined) {
    asked.members = op === "remove" ? [] : (ids ?? []);
    [asked.added, asked.removed] = [[], []];
    return;
  }
  asked.added = [...without(asked.added), ...(op === "add" ? ids : [])];
  asked.removed = [...without(asked.removed), ...(op === "remove" ? ids : [])];
}

function membersOf(value: unknown): string[] {
  const all = Array.isArray(value) ? value : [value];
  return all.map((one) => {
    const id = isObject(one) ? one.value : one;
    if (typeof id === "string") return id;
    throw httpErrors.scim("invalidValue", 'Each member is an object with "value", the id of a person.');
  });
}

function notAnObject() {
  return httpErrors.scim("invalidSyntax", "Send a JSON object.");
}
