// Reads config.json, which lies beside index.html and says where the service is. Read before the first paint.

export interface Config {
  /** Absolute URL of the REST API, without a slash at the end. */
  apiBaseUrl: string;
}

/** Throws an Error whose message tells the person who installs the app what to put right. */
export async function readConfig(baseUrl: string): Promise<Config> {
  const url = new URL("config.json", baseUrl);
  const wrong = (what: string) => new Error(`${url} ${what}. It should look like {"apiBaseUrl": "/v1"}.`);
  const response = await fetch(url).catch(() => undefined); // as the preload in index.html asks for it, so that one request serves both
  if (!response?.ok) throw wrong(response ? `answered ${response.status}` : "cannot be reached");
  let read: unknown;
  try {
    read = await response.json();
  } catch {
    throw wrong("is not JSON");
  }
  const { apiBaseUrl } = (read ?? {}) as Partial<Config>;
  if (typeof apiBaseUrl !== "string" || !URL.canParse(apiBaseUrl, baseUrl)) throw wrong('has no usable "apiBaseUrl"');
  return { apiBaseUrl: new URL(apiBaseUrl, baseUrl).href.replace(/\/$/, "") };
}
