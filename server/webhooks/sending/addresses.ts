// Says which addresses a webhook may reach: none inside the network that the service itself stands in.

import { type LookupAddress, lookup as resolve } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";
import { createQueue } from "../../people/auth/bounded-queue.ts";

/** The address is private, and WEBHOOK_PRIVATE does not allow that. */
export class AddressRefused extends Error {}

/** Stands outside of the blocks that the registries reserve, and is the metadata service of Azure all the same. */
const AZURE_METADATA = "168.63.129.16";

/** RFC 4291: no other address of IPv6 is one of global unicast. */
const GLOBAL_6 = ipaddr.parseCIDR("2000::/3");

/** Returns false for everything that is no address, and for each block of the registries of special addresses (RFC 6890). */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0 || address.includes("%") || address === AZURE_METADATA) return false;
  const parsed = ipaddr.parse(address);
  return parsed.range() === "unicast" && (parsed.kind() === "ipv4" || parsed.match(GLOBAL_6));
}

/** Has the shape of node:dns, with `all`. */
export type Resolve = (
  hostname: string,
  options: { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

const AT_ONCE = 2; // threads; Node has four, and passwords are hashed on them
const MOST_WAITING = 100;

/**
 * Looks names up for a connection, so that the addresses that are checked are the ones that are connected to: a name server that answers
 * otherwise the next time (DNS rebinding) gains nothing. The callback's error is AddressRefused if one of the addresses is private.
 */
export function createLookup(allowsPrivate: boolean, resolveName: Resolve = resolve): LookupFunction {
  const inTurn = createQueue(AT_ONCE, MOST_WAITING);
  const resolveAll = (hostname: string) =>
    inTurn(
      () =>
        new Promise<LookupAddress[]>((done, fail) =>
          resolveName(hostname, { all: true }, (error, found) => (error ? fail(error) : done(found))),
        ),
    );
  return (hostname, options, callback) => {
    const answer = (found: LookupAddress[]) => {
      const [first] = found;
      if (!first) return callback(new Error("the name has no address"), "");
      if (!allowsPrivate && found.some(({ address }) => !isPublicAddress(address))) return callback(new AddressRefused(), "");
      if (options.all) callback(null, found);
      else callback(null, first.address, first.family);
    };
    resolveAll(hostname).then(answer, (error) => callback(error, ""));
  };
}
