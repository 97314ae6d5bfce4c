// Signs in with the API key, reads the collections, and renews tokens during a run.

import { ApiError, ENGLISH, NoReply } from "../../client/errors.ts";
import { type Client, createClient, NO_SESSION } from "../../client/http-client.ts";
import { withRetries } from "../../client/retries.ts";
import { exchangeKey, keyIdOf } from "../../client/token-exchange.ts";
import type { RunPart, RunSummary } from "../../core/contract/history.ts";
import type { TokenReply } from "../../core/contract/keys.ts";
import { foldName } from "../../core/contract/names.ts";
import { DICTIONARY_PATH, ME_PATH, NAMES_PATH, RECIPES_PATH, runPath } from "../../core/contract/paths.ts";
import type { Me, PersonName } from "../../core/contract/people.ts";
import type { Principal } from "../../core/contract/principals.ts";
import type { Recipe, RecipeInfo } from "../../core/contract/recipes.ts";
import { type Collection, readDataPackage } from "../../core/dictionary/collections.ts";
import { withFileParents } from "../../core/dictionary/file-parents.ts";
import { withLookups } from "../../core/dictionary/lookups.ts";
import { withPeople } from "../../core/dictionary/people.ts";
import { hasPatterns, slowPatterns } from "../../core/dictionary/slow-patterns.ts";
import { type LayoutContent, readLayoutRecipe } from "../../pipeline/mapping/recipe.ts";
import { realClock } from "../../pipeline/model/clock.ts";
import type { QueryKeyHours } from "../../pipeline/sending/responses.ts";
import { createUploadService, type UploadService } from "../../pipeline/sending/upload-service.ts";
import { KEYS_COMMAND_LINE } from "../console/command-line.ts";
import { CommandError, EXIT } from "../console/exit-codes.ts";
import type { Recipes } from "../files/service-recipes.ts";
import type { Connection } from "./connection.ts";

export interface SignedIn {
  token: string;
  /** Says whose API key it is; from an older service, which does not say, with its id as the name. */
  by: Principal;
  /** The data package of the service, unparsed, with `people` where its fields name some. */
  dictionary: unknown;
}

const REMEMBERED = 60_000; // ms; a token lives much longer

/** Serves a watcher, which signs in for each of its files: what is younger than a minute is used again. */
export function rememberSignIn(connection: Connection): Connection {
  return { ...connection, remembered: { at: 0, given: undefined } };
}

/** Throws CommandError when the service cannot be reached, rejects the key, the key lacks the scope, or a pattern is too slow. */
export async function signIn(connection: Connection, needs: "read" | "write"): Promise<SignedIn> {
  const { remembered } = connection;
  if (!remembered) return signInAnew(connection, needs);
  const isFresh = realClock.now() - remembered.at < REMEMBERED;
  const signedIn = (isFresh && (remembered.given as SignedIn | undefined)) || (await signInAnew(connection, needs));
  if (signedIn !== remembered.given) Object.assign(remembered, { at: realClock.now(), given: signedIn });
  return signedIn;
}

async function signInAnew(connection: Connection, needs: "read" | "write"): Promise<SignedIn> {
  const { url } = connection;
  const { access_token: token, scope } = await exchange(connection).catch((error) => {
    throw toCommandError(error, url);
  });
  if (needs === "write" && scope === "read") {
    throw new CommandError(EXIT.unreached, `The API key may only read. Make one that may write with: ${KEYS_COMMAND_LINE} create write`);
  }
  const client = openClient(connection, token);
  const dictionary = await readDictionary(client).catch((error) => {
    throw toCommandError(error, url);
  });
  return { token, by: await readPrincipal(client, connection), dictionary };
}

/** Resolves to the data package of the service, with `people` where its fields name some. Throws CommandError for one that cannot be used. */
export async function readDictionary(client: Client): Promise<unknown> {
  const { json } = await client.request("GET", DICTIONARY_PATH);
  const collections = readCollections(json);
  await refuseSlowPatterns(collections);
  const naming = collections.some(({ fields }) => fields.some(({ isPerson }) => isPerson));
  const people = naming ? await readPeople(client) : undefined;
  return people ? { ...(json as object), people } : json;
}

