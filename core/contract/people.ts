// Declares what the API says about people: accounts, roles, sign-in and sessions.
// Times are RFC 3339 in UTC with milliseconds.

import type { Language } from "../i18n/languages.ts";
import type { FieldCondition } from "./field-conditions.ts";
import type { Principal } from "./principals.ts";

/** Characters of a name of a person or a role. */
export const MAX_PERSON_NAME = 100;
/** Characters of what somebody writes who asks for access. */
export const MAX_ACCESS_MESSAGE = 1_000;

/** Values by name. A condition of a role compares fields with them: `region.in={me.regions}`. */
export type Attributes = Readonly<Record<string, readonly string[]>>;
export const MAX_ATTRIBUTES = 20; // of one person
export const MAX_ATTRIBUTE_VALUES = 100; // of one attribute
export const MAX_ATTRIBUTE_VALUE = 100; // characters
export const ATTRIBUTE_NAME = /^(?!email$)[A-Za-z][A-Za-z0-9_]{0,39}$/; // everybody has the attribute `email`: the address of the account

/** `invited`: has not signed in yet. `disabled`: cannot sign in; all sessions have ended. */
export type UserStatus = "invited" | "active" | "disabled";

export interface User {
  id: string;
  email: string;
  name: string;
  /** Ids of roles. */
  roles: string[];
  status: UserStatus;
  createdAt: string;
  lastSeenAt: string | null;
  /** Is the language in which they read mails: as their browser said when they signed in last. */
  language: Language;
  /** Counts their passkeys. */
  passkeys: number;
  attributes: Attributes;
  /** Names of the attributes that the organisation's own sign-in says at each sign-in. Nobody changes them here. */
  claimed: string[];
}

/** One who may be named in a field of a person. `email`: for those who may enter people. `isActive`: false for who has left. */
export interface PersonName {
  id: string;
  name: string;
  email?: string;
  isActive: boolean;
}

/** The answer to `GET /v1/users`, by name. `total` counts the people of all pages; `next` goes into `cursor`, and the last page has none. */
export interface UserPage {
  users: User[];
  total: number;
  next?: string;
}

/** Says which records a right of a role is about: those that meet `where`, a filter as in the address of a list, with `{me}` and `{me.regions}`. */
export interface RowCondition {
  where: string;
}

/** Holds what the rights of a role leave out of a collection. A right without a condition is about every record. */
export interface CollectionConditions {
  read?: RowCondition;
  create?: RowCondition;
  update?: RowCondition;
  delete?: RowCondition;
  /** Names of fields: those that nobody with this role sees, those of which they see masks, and those that they see and may not change. */
  fields?: Partial<Record<FieldCondition, string[]>>;
  /** Lists may not leave as files. */
  export?: false;
}

/** Holds them by collection. */
export type RoleConditions = Record<string, CollectionConditions>;

export interface Role {
  id: string;
  name: string;
  /** Words separated by spaces (scopes.ts). */
  scope: string;
  /** Is there where its rights leave something out. */
  conditions?: RoleConditions;
  /** Viewer, contributor, editor and administrator cannot be changed or deleted. */
  isBuiltIn: boolean;
}

/** Says what a one-time link is for. */
export type LinkPurpose = "set-up" | "invitation" | "password";

/** A one-time link, as whoever made it gets it. `url` is relative when the service does not know its own address (PUBLIC_URL). */
export interface NewLink {
  url: string;
  expiresAt: string;
  /** Says whether it was sent by mail; `off`: the service has no mail server. */
  mail: "sent" | "failed" | "off";
}

/** A one-time link, as whoever opens it sees it. */
export interface LinkInfo {
  purpose: LinkPurpose;
  email: string | null;
  name: string | null;
  expiresAt: string;
  /** All of this ends when the link is used, but for what is kept. */
  access: LastingAccess[];
}

