import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Field } from "../../../core/dictionary/fields.ts";
import { collectionOf } from "../../testing/fields.ts";
import { setLocale } from "../format.ts";
import { ListInput } from "./list-input.tsx";

beforeEach(() => setLocale("en-US"));
afterEach(() => setLocale(""));

function fieldOf(more: object): Field {
  return collectionOf([{ name: "thing", title: "Thing", type: "list", ...more }]).byName.get("thing") as Field;
}

const few = fieldOf({ categories: [{ value: "a", label: "Apple" }, { value: "b", label: "Bear, brown" }, "c"] });
const many = fieldOf({ categories: ["ash", "birch", "cedar", "elm", "fir", "hazel", "larch", "maple"] });

function Held({ field, text: first = "", ...more }: { field: Field; text?: string; isShort?: boolean; readOnly?: boolean }) {
  const [text, setText] = useState(first);
  return (
    <>
      <label htmlFor="thing">Thing</label>
      <ListInput id="thing" name="thing" field={field} text={text} onText={setText} {...more} />
      <section aria-label="Held">{text}</section>
    </>
  );
}

const held = () => screen.getByLabelText("Held").textContent;
const input = () => screen.getByLabelText("Thing", { selector: "input" });
const chips = () =>
  within(screen.getByRole("list", { name: "Thing: values" }))
    .queryAllByRole("listitem")
    .map((one) => one.querySelector("bdi")?.textContent);

describe("a short closed list", () => {
  test("has a checkbox for each value, and keeps one that has left the list until it is unchecked", async () => {
    const user = userEvent.setup();
    render(<Held field={few} text="old,b" />);
    const group = screen.getByRole("group", { name: "Thing" });
    expect(
      within(group)
        .getAllByRole("checkbox")
        .map((one) => (one as HTMLInputElement).checked),
    ).toEqual([false, true, false, true]);
    await user.click(screen.getByRole("checkbox", { name: "Apple" }));
    expect(held()).toBe("a,b,old");
    await user.click(screen.getByRole("checkbox", { name: /no longer a choice/ }));
    await user.click(screen.getByRole("checkbox", { name: "Bear, brown" }));
    expect(held()).toBe("a");
  });

  test("is an input with chips in a row, where a label may be typed", async () => {
    const user = userEvent.setup();
    render(<Held field={few} isShort />);
    await user.type(input(), "apple{Enter}");
    expect([held(), chips()]).toEqual(["a", ["Apple"]]);
  });
});

describe("a long closed list", () => {
  test("is searched with the keyboard, and what is there is not offered again", async () => {
    const user = userEvent.setup();
    render(<Held field={many} text="ash" />);
    await user.type(input(), "ar");
    expect(screen.getByRole("combobox").getAttribute("aria-expanded")).toBe("true");
    expect(screen.getAllByRole("option", { hidden: true }).map(({ textContent }) => textContent)).toEqual(["cedar", "larch"]);
    await user.keyboard("{ArrowDown}{Enter}");
    expect([held(), chips()]).toEqual(["ash,larch", ["ash", "larch"]]);
    expect(screen.getByRole("status").textContent).toBe("larch added.");
    await user.type(input(), "ash");
    expect(screen.queryAllByRole("option", { hidden: true })).toEqual([]);
    await user.keyboard("{Enter}");
    expect([held(), screen.getByRole("status").textContent]).toEqual(["ash,larch", "ash is there already."]);
  });

  test("drops nothing that was typed: what is none of the list becomes a chip, which the form refuses", async () => {
    const user = userEvent.setup();
    render(<Held field={many} />);
    await user.type(input(), "oak");
    await user.tab();
    expect(held()).toBe("oak");
  });
});

describe("free text", () => {
  const field = fieldOf({ delimiter: ";" });

  test("gets a value by Enter, by a delimiter and by leaving, and loses the last by Backspace", async () => {
    const user = userEvent.setup();
    render(<Held field={field} />);
    await user.type(input(), "one{Enter}two;three,four");
    await user.tab();
    expect(held()).toBe("one;two;three;four");
    await user.click(input());
    await user.keyboard("{Backspace}");
    expect([held(), screen.getByRole("status").textContent]).toEqual(["one;two;three", "four taken out."]);
  });

  test("splits what is pasted, and quotes a value with the field's delimiter", async () => {
    const user = userEvent.setup();
    render(<Held field={field} text={'"x;y"'} />);
    expect(chips()).toEqual(["x;y"]);
    await user.click(input());
    await user.paste("a, b; c\nb");
    expect(held()).toBe('"x;y";a;b;c');
  });

  test("has its chips within reach of the arrow keys, from which one is taken out", async () => {
    const user = userEvent.setup();
    render(<Held field={field} text="a;b;c" />);
    await user.click(input());
    await user.keyboard("{ArrowLeft}{ArrowLeft}");
    expect(document.activeElement?.getAttribute("aria-label")).toBe("Take out b");
    await user.keyboard("{Delete}");
    expect([held(), document.activeElement]).toEqual(["a;c", input()]);
  });
});

test("what may only be seen is neither taken out nor added by keys and pastes", async () => {
  const user = userEvent.setup();
  render(<Held field={few} text="a,b" readOnly />);
  await user.click(input());
  await user.keyboard("{Backspace}{ArrowDown}{Enter}");
  await user.paste("c;d");
  expect([held(), chips()]).toEqual(["a,b", ["Apple", "Bear, brown"]]);
  expect(screen.getByRole("combobox").getAttribute("aria-expanded")).toBe("false");
});

describe("what is typed and not yet a chip is saved with the others", () => {
  test("by a press of a button that leaves the focus in the input", async () => {
    const user = userEvent.setup();
    const sent: (string | null)[] = [];
    render(
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setTimeout(() => sent.push(held()));
        }}
      >
        <Held field={fieldOf({})} text="one" />
        <button type="submit" onMouseDown={(event) => event.preventDefault()}>
          Save
        </button>
      </form>,
    );
    await user.type(input(), "two");
    await user.click(screen.getByRole("button", { name: "Save" }));
    await waitFor(() => expect(sent).toEqual(["one,two"]));
    expect(document.activeElement).toBe(input());
  });

  test("by the arrow keys, with which a row of the list saves", async () => {
    const user = userEvent.setup();
    const sent: (string | null)[] = [];
    render(
      // biome-ignore lint/a11y/noStaticElementInteractions: a row of the list hears these keys
      <div onKeyDown={({ key }) => key === "ArrowDown" && setTimeout(() => sent.push(held()))}>
        <Held field={fieldOf({})} text="one" isShort />
      </div>,
    );
    await user.type(input(), "two{ArrowDown}");
    await waitFor(() => expect(sent).toEqual(["one,two"]));
  });
});

test("numbers are typed and shown as the reader writes them", async () => {
  setLocale("de-DE");
  const user = userEvent.setup();
  render(<Held field={fieldOf({ itemType: "number" })} text="1234.5" />);
  expect(chips()).toEqual(["1.234,5"]);
  await user.type(input(), "2,5;7{Enter}");
  expect(held()).toBe("1234.5,2.5,7");
});
