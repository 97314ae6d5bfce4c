import { fireEvent, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useForm } from "react-hook-form";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Field } from "../../core/dictionary/fields.ts";
import { KIND_NAMES, type Kind } from "../../core/dictionary/kinds.ts";
import { FORMAT_NAMES, type TextFormat } from "../../core/dictionary/text-formats.ts";
import { collectionOf, fieldOfKind } from "../testing/fields.ts";
import { FieldInput } from "./field-input.tsx";
import { setLocale } from "./format.ts";

interface Example {
  role: "textbox" | "combobox";
  /** The input's type, or what the user may choose from. */
  offers: string | string[];
  /** The keyboard that a phone shows; empty where the input's type says it. */
  keyboard: string;
  entered: string;
  /** Says what the form then holds, if not the same. */
  held?: string;
}

/** A kind that is not here does not compile. */
const EXAMPLES: Record<Kind, Example> = {
  string: { role: "textbox", offers: "text", keyboard: "", entered: "Ångström" },
  integer: { role: "textbox", offers: "text", keyboard: "numeric", entered: "42" },
  number: { role: "textbox", offers: "text", keyboard: "decimal", entered: "4150.50" },
  decimal: { role: "textbox", offers: "text", keyboard: "decimal", entered: "4150.50" },
  boolean: { role: "combobox", offers: ["Unknown", "Yes", "No"], keyboard: "", entered: "Yes", held: "true" },
  date: { role: "textbox", offers: "text", keyboard: "", entered: "30 June 1985" },
  datetime: { role: "textbox", offers: "text", keyboard: "", entered: "2026-01-31T08:30" },
  time: { role: "textbox", offers: "text", keyboard: "", entered: "2:05 pm" },
  year: { role: "textbox", offers: "text", keyboard: "numeric", entered: "1985" },
  list: { role: "textbox", offers: "text", keyboard: "", entered: "a, b" }, // a form draws its own: list-input.test.tsx
  file: { role: "textbox", offers: "text", keyboard: "", entered: "pump.jpg" }, // of a filter; a form draws its own
  files: { role: "textbox", offers: "text", keyboard: "", entered: "pump.jpg" },
};

function FormOf({ field, readOnly = false, problem }: { field: Field; readOnly?: boolean; problem?: string }) {
  const { register, watch } = useForm<Record<string, string>>({ defaultValues: { [field.name]: "" } });
  return (
    <>
      <FieldInput field={field} register={register(field.name)} problem={problem} readOnly={readOnly} wide />
      <output aria-label="Held">{watch(field.name)}</output>
    </>
  );
}

beforeEach(() => setLocale("en-US"));
afterEach(() => setLocale(""));

const input = () => screen.getByLabelText("Thing");

describe.each(KIND_NAMES)("a field of the kind %s", (kind) => {
  const { role, offers, keyboard, entered, held = entered } = EXAMPLES[kind];

  test("has the input that its kind needs, under its title", () => {
    render(<FormOf field={fieldOfKind(kind)} />);
    expect(screen.getByRole(role, { name: "Thing" })).toBe(input());
    if (typeof offers === "string") expect(input().getAttribute("type")).toBe(offers);
    else expect(screen.getAllByRole("option").map(({ textContent }) => textContent)).toEqual(offers);
    expect(input().getAttribute("inputmode") ?? "").toBe(keyboard);
  });

  test("takes what the user enters", async () => {
    const user = userEvent.setup();
    render(<FormOf field={fieldOfKind(kind)} />);
    if (role === "combobox") await user.selectOptions(input(), entered);
    else await user.type(input(), entered);
    expect(screen.getByLabelText("Held").textContent).toBe(held);
  });
});

/** The input's type, the keyboard that a phone shows, and what the user types. */
const FORMATS: Record<TextFormat, [type: string, keyboard: string, typed: string]> = {
  email: ["text", "email", "müller@exämple.de"],
  uri: ["url", "", "https://example.com/a"],
  phone: ["tel", "", "+49 (0)30 123456"],
  multiline: ["textarea", "", "one{Enter}two"],
};

describe.each(FORMAT_NAMES)("text of the format %s", (format) => {
  const field = collectionOf([{ name: "thing", title: "Thing", type: "string", format }]).byName.get("thing") as Field;

  test("has its input, and takes what is typed as it is", async () => {
    const user = userEvent.setup();
    render(<FormOf field={field} />);
    const [type, keyboard, typed] = FORMATS[format];
    const found = screen.getByRole("textbox", { name: "Thing" }) as HTMLInputElement;
    expect([found.type, found.getAttribute("inputmode") ?? ""]).toEqual([type, keyboard]);
    await user.type(found, typed);
    expect(screen.getByLabelText("Held").textContent).toBe(typed.replace("{Enter}", "\n"));
  });
});

