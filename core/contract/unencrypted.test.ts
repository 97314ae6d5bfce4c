import { expect, test } from "vitest";
import { isUnencrypted } from "./unencrypted.ts";

test.each([
  ["http://intake.example.org", true],
  ["HTTP://intake.example.org:8080/v1", true],
  ["http://10.0.0.7", true],
  ["http://localhost@intake.example.org/", true],
  ["http://localhost.example.org/", true],
  ["http://127.0.0.1.example.org/", true],
  ["http://[2001:db8::1]:8080", true],
  ["https://intake.example.org", false],
  ["http://localhost:8080", false],
  ["http://intake.localhost", false],
  ["http://127.0.0.1:8080/v1", false],
  ["http://127.1", false],
  ["http://[::1]:8080", false],
  ["/v1", false],
])("a secret sent to %s can be read on the way: %s", (url, expected) => {
  expect(isUnencrypted(url)).toBe(expected);
});