/**
 * One thing with which somebody gets in, or gets data, as a person, besides the password. It ends when the person changes the password,
 * uses a link for a new one, removes a passkey or signs out everywhere, and when the account is disabled, unless its id is in `keep`.
 */
export interface LastingAccess {
  kind: "session" | "key" | "passkey" | "webhook";
  id: string;
  /** The User-Agent of a session's browser, the name of a key or passkey, the address of a webhook; may be empty. */
  name: string;
  createdAt: string;
  lastUsedAt: string | null;
  /** The network from which it was used last; null if it is not known. */
  lastUsedFrom: string | null;
}

/**
 * Names what somebody is told about their own account: a new API key, passkey, password or e-mail address (`address`), or a sign-in from a
 * browser that they have not used before (`device`).
 */
export const NOTICE_KINDS = ["key", "passkey", "password", "address", "device"] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

export interface SecurityNotice {
  id: string;
  kind: NoticeKind;
  at: string;
  /** The network from which it was done. */
  source: string;
  /** The key's or passkey's name, the User-Agent of a browser, or the address of before; may be empty. */
  name: string;
}

/** Says with what a person can prove again who they are. `oidc`: the organisation's own sign-in. */
export type ProofWay = "password" | "passkey" | "oidc";

/** The ways to sign in that the service offers. */
export interface SignInWays {
  /** Is false until the first person has an account; then API keys are the only way. */
  hasUsers: boolean;
  /** Says whether anybody has a passkey. */
  hasPasskeys?: boolean;
  signUp: SignUp;
  /** Says whether whoever forgot their password can have a link for a new one by mail. */
  canMailLinks: boolean;
  /** The organisation's own sign-in (OpenID Connect); null if there is none. `name`: what people call it. */
  oidc: { name: string } | null;
}

/** Says how somebody gets an account: by an invitation alone, by asking an administrator, or by asking at all (then with the role viewer). */
export type SignUp = "invite" | "request" | "open";

/** Somebody who asks for access. All texts are as a stranger wrote them. */
export interface AccessRequest {
  id: string;
  email: string;
  name: string;
  message: string;
  askedAt: string;
  /** Says whether somebody with this address has an account already. */
  hasAccount: boolean;
}

/**
 * Says why the organisation's own sign-in signed nobody in: what the app finds as `#error=…` when the browser comes back. `no_access`
 * also stands for an account that cannot be used, so that nobody learns which accounts there are.
 */
export const OIDC_ERRORS = ["not_set_up", "unreachable", "expired", "cancelled", "not_verified", "no_email", "no_access"] as const;
export type OidcError = (typeof OIDC_ERRORS)[number];

/** The caller: a person or an API key, and what it may do. */
export interface Me {
  principal: Principal;
  email: string | null;
  roles: Role[];
  /** Words separated by spaces: the union of the roles' scopes, or the key's. */
  scope: string;
  attributes: Attributes;
  /** Names of the collections whose lists may not leave as files. */
  unexported: string[];
  /** Is true with REQUIRE_PASSKEY: until a passkey is added, this session may do nothing else. */
  mustAddPasskey: boolean;
  /** The administrator who looks at the app as this person. */
  viewer?: Principal;
}

/** A request header field. Only a person's input counts as use of their session: clients say `background` with what nobody asked for. */
export const ACTIVITY_HEADER = "Intake-Activity";

/** The answer to a sign-in and to a refresh. */
export interface SessionReply {
  access_token: string;
  token_type: "Bearer";
  expires_in: number;
  /** Seconds without use after which the session ends. */
  idle_seconds: number;
  /** Is left out where a cookie has it. */
  refresh_token?: string;
  user: User;
}

/** Says how a session began. */
export type SignInMethod = "password" | "passkey" | "oidc";

/** One of the caller's own sessions. */
export interface SessionInfo {
  id: string;
  isCurrent: boolean;
  method: SignInMethod;
  /** The browser, as its User-Agent says. */
  agent: string;
  source: string;
  createdAt: string;
  lastSeenAt: string;
  expiresAt: string;
}
