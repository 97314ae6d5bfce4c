// Says where programs get their tokens (RFC 8414), so that nobody has to type it.

import { API_ROOT, REVOKE_PATH, TOKEN_PATH } from "../../core/contract/paths.ts";
import { PROVISION, SHAPE, SHORTHANDS } from "../../core/contract/scopes.ts";
import { jsonAnswer } from "../http/responses.ts";
import type { Route } from "../http/route.ts";
import { ownOrigin } from "./oidc.ts";

const METHODS = ["client_secret_basic", "client_secret_post"];

/** `publicUrl`: the service's own address as others have it; empty: that of the request. Scopes of collections are left out: anybody may read this. */
export function oauthMetadataRoute(publicUrl: string): Route {
  return {
    url: "/.well-known/oauth-authorization-server",
    describesItself: true,
    GET: {
      scope: "open",
      ignoresParameters: true,
      doc: { id: "oauth_metadata", summary: "Where programs get their tokens", responses: {} },
      async handle(request) {
        const issuer = ownOrigin(request, publicUrl);
        const body = {
          issuer,
          token_endpoint: issuer + API_ROOT + TOKEN_PATH,
          token_endpoint_auth_methods_supported: METHODS,
          revocation_endpoint: issuer + API_ROOT + REVOKE_PATH,
          revocation_endpoint_auth_methods_supported: METHODS,
          grant_types_supported: ["client_credentials"],
          response_types_supported: [], // nobody is sent to a page to allow something
          scopes_supported: [...SHORTHANDS, SHAPE, PROVISION],
          service_documentation: `${issuer}/docs`,
        };
        return jsonAnswer(200, body, { "cache-control": "no-cache" });
      },
    },
  };
}
