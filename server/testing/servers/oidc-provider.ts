// A real OpenID Connect provider (oidc-provider) on this machine, for tests.

import { createPrivateKey, generateKeyPairSync, sign } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type Provider from "oidc-provider";
import { readOidcSettings } from "../../people/auth/oidc/oidc-settings.ts";

/** Somebody who has an account at the provider. */
export interface ProviderPerson {
  email?: string;
  email_verified?: boolean;
  name?: string;
  groups?: string[];
  branch?: unknown;
}

type Claims = Record<string, unknown>;

export interface TestProvider {
  issuer: string;
  /** By subject. Whoever is not named here cannot sign in. */
  persons: Map<string, ProviderPerson>;
  /** Changes the ID token that the provider gives out. */
  tamper: ((token: string, claims: Claims) => string) | undefined;
  /** Signs claims with the provider's own key. */
  sign(claims: Claims): string;
  /** The service's settings for this provider. */
  settings(more?: Record<string, string>): NonNullable<ReturnType<typeof readOidcSettings>>;
  /** The settings as environment variables. */
  environment: Record<string, string>;
  close(): Promise<void>;
}

export interface ProviderOptions {
  /** Says where a service may be sent back to. */
  redirectUris: string[];
  /** The claims are in the ID token itself, not only where the service asks for them. */
  tokensHaveAll?: boolean;
  port?: number;
}

const KID = "test";

/** Its sign-in page asks for a subject alone, in a field "Who are you?". */
export async function openTestProvider({ redirectUris, tokensHaveAll = true, port = 0 }: ProviderOptions): Promise<TestProvider> {
  let answer: ReturnType<Provider["callback"]> | undefined;
  const server = createServer((request, response) => {
    if (!request.url?.startsWith("/interaction/")) return answer?.(request, response);
    signIn(provider, request, response).catch((error) => response.writeHead(500).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const environment = {
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: "intake",
    OIDC_CLIENT_SECRET: "the secret of this client & service",
    OIDC_ROLES: "staff=editor, it=administrator",
    OIDC_NAME: "Acme",
  };
  const persons: TestProvider["persons"] = new Map();
  const provider = await quietly(async () => {
    const { default: Provider } = await import("oidc-provider");
    return new Provider(issuer, {
      clients: [{ client_id: "intake", client_secret: environment.OIDC_CLIENT_SECRET, redirect_uris: redirectUris }],
      jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), kid: KID, use: "sig", alg: "RS256" }] },
      cookies: { keys: ["of these tests"] },
      claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name", "branch"], groups: ["groups"] },
      scopes: ["openid", "email", "profile", "groups"],
      conformIdTokenClaims: !tokensHaveAll,
      pkce: { required: () => true },
      ttl: { AccessToken: 600, AuthorizationCode: 60, IdToken: 600, Grant: 600, Interaction: 600, Session: 600 },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_, { uid }) => `/interaction/${uid}` },
      findAccount: (_, sub) => {
        const person = persons.get(sub);
        return person && { accountId: sub, claims: () => ({ sub, ...person }) };
      },
      // Nobody is asked what the service may know.
      async loadExistingGrant({ oidc }) {
        const grant = new oidc.provider.Grant({ clientId: oidc.client?.clientId as string, accountId: oidc.session?.accountId as string });
        grant.addOIDCScope("openid email profile groups");
        await grant.save();
        return grant;
      },
    });
  });
  const signClaims = (claims: Claims) => {
    const text = [{ alg: "RS256", kid: KID }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
    const key = createPrivateKey({ key: privateKey.export({ format: "jwk" }), format: "jwk" });
    return `${text}.${sign("sha256", Buffer.from(text), key).toString("base64url")}`;
  };
  const opened: TestProvider = {
    issuer,
    persons,
    tamper: undefined,
    sign: signClaims,
    settings: (more = {}) => readOidcSettings({ ...environment, ...more }) as NonNullable<ReturnType<typeof readOidcSettings>>,
    environment,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  provider.use(async (context, next) => {
    await next();
    const body = context.body as { id_token?: string } | undefined;
    if (context.path !== "/token" || !opened.tamper || !body?.id_token) return;
    const claims = JSON.parse(Buffer.from(body.id_token.split(".")[1] ?? "", "base64url").toString());
    context.body = { ...body, id_token: opened.tamper(body.id_token, claims) };
  });
  answer = provider.callback();
  return opened;
}

/** Signs in whoever is named in the query, and shows a form to everybody else. */
async function signIn(
  provider: Provider,
  request: Parameters<Provider["interactionFinished"]>[0],
  response: Parameters<Provider["interactionFinished"]>[1],
) {
  const { searchParams, pathname } = new URL(request.url ?? "", provider.issuer);
  const who = searchParams.get("who");
  if (searchParams.has("cancel")) {
    const cancelled = { error: "access_denied", error_description: "The person went away." };
    return provider.interactionFinished(request, response, cancelled, { mergeWithLastSubmission: false });
  }
  if (who) return provider.interactionFinished(request, response, { login: { accountId: who } }, { mergeWithLastSubmission: false });
  response.setHeader("content-type", "text/html; charset=utf-8");
  response.end(
    `<!doctype html><html lang="en"><title>Acme</title><form action="${pathname}"><label>Who are you? <input name="who"></label><button>Continue</button></form>`,
  );
}

/** The library warns about Node 20, where it works all the same, and about what only tests do. */
async function quietly<T>(work: () => Promise<T>): Promise<T> {
  const { info, warn } = console;
  Object.assign(console, { info: () => {}, warn: () => {} });
  try {
    return await work();
  } finally {
    Object.assign(console, { info, warn });
  }
}
