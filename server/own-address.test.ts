import { expect, test } from "vitest";
import { ownAddress } from "./own-address.ts";

test.each([
  ["127.0.0.1", "127.0.0.1", "http://127.0.0.1:8080", false],
  ["::1", "::1", "http://[::1]:8080", false],
  ["intake.lan", "192.168.0.7", "http://intake.lan:8080", false],
  ["0.0.0.0", "0.0.0.0", "http://localhost:8080", true],
  ["::", "::", "http://localhost:8080", true],
  ["0", "0.0.0.0", "http://localhost:8080", true],
])("the service with HOST %s, which listens on %s, is opened at %s", (host, address, url, isEverywhere) => {
  expect(ownAddress(host, { address, port: 8080 })).toEqual({ url, isEverywhere });
});
