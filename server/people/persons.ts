// The person that a request is of or about.

import type { FastifyRequest } from "fastify";
import { httpErrors } from "../http/errors.ts";
import { idOf } from "../http/request.ts";
import type { Session } from "./auth/access-tokens.ts";
import type { People } from "./store/people.ts";
import type { StoredUser } from "./store/users.ts";

/** Reads who is signed in. Throws 403 for an API key. */
export async function personOf(people: People, { principal }: Session): Promise<StoredUser> {
  const user = principal.type === "user" ? await people.readUser(principal.id) : undefined;
  if (!user) throw httpErrors.notAPerson();
  return user;
}

/** Returns the person whose id stands in the path. Throws 404. */
export async function userOf(people: People, request: FastifyRequest): Promise<StoredUser> {
  const user = await people.readUser(idOf(request));
  if (!user) throw userNotFound();
  return user;
}

export function userNotFound() {
  return httpErrors.notFound("There is no person with this id.");
}
