// Takes files for a field of a form: dropped on it, or chosen by its button.

import { type ReactNode, type RefObject, useState } from "react";
import type { Field } from "../../../core/dictionary/fields.ts";
import * as textStyles from "../../ui/text.module.css";
import * as styles from "./file-input.module.css";

type OnChoose = (files: readonly File[]) => void;

interface FileAreaProps {
  mayDrop: boolean;
  onChoose: OnChoose;
  children: ReactNode;
}

export function FileArea({ mayDrop, onChoose, children }: FileAreaProps) {
  const [isOver, setOver] = useState(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same for those who do not drop
    <div
      className={styles.file}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        if (!mayDrop || !event.dataTransfer.types.includes("Files")) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        setOver(false);
        if (!mayDrop) return;
        event.preventDefault();
        onChoose([...event.dataTransfer.files]);
      }}
    >
      {children}
    </div>
  );
}

interface FileButtonProps {
  id: string;
  field: Field;
  label: string;
  describedBy: string | undefined;
  input: RefObject<HTMLInputElement | null>;
  isMultiple?: boolean;
  onChoose: OnChoose;
}

export function FileButton({ id, field, label, describedBy, input, isMultiple = false, onChoose }: FileButtonProps) {
  return (
    <>
      <input
        className={textStyles.hidden}
        id={id}
        type="file"
        multiple={isMultiple}
        accept={field.file?.accept.join(",") || undefined}
        aria-describedby={describedBy}
        ref={input}
        onChange={({ target }) => {
          const given = [...(target.files ?? [])];
          target.value = ""; // so that the same file, corrected, can be chosen again
          onChoose(given);
        }}
      />
      <label htmlFor={id} className={`button ${styles.choose}`}>
        {label}
      </label>
    </>
  );
}
