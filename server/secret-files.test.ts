import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readSecretFiles } from "./secret-files.ts";

test("a secret may stand in a file, which is not both there and in its variable, nor empty", () => {
  const folder = mkdtempSync(join(tmpdir(), "intake-secrets-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "secret");
  writeFileSync(file, "one\r\ntwo\n");
  const env: Record<string, string | undefined> = { ADMIN_KEY_FILE: file, SECRETS_KEY_FILE: file, PORT_FILE: file, PORT: "1" };
  readSecretFiles(env);
  readSecretFiles(env);
  expect(env).toEqual({ ADMIN_KEY: "one\r\ntwo", SECRETS_KEY: "one\r\ntwo", PORT_FILE: file, PORT: "1" });
  expect(() => readSecretFiles({ SMTP_URL: "", SMTP_URL_FILE: file })).toThrow("SMTP_URL and SMTP_URL_FILE are both set");
  writeFileSync(file, "\n");
  expect(() => readSecretFiles({ DATABASE_URL_FILE: file })).toThrow("the file of DATABASE_URL_FILE is empty");
  expect(() => readSecretFiles({ OIDC_CLIENT_SECRET_FILE: join(folder, "none") })).toThrow(
    /^the file of OIDC_CLIENT_SECRET_FILE cannot be read: ENOENT/,
  );
});
