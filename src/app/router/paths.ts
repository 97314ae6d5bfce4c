// The app's addresses: matching a path, and writing the path and the search parameters of a link.

/** Every route. `$name` is a parameter. The first that matches is taken, so fixed names come before parameters. */
export const ROUTES = [
  "/",
  "/uploads",
  "/uploads/$upload",
  "/settings",
  "/settings/$page",
  "/activity",
  "/recipes",
  "/about",
  "/$collection",
  "/$collection/new",
  "/$collection/upload",
  "/$collection/dictionary",
  "/$collection/deleted",
  "/$collection/merge",
  "/$collection/duplicates",
  "/$collection/$id",
] as const;

export type RoutePath = (typeof ROUTES)[number];

type ParamNames<Path extends string> = Path extends `${infer First}/${infer Rest}`
  ? ParamNames<First> | ParamNames<Rest>
  : Path extends `$${infer Name}`
    ? Name
    : never;

/** The parameters of the path that is shown. Which of them are there depends on the route. */
export type Params = { readonly [Name in ParamNames<RoutePath>]?: string };

/** Search parameters are plain text: `?q=0071` is not a number. */
export type Search = Readonly<Record<string, string | undefined>>;

type TargetOf<Path extends RoutePath> = { to: Path; search?: Search | undefined } & (ParamNames<Path> extends never
  ? { params?: undefined }
  : { params: Readonly<Record<ParamNames<Path>, string>> });

/** The address to which a link leads. A route with parameters needs `params`. Without `search` there are no search parameters. */
export type Target = { [Path in RoutePath]: TargetOf<Path> }[RoutePath];

const segmentsOf = (path: string) => path.split("/").filter((segment) => segment !== "");
const PATTERNS = ROUTES.map((path) => ({ path, pattern: segmentsOf(path) }));

/** `basePath`: of the folder with index.html, such as "/" or "/intake/". The result has no slash at the end. */
export function pathBelow(basePath: string, pathname: string): string {
  const base = basePath.replace(/\/$/, "");
  const isBelow = pathname.toLowerCase().startsWith(base.toLowerCase());
  return (isBelow ? pathname.slice(base.length) : pathname).replace(/\/+$/, "") || "/";
}

/** Returns the route of a path below the base path, with its parameters decoded. Upper and lower case are the same in fixed names. */
export function matchPath(pathname: string): { route: RoutePath | undefined; params: Params } {
  const segments = segmentsOf(pathname).map(decode);
  const isLike = (name: string, i: number) => name.startsWith("$") || name === segments[i]?.toLowerCase();
  const found = PATTERNS.find(({ pattern }) => pattern.length === segments.length && pattern.every(isLike));
  const params = found?.pattern.flatMap((name, i) => (name.startsWith("$") ? [[name.slice(1), segments[i]]] : []));
  return { route: found?.path, params: Object.fromEntries(params ?? []) };
}

/** Writes the path below the base path, with its search parameters. */
export function formatTarget({ to, params, search }: Target): string {
  const values: Readonly<Record<string, string>> = params ?? {};
  const path = segmentsOf(to).map((name) => (name.startsWith("$") ? encodeURIComponent(values[name.slice(1)] ?? "") : name));
  return `/${path.join("/")}${formatSearch(search ?? {})}`;
}

/** Takes the last value of a name that stands there several times. */
export function parseSearch(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(new URLSearchParams(text));
}

export function formatSearch(search: Search): string {
  const given = Object.entries(search).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return given.length === 0 ? "" : `?${new URLSearchParams(given)}`;
}

/** An address somebody typed may have a percent sign that encodes nothing. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
