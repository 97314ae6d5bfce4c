import { isIP } from "node:net";

const MAX_LENGTH = 64; // characters; a proxy may pass on anything as an address, and sources are kept in memory

/**
 * Returns an address without its port, brackets and zone. Some proxies write them into X-Forwarded-For, each connection with another port.
 *
 * @example bareAddress("[2001:db8::7]:4711") === "2001:db8::7"
 */
export function bareAddress(text: string): string {
  const [, bracketed, ipv4] = /^\[([^\]]*)\](?::\d*)?$|^(\d+\.\d+\.\d+\.\d+):\d*$/.exec(text.trim()) ?? [];
  return (bracketed ?? ipv4 ?? text).replace(/%.*$/, "");
}

/**
 * Returns the name under which a client's address is counted, with a port or without. An IPv6 address counts by its first 64 bits, because one
 * client has all addresses of such a network (RFC 6177); an IPv4 address that is written as IPv6 counts as IPv4.
 *
 * @example sourceOf("2001:db8::7") === "2001:db8:0:0::/64"
 */
export function sourceOf(text: string | undefined): string {
  if (text === undefined) return "unknown"; // the connection had ended before the service could ask
  const address = bareAddress(text);
  const [, ipv4] = /^::ffff:([\d.]+)$/i.exec(address) ?? [];
  if (ipv4 !== undefined) return ipv4;
  if (isIP(address) !== 6) return address.slice(0, MAX_LENGTH);
  const [head = [], tail] = address.split("::").map((part) => part.split(":").filter(Boolean));
  const groups = tail ? [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => "0"), ...tail] : head;
  const network = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(":")}::/64`;
}
