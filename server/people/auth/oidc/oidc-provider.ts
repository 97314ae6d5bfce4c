// The organisation's own sign-in as a client sees it: OpenID Connect, authorization code flow with PKCE.

import type { Configuration, IDToken } from "openid-client";
import { type Attributes, MAX_ATTRIBUTE_VALUE, MAX_ATTRIBUTE_VALUES, type OidcError } from "../../../../core/contract/people.ts";
import { isUnencrypted } from "../../../../core/contract/unencrypted.ts";
import { FORBIDDEN } from "../../../../core/text/clean-text.ts";
import { hasHidden } from "../../../../core/text/hidden-characters.ts";
import type { LoginState } from "./login-state.ts";
import type { OidcSettings } from "./oidc-settings.ts";

/** Says what the service keeps of a sign-in while the person is at the provider. */
export type Challenge = Pick<LoginState, "state" | "nonce" | "verifier">;

/** Says what the provider says of somebody. */
export interface ProviderAnswer {
  issuer: string;
  subject: string;
  /** Is undefined unless the provider says that it was verified. */
  email: string | undefined;
  name: string;
  groups: string[];
  /** Has all of `OidcSettings.attributes`: one whose claim says nothing is empty. */
  attributes: Attributes;
}

export interface OidcProvider {
  /** Says where the browser goes. Throws SignInFailed. */
  begin(redirectUri: string): Promise<{ url: string } & Challenge>;
  /** `callback`: the address with which the provider sent the browser back. Throws SignInFailed. */
  finish(callback: URL, challenge: Challenge): Promise<ProviderAnswer>;
}

/** Nobody was signed in; `cause` says more, for the log. */
export class SignInFailed extends Error {
  readonly reason: OidcError;

  constructor(reason: OidcError, cause?: unknown) {
    super(reason, { cause });
    this.reason = reason;
  }
}

const SECONDS = 5; // for each answer of the provider
const CLOCKS_APART = 120; // seconds
const KNOWN_FOR = 3_600_000; // ms that what the provider says about itself is believed
const SCOPES = ["openid", "email", "profile"];
const LONGEST = 255; // characters of a subject (OpenID Connect Core section 2), and more than an address or a name has

/** It is loaded with the first sign-in: a service without a provider does without it. */
const library = () => import("openid-client");

/** Nothing is asked of the provider before the first sign-in. What fails is asked again with the next one. */
export function createOidcProvider(settings: OidcSettings): OidcProvider {
  const wanted = ["groups", ...settings.attributes.map(({ claim }) => claim)];
  let known: { configuration: Promise<Configuration>; at: number } | undefined;
  function configure(): Promise<Configuration> {
    if (known && performance.now() - known.at < KNOWN_FOR) return known.configuration;
    const asked = { configuration: discover(settings), at: performance.now() };
    known = asked;
    asked.configuration.catch(() => {
      // Whoever waits for it is given the error.
      if (known === asked) known = undefined;
    });
    return asked.configuration;
  }
  return {
    async begin(redirectUri) {
      const { buildAuthorizationUrl, calculatePKCECodeChallenge, randomNonce, randomPKCECodeVerifier, randomState } = await library();
      try {
        const configuration = await configure();
        const [state, nonce, verifier] = [randomState(), randomNonce(), randomPKCECodeVerifier()];
        const url = buildAuthorizationUrl(configuration, {
          redirect_uri: redirectUri,
          scope: scopesOf(configuration).join(" "),
          state,
          nonce,
          code_challenge: await calculatePKCECodeChallenge(verifier),
          code_challenge_method: "S256",
        });
        return { url: url.href, state, nonce, verifier };
      } catch (error) {
        throw new SignInFailed("unreachable", error);
      }
    },
    async finish(callback, { state, nonce, verifier }) {
      const { authorizationCodeGrant, fetchUserInfo } = await library();
      try {
        const configuration = await configure();
        const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
        const tokens = await authorizationCodeGrant(configuration, callback, checks);
        const claims = tokens.claims() as IDToken; // there is one: it is expected
        // Some providers put little into the token and tell the rest when asked.
        const isWhole = verifiedEmail(claims) !== undefined && wanted.every((claim) => claims[claim] !== undefined);
        const canAsk = configuration.serverMetadata().userinfo_endpoint !== undefined;
        const more = isWhole || !canAsk ? {} : await fetchUserInfo(configuration, tokens.access_token, claims.sub);
        return { ...toAnswer(claims, more), attributes: attributesOf(settings, { ...more, ...claims }) };
      } catch (error) {
        throw new SignInFailed(await reasonOf(error), error);
      }
    },
  };
}

