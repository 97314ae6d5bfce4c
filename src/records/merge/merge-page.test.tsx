// A press of "Merge" while the service is asked anew what the merge would do: it waits for the answer and is never lost.

import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { openPage, openTestApp, type TestApp } from "../../testing/test-app.tsx";

const WAIT = { timeout: 20_000 };

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp("core/dictionary/orders.example.json");
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});
afterAll(() => app.close());

let number = 0;
async function made(collection: string, record: object): Promise<number> {
  const { json, status } = await app.service.call("POST", `/v1/${collection}`, record);
  expect(status, JSON.stringify(json)).toBe(201);
  return json.objectId;
}
const customer = (name: string) => made("customers", { name, accountNumber: `A-${number++}` });
const order = (customerId: number) => made("orders", { customerId, orderNumber: `B-${number++}` });

/** Requests for a preview wait from now on. Returns what lets them go on, and how many there are. */
function holdPreviews(): { letGo: () => void; waiting: () => number } {
  const { fetch } = globalThis;
  const held: (() => void)[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    if (String(input).includes("dryRun=true")) await new Promise<void>((goOn) => held.push(goOn));
    return fetch(input, init);
  });
  return { letGo: () => held.splice(0).forEach((goOn) => void goOn()), waiting: () => held.length };
}

async function openMerge(names: readonly string[], orders: number) {
  const ids: number[] = [];
  for (const name of names) ids.push(await customer(name));
  for (let i = 0; i < orders; i++) await order(ids[1] as number);
  const previews = holdPreviews();
  const { user, queries } = await openPage(app, `/customers/merge?ids=${ids.join()}`);
  const press = async () => user.click(await screen.findByRole("button", { name: /^Merge \d customers$/ }, WAIT));
  /** Chooses the name that is not chosen. */
  const pickOther = async () => {
    const names = within(await screen.findByRole("row", { name: /^Name/ }, WAIT)).getAllByRole("radio") as HTMLInputElement[];
    await user.click(names.find(({ checked }) => !checked) as HTMLElement);
  };
  const nameNow = async (id: number | undefined) => (await app.service.call("GET", `/v1/customers/${id}`)).json.name;
  return { ids, queries, user, press, pickOther, ...previews, nameNow };
}

test("a press after another value was picked goes on when the service says nothing new", async () => {
  const { ids, press, pickOther, letGo, waiting, nameNow } = await openMerge(["Ada Fox", "Ada B. Fox"], 1);
  await waitFor(() => expect(waiting()).toBe(1), WAIT);
  letGo();
  await screen.findByText("1 order will belong to Ada Fox.", {}, WAIT);
  await pickOther();
  await waitFor(() => expect(waiting()).toBe(1), WAIT);
  await press();
  await screen.findByText("Checking what would change…");
  expect(await nameNow(ids[1])).toBe("Ada B. Fox");
  letGo();
  await screen.findByText("2 customers are one now.", {}, WAIT);
});

test("what counts where several have a value is chosen once for all fields, and again by hand", async () => {
  const { letGo, waiting, user } = await openMerge(["Dora Fox-Marlowe", "Dora Fox"], 0);
  await waitFor(() => expect(waiting()).toBe(1), WAIT);
  letGo();
  const [select, names] = [
    await screen.findByRole("combobox", { name: "Where several have a value" }, WAIT),
    within(screen.getByRole("row", { name: /^Name/ })).getAllByRole("radio") as HTMLInputElement[],
  ];
  const [long, short] = names as [HTMLInputElement, HTMLInputElement];
  await user.selectOptions(select, "the longest one counts");
  expect([long.checked, short.checked]).toEqual([true, false]);
  await user.click(short);
  expect(short.checked).toBe(true);
  await user.selectOptions(select, "the one that stays keeps its own");
  expect(long.checked).toBe(true);
  await user.click(screen.getAllByRole("radio", { name: /Dora Fox \D*\d+/ })[0] as HTMLElement); // this one stays
  expect(short.checked).toBe(true);
  letGo();
});

test("a press before anything was said shows it first, and asks for another", async () => {
  const { ids, press, letGo, waiting, nameNow } = await openMerge(["Bea Fox", "Bea B. Fox"], 2);
  await waitFor(() => expect(waiting()).toBe(1), WAIT);
  await press();
  await screen.findByText("Checking what would change…");
  letGo();
  await screen.findByText("Look at what this does, then press again.", {}, WAIT);
  expect(await nameNow(ids[0])).toBe("Bea Fox");
  expect(await nameNow(ids[1])).toBe("Bea B. Fox");
  await press();
  await screen.findByText("2 customers are one now.", {}, WAIT);
});

test("a press is for what was chosen then, and for nothing that is chosen after it", async () => {
  const { ids, queries, press, pickOther, letGo, waiting, nameNow } = await openMerge(["Cem Fox", "Cem B. Fox"], 0);
  await waitFor(() => expect(waiting()).toBe(1), WAIT);
  letGo();
  await screen.findByText("Nothing else refers to the others.", {}, WAIT);
  await pickOther();
  await waitFor(() => expect(waiting()).toBe(1), WAIT);
  await press();
  await pickOther();
  letGo();
  await waitFor(() => expect(queries.isFetching()).toBe(0), WAIT);
  expect(screen.queryByText("Checking what would change…")).toBeNull();
  expect(await nameNow(ids[0])).toBe("Cem Fox");
  expect(await nameNow(ids[1])).toBe("Cem B. Fox");
});
