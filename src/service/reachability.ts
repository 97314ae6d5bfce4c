// Checks once, before sign-in, that the service answers; if not, finds out as much of the reason as a browser tells.

import { queryOptions } from "@tanstack/react-query";
import { ApiError, NoReply } from "../../client/errors.ts";
import type { Client } from "../../client/http-client.ts";
import { OPENAPI_PATH } from "../../core/contract/paths.ts";
import { t } from "../../core/i18n/translate.ts";

const TIMEOUT_MS = 10_000; // for the first request; after that it counts as no reply

/**
 * "offline": this computer is. "noReply": nothing answered, or nothing that the browser accepts. "blocked": something
 * answered, but did not allow this origin (CORS). "notIntake": something else than the service answered.
 */
export type UnreachableReason = "offline" | "noReply" | "blocked" | "notIntake";

/** The service that config.json names did not answer, or something else answered in its place. */
export class UnreachableError extends Error {
  override name = "NotReached";
  readonly why: UnreachableReason;
  /** The address from config.json. */
  readonly address: string;
  /** HTTP status of whatever answered instead of the service. */
  readonly status: number | undefined;

  constructor(why: UnreachableReason, address: string, status?: number) {
    super(t("The service cannot be reached at {address}.", { address }));
    this.why = why;
    this.address = address;
    this.status = status;
  }
}

/** Requests the OpenAPI document, which needs no token, only to see whether the service answers. */
export function reachabilityQuery(client: Client) {
  return queryOptions({
    queryKey: ["reach"],
    queryFn: async () => {
      const options = { open: true, signal: AbortSignal.timeout(TIMEOUT_MS) };
      const { headers, status } = await client.request("HEAD", OPENAPI_PATH, options).catch(async (error) => {
        throw await explainNoReply(error, client);
      });
      if (!/[/+]json\b/.test(headers.get("Content-Type") ?? "")) throw new UnreachableError("notIntake", client.baseUrl, status);
      return true;
    },
    retry: 1,
    retryDelay: 500,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Turns a missing reply, or a reply from something else, into an UnreachableError. Returns any other error as it is. */
export async function explainNoReply(error: unknown, client: Client): Promise<unknown> {
  // Every error of the service is a problem document, which has a code.
  if (error instanceof ApiError && error.code === "UNKNOWN") return new UnreachableError("notIntake", client.baseUrl, error.status);
  const isNoReply = error instanceof NoReply || (error instanceof Error && error.name === "TimeoutError");
  return isNoReply ? new UnreachableError(await probeService(client.baseUrl), client.baseUrl) : error;
}

/** A "no-cors" request succeeds wherever anything answers at all (Fetch standard), so it tells CORS from silence. */
async function probeService(address: string): Promise<UnreachableReason> {
  if (!navigator.onLine) return "offline";
  if (new URL(address).origin === location.origin) return "noReply";
  const probe = fetch(address + OPENAPI_PATH, {
    method: "HEAD",
    mode: "no-cors",
    credentials: "omit",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  return probe.then(
    () => "blocked",
    () => "noReply",
  );
}
