import { afterEach, expect, test } from "vitest";
import type { WireRecord } from "../../../core/contract/records.ts";
import { UNFINISHED_DRAFTS } from "../../browser/storage-names.ts";
import { collectionOf } from "../../testing/fields.ts";
import { deleteDrafts, hasDrafts } from "./delete-drafts.ts";
import { type Draft, openDrafts, withNamesOfToday } from "./draft-store.ts";
import { finishedWrites } from "./unfinished-drafts.ts";

const typed = (lastName: string, typedAt = Date.now()): Draft => ({ texts: { lastName }, base: undefined, typedAt });
const kept = () => localStorage.getItem(UNFINISHED_DRAFTS);
/** An earlier page left this behind. */
const leave = (...writes: object[]) => localStorage.setItem(UNFINISHED_DRAFTS, JSON.stringify(writes));

afterEach(() => window.dispatchEvent(new Event("pageshow")));

test("what is typed as the page ends is kept at once, and the next page has it", async () => {
  const drafts = openDrafts(() => true);
  const before = drafts.write("begun before", typed("Before"));
  window.dispatchEvent(new Event("pagehide"));
  const after = drafts.write("typed last", typed("Last"));
  expect(kept()).toContain("Before");
  expect(kept()).toContain("Last");
  await Promise.all([before, after]);
  expect(await drafts.read("typed last")).toMatchObject({ texts: { lastName: "Last" } });
  expect(kept()).toBeNull();
});

test("a page that ends with nothing unfinished leaves nothing behind", async () => {
  await openDrafts(() => true).write("k", typed("Done"));
  window.dispatchEvent(new Event("pagehide"));
  expect(kept()).toBeNull();
});

test("what an earlier page left does not replace what was typed since", async () => {
  const drafts = openDrafts(() => true);
  const now = Date.now();
  await drafts.write("newer", typed("Newer", now));
  await drafts.write("older", typed("Older", now - 2_000));
  await drafts.write("gone", typed("Gone", now - 2_000));
  leave(
    { key: "newer", draft: typed("From before", now - 1_000), at: now - 1_000 },
    { key: "older", draft: typed("From before", now - 1_000), at: now - 1_000 },
    { key: "gone", at: now - 1_000 },
  );
  expect(await drafts.read("newer")).toMatchObject({ texts: { lastName: "Newer" } });
  expect(await drafts.read("older")).toMatchObject({ texts: { lastName: "From before" } });
  expect(await drafts.read("gone")).toBeUndefined();
});

test("what another tab leaves while an earlier page's writes are done is not forgotten", () => {
  const [first, second] = ["first", "second"].map((key, at) => ({ key, draft: typed(key), at }));
  leave(first as object, second as object);
  finishedWrites([{ key: "first", at: 0 }]);
  expect(JSON.parse(kept() ?? "")).toEqual([expect.objectContaining({ key: "second" })]);
});

const ANNA = "https://intake.example.org/v1 anna";
const ANNAS = `${ANNA} customers/7`;
const BENS = "https://intake.example.org/v1 ben customers/7";

test("after a sign-out nothing is kept, and what was kept is deleted with the person's drafts", async () => {
  let isSignedIn = true;
  const drafts = openDrafts(() => isSignedIn);
  await drafts.write(ANNAS, typed("Secret"));
  leave({ key: `${ANNAS}/2`, draft: typed("Secret"), at: Date.now() });
  expect(await hasDrafts(ANNA)).toBe(true);
  isSignedIn = false;
  await deleteDrafts(ANNA);
  window.dispatchEvent(new Event("pagehide"));
  await drafts.write(ANNAS, typed("Secret"));
  expect(kept()).toBeNull();
  expect([await hasDrafts(ANNA), (await openDrafts(() => true).all()).size]).toEqual([false, 0]);
});

test("what somebody else typed at this browser is neither counted nor deleted with it, only when that is asked for", async () => {
  const drafts = openDrafts(() => true);
  await drafts.write(BENS, typed("Ben's"));
  leave({ key: `${BENS}/2`, draft: typed("Ben's"), at: Date.now() });
  expect([await hasDrafts(ANNA), await hasDrafts("https://intake.example.org/v1 ben")]).toEqual([false, true]);
  await deleteDrafts(ANNA);
  expect([...(await drafts.all()).keys()].sort()).toEqual([BENS, `${BENS}/2`]);
  await drafts.write(ANNAS, typed("Anna's"));
  await deleteDrafts(ANNA, true);
  expect([...(await drafts.all()).keys()]).toEqual([ANNAS]);
});

test("what cannot be read is no draft", async () => {
  localStorage.setItem(UNFINISHED_DRAFTS, "{");
  expect(await openDrafts(() => true).read("k")).toBeUndefined();
});

test("a draft from before a field got another name has the texts under today's, and what was sent as it was", () => {
  const collection = collectionOf([{ name: "surname", title: "Surname", formerNames: ["lastName"] }]);
  const sent = { fields: { lastName: "Ek" }, sendKey: "k", sentAt: 1 };
  const base = { id: 1, lastName: "Eck", version: 2 } as unknown as WireRecord;
  const draft: Draft = { ...typed("Ek", 1), base, sent };
  expect(withNamesOfToday(collection, draft)).toEqual({
    texts: { surname: "Ek" },
    base: { id: 1, surname: "Eck", version: 2 },
    typedAt: 1,
    sent,
  });
});
