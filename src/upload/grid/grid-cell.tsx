import { useEffect, useRef } from "react";
import { t } from "../../../core/i18n/translate.ts";
import { type GridCommand, readEditKey } from "./grid-keys.ts";

const SHOWN_CHARS = 300; // longer texts are cut, except while edited

export function CellText({ text, isWrong, isEmptyWrong }: { text: string; isWrong: boolean; isEmptyWrong: boolean }) {
  const shown = text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text;
  if (!isWrong) return <bdi>{shown}</bdi>;
  return (
    <bdi>
      <mark>{isEmptyWrong ? t("missing") : shown}</mark>
    </bdi>
  );
}

interface CellInputProps {
  label: string;
  text: string;
  start: string | undefined;
  describedBy: string | undefined;
  isWrong: boolean;
  /** Keeps line breaks. */
  hasLines?: boolean;
  onSave: (text: string) => void;
  onEnd: (command: GridCommand) => void;
  onLeave: () => void;
}

export function CellInput({ label, text, start, describedBy, isWrong, hasLines = false, onSave, onEnd, onLeave }: CellInputProps) {
  const input = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const Tag = hasLines ? "textarea" : "input";
  const isOver = useRef(false);
  // An input drops line breaks, which is no change by the user.
  const before = useRef<string>(undefined);
  useEffect(() => {
    const { current } = input;
    if (!current) return;
    current.focus();
    if (before.current !== undefined) return;
    before.current = current.value;
    if (start === undefined) current.select();
    else current.value = start;
  }, [start]);

  function end(keeps: boolean): void {
    isOver.current = true;
    const now = input.current?.value ?? "";
    if (keeps && now !== before.current) onSave(now);
  }

  return (
    <Tag
      ref={input}
      aria-label={label}
      aria-describedby={describedBy}
      aria-invalid={isWrong || undefined}
      defaultValue={text}
      dir="auto"
      autoComplete="off"
      spellCheck={false}
      onBlur={() => {
        if (isOver.current) return;
        end(true);
        onLeave();
      }}
      onKeyDown={(event) => {
        event.stopPropagation();
        const read = readEditKey(event);
        if (!read) return;
        event.preventDefault();
        end(read.keeps);
        onEnd(read.move);
      }}
    />
  );
}
