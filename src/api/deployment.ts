// Finds out whether the host has a newer build than the one that runs in this tab.

/** A build is known by the scripts that its page names: the hash of one or the other changes with every change of the code. */
function runningScripts(): string[] {
  const scripts = document.querySelectorAll<HTMLScriptElement>('script[type="module"][src]');
  return [...scripts].map(({ src }) => src.split("/").pop() ?? "");
}

/** Its name for people who compare two: the hash of the app's own code, which comes last. */
export function buildName(): string {
  return /-([\w-]{8})\.js$/.exec(runningScripts().at(-1) ?? "")?.[1] ?? "";
}

/** True only when the host's page was read, is this app's, and names other scripts. Without a connection: false. */
export async function isOutdated(): Promise<boolean> {
  try {
    const response = await fetch(document.baseURI, { cache: "no-cache", headers: { Accept: "text/html" } });
    const page = await response.text();
    return response.ok && page.includes('id="app"') && !runningScripts().every((name) => page.includes(name));
  } catch {
    return false;
  }
}

const RELOADED = "intake.reloaded";

/**
 * Whether this build may reload the tab by itself; true once a build. A host or cache that gives the old page to the reload
 * would otherwise have the tab reload for ever.
 */
export function mayReload(storage: globalThis.Storage): boolean {
  const build = runningScripts().join();
  if (storage.getItem(RELOADED) === build) return false;
  storage.setItem(RELOADED, build);
  return true;
}