describe("every field", () => {
  test("says what it expects", () => {
    const { fields } = collectionOf([
      { name: "thing", title: "Thing", type: "string", description: "A word.", constraints: { maxLength: 20 } },
    ]);
    render(<FormOf field={fields[1] as Field} />);
    expect(screen.getByText("A word.").closest("[id]")?.id).toBe(input().getAttribute("aria-describedby"));
    expect(input().getAttribute("aria-required")).toBe("false");
    expect(screen.getByText("Thing").dataset.required).toBeUndefined();
  });

  test("that is required says so to a screen reader, and its label is marked", () => {
    render(<FormOf field={fieldOfKind("string", { required: true })} />);
    expect(input().getAttribute("aria-required")).toBe("true");
    expect(screen.getByText("Thing").dataset.required).toBe("true");
  });

  test("shows its problem in words and is marked as wrong", () => {
    render(<FormOf field={fieldOfKind("integer")} problem="Thing must be a whole number." />);
    expect(screen.getByText("Thing must be a whole number.")).toBeTruthy();
    expect(input().getAttribute("aria-invalid")).toBe("true");
  });

  test("with a list of values offers these and no others", () => {
    render(<FormOf field={fieldOfKind("string", { required: true, enum: ["Lagos", "Seoul"] })} />);
    expect(screen.getAllByRole("option").map(({ textContent }) => textContent)).toEqual(["Choose…", "Lagos", "Seoul"]);
  });

  test("with categories offers their labels, and holds the value", async () => {
    const user = userEvent.setup();
    const categories = [
      { value: "nl", label: "Netherlands" },
      { value: "de", label: "Germany" },
    ];
    const field = collectionOf([{ name: "thing", title: "Thing", type: "string", categories }]).byName.get("thing") as Field;
    render(<FormOf field={field} />);
    expect(screen.getAllByRole("option").map(({ textContent }) => textContent)).toEqual(["None", "Netherlands", "Germany"]);
    await user.selectOptions(input(), "Germany");
    expect(screen.getByLabelText("Held").textContent).toBe("de");
  });

  test("that is the key of a stored record is shown and cannot be changed", async () => {
    const user = userEvent.setup();
    render(<FormOf field={fieldOfKind("integer")} readOnly />);
    await user.type(input(), "7");
    expect(screen.getByLabelText("Held").textContent).toBe("");
    expect(screen.getByText("Cannot be changed.")).toBeTruthy();
  });
});

test("a stored value that the list of values no longer has is among the choices, and says so", () => {
  const field: Field = { ...fieldOfKind("string"), enum: ["a", "b"] };
  const Stored = ({ stored }: { stored: string }) => (
    <FieldInput field={field} register={useForm().register(field.name)} stored={stored} problem={undefined} wide />
  );
  const { rerender } = render(<Stored stored="00071-A" />);
  const offered = () => screen.getAllByRole<HTMLOptionElement>("option").map(({ value, textContent }) => [value, textContent]);
  expect(offered()).toContainEqual(["00071-A", "00071-A (no longer a choice)"]);
  rerender(<Stored stored="b" />);
  expect(offered()).toEqual(["", "a", "b"].map((value) => [value, value || "None"]));
});

describe("a date", () => {
  test("is one stop of Tab, and says its form; its button and Alt+Down open the browser's picker", async () => {
    const opened = vi.fn();
    HTMLInputElement.prototype.showPicker = opened;
    const user = userEvent.setup();
    render(<FormOf field={fieldOfKind("date")} />);
    await user.tab();
    expect(document.activeElement).toBe(input());
    expect(input().getAttribute("placeholder")).toBe("Month/Day/Year");
    const described = (input().getAttribute("aria-describedby") ?? "").split(" ").map((id) => document.getElementById(id)?.textContent);
    expect(described).toContain("Month/Day/Year");
    await user.keyboard("{Alt>}{ArrowDown}{/Alt}");
    await user.click(screen.getByRole("button", { name: "Choose a day" }));
    expect(opened).toHaveBeenCalledTimes(2);
    expect(document.activeElement).toBe(input());
    await user.tab();
    expect(document.activeElement).toBe(document.body);
  });

  test("is taken from the picker as the reader writes it, and again", async () => {
    render(<FormOf field={fieldOfKind("date")} />);
    const picker = document.querySelector("input[type=date]") as HTMLInputElement;
    for (const [day, text] of [
      ["2026-03-09", "3/9/2026"],
      ["2026-12-31", "12/31/2026"],
      ["", ""],
    ] as const) {
      fireEvent.change(picker, { target: { value: day } });
      expect(screen.getByLabelText("Held").textContent).toBe(text);
    }
  });

  test("is written as the reader writes it when the input is left; what is no date stays", async () => {
    const user = userEvent.setup();
    render(<FormOf field={fieldOfKind("date")} />);
    for (const [typed, text] of [
      ["14 March 2019", "3/14/2019"],
      ["soon", "soon"],
    ] as const) {
      await user.clear(input());
      await user.type(input(), typed);
      await user.tab();
      expect((input() as HTMLInputElement).value).toBe(text);
      expect(screen.getByLabelText("Held").textContent).toBe(text);
    }
  });

  test("that cannot be changed has no button", () => {
    render(<FormOf field={fieldOfKind("date")} readOnly />);
    expect(screen.queryByRole("button")).toBeNull();
  });
});

test("a value that does not fit the other fields is called as people call it", () => {
  const field = collectionOf([
    {
      name: "land",
      title: "Land",
      type: "string",
      categories: [
        { value: "de", label: "Germany" },
        { value: "nl", label: "Netherlands" },
      ],
    },
  ]).byName.get("land") as Field;
  const given = { isRequired: false, choices: ["nl"], text: "de" };
  const Given = () => <FieldInput field={field} register={useForm().register("land")} given={given} problem={undefined} wide />;
  render(<Given />);
  const options = screen.getAllByRole<HTMLOptionElement>("option").map(({ value, textContent }) => [value, textContent]);
  expect(options).toContainEqual(["de", "Germany (no longer a choice)"]);
});
