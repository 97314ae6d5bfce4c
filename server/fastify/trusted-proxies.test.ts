import { expect, test } from "vitest";
import { trustOf } from "./trusted-proxies.ts";

const isTrusted = trustOf(["10.0.0.0/8", "192.0.2.1", "2001:db8:1::/48", "::1", "::ffff:198.51.100.0/120", "::ffff:203.0.113.9"]);

test.each([
  "10.1.2.3",
  "10.1.2.3:4711",
  "::ffff:10.1.2.3",
  "192.0.2.1",
  "2001:DB8:1::7",
  "[2001:db8:1::7]:4711",
  "::1",
  "0:0:0:0:0:0:0:1",
  "198.51.100.200",
  "203.0.113.9",
])("%s is an address of a trusted proxy", (address) => {
  expect(isTrusted(address)).toBe(true);
});

test.each(["11.1.2.3", "192.0.2.2", "2001:db8:2::7", "::2", "198.51.101.1", "203.0.113.8", "", "unknown", "10.1.2", "10.1.2.3:x"])(
  "%j is none",
  (address) => {
    expect(isTrusted(address)).toBe(false);
  },
);

test("a wide range of IPv6 has none of IPv4", () => {
  const trustsHalf = trustOf(["::/1"]);
  expect(["::7", "127.0.0.1", "::ffff:127.0.0.1"].map(trustsHalf)).toEqual([true, false, false]);
});
