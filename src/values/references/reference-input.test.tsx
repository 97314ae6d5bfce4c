import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { useForm } from "react-hook-form";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Collection } from "../../../core/dictionary/collections.ts";
import type { Field } from "../../../core/dictionary/fields.ts";
import type { Fields } from "../../../core/dictionary/validate.ts";
import { recordResolver } from "../../records/form/resolver.ts";
import { drawPart, openTestApp, type TestApp } from "../../testing/test-app.tsx";
import type { Texts } from "../field-text.ts";
import { FormReference } from "./reference-input.tsx";

let app: TestApp;
let orders: Collection;
let customer: Field;
let contact: Field;

beforeAll(async () => {
  app = await openTestApp("core/dictionary/orders.example.json");
  orders = app.service.collections.find(({ name }) => name === "orders") as Collection;
  customer = orders.byName.get("customerId") as Field;
  contact = orders.byName.get("contactId") as Field;
  for (const [objectId, name, accountNumber] of [
    [501, "Bäckerei Ångström", "A-1"],
    [502, "van Bakel Transport", "A-2"],
    [503, "Bakker & Zonen", "A-3"],
  ]) {
    const { status } = await app.service.call("POST", "/v1/customers", { objectId, name, accountNumber });
    expect(status).toBe(201);
  }
});
afterAll(() => app.close());

/** The input in a form, what the form holds, and an input after it. */
function OrderForm({ text = "", readOnly = false, onCreate }: { text?: string; readOnly?: boolean; onCreate?: (typed: string) => void }) {
  const form = useForm<Texts, unknown, Fields>({
    defaultValues: { customerId: text },
    resolver: recordResolver(orders),
    mode: "onTouched",
  });
  return (
    <form>
      <label htmlFor="field-customerId">Customer</label>
      <FormReference
        field={customer}
        id="field-customerId"
        control={form.control}
        {...form.register("customerId")}
        readOnly={readOnly}
        aria-invalid={form.formState.errors.customerId !== undefined}
        {...(onCreate && { onCreate })}
      />
      <output aria-label="Held">{form.watch("customerId")}</output>
      <output aria-label="Problem">{form.formState.errors.customerId?.message}</output>
      <input aria-label="Next" />
    </form>
  );
}

test("a reference that may only be seen is shown by the name of its record, and offers no other one", async () => {
  const { user } = await drawPart(app, <OrderForm text="502" readOnly />);
  const input = (await screen.findByLabelText("Customer")) as HTMLInputElement;
  await waitFor(() => expect(input.value).toBe("van Bakel Transport"));
  await user.click(input);
  await user.keyboard("{ArrowDown}Ba{Enter}");
  expect(input.getAttribute("aria-expanded")).toBe("false");
  expect(screen.queryByRole("button", { name: /^Clear/ })).toBeNull();
  expect(screen.getByLabelText("Held").textContent).toBe("502");
});

/** The contact of an order, and its customer as a number. */
function ContactForm({ of }: { of: string }) {
  const form = useForm<Texts, unknown, Fields>({ defaultValues: { customerId: of, contactId: "" } });
  return (
    <form>
      <input aria-label="Of" {...form.register("customerId")} />
      <FormReference aria-label="Contact" field={contact} id="field-contactId" control={form.control} {...form.register("contactId")} />
    </form>
  );
}

test("offers only records that agree with the form, and follows it", async () => {
  for (const [objectId, customerId, name] of [
    [601, 501, "Zoë"],
    [602, 502, "Bo"],
  ])
    expect((await app.service.call("POST", "/v1/contacts", { objectId, customerId, name })).status).toBe(201);
  const { user } = await drawPart(app, <ContactForm of="501" />);
  const names = () => options().map((option) => option.querySelector("bdi")?.textContent);
  const open = async () => user.click(screen.getByRole("combobox", { name: "Contact" }));
  await open();
  await waitFor(() => expect(names()).toEqual(["Zoë"]));
  for (const [of, offered] of [
    ["502", ["Bo"]],
    ["", ["Bo", "Zoë"]],
    ["nobody", ["Bo", "Zoë"]],
  ] as const) {
    await user.clear(screen.getByRole("textbox", { name: "Of" }));
    if (of) await user.type(screen.getByRole("textbox", { name: "Of" }), of);
    await open();
    await waitFor(() => expect(names().sort()).toEqual(offered));
  }
});

const input = () => screen.getByRole<HTMLInputElement>("combobox", { name: "Customer" });
const held = () => screen.getByLabelText("Held").textContent;
const options = () => within(screen.getByRole("listbox")).getAllByRole("option");
const chosen = () => options().find((option) => option.getAttribute("aria-selected") === "true");

