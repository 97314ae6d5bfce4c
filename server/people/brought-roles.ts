// Roles that a data package brings: read against its dictionary, and made once, with it, by whoever may make roles.

import type { BroughtRole } from "../../core/contract/dictionary.ts";
import type { ProblemDetail } from "../../core/contract/problems.ts";
import { allows } from "../../core/contract/scopes.ts";
import { isObject } from "../../core/dictionary/fields.ts";
import { type Access, narrowDictionary } from "../access/access.ts";
import { retiredIn } from "../access/retired.ts";
import { conditionsField, wireConditions } from "../access/role-conditions.ts";
import { HttpError, httpErrors } from "../http/errors.ts";
import { optional, readFields } from "../http/read-fields.ts";
import { randomId } from "./auth/random-codes.ts";
import { reservedNames, roleName } from "./roles.ts";
import { scopeField } from "./scope-field.ts";
import { conflictOf } from "./store/confusable-names.ts";
import type { People } from "./store/people.ts";
import type { StoredRole } from "./store/users.ts";

/** `sent`: the package as it was sent. `dataPackage`: what becomes of it. Throws 422 with every mistake at its place. */
export function readBroughtRoles(sent: unknown, dataPackage: unknown): StoredRole[] {
  const given = isObject(sent) && Array.isArray(sent.roles) ? sent.roles : [];
  if (given.length === 0) return [];
  const dictionary = shownOf(dataPackage);
  const fields = { name: roleName, scope: scopeField(dictionary.collections), conditions: optional(conditionsField(dictionary)) };
  const mistakes: ProblemDetail[] = [];
  const roles = given.flatMap((one, i) => {
    try {
      const { conditions = "", ...role } = readFields(Buffer.from(JSON.stringify(one)), fields);
      return [{ id: randomId(), ...role, conditions }];
    } catch (error) {
      const errors = error instanceof HttpError ? (error.extra.errors as ProblemDetail[] | undefined) : undefined;
      if (!errors) throw error;
      mistakes.push(
        ...errors.map((each) => ({ ...each, code: "DICTIONARY" as const, pointer: `/package/roles/${i}${each.pointer ?? ""}` })),
      );
      return [];
    }
  });
  if (mistakes.length > 0) throw httpErrors.validation(mistakes);
  const names = roles.map(({ name }) => name);
  const twin = names.findIndex((name, i) => conflictOf(name, names.slice(0, i)));
  if (twin < 0) return roles;
  const detail = `a second role is named "${names[twin]}", or so that nobody could tell them apart; choose another name`;
  throw httpErrors.validation([{ pointer: `/package/roles/${twin}/name`, code: "DICTIONARY", detail }]);
}

/** Leaves out what is retired, which no role can name. */
function shownOf(dataPackage: unknown): Access {
  return narrowDictionary(dataPackage, { hidden: retiredIn(dataPackage) ?? new Map(), readOnly: new Map() });
}

/** Says what becomes of each role where somebody with this scope applies the package. */
export async function foreseeRoles(
  people: Pick<People, "listRoles">,
  roles: readonly StoredRole[],
  scope: string,
  dataPackage: unknown,
): Promise<BroughtRole[]> {
  if (roles.length === 0) return [];
  const dictionary = shownOf(dataPackage);
  const taken = [...(await reservedNames()), ...(await people.listRoles()).map(({ name }) => name)];
  return roles.map((role) => {
    const conditions = wireConditions(role.conditions, dictionary);
    const { name } = role;
    return { name, scope: role.scope, ...(conditions && { conditions }), ...outcomeOf(conflictOf(name, taken), scope) };
  });
}

function outcomeOf(conflict: ReturnType<typeof conflictOf>, scope: string): Pick<BroughtRole, "outcome" | "detail"> {
  if (conflict === "taken") return { outcome: "kept", detail: "There is a role with this name, which stays as it is." };
  if (conflict)
    return { outcome: "left out", detail: `Nobody could tell its name from “${conflict.confusableWith}”, which is there already.` };
  if (allows(scope, "admin")) return { outcome: "made" };
  return { outcome: "left out", detail: "Only an administrator makes roles: apply the draft as one, or let one make the role." };
}

/** Makes the roles that are to be made, and says what became of each. Another one of the same name may have come meanwhile, which stays. */
export async function bringRoles(
  people: Pick<People, "listRoles" | "addRole">,
  roles: readonly StoredRole[],
  scope: string,
  dataPackage: unknown,
): Promise<{ all: BroughtRole[]; made: StoredRole[] }> {
  const foreseen = await foreseeRoles(people, roles, scope, dataPackage);
  const made: StoredRole[] = [];
  const all: BroughtRole[] = [];
  for (const [i, role] of roles.entries()) {
    const brought = foreseen[i] as BroughtRole;
    const outcome = brought.outcome === "made" ? await people.addRole(role, await reservedNames()) : undefined;
    if (outcome === "added") made.push(role);
    all.push(outcome === undefined || outcome === "added" ? brought : { ...brought, ...outcomeOf(outcome, scope) });
  }
  return { all, made };
}
