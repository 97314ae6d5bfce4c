// Reads config.json, which lies beside index.html and names the service.

import type { Shades } from "../../core/contract/accent-shades.ts";
import { message, t, type Values } from "../../core/i18n/translate.ts";

export interface Config {
  /** Absolute URL of the REST API, without a slash at the end. */
  apiBaseUrl: string;
  /** The name of this installation. */
  title?: string;
  /** The shades of its accent colour until the service has answered. */
  shades?: Shades;
}

/** Its message tells the person who installs the app what to correct. */
export class ConfigError extends Error {
  override name = "BadConfig";
  readonly values: Values;

  constructor(text: string, values: Values) {
    super(text);
    this.values = values;
  }

  /** Speaks the language of the app, which may still be loading when the error is thrown. */
  translate(): string {
    return t(this.message, this.values);
  }
}

/** Throws ConfigError. `cache`: use "reload" after an error, since some hosts let browsers cache files for minutes. */
export async function readConfig(baseUrl: string, cache: RequestCache = "default"): Promise<Config> {
  const url = new URL("config.json", baseUrl);
  const configError = (text: string, values: Values = {}) => new ConfigError(text, { url: String(url), ...values });
  const response = await fetch(url, { cache }).catch(() => undefined); // the same options as the preload in index.html, so that one request serves both
  if (!response) throw configError(message("{url} cannot be fetched. Check the connection."));
  if (response.status === 404) throw configError(message("{url} is missing."));
  if (!response.ok) throw configError(message("{url} answered {status}."), { status: response.status });
  const text = await response.text();
  if (/^\s*</.test(text)) throw configError(message("{url} is a web page, not JSON. The file is probably missing."));
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch (error) {
    throw configError(message("{url} is not JSON ({why})."), { why: (error as Error).message });
  }
  if (typeof read !== "object" || read === null || Array.isArray(read)) throw configError(message("{url} is not a JSON object."));
  const { apiBaseUrl, title, accent } = read as Record<string, unknown>;
  if (apiBaseUrl === undefined) throw configError(message('{url} has no "apiBaseUrl".'));
  if (typeof apiBaseUrl !== "string" || apiBaseUrl.trim() === "") throw configError(message('"apiBaseUrl" in {url} must be text.'));
  const address = URL.canParse(apiBaseUrl, baseUrl) ? new URL(apiBaseUrl, baseUrl) : undefined;
  if (!address || !/^https?:$/.test(address.protocol) || address.search || address.hash || address.username)
    throw configError(message('"apiBaseUrl" in {url} must be the address of a service, not {apiBaseUrl}.'), { apiBaseUrl });
  if (title !== undefined && (typeof title !== "string" || title.trim() === ""))
    throw configError(message('"title" in {url} must be text.'));
  if (accent !== undefined && !/^#[0-9a-f]{6}$/i.test(String(accent)))
    throw configError(message('"accent" in {url} must be a colour such as #1f4fa3.'));
  // Few installations have one here, so the others do not load what makes its shades.
  const shades = accent === undefined ? undefined : (await import("../../core/contract/accent-shades.ts")).shadesOf(String(accent));
  return { apiBaseUrl: address.href.replace(/\/$/, ""), ...(title !== undefined && { title: title.trim() }), ...(shades && { shades }) };
}
