import { expect, test } from "vitest";
import { readSecretsKeys } from "./secrets-key.ts";

const [NEW, OLD] = ["Zk3vQx8Lw2Rb7Tn5Yc9Fh4Jm6Gd1Ps0Ua", "q8Xr2Nf7Vd4Hb9Kt1Lw6Zc3Mj5Pg0Sy_Ee"];
const textsOf = (env: Record<string, string>) => readSecretsKeys(env).map((key) => Buffer.from(key).toString());

test("the first key seals, the others are those before; without a setting there is none", () => {
  expect(textsOf({})).toEqual([]);
  expect(textsOf({ SECRETS_KEY: NEW })).toEqual([NEW]);
  for (const text of [` ${NEW}, ${OLD}\n`, `${NEW}\r\n${OLD}`]) expect(textsOf({ SECRETS_KEY: text })).toEqual([NEW, OLD]);
});

test("what can be guessed is refused, without a word of it", () => {
  for (const text of ["", " , ", NEW.slice(0, 31), "correct-horse-battery-staple-and-more", "a".repeat(64), `${NEW},secret`]) {
    expect(() => readSecretsKeys({ SECRETS_KEY: text })).toThrow(/^SECRETS_KEY (is empty|must be random text of 32 characters or more)/);
    if (text.trim().length > 1) expect(() => readSecretsKeys({ SECRETS_KEY: text })).not.toThrow(text);
  }
});
