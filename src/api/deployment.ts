// Whether the host has a newer build than the one that runs in this tab. Asks for the host's page; reloads nothing itself.

/** A build is known by its entry script: its name has the hash of everything that is imported from it. */
function runningBuild(): string {
  const script = document.querySelector<HTMLScriptElement>('script[type="module"][src]');
  return script ? (script.src.split("/").pop() ?? "") : "";
}

/** True only when the host's page was read, is this app's, and names another entry script. Without a connection: false. */
export async function isOutdated(): Promise<boolean> {
  try {
    const response = await fetch(document.baseURI, { cache: "no-cache", headers: { Accept: "text/html" } });
    const page = await response.text();
    return response.ok && page.includes('id="app"') && !page.includes(runningBuild());
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
  if (storage.getItem(RELOADED) === runningBuild()) return false;
  storage.setItem(RELOADED, runningBuild());
  return true;
}
