// A collection's form: inputs from the dictionary, problems at their fields, what happened at its top. Saving is given to it.

import { useEffect, useRef, useState } from "react";
import { useForm } from "react-hook-form";
import type { Fields, Problem } from "../../dictionary/check.ts";
import type { Collection } from "../../dictionary/collections.ts";
import type { Field } from "../../dictionary/fields.ts";
import type { WireRecord } from "../../dictionary/wire.ts";
import { Notice } from "../ui/pieces.tsx";
import { changedFields, changedMeanwhile, type MeanwhileChange } from "./changes.ts";
import { FieldInput } from "./field-input.tsx";
import { type Texts, textsOf } from "./field-text.ts";
import { MeanwhileNotice } from "./meanwhile-notice.tsx";
import { recordResolver } from "./resolver.ts";

export type SaveAnswer =
  | { saved: WireRecord }
  /** Refused: problems belong to fields, the message to the whole. */
  | { refused: string; problems: Problem[] }
  /** Someone else saved this version meanwhile. */
  | { conflict: WireRecord }
  | { gone: true };

interface RecordFormProps {
  collection: Collection;
  /** The stored record; without it the form makes a new one. */
  record?: WireRecord;
  /** `fields`: the whole record when it is new, else only what changed against `base`. */
  save: (fields: Fields, base: WireRecord | undefined) => Promise<SaveAnswer>;
  /** More buttons at the end of the bar. */
  children?: React.ReactNode;
}

type Said = { tone: "good" | "wrong" | "plain"; text: string } | { meanwhile: MeanwhileChange[] };

export function RecordForm({ collection, record, save, children }: RecordFormProps) {
  const form = useForm<Texts, unknown, Fields>({
    defaultValues: textsOf(collection, record ?? {}),
    resolver: recordResolver(collection),
    mode: "onTouched",
    shouldFocusError: false, // the summary takes the focus and leads to each field
  });
  const { errors, isSubmitting, dirtyFields, submitCount } = form.formState;
  // The version that the user saw when typing began: neither a refetch nor another tab may move it underneath.
  const [base, setBase] = useState(record);
  const [said, setSaid] = useState<Said>();
  const summary = useRef<HTMLDivElement>(null);
  const wrong = collection.form.filter((field) => errors[field.name]);
  const isWrong = wrong.length > 0;

  // A form that nobody has typed into follows the stored record.
  const { isDirty } = form.formState;
  useEffect(() => {
    if (isDirty || !record || record.version === base?.version) return;
    setBase(record);
    form.reset(textsOf(collection, record));
  }, [record, base, isDirty, form, collection]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt to save brings the focus back to the summary
  useEffect(() => {
    if (isWrong && submitCount > 0) summary.current?.focus();
  }, [submitCount]);

  async function submit(fields: Fields): Promise<void> {
    setSaid(undefined);
    const touched = Object.keys(dirtyFields);
    const sent = base ? changedFields(base, fields, touched) : fields;
    if (base && Object.keys(sent).length === 0) {
      form.reset(textsOf(collection, base));
      return setSaid({ tone: "plain", text: "Nothing was changed." });
    }
    const answer = await save(sent, base);
    if ("saved" in answer) {
      setBase(answer.saved);
      form.reset(textsOf(collection, answer.saved));
      setSaid({ tone: "good", text: "Saved." });
    } else if ("conflict" in answer) {
      adopt(answer.conflict, fields, touched);
    } else if ("gone" in answer) {
      setSaid({ tone: "wrong", text: `Someone else deleted this ${collection.noun} meanwhile. What you typed still stands here.` });
    } else {
      for (const problem of answer.problems) form.setError(problem.field, { type: problem.code, message: problem.message });
      const isPlaced = answer.problems.some((problem) => collection.byName.has(problem.field));
      if (!isPlaced) setSaid({ tone: "wrong", text: answer.refused });
    }
  }

  /** Their version becomes the base: what the user did not touch shows theirs, what the user typed stays. */
  function adopt(theirs: WireRecord, mine: Fields, touched: string[]): void {
    if (base) setSaid({ meanwhile: changedMeanwhile(collection, base, theirs, { ...base, ...pick(mine, touched) }) });
    setBase(theirs);
    form.reset(textsOf(collection, theirs), { keepDirtyValues: true });
  }

  return (
    <form className="form" noValidate onSubmit={form.handleSubmit(submit)} onMouseDown={keepFocusInField}>
      {isWrong && submitCount > 0 && (
        <ProblemSummary focus={summary} wrong={wrong} messageOf={(field) => errors[field.name]?.message ?? ""} />
      )}
      {said && "meanwhile" in said && <MeanwhileNotice noun={collection.noun} changes={said.meanwhile} />}
      {said && "text" in said && !isWrong && <Notice tone={said.tone}>{said.text}</Notice>}
      <div className="fields">
        {collection.form.map((field) => (
          <FieldInput
            key={field.name}
            field={field}
            wide={!isNarrow(collection, field)}
            register={form.register(field.name)}
            problem={errors[field.name]?.message}
            readOnly={base !== undefined && field === collection.key}
          />
        ))}
      </div>
      <div className="savebar">
        <button type="submit" className="button primary" aria-disabled={isSubmitting} onClick={(e) => isSubmitting && e.preventDefault()}>
          Save
        </button>
        {children}
      </div>
    </form>
  );
}

interface ProblemSummaryProps {
  focus: React.RefObject<HTMLDivElement | null>;
  wrong: Field[];
  messageOf: (field: Field) => string;
}

function ProblemSummary({ focus, wrong, messageOf }: ProblemSummaryProps) {
  return (
    <div className="note wrong" role="alert" tabIndex={-1} ref={focus}>
      <b>{wrong.length === 1 ? "There is a problem." : "There are problems."}</b>
      <ul>
        {wrong.map((field) => (
          <li key={field.name}>
            <button type="button" className="link" onClick={() => document.getElementById(`field-${field.name}`)?.focus()}>
              {messageOf(field)}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The parts of a name share a line, as do dates, numbers and choices; free text and the key have their own. */
function isNarrow(collection: Collection, field: Field): boolean {
  if (field === collection.key) return false;
  return (collection.label.length > 1 && collection.label.includes(field)) || field.kind !== "string" || field.enum !== undefined;
}

/**
 * Pressing a button must not leave the field first: the check on leaving can put a line of words in, and the button
 * would move away from under the pointer before it is released.
 */
function keepFocusInField(event: React.MouseEvent): void {
  if (event.target instanceof Element && event.target.closest(".savebar")) event.preventDefault();
}

function pick(fields: Fields, names: string[]): Fields {
  return Object.fromEntries(names.map((name) => [name, fields[name] ?? null]));
}