/** Resolves to what the service's history knows of a run. Throws CommandError. */
export async function readRunParts(connection: Connection, token: string, run: string): Promise<RunPart[]> {
  const { json } = await openClient(connection, token)
    .request("GET", runPath(run))
    .catch((error) => {
      throw toCommandError(error, connection.url);
    });
  return (json as RunSummary).parts;
}

/** Reads the recipes of the service. What it returns throws CommandError. */
export function createRecipeReader(connection: Connection, token: string): Recipes {
  const { url } = connection;
  const client = openClient(connection, token);
  const get = (path: string, missing?: string) =>
    client.request("GET", path).then(
      ({ json }) => json,
      (error) => {
        const isMissing = missing !== undefined && error instanceof ApiError && error.status === 404;
        throw isMissing ? new CommandError(EXIT.nothing, missing) : toCommandError(error, url);
      },
    );
  return {
    list: async () => ((await get(RECIPES_PATH)) as { recipes: RecipeInfo[] }).recipes,
    read: async (id) => (await get(`${RECIPES_PATH}/${id}`, "Somebody has just deleted the recipe. Name another one.")) as Recipe,
  };
}

/** Saves it under its name, in place of an earlier one with a layout. Throws CommandError. */
export async function saveLayoutRecipe(
  connection: Connection,
  token: string,
  { name, collection, content }: { name: string; collection: string; content: LayoutContent },
): Promise<Recipe> {
  const { url } = connection;
  const client = openClient(connection, token);
  const { list, read } = createRecipeReader(connection, token);
  const isSame = (one: RecipeInfo) => one.collection === collection && foldName(one.name) === foldName(name);
  const before = (await list()).find(isSame);
  if (before && !readLayoutRecipe((await read(before.id)).content))
    throw new CommandError(EXIT.nothing, `There is a recipe “${before.name}” without a layout: choose another name.`);
  const body = { name, headings: [], content };
  const saving = before
    ? client.request("PUT", `${RECIPES_PATH}/${before.id}`, { body: { ...body, version: before.version } })
    : client.request("POST", RECIPES_PATH, { body: { ...body, collection } });
  const { json } = await saving.catch((error) => {
    const isRefused = error instanceof ApiError && error.status >= 403 && error.status < 500;
    throw isRefused
      ? new CommandError(EXIT.nothing, `The service does not accept the recipe: ${error.message}`)
      : toCommandError(error, url);
  });
  return json as Recipe;
}

/** Reads the people whom files may name. */
async function readPeople(client: Client): Promise<readonly PersonName[]> {
  const { json } = await client.request("GET", NAMES_PATH);
  return (json as { people: PersonName[] }).people;
}

async function readPrincipal(client: Client, { key, url }: Connection): Promise<Principal> {
  try {
    return ((await client.request("GET", ME_PATH)).json as Me).principal;
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw toCommandError(error, url);
    return { type: "key", id: keyIdOf(key), name: keyIdOf(key) };
  }
}

/** The service checks its patterns when it starts. This is for one that is older, or not ours. */
async function refuseSlowPatterns(collections: readonly Collection[]): Promise<void> {
  if (!hasPatterns(collections)) return;
  const { checkSync } = await import("recheck/lib/browser.js"); // 3 MB, loaded only where it is needed
  const [first] = slowPatterns(collections, checkSync);
  if (first) throw new CommandError(EXIT.unreached, `The service's data dictionary cannot be used: ${first.path}: ${first.message}.`);
}

/** Reads the collections as files have them, with `hasParents` also with the fields of parents that a file may create. Throws CommandError when the service is of another version and has kinds of fields that are unknown here. */
export function readCollections(dictionary: unknown, hasParents = false): Collection[] {
  const read = readDataPackage(dictionary);
  if ("collections" in read) {
    const { collections } = read;
    const { people } = dictionary as { people?: readonly PersonName[] };
    if (people) withPeople(collections, people);
    const known = { collections, mayCreate: () => true }; // the service says what the key may not do
    return collections.map((collection) => (hasParents ? withFileParents(collection, known) : withLookups(collection)));
  }
  const [first] = read.mistakes;
  throw new CommandError(
    EXIT.unreached,
    `The service's data dictionary cannot be read: ${first?.path}: ${first?.message}. Install the version of this program that the service has.`,
  );
}

/** Makes a client that goes on when its token has ended. */
export function openClient(connection: Connection, first: string): Client {
  let token = first;
  const renew = async () => {
    ({ access_token: token } = await exchange(connection));
    return token;
  };
  return createClient({ baseUrl: connection.baseUrl, session: { token: () => token, renew } });
}

