// API keys, access tokens and people, the same on both engines.

import { changesAccess, type People } from "../people/store/people.ts";
import type { Script } from "./script/script.ts";
import { offerScripts, type RunWrite } from "./scripts.ts";
import type { Credentials } from "./store.ts";

/** `changesOfOthers` rises when other processes may have changed something. */
export function createCredentials(
  read: (script: Script<unknown>) => Promise<unknown>,
  write: RunWrite,
  changesOfOthers = () => 0,
): Credentials & { people: People } {
  let changes = 0;
  const change: RunWrite = async (of, name, args) => {
    // It counts before and after: what is read meanwhile may be old, and must not be remembered.
    const step = changesAccess(name) ? 1 : 0;
    changes += step;
    try {
      return await write(of, name, args);
    } finally {
      changes += step;
    }
  };
  const generation = () => changes + changesOfOthers();
  return { ...offerScripts("keys", read, change), people: offerScripts("people", read, change), generation };
}
