// Seals what the service must remember while somebody is at the provider, so that their own browser can carry it.

import { createSealer, type MasterSecrets } from "../../../engine/secrets/master-secrets.ts";

export interface LoginState {
  /** Comes back with the answer of the provider: it belongs to this browser. */
  state: string;
  /** Comes back inside the token: it was made for this sign-in. */
  nonce: string;
  /** Belongs to the provider's code (PKCE). */
  verifier: string;
  /** Says where the provider sends the browser back; its code is good for this address alone. */
  redirectUri: string;
  /** Says where the app waits; was checked. */
  returnTo: string;
  /** Comes from the app (PKCE), and says who may use the code that the app gets. */
  challenge: string;
  /** The app's own, given back to it. */
  appState: string | undefined;
  /** ms since 1970 */
  expiresAt: number;
}

export interface LoginStates {
  seal(login: LoginState): string;
  /** Returns undefined for a text that was not sealed here, or whose time is over. */
  open(text: string): LoginState | undefined;
}

/** `secrets` are the store's, so that any process can open what another has sealed. */
export function createLoginStates(secrets: MasterSecrets): LoginStates {
  const sealer = createSealer(secrets, "oidc login");
  return {
    seal: (login) => sealer.seal(JSON.stringify(login)),
    open(text) {
      const opened = sealer.open(text);
      const login = opened === undefined ? undefined : (JSON.parse(opened) as LoginState);
      return login && login.expiresAt > Date.now() ? login : undefined;
    },
  };
}
