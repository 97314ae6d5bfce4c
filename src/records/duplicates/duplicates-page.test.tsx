// The work list of records that may be stored twice: putting pairs apart, and taking that back.

import { cleanup, screen, within } from "@testing-library/react";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { openPage, openTestApp, type TestApp } from "../../testing/test-app.tsx";

const WAIT = { timeout: 20_000 };
const NAMES = ["Ada", "Adah", "Bea", "Beah", "Cem", "Cemm"];

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
  const records = NAMES.map((lastName, i) => ({ objectId: i + 1, lastName, accountID: `D${i}` }));
  expect((await app.service.call("POST", "/v1/customers", records)).status).toBe(201);
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});
afterAll(() => app.close());

/** The page with three pairs, of which the service takes every answer; an undo it refuses while `refuses()`. */
async function open(refuses = () => false) {
  const { json } = await app.service.call("GET", "/v1/customers?sort=objectId");
  const pairs = [1, 3, 5].map((a) => ({ a, b: a + 1, score: 1, level: "same", reasons: [] }));
  const { fetch } = globalThis;
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const { pathname } = new URL(String(input));
    if (pathname.endsWith("/duplicates")) return Response.json({ pairs, progress: 1, customers: json.customers });
    if (!/\/duplicates\//.test(pathname)) return fetch(input, init);
    if (init?.method === "DELETE" && refuses()) return Response.json({ detail: "It was not taken back." }, { status: 409 });
    return new Response(null, { status: 204 });
  });
  const { user, services } = await openPage(app, "/customers/duplicates");
  const apart = async () => user.click(await screen.findByRole("button", { name: "Not the same" }, WAIT));
  const undo = async (which: number) => user.click((await screen.findAllByRole("button", { name: "Undo" }, WAIT))[which] as HTMLElement);
  const shown = (name: string) => screen.findByRole("link", { name }, WAIT);
  return { user, services, apart, undo, shown };
}

test("the undo of an earlier pair brings back that pair alone", async () => {
  const { services, apart, shown } = await open();
  const undos: (() => void)[] = [];
  const { show } = services.toasts;
  services.toasts.show = (toast) => {
    if (toast.action) undos.push(toast.action.run);
    return show(toast);
  };
  await shown("Ada");
  await apart();
  await shown("Bea");
  await apart();
  await shown("Cem");
  undos[0]?.();
  await shown("Ada");
  expect(screen.getByText("Pair 1 of 2")).toBeTruthy(); // the second one stays apart
});

test("an undo that the service refuses is said, though another pair is shown by then", async () => {
  const { apart, undo, shown } = await open(() => true);
  await shown("Ada");
  await apart();
  await shown("Bea");
  await undo(0);
  await screen.findByText("It was not taken back.", {}, WAIT);
  expect(within(screen.getByRole("main")).queryByText("It was not taken back.")).toBeNull();
});
