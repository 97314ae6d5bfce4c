import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Field } from "../../core/dictionary/fields.ts";
import type { TextFormat } from "../../core/dictionary/text-formats.ts";
import { collectionOf } from "../testing/fields.ts";
import { ContactLink, hrefOf } from "./contact-link.tsx";

const fieldOf = (format: TextFormat | "default") =>
  collectionOf([{ name: "thing", title: "Thing", type: "string", format }]).byName.get("thing") as Field;

test.each<[TextFormat | "default", string, string | undefined]>([
  ["email", "anna@example.com", "mailto:anna@example.com"],
  ["email", "a&b?c@example.com", "mailto:a%26b%3Fc@example.com"],
  ["email", "anna@", undefined],
  ["phone", "+49 (0)30 12-34", "tel:+49301234"],
  ["phone", "(030) 1234 ext. 5", "tel:0301234;ext=5"],
  ["phone", "none", undefined],
  ["uri", "https://example.com/a?b=1", "https://example.com/a?b=1"],
  ["uri", "ftp://example.com/a", undefined],
  ["uri", "javascript:alert(1)", undefined],
  ["multiline", "https://example.com", undefined],
  ["default", "https://example.com", undefined],
])("a value of the format %s, %s, leads to %s", (format, text, href) => {
  expect(hrefOf(fieldOf(format), text)).toBe(href);
});

test("a page opens elsewhere and learns nothing about this one; a screen reader hears which", () => {
  render(<ContactLink field={fieldOf("uri")} text="https://example.com" />);
  const link = screen.getByRole("link", { name: "Open page: https://example.com" });
  expect([link.textContent, link.getAttribute("target"), link.getAttribute("rel")]).toEqual(["Open page", "_blank", "noopener noreferrer"]);
});

test("what is no address is shown as the text that it is", () => {
  render(
    <ContactLink field={fieldOf("uri")} text="data:text/html,x">
      data:text/html,x
    </ContactLink>,
  );
  expect(screen.getByText("data:text/html,x")).toBeTruthy();
  expect(screen.queryByRole("link")).toBeNull();
});
