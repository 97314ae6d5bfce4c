// Looks a few new rows up, to find out whether their file was uploaded before, here or on another computer.

import type { Collection } from "../../core/dictionary/collections.ts";
import { uniquesOf } from "../../core/dictionary/unique-keys.ts";
import type { Fields } from "../../core/dictionary/validate.ts";
import type { FindTwin, PostBatch } from "../sending/responses.ts";

/** Counts the rows that were looked up and are stored already just as they are in the file. */
export interface Twins {
  asked: number;
  found: number;
  /** The key of one of these records. */
  example: number;
}

const FIRST_ROWS = 10; // an upload that was interrupted has stored the beginning
const LATER_BATCHES = 10; // one row of each: of a file with something new at its beginning
const FEWEST = 3; // rows: fewer may be equal by chance

/** `post` with looking up. The service itself refuses rows with a key or a unique value that is taken, so only others are looked up. */
export function findingTwins(collection: Collection, post: PostBatch, findTwin: FindTwin): { post: PostBatch; twins(): Twins | undefined } {
  const decides = [[collection.key], ...uniquesOf(collection).map(({ fields }) => fields)];
  const found: number[] = [];
  let asked = 0;
  return {
    async post(...given) {
      const answer = await post(...given);
      if (answer.kind !== "answered") return answer;
      const [records, , , signal] = given;
      const isNew = answer.results.flatMap(({ index, outcome }): Fields[] => {
        const record = records[index];
        return outcome === "created" && record ? [record] : [];
      });
      const undecided = isNew.filter((record) => !decides.some((fields) => fields.every(({ name }) => record[name] !== undefined)));
      const most = asked < FIRST_ROWS ? FIRST_ROWS - asked : asked < FIRST_ROWS + LATER_BATCHES ? 1 : 0;
      for (const record of undecided.slice(0, most)) {
        asked++;
        const twin = await findTwin(record, signal);
        if (twin !== undefined) found.push(twin);
      }
      return answer;
    },
    twins() {
      const [example] = found;
      return example === undefined || found.length < Math.min(FEWEST, asked) ? undefined : { asked, found: found.length, example };
    },
  };
}
