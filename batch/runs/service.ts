// The service as a run asks it: signed in with the API key, its collections, and new tokens as old ones end. Knows no file.

import { ApiError, createClient, NoReply } from "../../client/http-client.ts";
import { exchangeKey } from "../../client/token-exchange.ts";
import type { TokenReply } from "../../core/contract/keys.ts";
import { DICTIONARY_PATH } from "../../core/contract/paths.ts";
import { type Collection, readDataPackage } from "../../core/dictionary/collections.ts";
import { realClock } from "../../pipeline/model/clock.ts";
import { createUploadService, type UploadService } from "../../pipeline/sending/upload-service.ts";
import { CommandError, EXIT } from "../console/exit-codes.ts";
import type { Connection } from "./connection.ts";

export interface SignedIn {
  token: string;
  /** The service's data package, as it was sent. */
  dictionary: unknown;
}

/** Throws Ended when the service is not there, does not take the key, or the key may not do what it must. */
export async function signIn(connection: Connection, needs: "read" | "write"): Promise<SignedIn> {
  const { baseUrl, url } = connection;
  const { access_token: token, scope } = await exchange(connection).catch((error) => {
    throw toEnded(error, url);
  });
  if (needs === "write" && scope === "read") {
    throw new CommandError(EXIT.unreached, "The API key may only read. Use one with the scope write.");
  }
  const session = { token: () => token, renew: () => Promise.reject(new ApiError(401, {}, null)) };
  const client = createClient({ baseUrl, session });
  const { json } = await client.request("GET", DICTIONARY_PATH).catch((error) => {
    throw toEnded(error, url);
  });
  return { token, dictionary: json };
}

/** Throws Ended: a service of another version may have kinds of fields that this program does not know. */
export function readCollections(dictionary: unknown): Collection[] {
  const read = readDataPackage(dictionary);
  if ("collections" in read) return read.collections;
  const [first] = read.mistakes;
  throw new CommandError(
    EXIT.unreached,
    `The service's data dictionary cannot be read: ${first?.path} ${first?.message}. Use the program of the service's version.`,
  );
}

const PATIENCE = 300_000; // ms of trouble while a token is renewed, as for every other request
const LONGEST_WAIT = 10_000; // ms

/** As a browser tab has it, but whoever signs in again is the key. */
export function openService(connection: Connection, collection: Collection, token: string, over: AbortSignal): UploadService {
  let giveUp: (error: unknown) => void = () => undefined;
  const refused = new Promise<never>((_, reject) => {
    giveUp = reject;
  });
  refused.catch(() => undefined); // told to whoever waits for the token
  const service = createUploadService(connection.baseUrl, collection, token, () => {
    renew(connection, over).then(service.take, giveUp);
  });
  return { ...service, signIn: () => Promise.race([service.signIn(), refused]) };
}

async function renew(connection: Connection, over: AbortSignal): Promise<string> {
  const until = realClock.now() + PATIENCE;
  for (let wait = 500; ; wait = Math.min(LONGEST_WAIT, 2 * wait)) {
    try {
      return (await exchange(connection)).access_token;
    } catch (error) {
      const isFinal = error instanceof ApiError && error.status < 500 && error.status !== 429;
      if (isFinal || realClock.now() > until || over.aborted) throw error;
      const asked = error instanceof ApiError ? (error.retryAfter ?? 0) * 1000 : 0;
      await realClock.sleep(Math.max(wait, asked), over);
    }
  }
}

function exchange({ baseUrl, key }: Connection): Promise<TokenReply> {
  const client = createClient({ baseUrl, session: { token: () => undefined, renew: () => Promise.reject(new Error("open")) } });
  return exchangeKey(client, key);
}

function toEnded(error: unknown, url: string): unknown {
  if (error instanceof NoReply) {
    return new CommandError(EXIT.unreached, `No service answers at ${url}. Check the address and that it runs, then run this again.`);
  }
  if (!(error instanceof ApiError)) return error;
  if (error.code === "INVALID_CLIENT") {
    return new CommandError(
      EXIT.unreached,
      `The service at ${url} does not accept the API key. Check it, or make a new one with: npm run keys -- create write`,
    );
  }
  if (error.code === "UNKNOWN")
    return new CommandError(EXIT.unreached, `No Intake service answers at ${url} (status ${error.status}). Check the address.`);
  return new CommandError(EXIT.unreached, `The service at ${url} does not let us in: ${error.message}`);
}
