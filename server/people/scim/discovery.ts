// Says to a directory what it finds here (RFC 7644 section 4).

import { API_ROOT, SCIM_PATH } from "../../../core/contract/paths.ts";
import { PROVISION } from "../../../core/contract/scopes.ts";
import { SCIM_TYPE } from "../../http/problem.ts";
import { jsonAnswer, NO_STORE } from "../../http/responses.ts";
import { JSON_TYPE, type Route } from "../../http/route.ts";
import { GROUP_SCHEMA, LIST_SCHEMA, MOST_RESOURCES, USER_SCHEMA } from "./forms.ts";

const BASE = "urn:ietf:params:scim:schemas:core:2.0";
const NO = { supported: false };

export function discoveryRoutes(base: string): Route[] {
  const config = {
    schemas: [`${BASE}:ServiceProviderConfig`],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: MOST_RESOURCES },
    ...{ changePassword: NO, sort: NO, etag: NO },
    authenticationSchemes: [
      {
        type: "oauthbearertoken",
        name: "API key",
        description: `An API key with the right "${PROVISION}", or a token made from one.`,
        primary: true,
      },
    ],
    meta: { resourceType: "ServiceProviderConfig", location: `${base}/ServiceProviderConfig` },
  };
  const types = [
    ["User", "Users", USER_SCHEMA],
    ["Group", "Groups", GROUP_SCHEMA],
  ].map(([name, path, schema]) => ({
    ...{ schemas: [`${BASE}:ResourceType`], id: name, name, endpoint: `/${path}`, schema },
    meta: { resourceType: "ResourceType", location: `${base}/ResourceTypes/${name}` },
  }));
  return [
    constant("ServiceProviderConfig", "scim_config", "What of SCIM there is here", config),
    constant("ResourceTypes", "scim_resource_types", "What a directory finds here: people and roles", listOf(types)),
    constant("Schemas", "scim_schemas", "Which attributes people and roles have", listOf([USER, GROUP])),
  ];
}

function constant(name: string, id: string, summary: string, body: object): Route {
  return {
    url: `${API_ROOT}${SCIM_PATH}/${name}`,
    GET: {
      ...{ scope: PROVISION, errorsFor: "scim", produces: [SCIM_TYPE, JSON_TYPE], ignoresParameters: true },
      doc: { id, summary, responses: {} },
      handle: async () => jsonAnswer(200, body, { ...NO_STORE, "content-type": SCIM_TYPE }),
    },
  };
}

function listOf(resources: readonly object[]) {
  const count = resources.length;
  return { schemas: [LIST_SCHEMA], totalResults: count, startIndex: 1, itemsPerPage: count, Resources: resources };
}

type More = Partial<Record<"required" | "multiValued" | "caseExact", boolean>> & {
  mutability?: string;
  subAttributes?: object[];
  uniqueness?: string;
};

function attribute(name: string, type: string, description: string, more: More = {}) {
  const usual = { multiValued: false, required: false, caseExact: false, mutability: "readWrite", returned: "default", uniqueness: "none" };
  return { name, type, description, ...usual, ...more };
}

const USER = {
  id: USER_SCHEMA,
  name: "User",
  description: "A person who has an account",
  attributes: [
    attribute("userName", "string", "The address of the person", { required: true, uniqueness: "server" }),
    attribute("displayName", "string", "The name that others read"),
    attribute("name", "complex", "The same name; its parts count where nothing else is said", {
      subAttributes: ["formatted", "givenName", "familyName"].map((name) => attribute(name, "string", "A part of the name")),
    }),
    attribute("active", "boolean", "False for who cannot sign in any more"),
    attribute("emails", "complex", "The address again", {
      ...{ multiValued: true, mutability: "readOnly" },
      subAttributes: [attribute("value", "string", "The address", { mutability: "readOnly" })],
    }),
    attribute("groups", "complex", "The roles of the person", {
      ...{ multiValued: true, mutability: "readOnly" },
      subAttributes: ["value", "display"].map((name) =>
        attribute(name, "string", "The id or the name of a role", { mutability: "readOnly" }),
      ),
    }),
  ],
};

const GROUP = {
  id: GROUP_SCHEMA,
  name: "Group",
  description: "A role that does not administer",
  attributes: [
    attribute("displayName", "string", "The name of the role", { required: true, uniqueness: "server" }),
    attribute("members", "complex", "Who has the role", {
      multiValued: true,
      subAttributes: [
        attribute("value", "string", "The id of a person"),
        attribute("display", "string", "Their name", { mutability: "readOnly" }),
      ],
    }),
  ],
};
