import { describe, expect, test } from "vitest";
import { addressProblem, foldEmail, isSameAddress } from "./addresses.ts";

describe("an address", () => {
  test.each(["anna.berg@example.org", "O'Neill+x@mail.example.co", "jürgen@müller.example", "a@xn--mller-kva.example", "用户@例子.公司"])(
    "%s is taken",
    (address) => {
      expect(addressProblem(address)).toBeUndefined();
    },
  );

  test.each([
    ["the Kelvin sign", "\u212aate@example.org"],
    ["a long s", "\u017fam@example.org"],
    ["a letter of full width", "\uff4bate@example.org"],
    ["a letter and its accent apart", "u\u0308@example.org"],
    ["a ligature", "\ufb01n@example.org"],
    ["a zero width space", "ka\u200bte@example.org"],
    ["a joiner", "ka\u200dte@example.org"],
    ["a soft hyphen", "kate@exam\u00adple.org"],
    ["a filler", "ka\u3164te@example.org"],
    ["a variation selector", "kate\ufe0f@example.org"],
    ["a tag", "kate\u{e0041}@example.org"],
    ["a direction mark", "kate\u200e@example.org"],
  ])("with %s is refused: it reads as another one", (_, address) => {
    expect(addressProblem(address)).toBe("hidden");
  });

  test.each([
    "",
    "kate",
    "kate@",
    "@example.org",
    "kate@example",
    "kate@example.org.",
    "kate@.example.org",
    "kate@example..org",
    "a b@example.org",
    "kate@example.org/path",
    "kate@example.org:25",
    "kate@example.org?x",
    "kate@example.org#x",
    "kate@ex%61mple.org",
    "kate@other.org@example.org",
    "kate@[127.0.0.1]",
    "kate@example\u3002org",
    "kate@xn--a.example",
    `${"a".repeat(65)}@example.org`,
    `kate@${"a.".repeat(130)}org`,
  ])("%j is none", (address) => {
    expect(addressProblem(address)).toBe("form");
  });
});

test("addresses are folded by ASCII letters and by the name that the DNS has", () => {
  expect(foldEmail(" Kate@Example.ORG ")).toBe("kate@example.org");
  expect(foldEmail("Mia@MÜLLER.example")).toBe("mia@xn--mller-kva.example");
  expect(foldEmail("mia@xn--mller-kva.EXAMPLE")).toBe("mia@xn--mller-kva.example");
  expect(foldEmail("ÉVA@example.org")).not.toBe(foldEmail("éva@example.org"));
  // What is no address stays what it is, and so is nobody's.
  for (const text of [
    "\u212aate@example.org",
    "\u0130@example.org",
    "kate@example.org/x",
    "kate@example.org.",
    "kate@ex%61mple.org",
    "kate",
    "",
  ])
    expect(foldEmail(text)).toBe(text);
});

test("an address is the same only with the same characters", () => {
  expect(isSameAddress("Kate@example.org", "kate@EXAMPLE.org")).toBe(true);
  expect(isSameAddress("mia@müller.example", "mia@xn--mller-kva.example")).toBe(false);
});