/** Signatures of tokens are verified, too: a provider without TLS on the whole way to it would otherwise be believed. */
async function discover({ issuer, clientId, clientSecret }: OidcSettings): Promise<Configuration> {
  const { allowInsecureRequests, ClientSecretBasic, ClientSecretPost, clockTolerance, discovery, enableNonRepudiationChecks } =
    await library();
  const [basic, post] = [ClientSecretBasic(clientSecret), ClientSecretPost(clientSecret)];
  const url = new URL(issuer);
  return discovery(
    url,
    clientId,
    { [clockTolerance]: CLOCKS_APART },
    (server, ...rest) => (takesBasic(server.token_endpoint_auth_methods_supported) ? basic : post)(server, ...rest),
    {
      timeout: SECONDS,
      // Plain HTTP only to this machine itself: the settings refuse it elsewhere.
      execute: [enableNonRepudiationChecks, ...(url.protocol === "http:" && !isUnencrypted(issuer) ? [allowInsecureRequests] : [])],
    },
  );
}

/** A provider that does not say what it takes, takes this (OpenID Connect Discovery section 3). */
function takesBasic(methods: readonly string[] = ["client_secret_basic"]): boolean {
  return methods.includes("client_secret_basic");
}

/** Some providers tell the groups only to those who ask for them, others refuse a scope that they do not know. */
function scopesOf(configuration: Configuration): string[] {
  return configuration.serverMetadata().scopes_supported?.includes("groups") ? [...SCOPES, "groups"] : SCOPES;
}

type Claims = Readonly<Record<string, unknown>>;

/** `more`: what the provider told when it was asked. What the token says goes before it. */
function toAnswer(token: Claims, more: Claims): Omit<ProviderAnswer, "attributes"> {
  const { iss, sub, email, name, groups } = { ...more, ...token };
  const [issuer, subject] = [iss, sub].map(identifierOf);
  const [address, called] = [email, name].map(lineOf);
  if (!issuer || !subject) throw new SignInFailed("not_verified");
  return {
    issuer,
    subject,
    email: verifiedEmail(token) ?? verifiedEmail(more),
    name: (called && !hasHidden(called) && called) || address?.split("@", 1)[0] || subject,
    groups: [groups].flat().filter((group) => typeof group === "string"),
  };
}

/** A value that no attribute has is left out: it would give no right to anything. */
function attributesOf({ attributes }: OidcSettings, claims: Claims): Attributes {
  const valuesOf = (claim: unknown) => {
    const values = [claim]
      .flat()
      .flatMap((one) => (["string", "number", "boolean"].includes(typeof one) ? (lineOf(String(one)) ?? []) : []));
    const usable = values.filter((value) => [...value].length <= MAX_ATTRIBUTE_VALUE && !hasHidden(value));
    return [...new Set(usable)].slice(0, MAX_ATTRIBUTE_VALUES);
  };
  return Object.fromEntries(attributes.map(({ name, claim }) => [name, valuesOf(claims[claim])]));
}

/** The address and whether it was verified count only together, from one source. */
function verifiedEmail({ email, email_verified, xms_edov }: Claims): string | undefined {
  return email_verified === true || isDomainVerified(xms_edov) ? identifierOf(email) : undefined;
}

/** Microsoft's Entra ID has no email_verified; its optional claim xms_edov says that the domain of the address is the organisation's. */
function isDomainVerified(claim: unknown): boolean {
  return claim === true || claim === 1 || claim === "1" || claim === "true";
}

/** Returns a text by which somebody is known, exactly as the provider writes it: two that differ in any character are two. */
function identifierOf(claim: unknown): string | undefined {
  return typeof claim === "string" && lineOf(claim) !== undefined ? claim : undefined;
}

function lineOf(claim: unknown): string | undefined {
  const text = typeof claim === "string" ? claim.trim().normalize("NFC") : "";
  return text !== "" && text.length <= LONGEST && !FORBIDDEN.test(text) ? text : undefined;
}

async function reasonOf(error: unknown): Promise<OidcError> {
  const { AuthorizationResponseError, ClientError, ResponseBodyError, WWWAuthenticateChallengeError } = await library();
  if (error instanceof SignInFailed) return error.reason;
  if (error instanceof AuthorizationResponseError) {
    if (error.error === "access_denied") return "cancelled";
    return ["server_error", "temporarily_unavailable"].includes(error.error) ? "unreachable" : "not_verified";
  }
  if (error instanceof ResponseBodyError) return error.error === "invalid_grant" ? "expired" : "not_verified"; // the code was used, or is old
  if (error instanceof WWWAuthenticateChallengeError) return "not_verified"; // the provider does not know the service
  if (!(error instanceof ClientError)) return "unreachable"; // no connection
  return ["OAUTH_TIMEOUT", "OAUTH_RESPONSE_IS_NOT_CONFORM", "OAUTH_RESPONSE_IS_NOT_JSON"].includes(error.code ?? "")
    ? "unreachable"
    : "not_verified";
}
