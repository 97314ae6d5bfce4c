// Secrets that stand in files, as Docker, Kubernetes and systemd hand them over.

import { readFileSync } from "node:fs";
import { StartError } from "./open-store.ts";

/** PGPASSWORD is read by the PostgreSQL driver where DATABASE_URL has no password. */
const SECRETS = [
  "ADMIN_KEY",
  "DATABASE_URL",
  "READ_DATABASE_URL",
  "PGPASSWORD",
  "SECRETS_KEY",
  "SMTP_URL",
  "OIDC_CLIENT_SECRET",
  "AUDIT_SECRET",
  "AWS_SECRET_ACCESS_KEY",
];

/** Sets each secret for which a variable with `_FILE` at its end names a file to the text in it. Throws StartError, which has nothing of a secret. */
export function readSecretFiles(env: Record<string, string | undefined>): void {
  for (const name of SECRETS) {
    const path = env[`${name}_FILE`];
    if (path === undefined) continue;
    if (env[name] !== undefined) throw new StartError(`${name} and ${name}_FILE are both set: set one of them.`);
    try {
      env[name] = readFileSync(path, "utf8").trim();
    } catch (error) {
      throw new StartError(`the file of ${name}_FILE cannot be read: ${(error as Error).message}`);
    }
    if (env[name] === "") throw new StartError(`the file of ${name}_FILE is empty.`);
    delete env[`${name}_FILE`]; // read once: a command that starts the service reads them again
  }
}
