// Accounts of people: invitations and other one-time links, and sign-in with a password.

import type { LinkPurpose } from "../../../core/contract/people.ts";
import type { Language } from "../../../core/i18n/languages.ts";
import { SOURCE_LANGUAGE } from "../../../core/i18n/translate.ts";
import type { EndedAccess, Kept } from "../store/access.ts";
import type { StoredNotice } from "../store/notices.ts";
import type { People } from "../store/people.ts";
import { NO_ATTRIBUTES, type StoredLink, type StoredUser } from "../store/users.ts";
import { newNotice } from "./notices.ts";
import { checkPassword, hashPassword, needsRehash, type PasswordProblem, verifyPassword } from "./passwords.ts";
import { hashCode, randomCode, randomId } from "./random-codes.ts";

/** A link as it is shown: only a hash of its code is stored. */
export interface ShownLink {
  code: string;
  /** ms since 1970 */
  expiresAt: number;
}

/** Says what somebody fills in who has opened a link. */
export interface LinkForm {
  /** Is needed for the first administrator only. */
  email: string;
  name: string;
  password: string;
}

/** Says of a password that is set what does not end with it, and the network from which it is set. */
export interface PasswordChange {
  kept: Kept;
  source: string;
  /** The turn in which the password is hashed; see Guesses. */
  rank?: number;
}

/** Says whose password is another one now, what ended with it, and what the person is told. */
export interface ChangedPassword {
  user: StoredUser;
  ended: EndedAccess;
  /** Is undefined for the first password of somebody who was invited. */
  notice: StoredNotice | undefined;
}

export interface PersonWithLink {
  user: StoredUser;
  link: ShownLink;
}

export interface NewPerson extends Pick<StoredUser, "email" | "name" | "roles"> {
  /** Is the language of the invitation; English unless given. */
  language?: Language;
}

export interface Accounts {
  /**
   * Returns the person with this address and password; undefined for every reason why they cannot sign in, and after the same time. `rank`
   * here and below: the turn in which the password is hashed; see Guesses.
   */
  signIn(email: string, password: string, rank?: number): Promise<StoredUser | undefined>;
  /** Returns undefined when the address belongs to somebody already. */
  invite(person: NewPerson): Promise<PersonWithLink | undefined>;
  /** Works as `invite`, for whoever asked for access. Undefined when there is no such request. */
  approve(requestId: string, roles: readonly string[]): Promise<PersonWithLink | "taken" | undefined>;
  /**
   * Makes a link for whoever forgot their password, or the invitation again. Undefined when nobody with this address signs in with a
   * password, after the same work.
   */
  resetPassword(email: string): Promise<PersonWithLink | undefined>;
  /** Makes a new invitation, or for an active person a link that sets a new password. It ends the one before. */
  renewLink(user: StoredUser): Promise<ShownLink>;
  /** Makes the link with which the first person becomes an administrator. */
  setUpLink(): Promise<ShownLink>;
  lookUp(code: string): Promise<{ link: StoredLink; user: StoredUser | undefined } | undefined>;
  /** Uses a link up. Undefined for one that cannot be used; a problem for a password that may not be chosen. */
  redeemLink(code: string, form: LinkForm, change?: PasswordChange): Promise<ChangedPassword | PasswordProblem | undefined>;
  /** Returns false when the present password is another one. */
  changePassword(
    user: StoredUser,
    present: string,
    next: string,
    change: PasswordChange,
  ): Promise<ChangedPassword | PasswordProblem | false>;
}

const LINK_HOURS = 72;
const NOTHING_KEPT: PasswordChange = { kept: { ids: [], hasPasskeys: false }, source: "" };

export function createAccounts(people: People): Accounts {
  const addLink = async (purpose: LinkPurpose, userId: string | null): Promise<ShownLink> => {
    const { link, shown } = newLink(purpose, userId);
    await people.addLink(link);
    return shown;
  };
  const lookUp = (code: string) => people.readLink(hashCode(code), Date.now());
  return {
    async signIn(email, password, rank) {
      const user = await people.readUserByEmail(email);
      const isRight = await verifyPassword(user?.password ?? undefined, password, rank);
      if (!user?.password || !isRight || user.status !== "active") return undefined;
      if (await needsRehash(user.password)) await people.replacePasswordHash(user.id, user.password, await hashPassword(password, rank));
      return user;
    },
    async invite({ email, name, roles, language = SOURCE_LANGUAGE }) {
      const { person, link, shown } = newInvitation(roles);
      const user: StoredUser = { ...person, email: email.trim(), name, language };
      return (await people.addUser(user, link)) ? { user, link: shown } : undefined;
    },
    async approve(requestId, roles) {
      const { person, link, shown } = newInvitation(roles);
      const user = await people.approveAccessRequest(requestId, person, link);
      return typeof user === "object" ? { user, link: shown } : user;
    },
    async resetPassword(email) {
      const { link, shown } = newLink("password", null);
      const user = await people.addLinkForEmail(email, link);
      return user && { user, link: shown };
    },
    renewLink: ({ id, status }) => addLink(status === "invited" ? "invitation" : "password", id),
    setUpLink: () => addLink("set-up", null),
    lookUp,
    async redeemLink(code, { email, name, password }, { kept, source, rank } = NOTHING_KEPT) {
      const found = await lookUp(code);
      if (!found) return undefined;
      const owner = found.user ?? { email, name };
      const problem = checkPassword(password, { email: owner.email, name: name || owner.name });
      if (problem) return problem;
      const user = { id: randomId(), email: email.trim(), name, language: SOURCE_LANGUAGE } as const;
      const notice = newNotice("password", user.id, source);
      const taken = await people.takeLink(hashCode(code), Date.now(), user, await hashPassword(password, rank), { kept, notice });
      const isChange = found.link.purpose === "password";
      return taken && { ...taken, notice: isChange ? { ...notice, userId: taken.user.id } : undefined };
    },
    async changePassword(user, present, next, { kept, source, rank }) {
      if (!(await verifyPassword(user.password ?? undefined, present, rank))) return false;
      const problem = checkPassword(next, user);
      if (problem) return problem;
      const notice = newNotice("password", user.id, source);
      return { user, ended: await people.setPassword(user.id, await hashPassword(next, rank), kept, notice.at, notice), notice };
    },
  };
}

/** Makes the person who is invited, and the link. Name and address are added. */
function newInvitation(roles: readonly string[]) {
  const id = randomId();
  const none = { password: null, passkeys: 0, lastSeenAt: null, ...NO_ATTRIBUTES };
  return { person: { id, roles: [...roles], status: "invited" as const, createdAt: Date.now(), ...none }, ...newLink("invitation", id) };
}

function newLink(purpose: LinkPurpose, userId: string | null): { link: StoredLink; shown: ShownLink } {
  const code = randomCode();
  const expiresAt = Date.now() + LINK_HOURS * 3_600_000;
  return { link: { hash: hashCode(code), purpose, userId, expiresAt }, shown: { code, expiresAt } };
}
