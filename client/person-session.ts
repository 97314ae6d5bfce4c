import { ME_PATH, SIGN_IN_PATH } from "../core/contract/paths.ts";
import type { Me, OidcError, SessionReply, SignInWays } from "../core/contract/people.ts";
import { ApiError } from "./errors.ts";
import { type Client, createClient, NO_SESSION, type Session } from "./http-client.ts";
import {
  endSession,
  hasCookie,
  isOver,
  newOidcAttempt,
  readOidcOutcome,
  requestRefresh,
  requestSession,
  withRefreshLock,
} from "./sessions.ts";

/** The session of a person in a browser. Programs have an API key instead (`createKeySession`). */
export interface PersonSession extends Session {
  /** Reads the ways to sign in that the service offers: `oidc` is null where the organisation has no sign-in of its own. */
  ways(): Promise<SignInWays>;
  /** Throws `ApiError`: WRONG_PASSWORD, PASSKEY_NEEDED, or 429 with `retryAfter` after too many attempts. */
  signIn(email: string, password: string): Promise<void>;
  /**
   * Leaves the page for the organisation's own sign-in, which comes back to `returnTo`, this page unless given. Its origin must be the
   * service's own or one of its CORS_ORIGINS. `restore` of the page that comes back ends it.
   */
  leaveToSignIn(returnTo?: string): Promise<void>;
  /**
   * Signs in with what an earlier page left: the code behind the #, the cookie, or the stored refresh token. Call it once before anything
   * is drawn; later calls answer the same. Resolves with whether somebody is signed in; throws `ApiError` with an OIDC error as its code
   * where the organisation's own sign-in signed nobody in, and whatever else kept the service from answering.
   */
  restore(): Promise<boolean>;
  isSignedIn(): boolean;
  /** Returns the person and what they may do, as it was when they signed in. */
  me(): Promise<Me>;
  /** Forgets the tokens at once and ends them at the service. */
  signOut(): Promise<void>;
}

export interface PersonSessionOptions {
  /**
   * Keeps the refresh token where the service is on another host, so that a reload stays signed in: `sessionStorage`. Without it such a
   * session lasts as long as the page. On the service's own host a cookie has it, which no script can read.
   */
  storage?: Pick<Storage, "getItem" | "setItem" | "removeItem">;
}

const OIDC_SENTENCES: Record<OidcError, string> = {
  not_set_up: "The organisation's own sign-in is not set up here.",
  unreachable: "The organisation's own sign-in cannot be reached. Try again.",
  expired: "This sign-in took too long. Try again.",
  cancelled: "The sign-in was cancelled.",
  not_verified: "The organisation's sign-in does not say that your e-mail address is yours.",
  no_email: "The organisation's sign-in does not say your e-mail address.",
  no_access: "You have no access here. Ask an administrator.",
};

interface Held {
  token: string | undefined;
  /** Is empty where a cookie has it; undefined: nobody is signed in. */
  refreshToken: string | undefined;
  owner: string;
}

/**
 * Makes a session for people: the access token is in memory alone, and nothing that lasts is readable by scripts unless `storage` is given.
 *
 * @example
 * const session = createPersonSession("https://intake.example.org/v1");
 * if (!(await session.restore())) await session.signIn(email, password);
 * const client = createClient({ baseUrl: "https://intake.example.org/v1", session });
 */
