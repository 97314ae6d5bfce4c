// People and roles, for administrators, and one's own account.

import { infiniteQueryOptions, keepPreviousData, type QueryClient, queryOptions } from "@tanstack/react-query";
import type { Client } from "../../client/http-client.ts";
import type { ExplainedAccess } from "../../core/contract/explained-access.ts";
import { ACCESS_PATH, ACCESS_REQUESTS_PATH, ME_PATH, ROLES_PATH, USERS_PATH } from "../../core/contract/paths.ts";
import type { AccessRequest, NewLink, Role, SessionInfo, User, UserPage, UserStatus } from "../../core/contract/people.ts";
import { type Current, ifMatch, readCurrent } from "./current.ts";
import { keys } from "./records.ts";

const people = ["people"] as const;

/** Reads people by their names, page by page: everybody, or those whom a search finds. */
export function userPagesQuery(client: Client, q: string) {
  return infiniteQueryOptions({
    queryKey: [...people, "pages of users", q],
    retry: false,
    placeholderData: keepPreviousData,
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }: UserPage) => next,
    queryFn: ({ signal, pageParam }) => readUserPage(client, { q: q || undefined, limit: "50", cursor: pageParam }, signal),
  });
}

/** Reads everybody, for what names people by their ids. */
export function usersQuery(client: Client) {
  return queryOptions({
    queryKey: [...people, "users"],
    retry: false,
    async queryFn({ signal }) {
      const users: User[] = [];
      let cursor: string | undefined;
      do {
        const page = await readUserPage(client, { limit: "1000", cursor }, signal);
        users.push(...page.users);
        cursor = page.next;
      } while (cursor !== undefined);
      return users;
    },
  });
}

export function userQuery(client: Client, id: string) {
  return queryOptions({
    queryKey: [...people, "user", id],
    retry: false,
    queryFn: async ({ signal }) => (await client.request("GET", at(USERS_PATH, id), { signal })).json as User,
  });
}

/** Asks what a person may do, and why. */
export function explainedAccessQuery(client: Client, asked: { user?: string; collection?: string; id?: string | undefined }) {
  return queryOptions({
    queryKey: [...people, "explained", asked],
    retry: false,
    queryFn: async ({ signal }) => (await client.request("GET", ACCESS_PATH, { query: asked, signal })).json as ExplainedAccess,
  });
}

async function readUserPage(client: Client, query: Record<string, string | undefined>, signal: AbortSignal): Promise<UserPage> {
  return (await client.request("GET", USERS_PATH, { query, signal })).json as UserPage;
}

export function rolesQuery(client: Client) {
  return queryOptions({
    queryKey: [...people, "roles"],
    retry: false,
    queryFn: async ({ signal }) => ((await client.request("GET", ROLES_PATH, { signal })).json as { roles: Role[] }).roles,
  });
}

export function accessRequestsQuery(client: Client) {
  return queryOptions({
    queryKey: [...people, "access requests"],
    retry: false,
    queryFn: async ({ signal }) =>
      ((await client.request("GET", ACCESS_REQUESTS_PATH, { signal })).json as { accessRequests: AccessRequest[] }).accessRequests,
  });
}

export function ownSessionsQuery(client: Client) {
  return queryOptions({
    queryKey: [...people, "own sessions"],
    retry: false,
    queryFn: async ({ signal }) =>
      ((await client.request("GET", `${ME_PATH}/sessions`, { signal })).json as { sessions: SessionInfo[] }).sessions,
  });
}

/** Call after each change. One's own rights may be among what changed. */
export async function invalidatePeople(queries: QueryClient): Promise<void> {
  await Promise.all([queries.invalidateQueries({ queryKey: people }), queries.invalidateQueries({ queryKey: keys.permissions })]);
}

const at = (path: string, id: string) => `${path}/${encodeURIComponent(id)}`;

/** Makes the account of whoever asked. Throws ApiError: NOT_FOUND when it was decided already, EMAIL_TAKEN when the address has an account. */
export async function approveRequest(client: Client, id: string, roles: readonly string[]): Promise<{ user: User; link: NewLink }> {
  return (await client.request("POST", `${at(ACCESS_REQUESTS_PATH, id)}/approve`, { body: { roles } })).json as {
    user: User;
    link: NewLink;
  };
}

export async function declineRequest(client: Client, id: string): Promise<void> {
  await client.request("DELETE", at(ACCESS_REQUESTS_PATH, id));
}

export async function inviteUser(
  client: Client,
  body: Pick<User, "email" | "name" | "roles" | "language">,
): Promise<{ user: User; link: NewLink }> {
  return (await client.request("POST", USERS_PATH, { body })).json as { user: User; link: NewLink };
}

export async function readUser(client: Client, queries: QueryClient, id: string): Promise<Current<User>> {
  const { json, headers } = await client.request("GET", at(USERS_PATH, id));
  queries.setQueryData(userQuery(client, id).queryKey, json as User);
  return { now: json as User, etag: headers.get("ETag") };
}

/**
 * Changes only the version with the ETag, if one is given. Throws ApiError with code LAST_ADMINISTRATOR when nobody could administrate
 * afterwards, EMAIL_TAKEN when the address is somebody else's.
 */
export async function changeUser(
  client: Client,
  id: string,
  body: Partial<Pick<User, "email" | "name" | "roles" | "attributes">> & {
    status?: Exclude<UserStatus, "invited">;
    keep?: readonly string[];
  },
  etag: string | null = null,
): Promise<void> {
  await client.request("PATCH", at(USERS_PATH, id), { body, headers: ifMatch(etag) });
}

/** Makes an invitation for someone who was invited, else a link with which someone sets a new password. */
export async function createLink(client: Client, userId: string): Promise<NewLink> {
  return (await client.request("POST", `${at(USERS_PATH, userId)}/links`)).json as NewLink;
}

/** Signs the person out everywhere. What else gives access ends, too, unless its id is in `keep`. */
export async function endUserSessions(client: Client, userId: string, keep: readonly string[]): Promise<void> {
  await client.request("DELETE", `${at(USERS_PATH, userId)}/sessions`, { query: { keep: keep.join(",") } });
}

export async function createRole(client: Client, body: Pick<Role, "name" | "scope" | "conditions">): Promise<void> {
  await client.request("POST", ROLES_PATH, { body });
}

export function readRole(client: Client, queries: QueryClient, id: string): Promise<Current<Role>> {
  return readCurrent(client, queries, at(ROLES_PATH, id), rolesQuery(client).queryKey);
}

/** Changes only the version with this ETag. */
export async function changeRole(
  client: Client,
  id: string,
  body: Partial<Pick<Role, "name" | "scope" | "conditions">>,
  etag: string | null,
): Promise<void> {
  await client.request("PATCH", at(ROLES_PATH, id), { body, headers: ifMatch(etag) });
}

/** Throws ApiError with code ROLE_IN_USE. */
export async function deleteRole(client: Client, id: string): Promise<void> {
  await client.request("DELETE", at(ROLES_PATH, id));
}

export async function changeOwnName(client: Client, name: string): Promise<void> {
  await client.request("PATCH", ME_PATH, { body: { name } });
}

export async function changeOwnPassword(
  client: Client,
  body: { current: string; password: string; keep: readonly string[] },
): Promise<void> {
  await client.request("PUT", `${ME_PATH}/password`, { body });
}

export async function endOwnSession(client: Client, id: string): Promise<void> {
  await client.request("DELETE", at(`${ME_PATH}/sessions`, id));
}
