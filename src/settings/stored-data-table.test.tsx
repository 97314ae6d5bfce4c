import { screen, waitFor, within } from "@testing-library/react";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { keyIdOf } from "../../client/token-exchange.ts";
import { mappingOf } from "../../pipeline/mapping/remembered-mapping.ts";
import type { Report } from "../../pipeline/model/outcomes.ts";
import { personKey } from "../browser/person.ts";
import { UNFINISHED_DRAFTS } from "../browser/storage-names.ts";
import { openDrafts } from "../records/drafts/draft-store.ts";
import { type Drawn, openPage, openTestApp, type TestApp } from "../testing/test-app.tsx";
import { openJournal } from "../upload/storage/indexeddb-journal.ts";
import { openMappings } from "../upload/storage/indexeddb-mappings.ts";
import type { StoredKind } from "./stored-data.ts";

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const person = () => personKey(`${app.origin}/v1`, keyIdOf(app.key));

interface Example {
  row: RegExp;
  question: string;
  store(page: Drawn): unknown;
}

/** A kind of stored data that is not here does not compile. */
const EXAMPLES: Record<StoredKind, Example> = {
  drafts: {
    row: /^Drafts/,
    question: "Delete all drafts?",
    store: () =>
      openDrafts(() => true).write(`${person()} customers/new`, { texts: { lastName: "Half" }, base: undefined, typedAt: Date.now() }),
  },
  uploads: {
    row: /^Uploads/,
    question: "Delete all finished uploads?",
    store: () =>
      openJournal(person()).put({
        id: "u-1",
        collection: "customers",
        fileName: "customers.csv",
        startedAt: Date.now(),
        endedAt: Date.now(),
        report: REPORT,
        hasRows: false,
      }),
  },
  columns: {
    row: /^Columns of files/,
    question: "Delete the columns of earlier files?",
    store: () => openMappings(person()).keep(mappingOf(app.collection, ["Surname"], { columns: ["lastName"] })),
  },
  views: {
    row: /^Columns of lists/,
    question: "Delete the columns of lists?",
    store: ({ services }) => services.views.put(app.collection, { home: { id: "1f0a", search: { q: "a" } } }),
  },
};

const REPORT: Report = {
  counts: { created: 1, updated: 0, unchanged: 0, skipped: 0, failed: 0, inDoubt: 0, notSent: 0 },
  rowsRead: 1,
  seconds: 1,
  ended: "done",
  notStored: [],
};

async function open(kind: StoredKind) {
  const { row, question, store } = EXAMPLES[kind];
  const page = await openPage(app, "/settings/browser");
  await store(page);
  await page.queries.invalidateQueries();
  const line = () => screen.getByRole("row", { name: row });
  const count = () => within(line()).getAllByRole("cell")[0]?.textContent;
  await waitFor(() => expect(count()).toBe("1"));
  await page.user.click(within(line()).getByRole("button", { name: /^Delete/ }));
  return { ...page, count, dialog: await screen.findByRole("dialog", { name: question }) };
}

test("a draft that the last page could not write to the end is counted", async () => {
  const page = await openPage(app, "/settings/browser");
  const draft = { texts: { lastName: "Half" }, typedAt: Date.now() };
  localStorage.setItem(UNFINISHED_DRAFTS, JSON.stringify([{ key: `${person()} customers/new`, draft, at: draft.typedAt }]));
  await page.queries.invalidateQueries();
  await waitFor(() => expect(within(screen.getByRole("row", { name: /^Drafts/ })).getAllByRole("cell")[0]?.textContent).toBe("1"));
});

describe.each(Object.keys(EXAMPLES) as StoredKind[])("stored data of the kind %s", (kind) => {
  test("is deleted after a question", async () => {
    const { user, dialog, count } = await open(kind);
    await user.click(within(dialog).getByRole("button", { name: "Delete" }));
    await waitFor(() => expect(count()).toBe("0"));
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  test("stays when the user does not want to delete it", async () => {
    const { user, dialog, count } = await open(kind);
    await user.click(within(dialog).getByRole("button", { name: "Cancel" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(count()).toBe("1");
  });
});
