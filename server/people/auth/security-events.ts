// Says what a security office wants to find in the log: who signed in or tried to, and who changed who may do what.

import type { SignInMethod } from "../../../core/contract/people.ts";
import type { Principal } from "../../../core/contract/principals.ts";
import { sourceOf } from "./source-address.ts";

export type SecurityEvent =
  | "signed in"
  | "sign-in refused"
  | "session refused"
  | "signed out"
  | "session ended"
  | "sessions ended"
  | "link refused"
  | "access refused"
  | "password changed"
  | "password change refused"
  | "access asked for"
  | "access request dropped"
  | "access approved"
  | "access declined"
  | "new password asked for"
  | "person invited"
  | "account made"
  | "person changed"
  | "link made"
  | "passkey added"
  | "passkey removed"
  | "passkeys removed"
  | "passkey used"
  | "passkey refused"
  | "proof refused"
  | "view begun"
  | "view ended"
  | "role made"
  | "role changed"
  | "role deleted"
  | "key made"
  | "key revoked"
  | "key exchanged"
  | "key refused"
  | "webhook made"
  | "webhook changed"
  | "webhook deleted"
  | "webhook secret changed"
  | "webhook switched off"
  | "organisation changed"
  | "dictionary changed"
  | "dictionary emptied"
  | "exported"
  | "read"
  | "backed up"
  | "copied"
  | "erased"
  | "file refused"
  | "import begun"
  | "rewritten";

/** Says what the line needs of a request. */
export interface LoggedRequest {
  id: string;
  /** The client's address. Fastify types it as always there; a connection that ended at once has none. */
  ip: string | undefined;
  log: { warn(fields: object, message: string): void };
}

/** Says what the line needs of the service, where no request is the cause. */
export interface ServiceLog {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

interface EventFields {
  principal?: Pick<Principal, "type" | "id">;
  target?: string;
  method?: SignInMethod;
  missing?: string;
  reason?: string;
  /** The operationId of what was asked for. */
  operation?: string;
  collection?: string;
  ids?: readonly number[];
  /** Names the fields by which an export was filtered, and the collections of which it has labels. */
  filter?: readonly string[];
  expanded?: readonly string[];
  rows?: number;
  complete?: boolean;
}

/**
 * Writes one line, at a level that is written by default. Of people it has nothing but ids: `principal` is who did it, `target` the id of the
 * person, role, key or passkey that it was done to; `method` how somebody signed in; `missing` the scopes that a token lacks; `reason`
 * why a passkey, a right password or somebody whom the provider knows was refused, in our own words, or a file, in those of the scanner.
 * Never a name, an address, or anything that was typed. Of records it has nothing but ids, and these only where somebody erased,
 * copied or (AUDIT_READS) read them, or sent a file that the scanner refuses.
 */
export function logSecurityEvent(request: LoggedRequest, event: SecurityEvent, { principal, ...more }: EventFields = {}): void {
  const by = principal && `${principal.type} ${principal.id}`;
  request.log.warn({ event, ...(by && { by }), ...more, source: sourceOf(request.ip), requestId: request.id }, "security");
}

/** Writes one line of what the service did by itself. `by`: for whom, where it is not a person or a key. */
export function logServiceEvent(log: ServiceLog, event: SecurityEvent, fields: Omit<EventFields, "principal"> & { by?: string }): void {
  log.warn({ event, ...fields }, "security");
}
