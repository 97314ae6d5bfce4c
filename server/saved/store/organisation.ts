// The organisation's name and look, as JSON in the store's settings. Its logo has a row of its own.

import type { LogoType, Organisation } from "../../../core/contract/organisation.ts";
import { ask, lockByName, type Script } from "../../engine/script/script.ts";
import { type AllowedTags, allowsTag, etagOfValues } from "../../people/store/etags.ts";

export interface StoredOrganisation extends Pick<Organisation, "name" | "accent" | "signInNote" | "supportUrl"> {
  /** `id`: the beginning of the hash of its bytes, 16 hexadecimal digits. */
  logo: { id: string; type: LogoType } | null;
}

export interface Logo {
  id: string;
  type: LogoType;
  /** The picture in base64. */
  data: string;
}

const NOTHING: StoredOrganisation = { name: null, accent: null, signInNote: null, supportUrl: null, logo: null };
const DETAILS = "organisation details";
const LOGO = "organisation logo";

function* readSetting<T>(name: string): Script<T | undefined> {
  const [row] = (yield* ask("SELECT value FROM settings WHERE name = $1", name)).rows;
  return row && (JSON.parse(new TextDecoder().decode(row[0] as Uint8Array)) as T);
}

function* writeSetting(name: string, value: unknown): Script<void> {
  const sql = "INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value";
  yield* ask(sql, name, new TextEncoder().encode(JSON.stringify(value)));
}

function* readOrganisation(): Script<StoredOrganisation> {
  return { ...NOTHING, ...(yield* readSetting<StoredOrganisation>(DETAILS)) };
}

function* readLogo(): Script<Logo | undefined> {
  const { logo } = yield* readOrganisation();
  return logo ? yield* readSetting<Logo>(LOGO) : undefined;
}

export type StoredChange = Partial<Omit<StoredOrganisation, "logo">> & { logo?: Logo | null };

/** `allowed`: only if the stored one has one of these ETags. */
function* changeOrganisation(change: StoredChange, allowed?: AllowedTags): Script<StoredOrganisation | "other version"> {
  yield* lockByName("organisation"); // of two changes at once the later one waits
  const before = yield* readOrganisation();
  if (!allowsTag(allowed, organisationTag(before))) return "other version";
  const { logo, ...details } = change;
  const stored: StoredOrganisation = { ...before, ...details };
  if (logo) yield* writeSetting(LOGO, logo);
  if (logo === null) yield* ask("DELETE FROM settings WHERE name = $1", LOGO);
  if (logo !== undefined) stored.logo = logo && { id: logo.id, type: logo.type };
  yield* writeSetting(DETAILS, stored);
  return stored;
}

export function organisationTag({ name, accent, signInNote, supportUrl, logo }: StoredOrganisation): string {
  return etagOfValues(...[name, accent, signInNote, supportUrl, logo?.id].map((one) => JSON.stringify(one ?? null)));
}

export const ORGANISATION_SCRIPTS = { reads: { readOrganisation, readLogo }, writes: { changeOrganisation } };
