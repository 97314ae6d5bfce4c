import { expect, test } from "vitest";
import { AddressRefused, createLookup, isPublicAddress, type Resolve } from "./addresses.ts";

test.each([
  ["0.0.0.0", "this network"],
  ["0.1.2.3", "this network"],
  ["10.1.2.3", "RFC 1918"],
  ["172.16.0.1", "RFC 1918"],
  ["172.31.255.255", "RFC 1918"],
  ["192.168.1.1", "RFC 1918"],
  ["100.64.0.1", "CGNAT"],
  ["100.100.100.200", "metadata of Alibaba Cloud"],
  ["127.0.0.1", "loopback"],
  ["127.255.255.254", "loopback"],
  ["169.254.169.254", "metadata"],
  ["168.63.129.16", "metadata of Azure"],
  ["192.0.0.192", "metadata of Oracle Cloud"],
  ["192.0.2.1", "documentation"],
  ["198.18.0.1", "benchmarks"],
  ["224.0.0.1", "multicast"],
  ["255.255.255.255", "broadcast"],
  ["::", "unspecified"],
  ["::1", "loopback"],
  ["::ffff:127.0.0.1", "IPv4-mapped"],
  ["::ffff:8.8.8.8", "IPv4-mapped"],
  ["::127.0.0.1", "IPv4-compatible"],
  ["64:ff9b::7f00:1", "NAT64"],
  ["64:ff9b:1::a00:1", "NAT64"],
  ["2001::1", "Teredo"],
  ["2001:db8::1", "documentation"],
  ["2002:7f00:1::", "6to4"],
  ["fc00::1", "unique local"],
  ["fd00:ec2::254", "metadata"],
  ["fe80::1", "link local"],
  ["fe80::1%eth0", "link local"],
  ["fec0::1", "site local"],
  ["ff02::1", "multicast"],
  ["example.org", "no address"],
  ["", "no address"],
])("%s is not public: %s", (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each(["8.8.8.8", "93.184.215.14", "172.32.0.1", "100.128.0.1", "2606:2800:21f:cb07::1", "2a00:1450:4001:80b::200e"])(
  "%s is public",
  (address) => {
    expect(isPublicAddress(address)).toBe(true);
  },
);

const resolvesTo =
  (...answers: string[][]): Resolve =>
  (_, __, callback) => {
    const addresses = (answers.length > 1 ? answers.shift() : answers[0]) ?? [];
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
    );
  };

/** Returns what a connection would go to. */
function lookUp(allowsPrivate: boolean, resolve: Resolve, all = true): Promise<unknown> {
  return new Promise((done, fail) => {
    createLookup(allowsPrivate, resolve)("receiver.example.org", { all }, (error, found) => (error ? fail(error) : done(found)));
  });
}

test("a name is refused if one of its addresses is private, in either form of the question", async () => {
  await expect(lookUp(false, resolvesTo(["93.184.215.14", "10.0.0.1"]))).rejects.toBeInstanceOf(AddressRefused);
  await expect(lookUp(false, resolvesTo(["::ffff:10.0.0.1"]), false)).rejects.toBeInstanceOf(AddressRefused);
  expect(await lookUp(false, resolvesTo(["93.184.215.14"]))).toEqual([{ address: "93.184.215.14", family: 4 }]);
  expect(await lookUp(false, resolvesTo(["93.184.215.14"]), false)).toBe("93.184.215.14");
  expect(await lookUp(true, resolvesTo(["10.0.0.1"]), false)).toBe("10.0.0.1");
});

test("each connection is checked anew, so a name server that changes its answer gains nothing", async () => {
  const rebinding = resolvesTo(["93.184.215.14"], ["127.0.0.1"]);
  expect(await lookUp(false, rebinding, false)).toBe("93.184.215.14");
  await expect(lookUp(false, rebinding, false)).rejects.toBeInstanceOf(AddressRefused);
});
