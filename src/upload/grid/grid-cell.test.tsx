import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, test } from "vitest";
import { CellInput, CellText } from "./grid-cell.tsx";
import type { GridCommand } from "./grid-keys.ts";

describe("a cell of the grid", () => {
  test("shows its text", () => {
    render(<CellText text="Ångström" isWrong={false} isEmptyWrong={false} />);
    expect(screen.getByText("Ångström").closest("mark")).toBeNull();
  });

  test("marks a text that is wrong, and says that an empty one is missing", () => {
    render(
      <>
        <CellText text="007" isWrong isEmptyWrong={false} />
        <CellText text="" isWrong isEmptyWrong />
      </>,
    );
    expect(screen.getByText("007").tagName).toBe("MARK");
    expect(screen.getByText("missing").tagName).toBe("MARK");
  });

  test("cuts a very long text for the eye", () => {
    render(<CellText text={"x".repeat(500)} isWrong={false} isEmptyWrong={false} />);
    expect(screen.getByText(/^x+…$/).textContent).toHaveLength(301);
  });
});

function draw(props: { text: string; start?: string; why?: string; hasLines?: boolean }) {
  const saved: string[] = [];
  const commands: GridCommand[] = [];
  let left = 0;
  const { text, start, why, hasLines = false } = props;
  render(
    <>
      {why && <span id="why">{why}</span>}
      <CellInput
        label="Age, row 7"
        text={text}
        start={start}
        describedBy={why && "why"}
        isWrong={why !== undefined}
        hasLines={hasLines}
        onSave={(now) => saved.push(now)}
        onEnd={(command) => commands.push(command)}
        onLeave={() => {
          left += 1;
        }}
      />
      <button type="button">Elsewhere</button>
    </>,
  );
  const input = screen.getByRole("textbox", { name: "Age, row 7" }) as HTMLInputElement;
  return { user: userEvent.setup(), input, saved, commands, left: () => left };
}

describe("a cell that is edited", () => {
  test("keeps the line breaks of a field of several lines", async () => {
    const { user, saved } = draw({ text: "one\ntwo", hasLines: true });
    await user.keyboard("{End}!{Enter}");
    expect(saved).toEqual(["one\ntwo!"]);
  });

  test("has the focus and its whole text selected, so that typing replaces it", async () => {
    const { user, input } = draw({ text: "abc" });
    expect(document.activeElement).toBe(input);
    await user.keyboard("7");
    expect(input.value).toBe("7");
  });

  test("begins with the letter that opened it, and goes on after that", async () => {
    const { user, input } = draw({ text: "abc", start: "4" });
    await user.keyboard("2");
    expect(input.value).toBe("42");
  });

  test("says why it is wrong", () => {
    const { input } = draw({ text: "abc", why: "Age must be a whole number." });
    expect(input.getAttribute("aria-invalid")).toBe("true");
    expect(document.getElementById(input.getAttribute("aria-describedby") ?? "")?.textContent).toBe("Age must be a whole number.");
  });

  test.each([
    ["{Enter}", { is: "move", rows: 1, fields: 0 }],
    ["{Shift>}{Enter}{/Shift}", { is: "move", rows: -1, fields: 0 }],
    ["{Tab}", { is: "move", rows: 0, fields: 1 }],
    ["{Shift>}{Tab}{/Shift}", { is: "move", rows: 0, fields: -1 }],
  ] as const)("is saved by %s, which goes on to the next cell", async (key, move) => {
    const { user, saved, commands } = draw({ text: "abc" });
    await user.keyboard(`41${key}`);
    expect(saved).toEqual(["41"]);
    expect(commands).toEqual([move]);
  });

  test("keeps its old text when Escape ends it", async () => {
    const { user, saved, commands } = draw({ text: "abc" });
    await user.keyboard("41{Escape}");
    expect(saved).toEqual([]);
    expect(commands).toEqual([{ is: "move", rows: 0, fields: 0 }]);
  });

  test("is saved when the user clicks elsewhere", async () => {
    const { user, saved, left } = draw({ text: "abc" });
    await user.keyboard("41");
    await user.click(screen.getByRole("button", { name: "Elsewhere" }));
    expect([saved, left()]).toEqual([["41"], 1]);
  });

  test("that was not changed is not saved", async () => {
    const { user, saved } = draw({ text: "abc" });
    await user.keyboard("{Enter}");
    expect(saved).toEqual([]);
  });
});
