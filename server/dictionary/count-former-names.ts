// Counts how often requests use names that fields had before: in memory, and now and then in the store.

import { setTimeout as sleep } from "node:timers/promises";
import { FORMER_NAME_DAYS } from "../../core/contract/dictionary.ts";
import type { NoteUse } from "../access/served-routes.ts";
import { type ReportWork, unattended } from "../engine/background.ts";
import type { Store } from "../engine/store.ts";
import type { UsesOfDay } from "./store/former-name-uses.ts";

const WRITTEN_EVERY = 10_000; // ms
const DAY = 86_400_000; // ms

export interface FormerNameUses {
  note: NoteUse;
  /** Writes what was counted. */
  flush(): Promise<void>;
  /** Writes again and again, and once more when the signal is aborted. What cannot be written is kept for the next time. */
  run(signal: AbortSignal): Promise<void>;
}

/** Returns the first day that still counts, in days since 1970. */
export function firstCountedDay(now = Date.now()): number {
  return Math.floor(now / DAY) - FORMER_NAME_DAYS + 1;
}

/** There are as many entries as fields have former names, so that memory is bounded. */
export function createFormerNameUses({ formerNames }: Pick<Store, "formerNames">, report: ReportWork): FormerNameUses {
  let counted = new Map<string, UsesOfDay>();
  function add(use: UsesOfDay): void {
    const key = `${use.collection} ${use.name} ${use.day}`;
    counted.set(key, { ...use, uses: use.uses + (counted.get(key)?.uses ?? 0) });
  }
  async function flush(): Promise<void> {
    if (counted.size === 0) return;
    const taken = [...counted.values()];
    counted = new Map();
    await formerNames.addUses(taken, firstCountedDay()).catch((error) => {
      for (const use of taken) add(use);
      throw error;
    });
  }
  return {
    flush,
    note(used, by, collections) {
      const day = Math.floor(Date.now() / DAY);
      for (const { collection, former, field } of used) {
        // `team.title` is a name of the parent's field.
        const lookup = collections.find(({ name }) => name === collection)?.lookups.get(field);
        const own = collections.find(({ name }) => name === collection)?.byName.get(lookup?.fills ?? "")?.reference;
        const parent = own ? { collection: own.collection, name: former.slice(own.as.length + 1) } : { collection, name: former };
        add({ ...parent, day, uses: 1, by });
      }
    },
    async run(signal) {
      while (!signal.aborted) {
        await sleep(WRITTEN_EVERY, undefined, { signal, ref: false }).catch(() => undefined); // it is only aborted
        await unattended("former names", report, flush);
      }
    },
  };
}
