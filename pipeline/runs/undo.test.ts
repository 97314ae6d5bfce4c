import { describe, expect, test } from "vitest";
import type { PostBatch } from "../sending/responses.ts";
import { journalOf, undo, uploadInto, versionedStore } from "../testing/fake-undo.ts";

const rowsOf = (n: number, name: string) => Array.from({ length: n }, (_, i) => `${i + 1},,${name} ${i},A\n`).join("");

describe("undo of an upload", () => {
  test("restores the store as it was before", async () => {
    const store = versionedStore();
    await uploadInto(store, rowsOf(1500, "old"));
    const { log, stored } = await uploadInto(store, rowsOf(4000, "new"));
    expect(stored.report?.counts).toMatchObject({ created: 2500, updated: 1500 });
    const done = await undo(store, stored, journalOf(log));
    expect(done).toMatchObject({ step: "undone", ended: "done", rowsTotal: 4000, counts: { reversed: 4000, kept: 0, failed: 0 } });
    expect(store.records.size).toBe(1500);
    expect(store.records.get(1500)?.fields.lastName).toBe("old 1499");
  });

  test("leaves alone what someone changed or deleted since", async () => {
    const store = versionedStore();
    await uploadInto(store, rowsOf(3, "old"));
    const { log, stored } = await uploadInto(store, rowsOf(6, "new"));
    for (const id of [2, 5]) store.records.set(id, { version: 9, fields: { lastName: "edited" } });
    store.records.delete(3);
    const done = await undo(store, stored, journalOf(log));
    expect(done).toMatchObject({ counts: { reversed: 3, kept: 3, failed: 0 } });
    expect([2, 5].map((id) => store.records.get(id)?.fields.lastName)).toEqual(["edited", "edited"]);
    expect([...store.records.keys()]).toEqual([1, 2, 5]);
  });

  test("gives a record that the file changed many times the values of before the first change", async () => {
    const store = versionedStore();
    await uploadInto(store, "1,,before,A\n");
    const { log, stored } = await uploadInto(store, Array.from({ length: 50 }, (_, i) => `${(i % 2) + 1},,v${i},A\n`).join(""));
    const done = await undo(store, stored, journalOf(log));
    expect(done).toMatchObject({ counts: { reversed: 50, kept: 0 } });
    expect([...store.records].map(([id, { fields }]) => [id, fields.lastName])).toEqual([[1, "before"]]);
  });

  test("continues after an interruption, and undoes nothing twice", async () => {
    let calls = 0;
    const store = versionedStore((call) => (call > 5 && call % 3 === 0 ? "silent" : undefined));
    const { log, stored } = await uploadInto(store, rowsOf(9000, "new"));
    const journal = journalOf(log);
    const cancel = new AbortController();
    const postDeletions: PostBatch = (...batch) => {
      if (++calls === 4) cancel.abort();
      return store.postDeletions(...batch);
    };
    expect(await undo(store, stored, journal, { postDeletions, signal: cancel.signal })).toMatchObject({ ended: "cancelled" });
    expect(await undo(store, { ...stored, undo: { ...journal.tally } }, journal)).toMatchObject({
      counts: { reversed: 9000, kept: 0, failed: 0 },
    });
    expect(store.records.size).toBe(0);
    expect(journal.tally).toEqual({ reversed: 9000, kept: 0, failed: 0 });
  });

  test("interrupted anywhere, still gives a record that the file changed many times the values of before the first change", async () => {
    for (let cutAt = 1; cutAt <= 12; cutAt++) {
      const store = versionedStore();
      await uploadInto(store, "1,,before,A\n");
      const { log, stored } = await uploadInto(store, Array.from({ length: 12 }, (_, i) => `${(i % 2) + 1},,v${i},A\n`).join(""));
      const journal = journalOf(log);
      const cancel = new AbortController();
      let calls = 0;
      const cutting = (post: PostBatch): PostBatch => {
        return (...batch) => {
          if (++calls === cutAt) cancel.abort();
          return post(...batch);
        };
      };
      const [postDeletions, postReversals] = [cutting(store.postDeletions), cutting(store.postReversals)];
      await undo(store, stored, journal, { postDeletions, postReversals, signal: cancel.signal });
      const done = await undo(store, { ...stored, undo: { ...journal.tally } }, journal);
      expect(done).toMatchObject({ counts: { reversed: 12, kept: 0, failed: 0 } });
      expect([...store.records].map(([id, { fields }]) => [id, fields.lastName])).toEqual([[1, "before"]]);
    }
  });

  test("leaves alone what someone changed during an interruption, also where the file changed it many times", async () => {
    const store = versionedStore();
    const { log, stored } = await uploadInto(store, Array.from({ length: 6 }, (_, i) => `1,,v${i},A\n`).join(""));
    const journal = journalOf(log);
    const cancel = new AbortController();
    const postReversals: PostBatch = (...batch) => {
      cancel.abort();
      return store.postReversals(...batch);
    };
    await undo(store, stored, journal, { postReversals, signal: cancel.signal });
    store.records.set(1, { version: 8, fields: { lastName: "edited" } });
    const done = await undo(store, { ...stored, undo: { ...journal.tally } }, journal);
    expect(done).toMatchObject({ counts: { reversed: 1, kept: 5, failed: 0 } });
    expect(store.records.get(1)?.fields.lastName).toBe("edited");
  });

  test("counts its own change as reversed when a response of a service without idempotency keys is lost", async () => {
    let isLosing = false;
    const store = versionedStore((call) => (isLosing && call % 2 === 0 ? "silent" : undefined), { ignoresKeys: true });
    await uploadInto(store, rowsOf(1500, "old"));
    const { log, stored } = await uploadInto(store, rowsOf(3000, "new"));
    store.records.set(7, { version: 9, fields: { lastName: "edited" } });
    isLosing = true;
    const done = await undo(store, stored, journalOf(log));
    expect(done).toMatchObject({ counts: { reversed: 2999, kept: 1, failed: 0 } });
    expect(store.records.get(7)?.fields.lastName).toBe("edited");
    expect(store.records.get(8)?.fields.lastName).toBe("old 7");
  });

  describe("of rows that got no response and were read back", () => {
    const silentStore = () => {
      let isSilent = false;
      const store = versionedStore(() => (isSilent ? "silent" : undefined), { ignoresKeys: true });
      const silence = (next: boolean): void => {
        isSilent = next;
      };
      return { ...store, silence };
    };

    test.each(["create", "upsert"] as const)("deletes what the upload certainly created: %s", async (mode) => {
      const store = silentStore();
      store.silence(true);
      const { log, stored } = await uploadInto(store, rowsOf(1500, "new"), mode);
      expect(stored.report).toMatchObject({ counts: { created: 1500 } });
      expect(stored.report?.lasting).toBeUndefined();
      store.silence(false);
      expect(await undo(store, stored, journalOf(log))).toMatchObject({ rowsTotal: 1500, lasting: 0, counts: { reversed: 1500, kept: 0 } });
      expect(store.records.size).toBe(0);
    });

    test("leaves alone what was there before or was updated, and counts it", async () => {
      const store = silentStore();
      await uploadInto(store, rowsOf(3, "same"));
      await uploadInto(store, "4,,other,A\n");
      await store.clock.sleep(5_000, new AbortController().signal);
      store.silence(true);
      const { log, stored } = await uploadInto(store, `${rowsOf(3, "same")}4,,new,A\n5,,new,A\n`);
      expect(stored.report).toMatchObject({ counts: { created: 1, updated: 4 }, lasting: { created: 0, updated: 4 } });
      store.silence(false);
      expect(await undo(store, stored, journalOf(log))).toMatchObject({ rowsTotal: 1, lasting: 4, counts: { reversed: 1, kept: 0 } });
      expect([...store.records.values()].map(({ fields }) => fields.lastName)).toEqual(["same 0", "same 1", "same 2", "new"]);
    });

    test("leaves alone what someone changed before it was read back", async () => {
      const store = silentStore();
      store.silence(true);
      const { postBatch } = store;
      store.postBatch = async (...batch) => {
        const answer = await postBatch(...batch);
        const current = store.records.get(2);
        if (current)
          store.records.set(2, {
            ...current,
            version: 2,
            updatedAt: "2099-01-01T00:00:00.000Z",
            fields: { ...current.fields, firstName: "Jo" },
          });
        return answer;
      };
      const { stored } = await uploadInto(store, rowsOf(3, "new"), "create");
      expect(stored.report).toMatchObject({ counts: { created: 3 }, lasting: { created: 1, updated: 0 } });
    });
  });
});
