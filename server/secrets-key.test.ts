import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readSecretsKeys } from "./secrets-key.ts";

const [NEW, OLD] = ["Zk3vQx8Lw2Rb7Tn5Yc9Fh4Jm6Gd1Ps0Ua", "q8Xr2Nf7Vd4Hb9Kt1Lw6Zc3Mj5Pg0Sy_Ee"];
const textsOf = (env: Record<string, string>) => readSecretsKeys(env).map((key) => Buffer.from(key).toString());

test("the first key seals, the others are those before; without a setting there is none", () => {
  expect(textsOf({})).toEqual([]);
  expect(textsOf({ SECRETS_KEY: NEW })).toEqual([NEW]);
  expect(textsOf({ SECRETS_KEY: ` ${NEW}, ${OLD}\n` })).toEqual([NEW, OLD]);
});

test("a file may hold them, one a line", () => {
  const folder = mkdtempSync(join(tmpdir(), "intake-key-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "key");
  writeFileSync(file, `${NEW}\r\n${OLD}\n`);
  expect(textsOf({ SECRETS_KEY_FILE: file })).toEqual([NEW, OLD]);
  writeFileSync(file, "\n");
  expect(() => readSecretsKeys({ SECRETS_KEY_FILE: file })).toThrow(
    /^the file of SECRETS_KEY_FILE is empty\. This prints a new one: node -p/,
  );
  expect(() => readSecretsKeys({ SECRETS_KEY_FILE: join(folder, "none") })).toThrow(/^the file of SECRETS_KEY_FILE cannot be read: ENOENT/);
});

test("what can be guessed is refused, without a word of it", () => {
  for (const text of ["", " , ", NEW.slice(0, 31), "correct-horse-battery-staple-and-more", "a".repeat(64), `${NEW},secret`]) {
    expect(() => readSecretsKeys({ SECRETS_KEY: text })).toThrow(/^SECRETS_KEY (is empty|must be random text of 32 characters or more)/);
    if (text.trim().length > 1) expect(() => readSecretsKeys({ SECRETS_KEY: text })).not.toThrow(text);
  }
  expect(() => readSecretsKeys({ SECRETS_KEY: NEW, SECRETS_KEY_FILE: "key" })).toThrow("SECRETS_KEY and SECRETS_KEY_FILE are both set");
});