export function createPersonSession(baseUrl: string, { storage }: PersonSessionOptions = {}): PersonSession {
  const client = createClient({ baseUrl, session: NO_SESSION });
  const pendingAt = `intake.oidc ${baseUrl}`;
  const tokens = createTokens(client, storage);
  const { held, forget, renew } = tokens;
  let restored: Promise<boolean> | undefined;
  let known: { owner: string; me: Promise<Me> } | undefined;

  async function enter(form: object): Promise<void> {
    tokens.take(await requestSession(client, form));
    known = undefined; // what they may do can have changed since they signed in before
  }
  async function begin(): Promise<boolean> {
    const outcome = takeOutcome(pendingAt);
    if (outcome && "error" in outcome) throw new ApiError(401, { code: outcome.error, detail: OIDC_SENTENCES[outcome.error] } as object);
    if (outcome) {
      await enter(outcome);
      return true;
    }
    held.refreshToken ??= tokens.stored() ?? (hasCookie(client) ? "" : undefined);
    if (held.refreshToken === undefined) return false;
    try {
      await renew(undefined);
      return true;
    } catch (error) {
      if (!isOver(error)) throw error; // the token stays for the next attempt
      return false;
    }
  }
  const session: PersonSession = {
    token: () => held.token,
    renew,
    ways: async () => (await client.request("GET", SIGN_IN_PATH, { open: true })).json as SignInWays,
    signIn: (email, password) => enter({ email, password }),
    async leaveToSignIn(returnTo = location.href.replace(/#.*/, "")) {
      const { verifier, url } = await newOidcAttempt(client, returnTo);
      sessionStorage.setItem(pendingAt, verifier);
      location.assign(url);
    },
    async restore() {
      restored ??= begin().catch((error) => {
        restored = undefined; // the next call tries again
        throw error;
      });
      await restored;
      return session.isSignedIn();
    },
    isSignedIn: () => held.refreshToken !== undefined,
    me() {
      const { owner } = held;
      if (known?.owner !== owner) {
        const read = createClient({ baseUrl, session }).request("GET", ME_PATH);
        known = { owner, me: read.then(({ json }) => json as Me) };
        known.me.catch(() => {
          known = undefined; // the next call asks again
        });
      }
      return known.me;
    },
    async signOut() {
      const { token, refreshToken } = held;
      forget();
      known = undefined;
      await endSession(client, token, refreshToken);
    },
  };
  return session;
}

/** Keeps the tokens of one person, and gets the next ones: once for all requests that wait for them. */
function createTokens(client: Client, storage: PersonSessionOptions["storage"]) {
  const storedAt = `intake.refresh ${client.baseUrl}`;
  const held: Held = { token: undefined, refreshToken: undefined, owner: "" };
  let renewal: Promise<string> | undefined;
  function take({ access_token, refresh_token = "", user }: SessionReply): string {
    Object.assign(held, { token: access_token, refreshToken: refresh_token, owner: user.id });
    if (refresh_token) storage?.setItem(storedAt, refresh_token);
    return access_token;
  }
  function forget(): void {
    Object.assign(held, { token: undefined, refreshToken: undefined, owner: "" });
    storage?.removeItem(storedAt);
  }
  async function refresh(): Promise<string> {
    const { refreshToken, owner } = held;
    if (refreshToken === undefined) throw notSignedIn();
    const reply = await requestRefresh(client, refreshToken, false).catch((error) => {
      if (isOver(error) && held.refreshToken === refreshToken) forget();
      throw error;
    });
    // Somebody signed out meanwhile, or in another tab somebody else has signed in: what this page shows is not theirs.
    const isOther = owner !== "" && reply.user.id !== owner;
    if (isOther) forget();
    if (isOther || held.refreshToken !== refreshToken) throw notSignedIn();
    return take(reply);
  }
  return {
    held,
    take,
    forget,
    stored: () => storage?.getItem(storedAt) ?? undefined,
    renew(stale: string | undefined): Promise<string> {
      if (held.token !== undefined && held.token !== stale) return Promise.resolve(held.token);
      renewal ??= withRefreshLock(client.baseUrl, refresh).finally(() => {
        renewal = undefined;
      });
      return renewal;
    },
  };
}

function notSignedIn(): ApiError {
  return new ApiError(401, { code: "SESSION_ENDED", detail: "This session has ended. Sign in again." });
}

/** Returns what the organisation's own sign-in left behind the #, once: it leaves the address. Undefined in a tab that did not begin one. */
function takeOutcome(pendingAt: string): { code: string; code_verifier: string } | { error: OidcError } | undefined {
  const storage = globalThis.sessionStorage as Storage | undefined; // programs have none
  const verifier = storage?.getItem(pendingAt) ?? undefined;
  const outcome = verifier === undefined ? undefined : readOidcOutcome(location.hash.slice(1));
  if (verifier === undefined || outcome === undefined) return undefined;
  storage?.removeItem(pendingAt);
  history.replaceState(history.state, "", location.href.replace(/#.*/, ""));
  return "code" in outcome ? { code: outcome.code, code_verifier: verifier } : { error: outcome.error };
}
