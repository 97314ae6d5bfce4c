// Finds out whether the host has a newer build than the one that runs in this tab.

/** The scripts that index.html names identify a build: their hashes change with the code. */
function runningScripts(): string[] {
  const scripts = document.querySelectorAll<HTMLScriptElement>('script[type="module"][src]');
  return [...scripts].map(({ src }) => src.split("/").pop() ?? "");
}

/** Returns a short name for the build: the hash of the app's own script, which comes last. */
export function buildName(): string {
  return /-([\w-]{6,8})\.js$/.exec(runningScripts().at(-1) ?? "")?.[1] ?? "";
}

/** Returns true only when the host's index.html could be read, belongs to this app and names other scripts. */
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

/** Returns true once for each build. Without that limit, a host or cache that serves the old page would make the tab reload endlessly. */
export function mayReload(storage: globalThis.Storage): boolean {
  const build = runningScripts().join();
  if (storage.getItem(RELOADED) === build) return false;
  storage.setItem(RELOADED, build);
  return true;
}
