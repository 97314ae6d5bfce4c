// The organisation's name and look. This browser keeps what it read last, so that the next page begins with it.

import type { Client } from "../../client/http-client.ts";
import type { Organisation, OrganisationChange } from "../../core/contract/organisation.ts";
import { ORGANISATION_PATH } from "../../core/contract/paths.ts";
import type { Config } from "./config.ts";
import { type Current, ifMatch } from "./current.ts";

/** The organisation as the app shows it: the service's words, and before it has answered, or where it has none, those of config.json. */
export interface ShownOrganisation extends Pick<Organisation, "shades" | "signInNote" | "supportUrl"> {
  name: string | undefined;
  /** The address of the picture. */
  logo: string | undefined;
}

export interface OrganisationStore {
  current(): ShownOrganisation;
  subscribe(listener: () => void): () => void;
  /** Reads it from the service. Never rejects: without an answer everything stays as it was. */
  refresh(): Promise<void>;
  /** Shows what an administrator has just stored. */
  put(stored: Organisation): void;
}

/**
 * Names it in local storage; public/appearance.js reads it, too. The path of the app's folder follows: two apps on one host may have two
 * services.
 */
export const ORGANISATION_KEY = "intake.organisation ";

/** `target`: the window, for storage events. `own`: of config.json. */
export function createOrganisation(
  target: EventTarget,
  storage: Pick<Storage, "getItem" | "setItem">,
  client: Client,
  own: Pick<Config, "title" | "shades">,
): OrganisationStore {
  const key = ORGANISATION_KEY + new URL(document.baseURI).pathname;
  const listeners = new Set<() => void>();
  let shown = read();
  function read(): ShownOrganisation {
    return toShown(readStored(storage, key), own, client.baseUrl);
  }
  function show(next: ShownOrganisation): void {
    shown = next;
    for (const listener of listeners) listener();
  }
  function put(stored: Organisation): void {
    const text = JSON.stringify(stored);
    try {
      if (text === storage.getItem(key)) return;
      storage.setItem(key, text);
    } catch {
      // The storage is full or forbidden. This page still shows it.
    }
    show(toShown(stored, own, client.baseUrl));
  }
  target.addEventListener("storage", (event) => {
    if ((event as StorageEvent).key === key) show(read());
  });
  return {
    current: () => shown,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    refresh: () =>
      readOrganisation(client).then(
        ({ now }) => put(now),
        () => {},
      ),
    put,
  };
}

function readStored(storage: Pick<Storage, "getItem">, key: string): Partial<Organisation> {
  try {
    return (JSON.parse(storage.getItem(key) ?? "null") as Partial<Organisation> | null) ?? {};
  } catch {
    return {}; // another version of the app may have written it
  }
}

function toShown(
  { name, shades, signInNote = null, supportUrl = null, logo }: Partial<Organisation>,
  own: Pick<Config, "title" | "shades">,
  baseUrl: string,
): ShownOrganisation {
  return {
    name: name ?? own.title,
    shades: shades ?? own.shades ?? null,
    ...{ signInNote, supportUrl },
    logo: logo ? new URL(logo.href, baseUrl).href : undefined,
  };
}

export async function readOrganisation(client: Client, signal?: AbortSignal): Promise<Current<Organisation>> {
  const { json, headers } = await client.request("GET", ORGANISATION_PATH, { open: true, ...(signal && { signal }) });
  return { now: json as Organisation, etag: headers.get("ETag") };
}

/** Changes only the version with the ETag, if one is given. */
export async function changeOrganisation(client: Client, change: OrganisationChange, etag: string | null): Promise<Organisation> {
  return (await client.request("PATCH", ORGANISATION_PATH, { body: change, headers: ifMatch(etag) })).json as Organisation;
}
