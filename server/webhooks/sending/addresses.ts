// Which addresses a webhook may reach: none inside the network that the service itself stands in.

import { type LookupAddress, lookup as resolve } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { createQueue } from "../../people/auth/bounded-queue.ts";

/** The address is private, and WEBHOOK_PRIVATE does not allow that. */
export class AddressRefused extends Error {}

/** Blocks that are not for everybody (IANA IPv4 Special-Purpose Address Registry), multicast, and the metadata service of Azure. */
const PRIVATE_4: [network: string, bits: number][] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["168.63.129.16", 32],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
];

/**
 * Of IPv6 only global unicast (RFC 4291) is public: that leaves out loopback, link local, unique local, IPv4-mapped and NAT64
 * addresses. Of it not what has a special purpose (IANA IPv6 Special-Purpose Address Registry), such as Teredo and 6to4.
 */
const GLOBAL_6: [network: string, bits: number] = ["2000::", 3];
const PRIVATE_6: [network: string, bits: number][] = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
];

const private4 = blocksOf(PRIVATE_4, "ipv4");
const private6 = blocksOf(PRIVATE_6, "ipv6");
const global6 = blocksOf([GLOBAL_6], "ipv6");

function blocksOf(networks: readonly [string, number][], family: "ipv4" | "ipv6"): BlockList {
  const list = new BlockList();
  for (const [network, bits] of networks) list.addSubnet(network, bits, family);
  return list;
}

/** False for everything that is no address. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !private4.check(address, "ipv4");
    case 6:
      return !address.includes("%") && global6.check(address, "ipv6") && !private6.check(address, "ipv6");
    default:
      return false;
  }
}

/** As node:dns has it, with `all`. */
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
