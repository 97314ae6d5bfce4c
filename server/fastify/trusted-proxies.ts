// Tells the addresses of proxies that the operator trusts (TRUSTED_PROXIES).

import { BlockList, isIP } from "node:net";
import { bareAddress } from "../people/auth/source-address.ts";

const MAPPED_BITS = 96; // of an IPv6 range, before those of the IPv4 address

/**
 * Says whether an address, with or without a port, is one of these addresses and ranges, such as `::1` and `10.0.0.0/8`. Fastify asks it of
 * each address in X-Forwarded-For, from the last one on, until one is not trusted: that is the client's. Fastify's own list takes an
 * address with a port for the client's, and so all who come through that proxy for one source.
 */
export function trustOf(proxies: readonly string[]): (address: string) => boolean {
  // Each family has a list: in one for both a wide range of IPv6 would have all of IPv4.
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const proxy of proxies) {
    const [given = "", bits] = proxy.split("/");
    const isMapped = withoutMapping(given) !== given && Number(bits ?? 128) > MAPPED_BITS;
    const address = isMapped ? withoutMapping(given) : given;
    const family = familyOf(address);
    if (bits === undefined) lists[family].addAddress(address, family);
    else lists[family].addSubnet(address, Number(bits) - (isMapped ? MAPPED_BITS : 0), family);
  }
  return (text) => {
    const address = withoutMapping(bareAddress(text));
    return isIP(address) !== 0 && lists[familyOf(address)].check(address, familyOf(address));
  };
}

/** Turns an IPv4 address that is written as IPv6 into IPv4. */
function withoutMapping(address: string): string {
  return /^::ffff:([\d.]+)$/i.exec(address)?.[1] ?? address;
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 6 ? "ipv6" : "ipv4";
}