describe("the input of a reference", () => {
  test("finds records by the beginnings of words, and Enter chooses the one that is marked", async () => {
    const { user } = await drawPart(app, <OrderForm />);
    await user.type(input(), "bak");
    await waitFor(() => expect(options()).toHaveLength(2));
    await user.keyboard("{ArrowDown}");
    expect(input().getAttribute("aria-activedescendant")).toBe(chosen()?.id);
    const name = chosen()?.querySelector("bdi")?.textContent as string;
    await user.keyboard("{Enter}");
    await waitFor(() => expect(input().value).toBe(name));
    expect(held()).toBe(name === "Bakker & Zonen" ? "503" : "502");
    expect(screen.queryByRole("listbox")).toBeNull();
    expect(document.activeElement).toBe(input());
  });

  test("shows the name of the record whose key the form holds", async () => {
    await drawPart(app, <OrderForm text="501" />);
    await waitFor(() => expect(input().value).toBe("Bäckerei Ångström"));
  });

  test("says when that record is not there", async () => {
    await drawPart(app, <OrderForm text="599" />);
    expect(await screen.findByText("There is no customer 599")).toBeTruthy();
    expect(input().value).toBe("599");
  });

  test("is left by Tab with the record that was marked while it was typed", async () => {
    const { user } = await drawPart(app, <OrderForm />);
    await user.type(input(), "angstr");
    await waitFor(() => expect(chosen()?.textContent).toContain("Bäckerei Ångström"));
    await user.tab();
    expect(held()).toBe("501");
    expect(screen.getByLabelText("Problem").textContent).toBe("");
  });

  test("chooses the only record that fits also when the answer comes after it was left", async () => {
    const { user } = await drawPart(app, <OrderForm />);
    await user.type(input(), "zonen");
    await user.tab();
    await waitFor(() => expect(held()).toBe("503"));
    expect(input().value).toBe("Bakker & Zonen");
  });

  test.each([
    ["chooses it when it comes", [], "503"],
    ["chooses nothing after Escape", ["Escape"], "zonen"],
  ])("when Enter comes before the only record that fits, it %s", async (_, keys, chosen) => {
    const { user } = await drawPart(app, <OrderForm />);
    await user.click(input());
    fireEvent.change(input(), { target: { value: "zonen" } });
    for (const key of ["Enter", ...keys, "ArrowDown"]) fireEvent.keyDown(input(), { key }); // at once, and the list is open again
    await waitFor(() => expect(held() === "503" || options().length === 1).toBe(true));
    expect(held()).toBe(chosen);
  });

  test("keeps what is no record, and asks to choose one", async () => {
    const { user } = await drawPart(app, <OrderForm />);
    await user.type(input(), "nobody");
    expect(await screen.findByText("No results.")).toBeTruthy();
    await user.tab();
    await waitFor(() => expect(screen.getByLabelText("Problem").textContent).toBe("Customer: choose one from the list."));
    expect(input().value).toBe("nobody");
  });

  test("opened with the arrow key and left again, it keeps its record; Escape closes the list alone", async () => {
    const { user } = await drawPart(app, <OrderForm text="501" />);
    await waitFor(() => expect(input().value).toBe("Bäckerei Ångström"));
    await user.tab();
    await user.keyboard("{ArrowDown}");
    await waitFor(() => expect(options()).toHaveLength(3));
    await user.keyboard("{Escape}");
    expect(screen.queryByRole("listbox")).toBeNull();
    await user.keyboard("{ArrowDown}");
    await user.tab();
    expect(held()).toBe("501");
  });

  test("takes a key that is typed, and puts its record first", async () => {
    const { user } = await drawPart(app, <OrderForm />);
    await user.type(input(), "502");
    await waitFor(() => expect(chosen()?.textContent).toContain("van Bakel Transport"));
    await user.tab();
    await waitFor(() => expect(input().value).toBe("van Bakel Transport"));
  });

  test("is emptied by its button", async () => {
    const { user } = await drawPart(app, <OrderForm text="501" />);
    await user.click(await screen.findByRole("button", { name: "Clear Bäckerei Ångström" }));
    expect([held(), input().value]).toEqual(["", ""]);
    expect(document.activeElement).toBe(input());
  });

  test("offers to make the record that was searched for", async () => {
    const made: string[] = [];
    const { user } = await drawPart(app, <OrderForm onCreate={(typed) => made.push(typed)} />);
    await user.type(input(), "Neu & Söhne");
    await user.click(await screen.findByRole("option", { name: "New customer “Neu & Söhne”…" }));
    expect(made).toEqual(["Neu & Söhne"]);
  });
});

test("those whose names begin with what is typed come first, however many have it elsewhere and were changed later", async () => {
  const others = Array.from({ length: 12 }, (_, i) => ({ objectId: 601 + i, name: `Alte Bäckerei ${i}`, accountNumber: `B-${i}` }));
  expect((await app.service.call("POST", "/v1/customers", others)).status).toBe(201);
  const { user } = await drawPart(app, <OrderForm />);
  await user.type(screen.getByRole("combobox", { name: "Customer" }), "backerei");
  const names = async () => (await screen.findAllByRole("option")).map((option) => option.textContent);
  await waitFor(async () => expect((await names())[0]).toMatch(/^Bäckerei Ångström/));
  expect((await names())[1]).toMatch(/^Alte Bäckerei/);
  expect(new Set(await names()).size).toBe(10);
});
