// The auth providers of both frameworks, over the session of a person.

import { allows } from "../../core/contract/scopes.ts";
import { ApiError } from "../errors.ts";
import type { PersonSession } from "../person-session.ts";

/** Holds what a sign-in form gives. `organisation`: the person goes to the organisation's own sign-in, and comes back to this page. */
export interface SignInForm {
  email?: string;
  /** Holds the e-mail address, as react-admin's own form calls it. */
  username?: string;
  password?: string;
  organisation?: boolean;
}

async function signIn(session: PersonSession, { email, username, password = "", organisation }: SignInForm = {}): Promise<void> {
  if (!organisation) return session.signIn(email ?? username ?? "", password);
  await session.leaveToSignIn();
  return new Promise(() => {}); // the page is left
}

/** Says whether the service no longer knows who asks. 403 is no reason to sign out: the person may do other things. */
function isSignedOut(error: unknown): boolean {
  const { status, statusCode = status } = (error ?? {}) as { status?: number; statusCode?: number };
  return statusCode === 401;
}

async function identityOf(session: PersonSession): Promise<{ id: string; name: string; fullName: string; email: string | null }> {
  const { principal, email } = await session.me();
  return { id: principal.id, name: principal.name, fullName: principal.name, email };
}

/**
 * Makes an auth provider for Refine. `getPermissions` resolves with the person's scope: words separated by spaces.
 *
 * @example
 * <Refine authProvider={refineAuth(session)} dataProvider={refineProvider(createClient({ baseUrl, session }))} />
 */
export function refineAuth(session: PersonSession, signInPage = "/login") {
  const signedOut = { logout: true, redirectTo: signInPage };
  return {
    async login(form?: SignInForm) {
      try {
        await signIn(session, form);
        return { success: true, redirectTo: "/" };
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        return { success: false, error: { name: error instanceof ApiError ? error.code : error.name, message: error.message } };
      }
    },
    async logout() {
      await session.signOut();
      return { success: true, redirectTo: signInPage };
    },
    async check() {
      return (await session.restore()) ? { authenticated: true } : { authenticated: false, ...signedOut };
    },
    onError: async (error: unknown) => (isSignedOut(error) ? signedOut : {}),
    getIdentity: () => identityOf(session),
    getPermissions: async () => (await session.me()).scope,
  };
}

/**
 * Makes an auth provider for react-admin. `canAccess` says which pages it offers; the service decides each request by itself.
 *
 * @example
 * <Admin authProvider={reactAdminAuth(session)} dataProvider={reactAdminProvider(createClient({ baseUrl, session }))} />
 */
export function reactAdminAuth(session: PersonSession) {
  return {
    login: (form: SignInForm) => signIn(session, form),
    logout: () => session.signOut(),
    async checkAuth() {
      if (!(await session.restore())) throw new Error("Sign in.");
    },
    async checkError(error: unknown) {
      if (isSignedOut(error)) throw error;
    },
    getIdentity: () => identityOf(session),
    getPermissions: async () => (await session.me()).scope,
    async canAccess({ resource, action }: { resource: string; action: string }) {
      return allows((await session.me()).scope, `${resource}:${RIGHTS[action] ?? "read"}`);
    },
  };
}

const RIGHTS: Readonly<Record<string, "create" | "update" | "delete">> = { create: "create", edit: "update", delete: "delete" };
