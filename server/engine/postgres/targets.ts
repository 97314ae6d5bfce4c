// The servers that DATABASE_URL names, tried in turn, as libpq does: several hosts, target_session_attrs, sslmode.

const FOR_WRITING = ["any", "read-write", "primary"];
const FOR_READING = ["any", "read-only", "standby", "prefer-standby"];

/** One server and one way to connect to it, as the URL that pg takes. */
export interface Targets {
  current(): string;
  /** The next one is current from now on, unless another has become so meanwhile. */
  skip(target: string): void;
  count: number;
  /** Only a server that takes writes will do (target_session_attrs=read-write or primary). */
  needsPrimary: boolean;
}

const URL_FORM = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)([^?#]*)(\?[^#]*)?$/;

/**
 * Hosts in the order of the URL. `sslmode` means what libpq's manual says: `require` encrypts without looking at the
 * certificate, `prefer` and `allow` try both. Without it connections are not encrypted. Throws for a URL of another form.
 * `forReading`: a standby is wanted, and whoever uses it finds out whether it is one.
 *
 * @example
 * parseTargets("postgres://u:p@one:5432,two:5432/records?target_session_attrs=read-write&sslmode=verify-full")
 */
export function parseTargets(url: string, forReading = false): Targets {
  const [, before = "", hosts = "", path = "", query = ""] = URL_FORM.exec(url) ?? [];
  if (!before) throw new Error("not a URL of PostgreSQL");
  const parameters = new URLSearchParams(query.slice(1).replaceAll("+", "%2B"));
  const attributes = parameters.get("target_session_attrs") ?? "any";
  if (!(forReading ? FOR_READING : FOR_WRITING).includes(attributes)) throw new Error("such a server is of no use");
  parameters.delete("target_session_attrs");
  const all = hosts.split(",").flatMap((host) => ways(parameters).map((own) => `${before}${host}${path}${own}`));
  let at = 0;
  return {
    current: () => all[at] as string,
    skip(target) {
      if (all[at] === target) at = (at + 1) % all.length;
    },
    count: all.length,
    needsPrimary: !forReading && attributes !== "any",
  };
}

/**
 * Is true where an @ or # stands behind the first / or ?, where an address has none. So it does when the password has one of them as it is:
 * then nobody can say where the password ends.
 */
export function isUserPartUnclear(url: string): boolean {
  const [, rest = ""] = /^postgres(?:ql)?:\/\/[^/?#]*(.*)$/s.exec(url) ?? [];
  return /[@#]/.test(rest);
}

/** Returns the query of the URL for each attempt at one host. */
function ways(parameters: URLSearchParams): string[] {
  const mode = parameters.get("sslmode");
  const modes = mode === "prefer" ? ["require", "disable"] : mode === "allow" ? ["disable", "require"] : [mode];
  return modes.map((each) => {
    const own = new URLSearchParams(parameters);
    if (each !== null) own.set("sslmode", each);
    if (each !== null && each !== "no-verify") own.set("uselibpqcompat", "true");
    const text = own.toString().replaceAll("+", "%20"); // which pg does not read as a space
    return text && `?${text}`;
  });
}
