import { expect, test } from "vitest";
import type { UndoReply } from "../../core/contract/history.ts";
import type { PostUndo } from "../sending/responses.ts";
import { createClock } from "../testing/fake-service.ts";
import { type UndoJob, undoRun } from "./undo.ts";

const PART = 1_000;

/** A service with a run of so many changes. `fault`: what becomes of a request, by its number. */
function serviceWith(size: number, fault: (call: number) => "lost" | "silent" | "refused" | undefined = () => undefined) {
  const undone = new Set<number>();
  let calls = 0;
  const postUndo: PostUndo = async (_run, after) => {
    const failing = fault(++calls);
    await Promise.resolve();
    if (failing === "lost") return { kind: "noReply", detail: "" };
    if (failing === "refused") return { kind: "refused", status: 403, code: "", detail: "Not allowed.", problems: [], retryAfter: null };
    const from = Number(after ?? 0);
    const to = Math.min(size, from + PART);
    let already = 0;
    for (let change = from; change < to; change++) {
      if (undone.has(change)) already += 1;
      undone.add(change);
    }
    const reply: UndoReply = { reversed: to - from, already, kept: 0, failed: 0, size, left: [], next: to < size ? String(to) : null };
    return failing === "silent" ? { kind: "noReply", detail: "" } : { kind: "read", reply };
  };
  return { postUndo, undone };
}

async function undo(job: Partial<UndoJob> & Pick<UndoJob, "postUndo">) {
  const { signal } = new AbortController();
  let last: unknown;
  for await (const state of undoRun({ run: "r", signIn: () => Promise.reject(), signal, clock: createClock(), ...job })) last = state;
  return last;
}

test("asks for part after part until the beginning of the run", async () => {
  const service = serviceWith(3_500);
  const counts = { reversed: 3_500, kept: 0, failed: 0 };
  expect(await undo(service)).toEqual({ step: "undone", ended: "done", rowsTotal: 3_500, counts, already: 0, obstacles: [] });
  expect(service.undone.size).toBe(3_500);
});

test("counts each change once, whatever the network does", async () => {
  const service = serviceWith(5_000, (call) => (call % 3 === 0 ? "lost" : call % 3 === 1 ? "silent" : undefined));
  expect(await undo(service)).toMatchObject({ ended: "done", counts: { reversed: 5_000 }, already: 0 });
});

test("begun again after it was cancelled anywhere, counts all that is undone", async () => {
  for (let cutAt = 1; cutAt <= 4; cutAt++) {
    const service = serviceWith(3_500);
    const cancel = new AbortController();
    let calls = 0;
    const postUndo: PostUndo = (...given) => {
      if (++calls === cutAt) cancel.abort();
      return service.postUndo(...given);
    };
    expect(await undo({ postUndo, signal: cancel.signal })).toMatchObject({ counts: { reversed: Math.min(3_500, cutAt * PART) } });
    const already = Math.min(3_500, cutAt * PART);
    expect(await undo(service)).toMatchObject({ ended: "done", counts: { reversed: 3_500, kept: 0, failed: 0 }, already });
  }
});

test("stops with the service's reason when it refuses", async () => {
  const service = serviceWith(3_500, (call) => (call === 2 ? "refused" : undefined));
  expect(await undo(service)).toMatchObject({ ended: "stopped", why: "Not allowed.", counts: { reversed: 1_000 } });
});

test("of a run that the history does not know ends with no rows", async () => {
  expect(await undo(serviceWith(0))).toMatchObject({ ended: "done", rowsTotal: 0 });
});

test("says in groups what kept records from being undone, and names the first", async () => {
  const inUse = (id: number, n: number) => ({ id, why: "failed" as const, code: "IN_USE", detail: `${n} records of orders refer to it.` });
  const left = [inUse(1, 2), inUse(2, 3), { id: 3, why: "kept" as const }, inUse(4, 2), inUse(5, 2), { id: 6, why: "failed" as const }];
  const reply: UndoReply = { reversed: 0, already: 0, kept: 1, failed: 5, size: 6, left, next: null };
  expect(await undo({ postUndo: () => Promise.resolve({ kind: "read", reply }) })).toMatchObject({
    obstacles: [
      { code: "IN_USE", detail: "2 records of orders refer to it.", count: 4, ids: [1, 2, 4] },
      { count: 1, ids: [6] },
    ],
  });
});
