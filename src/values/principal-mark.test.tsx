import { render } from "@testing-library/react";
import { expect, test } from "vitest";
import type { SourceType } from "../../core/contract/history.ts";
import { PrincipalMark } from "./principal-mark.tsx";

const ada = { type: "user", id: "1", name: "Ada Fox" } as const;
const drawn = (by: Parameters<typeof PrincipalMark>[0]["by"], source: SourceType) => {
  const { container } = render(<PrincipalMark by={by} source={source} />);
  return container.querySelector("svg") ? "icon" : container.textContent;
};

test("a person who typed has letters; files, programs and what nobody knows any more have an icon", () => {
  expect(drawn(ada, "form")).toBe("AF");
  expect((["upload", "batch", "api", "undo"] as const).map((source) => drawn(ada, source))).toEqual(Array(4).fill("icon"));
  expect([drawn({ ...ada, type: "key" }, "form"), drawn(null, "form")]).toEqual(["icon", "icon"]);
});
