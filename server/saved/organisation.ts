// The organisation: everybody reads its name and look, as the sign-in page needs them; administrators change them.

import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { shadesOf } from "../../core/contract/accent-shades.ts";
import {
  ACCENT,
  isSupportUrl,
  LOGO_TYPES,
  type LogoType,
  MAX_LOGO_BYTES,
  MAX_ORGANISATION_NAME,
  MAX_SIGN_IN_NOTE,
  MAX_SUPPORT_URL,
  type Organisation,
} from "../../core/contract/organisation.ts";
import { API_ROOT, LOGO_PATH, ORGANISATION_PATH } from "../../core/contract/paths.ts";
import type { Answer, Store } from "../engine/store.ts";
import { httpErrors } from "../http/errors.ts";
import { named, nullable, object, type Schema } from "../http/json-schemas.ts";
import { CACHING } from "../http/page-headers.ts";
import { ifMatchTags, isNotModified } from "../http/preconditions.ts";
import { type FieldReader, line, optional, readFields } from "../http/read-fields.ts";
import { idOf } from "../http/request.ts";
import { jsonAnswer, notModified } from "../http/responses.ts";
import { JSON_TYPE, MERGE_PATCH_TYPE, type Route, type RouteHandler } from "../http/route.ts";
import { logSecurityEvent } from "../people/auth/security-events.ts";
import { type Logo, organisationTag, type StoredOrganisation } from "./store/organisation.ts";

const ORGANISATION = named("IntakeOrganisation");
const BODY_BYTES = Math.ceil(MAX_LOGO_BYTES / 3) * 4 + 20_000; // the logo in base64, and the other fields

/** Reads a field that null empties. */
function orNothing<T>(read: FieldReader<T>): FieldReader<T | null | undefined> {
  return optional<T | null>((given) => (given === null ? { value: null } : read(given)));
}

const accent: FieldReader<string> = (given) =>
  typeof given === "string" && ACCENT.test(given)
    ? { value: given.toLowerCase() }
    : { problem: "accent must be # and six hexadecimal digits, such as #1f4fa3." };

const supportUrl: FieldReader<string> = (given) =>
  typeof given === "string" && given.length <= MAX_SUPPORT_URL && isSupportUrl(given.trim())
    ? { value: given.trim() }
    : { problem: `supportUrl must begin with https:// or mailto: and have at most ${MAX_SUPPORT_URL} characters.` };

const logo: FieldReader<Logo> = (given) => {
  const isBase64 = typeof given === "string" && /^[A-Za-z0-9+/]+={0,2}$/.test(given);
  const bytes = Buffer.from(isBase64 ? given : "", "base64");
  if (bytes.length > MAX_LOGO_BYTES) return { problem: `logo must be a picture of at most ${MAX_LOGO_BYTES / 1_000} kB.` };
  const type = typeOf(bytes);
  if (!type) return { problem: "logo must be a PNG, JPEG or WebP picture in base64. SVG is not taken: it may hold scripts." };
  const id = createHash("sha256").update(bytes).digest("hex").slice(0, 16);
  return { value: { id, type, data: bytes.toString("base64") } };
};

