// Writes a security event of the log as the Open Cybersecurity Schema Framework has it (schema.ocsf.io, 1.4.0).

import { createHash } from "node:crypto";
import { isIP } from "node:net";
import packageJson from "../../package.json" with { type: "json" };
import type { SecurityEvent } from "../people/auth/security-events.ts";

const CLASSES = {
  3001: "Account Change",
  3002: "Authentication",
  3004: "Entity Management",
  6003: "API Activity",
} as const;
type ClassUid = keyof typeof CLASSES;
const CATEGORIES = { 3: "Identity & Access Management", 6: "Application Activity" } as const;

const ACTIVITIES = {
  3001: { 1: "Create", 3: "Password Change", 4: "Password Reset", 10: "MFA Factor Enable", 11: "MFA Factor Disable", 99: "Other" },
  3002: { 1: "Logon", 2: "Logoff", 3: "Authentication Ticket", 99: "Other" },
  3004: { 1: "Create", 3: "Update", 4: "Delete", 99: "Other" },
  6003: { 2: "Read", 4: "Delete", 99: "Other" },
} as const;
type Activity = { [C in ClassUid]: readonly [C, keyof (typeof ACTIVITIES)[C]] }[ClassUid];

const EVENTS: Record<SecurityEvent, Activity> = {
  "signed in": [3002, 1],
  "sign-in refused": [3002, 1],
  "session refused": [3002, 1],
  "signed out": [3002, 2],
  "session ended": [3002, 2],
  "sessions ended": [3002, 2],
  "link refused": [3002, 1],
  "access refused": [6003, 99],
  "password changed": [3001, 3],
  "password change refused": [3001, 3],
  "access asked for": [3001, 99],
  "access request dropped": [3001, 99],
  "access approved": [3001, 1],
  "access declined": [3001, 99],
  "new password asked for": [3001, 4],
  "person invited": [3001, 1],
  "account made": [3001, 1],
  "person changed": [3001, 99],
  "link made": [3001, 99],
  "passkey added": [3001, 10],
  "passkey removed": [3001, 11],
  "passkeys removed": [3001, 11],
  "passkey used": [3002, 99],
  "passkey refused": [3002, 1],
  "proof refused": [3002, 99],
  "view begun": [3002, 99],
  "view ended": [3002, 99],
  "role made": [3004, 1],
  "role changed": [3004, 3],
  "role deleted": [3004, 4],
  "key made": [3004, 1],
  "key revoked": [3004, 4],
  "key exchanged": [3002, 3],
  "key refused": [3002, 3],
  "webhook made": [3004, 1],
  "webhook changed": [3004, 3],
  "webhook deleted": [3004, 4],
  "webhook secret changed": [3004, 3],
  "webhook switched off": [3004, 3],
  "organisation changed": [3004, 3],
  "dictionary changed": [3004, 3],
  "dictionary emptied": [3004, 4],
  exported: [6003, 2],
  read: [6003, 2],
  "backed up": [6003, 2],
  copied: [6003, 2],
  erased: [6003, 4],
  "file refused": [6003, 99],
  "import begun": [6003, 99],
  rewritten: [6003, 99],
};

/** One event of OCSF. `metadata.uid` names it for ever, so a receiver can pass over one that comes again. */
export interface OcsfEvent {
  metadata: { uid: string };
  time: number;
  [name: string]: unknown;
}

/** Reads a line of the service's log as an event; undefined for one that tells of no security event. */
export function readSecurityLine(line: string): OcsfEvent | undefined {
  if (!line.includes('"msg":"security"')) return undefined; // most lines, which are not worth parsing
  const {
    level: _,
    pid,
    hostname,
    msg,
    time,
    event,
    by,
    target,
    source,
    requestId,
    reason,
    missing,
    operation,
    ...more
  } = JSON.parse(line);
  const known = EVENTS[event as SecurityEvent];
  if (msg !== "security" || !known) return undefined;
  const [classUid, activityId] = known;
  const category = Math.floor(classUid / 1_000) as keyof typeof CATEGORIES;
  const hasFailed = /refused|dropped|declined/.test(event);
  const detail = reason ?? (missing && `The token lacks ${missing}.`);
  const user = { uid: target ?? idIn(by) ?? "unknown" };
  return {
    metadata: {
      uid: createHash("sha256").update(line).digest("hex").slice(0, 32),
      version: "1.4.0",
      product: { name: "Intake", vendor_name: "Intake", version: packageJson.version },
      ...(requestId && { correlation_uid: requestId }),
      log_name: "security",
    },
    time,
    class_uid: classUid,
    class_name: CLASSES[classUid],
    category_uid: category,
    category_name: CATEGORIES[category],
    activity_id: activityId,
    activity_name: (ACTIVITIES[classUid] as Readonly<Record<number, string>>)[activityId],
    type_uid: classUid * 100 + activityId,
    severity_id: hasFailed ? 2 : 1,
    severity: hasFailed ? "Low" : "Informational",
    status_id: hasFailed ? 2 : 1,
    status: hasFailed ? "Failure" : "Success",
    ...(detail && { status_detail: detail }),
    message: event,
    actor: { user: { uid: idIn(by) ?? "unknown", type: String(by ?? "unknown").split(" ")[0] } },
    src_endpoint: isIP(source) > 0 ? { ip: source } : { uid: source ?? "the service itself" },
    device: { hostname, type_id: 1, type: "Server" },
    ...(classUid === 3001 || classUid === 3002 ? { user } : {}),
    ...(classUid === 3004 && { entity: { type: event.split(" ")[0], uid: target ?? "unknown" } }),
    ...(classUid === 6003 && { api: { operation: operation ?? event } }),
    unmapped: { ...more, pid },
  };
}

/** Returns the id in "user 7f3a" or "key 01". */
function idIn(by: string | undefined): string | undefined {
  return by?.split(" ")[1];
}
