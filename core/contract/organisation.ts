// Declares what the API says about the organisation whose people use the service: its name, its look and where help is.

import type { Shades } from "./accent-shades.ts";

/** Characters. */
export const MAX_ORGANISATION_NAME = 100;
export const MAX_SIGN_IN_NOTE = 300;
export const MAX_SUPPORT_URL = 500;
/** Bytes of the picture file. */
export const MAX_LOGO_BYTES = 200_000;
/** SVG is not among them: it may hold scripts, and a browser that is sent to its address would run them. */
export const LOGO_TYPES = ["image/png", "image/jpeg", "image/webp"] as const;
export type LogoType = (typeof LOGO_TYPES)[number];

/** Everybody may read it, signed in or not. What an administrator has not set is null. */
export interface Organisation {
  name: string | null;
  /** `#` and six hexadecimal digits, as it was chosen. */
  accent: string | null;
  /** The accent as it can be read on light and on dark pages. */
  shades: Shades | null;
  /** A line on the sign-in page. */
  signInNote: string | null;
  /** The address at which people find help: `https:` or `mailto:`. */
  supportUrl: string | null;
  /** `href` is below the service's address, and another one for each picture. */
  logo: { href: string; type: LogoType } | null;
}

/** An administrator sends it. `logo`: the bytes of the picture in base64. */
export interface OrganisationChange extends Partial<Pick<Organisation, "name" | "accent" | "signInNote" | "supportUrl">> {
  logo?: string | null;
}

export const ACCENT = /^#[0-9a-f]{6}$/i;

/** Says whether an address may stand as the support link. No other scheme may: `javascript:` would run in the page. */
export function isSupportUrl(text: string): boolean {
  return /^https:\/\/[^\s/?#@]+(?:[/?#]\S*)?$/i.test(text) || /^mailto:[^\s@?&<>"]+@[^\s@?&<>"]+$/i.test(text);
}
