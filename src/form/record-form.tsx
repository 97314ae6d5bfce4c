// A collection's form as it is drawn: inputs from the dictionary, problems at their fields, what happened at its top.

import { useEffect, useRef } from "react";
import type { Collection } from "../../dictionary/collections.ts";
import type { Field } from "../../dictionary/fields.ts";
import { Notice } from "../ui/pieces.tsx";
import { FieldInput } from "./field-input.tsx";
import { MeanwhileNotice } from "./meanwhile-notice.tsx";
import { type Said, type SavingParts, useSaving } from "./saving.ts";

interface RecordFormProps extends SavingParts {
  /** More buttons at the end of the bar. */
  children?: React.ReactNode;
}

export function RecordForm({ children, ...parts }: RecordFormProps) {
  const { collection } = parts;
  const { form, submit, said, isGone, isStored } = useSaving(parts);
  const { errors, isSubmitting, submitCount } = form.formState;
  const summary = useRef<HTMLDivElement>(null);
  const wrong = collection.form.filter((field) => errors[field.name]);
  const isWrong = wrong.length > 0;

  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt to save brings the focus back to the summary
  useEffect(() => {
    if (isWrong && submitCount > 0) summary.current?.focus();
  }, [submitCount]);

  return (
    <form className="form" noValidate onSubmit={form.handleSubmit(submit)} onMouseDown={keepFocusInField}>
      {isWrong && submitCount > 0 && (
        <ProblemSummary focus={summary} wrong={wrong} messageOf={(field) => errors[field.name]?.message ?? ""} />
      )}
      {isGone && (
        <Notice tone="wrong">
          <b>Someone else deleted this {collection.noun} meanwhile.</b> What you typed still stands here; Save makes it again.
        </Notice>
      )}
      {said && !isWrong && <SaidNotice said={said} noun={collection.noun} />}
      <div className="fields">
        {collection.form.map((field) => (
          <FieldInput
            key={field.name}
            field={field}
            wide={!isNarrow(collection, field)}
            register={form.register(field.name)}
            problem={errors[field.name]?.message}
            readOnly={isStored && field === collection.key}
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

function SaidNotice({ said, noun }: { said: Said; noun: string }) {
  if ("meanwhile" in said) return <MeanwhileNotice noun={noun} changes={said.meanwhile} />;
  if ("wrong" in said) return <Notice tone="wrong">{said.wrong}</Notice>;
  return <Notice>Nothing was changed, so there is nothing to save.</Notice>;
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