/** Returns the type of a picture by its first bytes: what a caller says of it would be a claim. */
function typeOf(bytes: Buffer): LogoType | undefined {
  const begins = bytes.toString("latin1", 0, 12);
  if (begins.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (begins.startsWith("\xff\xd8\xff")) return "image/jpeg";
  return begins.startsWith("RIFF") && begins.endsWith("WEBP") ? "image/webp" : undefined;
}

export function organisationRoutes(store: Store): Route[] {
  return [
    { url: API_ROOT + ORGANISATION_PATH, GET: readHandler(store), PATCH: changeHandler(store) },
    { url: `${API_ROOT}${LOGO_PATH}/:id`, GET: logoHandler(store) },
  ];
}

function toWire({ logo, ...details }: StoredOrganisation): Organisation {
  return {
    ...details,
    shades: details.accent === null ? null : shadesOf(details.accent),
    logo: logo && { href: `${API_ROOT}${LOGO_PATH}/${logo.id}`, type: logo.type },
  };
}

function answerOf(stored: StoredOrganisation): Answer {
  return jsonAnswer(200, toWire(stored), { "cache-control": CACHING.named, etag: organisationTag(stored) });
}

function readHandler({ organisation }: Store): RouteHandler {
  return {
    scope: "open",
    doc: {
      id: "read_organisation",
      summary: "The organisation whose people use the service: name, colours, logo, and where they find help",
      headers: ["If-None-Match"],
      responses: { 200: ORGANISATION, 304: null },
      sentHeaders: { 200: ["ETag"], 304: ["ETag"] },
    },
    async handle(request) {
      const answer = answerOf(await organisation.readOrganisation());
      return isNotModified(request, answer) ? notModified(answer) : answer;
    },
  };
}

const BODY: Schema = {
  ...object(
    {
      name: nullable({ type: "string", minLength: 1, maxLength: MAX_ORGANISATION_NAME }),
      accent: nullable({ type: "string", pattern: "^#[0-9A-Fa-f]{6}$" }),
      signInNote: nullable({ type: "string", minLength: 1, maxLength: MAX_SIGN_IN_NOTE }),
      supportUrl: nullable({ type: "string", maxLength: MAX_SUPPORT_URL, pattern: "^(https://|mailto:)" }),
      logo: { ...nullable({ type: "string", contentEncoding: "base64" }), description: "A PNG, JPEG or WebP picture of at most 200 kB." },
    },
    [],
  ),
  additionalProperties: false,
};

function changeHandler({ organisation }: Store): RouteHandler {
  return {
    scope: "admin",
    acceptedTypes: [JSON_TYPE, MERGE_PATCH_TYPE],
    bodyLimit: BODY_BYTES,
    doc: {
      id: "change_organisation",
      summary: "Changes the fields that are given; null empties one",
      headers: ["If-Match"],
      body: BODY,
      responses: { 200: ORGANISATION },
      sentHeaders: { 200: ["ETag"] },
      errors: [412, 422],
    },
    async handle(request, { principal }) {
      const given = readFields(request.body, {
        name: orNothing(line("name", MAX_ORGANISATION_NAME)),
        accent: orNothing(accent),
        signInNote: orNothing(line("signInNote", MAX_SIGN_IN_NOTE)),
        supportUrl: orNothing(supportUrl),
        logo: orNothing(logo),
      });
      const change = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
      const changed = await organisation.changeOrganisation(change, ifMatchTags(request));
      if (changed === "other version") throw httpErrors.changedMeanwhile("organisation");
      logSecurityEvent(request, "organisation changed", { principal });
      return answerOf(changed);
    },
  };
}

/** The address has the hash of the picture in it, so that a browser never asks twice. A page of another origin may show it. */
function logoHandler({ organisation }: Store): RouteHandler {
  return {
    scope: "open",
    produces: LOGO_TYPES,
    doc: {
      id: "read_organisation_logo",
      summary: "The organisation's logo. Another picture has another address",
      headers: ["If-None-Match"],
      responses: { 200: { type: "string" }, 304: null },
      sentHeaders: { 200: ["ETag"], 304: ["ETag"] },
      errors: [404],
    },
    async handle(request) {
      const stored = await organisation.readLogo();
      if (!stored || stored.id !== idOf(request)) throw httpErrors.notFound("There is no logo at this address any more.");
      const bytes = Buffer.from(stored.data, "base64");
      const headers = {
        "content-type": stored.type,
        "content-length": String(bytes.length),
        "cache-control": CACHING.hashed,
        "cross-origin-resource-policy": "cross-origin",
        etag: `"${stored.id}"`,
      };
      if (isNotModified(request, { status: 200, headers, body: "" })) return notModified({ status: 200, headers, body: "" });
      return { status: 200, headers, stream: Readable.from([bytes]) };
    },
  };
}