/** Waits as the service asks, and asks again after a lost connection: whole collections take many requests. */
export function patient(client: Client, signal: AbortSignal): Client {
  return { ...client, request: (...asked) => withRetries(() => client.request(...asked), { signal }) };
}

const PATIENCE = 300_000; // ms for which the renewal of a token is retried, as for every other request
const LONGEST_WAIT = 10_000; // ms

/** Opens the service as an upload in the browser uses it, but the API key renews the token. `run`: whose writes they are. */
export function openService(
  connection: Connection,
  collection: Collection,
  token: string,
  signal: AbortSignal,
  run?: string,
): UploadService {
  let fail: (error: unknown) => void = () => undefined;
  const failure = new Promise<never>((_, reject) => {
    fail = reject;
  });
  failure.catch(() => undefined); // `signIn` below races with it and throws it; until then nobody waits
  const requestToken = () => void renew(connection, signal).then(service.take, fail);
  const source = run === undefined ? undefined : `batch; run=${run}`;
  // The service says it best: of a missing right, which scope the key needs.
  const writing = { messages: ENGLISH, ...(source !== undefined && { source }) };
  const service = createUploadService(connection.baseUrl, collection, token, requestToken, writing);
  const { remembered } = connection;
  const queryKeyHours = remembered ? rememberLimits(remembered, service.queryKeyHours) : service.queryKeyHours;
  return { ...service, queryKeyHours, signIn: () => Promise.race([service.signIn(), failure]) };
}

/** How long the service keeps answers is the same for the next file. Its clock has gone on since. */
function rememberLimits(remembered: NonNullable<Connection["remembered"]>, query: QueryKeyHours): QueryKeyHours {
  return async (signal) => {
    const { at = 0, answer } = remembered.limits ?? {};
    const age = realClock.now() - at;
    if (answer && age < REMEMBERED) return { ...answer, now: answer.now === undefined ? undefined : answer.now + age };
    const fresh = await query(signal);
    if (fresh.kind === "read") remembered.limits = { at: realClock.now(), answer: fresh };
    return fresh;
  };
}

async function renew(connection: Connection, signal: AbortSignal): Promise<string> {
  const until = realClock.now() + PATIENCE;
  for (let wait = 500; ; wait = Math.min(LONGEST_WAIT, 2 * wait)) {
    try {
      return (await exchange(connection)).access_token;
    } catch (error) {
      const isFinal = error instanceof ApiError && error.status < 500 && error.status !== 429;
      if (isFinal || realClock.now() > until || signal.aborted) throw error;
      const retryAfter = error instanceof ApiError ? (error.retryAfter ?? 0) * 1000 : 0;
      await realClock.sleep(Math.max(wait, retryAfter), signal);
    }
  }
}

function exchange({ baseUrl, key }: Connection): Promise<TokenReply> {
  return exchangeKey(createClient({ baseUrl, session: NO_SESSION }), key);
}

/** Says what is wrong with the service, the address or the key. Other errors are returned as they are. */
export function toCommandError(error: unknown, url: string): unknown {
  if (error instanceof NoReply) {
    return new CommandError(
      EXIT.unreached,
      `No service answers at ${url}. Check the address and that it runs.`,
      [],
      "Then run this again.",
    );
  }
  if (!(error instanceof ApiError)) return error;
  if (error.code === "INVALID_CLIENT") {
    return new CommandError(
      EXIT.unreached,
      `The service at ${url} does not accept the API key. Check it, or make a new one with: ${KEYS_COMMAND_LINE} create write`,
    );
  }
  if (error.status >= 300 && error.status < 400) {
    return new CommandError(
      EXIT.unreached,
      `${url} redirects to another address (status ${error.status}). The API key was not sent there: set INTAKE_URL to the service's own address.`,
    );
  }
  if (error.code === "UNKNOWN")
    return new CommandError(EXIT.unreached, `No Intake service answers at ${url} (status ${error.status}). Check the address.`);
  if (error.status === 403)
    return new CommandError(
      EXIT.unreached,
      `The API key does not have all the rights that this needs. Use one that has them. The service at ${url} says: ${error.message}`,
    );
  return new CommandError(EXIT.unreached, `The service at ${url} says: ${error.message}`);
}
