// What the service has to remember while somebody is at the provider, sealed so that their own browser can carry it.

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

export interface LoginState {
  /** Comes back with the answer of the provider: it belongs to this browser. */
  state: string;
  /** Comes back inside the token: it was made for this sign-in. */
  nonce: string;
  /** Of the provider's code (PKCE). */
  verifier: string;
  /** Where the app waits; was checked. */
  returnTo: string;
  /** Of the app (PKCE): who may use the code that the app gets. */
  challenge: string;
  /** The app's own, given back to it. */
  appState: string | undefined;
  /** ms since 1970 */
  expiresAt: number;
}

export interface LoginStates {
  seal(login: LoginState): string;
  /** Undefined for a text that was not sealed here, or whose time is over. */
  open(text: string): LoginState | undefined;
}

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** `secret` is the store's, so that any process can open what another has sealed. */
export function createLoginStates(secret: Buffer): LoginStates {
  const key = Buffer.from(hkdfSync("sha256", secret, "", "oidc login", 32));
  return {
    seal(login) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv("aes-256-gcm", key, iv, { authTagLength: TAG_BYTES });
      const sealed = Buffer.concat([cipher.update(JSON.stringify(login)), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString("base64url");
    },
    open(text) {
      const bytes = Buffer.from(text, "base64url");
      if (bytes.length <= IV_BYTES + TAG_BYTES) return undefined;
      try {
        const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
        decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
        const plain = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
        const login = JSON.parse(plain.toString()) as LoginState;
        return login.expiresAt > Date.now() ? login : undefined;
      } catch {
        return undefined;
      }
    },
  };
}
