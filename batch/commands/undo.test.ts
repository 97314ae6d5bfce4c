// An interrupted undo continues from the journal on the disk, also where one record is in several batches.

import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { BatchLog } from "../../pipeline/sending/journal.ts";
import type { PostBatch } from "../../pipeline/sending/responses.ts";
import { undo, uploadInto, versionedStore } from "../../pipeline/testing/fake-undo.ts";
import { RunJournal } from "../runs/file-journal.ts";
import { makeFolder } from "../testing/process.ts";

const folder = makeFolder();
afterAll(folder.remove);

async function onDisk(log: BatchLog, path: string): Promise<void> {
  const journal = await RunJournal.open(path);
  for (let row = 1; ; ) {
    const sent = await log.from(row);
    if (!sent) break;
    const { upload: _, ...batch } = sent;
    await journal.keep(batch, true);
    row = batch.first + 1;
  }
  await journal.close();
}

test("wherever an undo was interrupted, a record that the file changed many times gets its original values", async () => {
  for (let cutAt = 1; cutAt <= 12; cutAt++) {
    const store = versionedStore();
    await uploadInto(store, "1,,before,A\n");
    const { log, stored: upload } = await uploadInto(store, Array.from({ length: 12 }, (_, i) => `${(i % 2) + 1},,v${i},A\n`).join(""));
    const path = join(folder.path, `${cutAt}.batches`);
    await onDisk(log, path);
    const cancel = new AbortController();
    let calls = 0;
    const cutting = (post: PostBatch): PostBatch => {
      return (...batch) => {
        if (++calls === cutAt) cancel.abort();
        return post(...batch);
      };
    };
    const posts = { postDeletions: cutting(store.postDeletions), postReversals: cutting(store.postReversals) };
    const first = await RunJournal.open(path);
    await undo(store, upload, Object.assign(first, { tally: first.undo }), { ...posts, signal: cancel.signal });
    await first.close();
    const again = await RunJournal.open(path);
    const done = await undo(store, { ...upload, undo: { ...again.undo } }, Object.assign(again, { tally: again.undo }));
    expect([done, again.size]).toMatchObject([{ ended: "done", counts: { reversed: 12, kept: 0, failed: 0 } }, 0]);
    await again.close();
    expect([...store.records].map(([id, { fields }]) => [id, fields.lastName])).toEqual([[1, "before"]]);
  }
});
