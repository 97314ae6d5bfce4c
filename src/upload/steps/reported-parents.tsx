// Says what became of parents that an upload created first.

import type { UndoCounts } from "../../../core/contract/history.ts";
import type { ParentsReport } from "../../../pipeline/model/outcomes.ts";
import { useDictionary } from "../../app/services/services.ts";
import * as textStyles from "../../ui/text.module.css";
import { count } from "../../values/format.ts";
import { nounsOf } from "../../values/record-name.ts";

export interface ReportedParentsProps {
  parents?: readonly ParentsReport[] | undefined;
  /** An undo is about to delete them. */
  isGoing?: boolean;
  /** Counts what an undo took back in their collections. */
  others?: UndoCounts | undefined;
}

export function ReportedParents({ parents = [], isGoing, others }: ReportedParentsProps) {
  if (others) return <UndoneElsewhere others={others} />;
  return isGoing ? <ParentsGo parents={parents} /> : <CreatedParents parents={parents} />;
}

interface CreatedParentsProps {
  parents: readonly ParentsReport[];
}

/** Shows the records that were created first, because rows refer to them, and those that could not be. */
function CreatedParents({ parents }: CreatedParentsProps) {
  const { collections } = useDictionary();
  return parents.map(({ collection: name, created, there, failed, reasons }) => {
    const parent = collections.find((one) => one.name === name);
    const nouns = parent ? nounsOf(parent) : { noun: name, nouns: name };
    const [first] = reasons;
    const sentences = [
      count(
        created,
        "{n} {noun} was created first, because rows refer to it.",
        "{n} {nouns} were created first, because rows refer to them.",
        nouns,
      ),
      there > 0 && count(there, "{n} was there already.", "{n} were there already."),
      failed > 0 &&
        first &&
        count(failed, "“{example}” could not be created: {reason}", "{n} could not be created, such as “{example}”: {reason}", {
          example: first.text,
          reason: first.reason,
        }),
    ];
    return <p key={name}>{sentences.filter(Boolean).join(" ")}</p>;
  });
}

/** Says before an undo that these records go, too. */
function ParentsGo({ parents }: CreatedParentsProps) {
  const created = parents.reduce((sum, one) => sum + one.created, 0);
  if (created === 0) return null;
  return `${count(created, "{n} record that was created first will be deleted, too.", "{n} records that were created first will be deleted, too.")} `;
}

/** Says what an undo took back in other collections. */
function UndoneElsewhere({ others }: { others: UndoCounts }) {
  return (
    others.reversed > 0 && (
      <p className={textStyles.dim}>
        {count(
          others.reversed,
          "{n} change in another collection, made along with these, is undone, too.",
          "{n} changes in other collections, made along with these, are undone, too.",
        )}
      </p>
    )
  );
}
