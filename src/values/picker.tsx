// The parts of inputs that choose from a list as one types (ARIA APG, editable combobox with a listbox).

import { type ReactNode, type RefObject, useEffect, useRef } from "react";
import { type Control, type UseFormRegisterReturn, useWatch } from "react-hook-form";
import type { Field } from "../../core/dictionary/fields.ts";
import type { Fields } from "../../core/dictionary/validate.ts";
import { t } from "../../core/i18n/translate.ts";
import * as buttonStyles from "../ui/button.module.css";
import { usePlaceBelow } from "../ui/place-below.ts";
import * as textStyles from "../ui/text.module.css";
import type { Texts } from "./field-text.ts";
import * as styles from "./picker.module.css";

/** Lists what an input is given for assistive technology. */
export type Described = Pick<
  React.ComponentProps<"input">,
  "readOnly" | "title" | "aria-label" | "aria-describedby" | "aria-invalid" | "aria-required"
>;

export interface InputOfForm extends UseFormRegisterReturn, Described {
  field: Field;
  id: string;
  control: Control<Texts, unknown, Fields>;
}

/** Gives an input that has no native value the text that the form holds for it. */
export function useTextOfForm({ field, id, name, control, onChange, onBlur, ...given }: InputOfForm) {
  const text = useWatch({ control, name }) ?? "";
  const latest = useRef(text);
  latest.current = text;
  return {
    field,
    id,
    name,
    text,
    onText(next: string) {
      latest.current = next;
      void onChange({ type: "change", target: { name, value: next } });
    },
    onLeave: () => void onBlur({ type: "blur", target: { name, value: latest.current } }),
    readOnly: given.readOnly,
    title: given.title,
    "aria-label": given["aria-label"],
    "aria-describedby": given["aria-describedby"],
    "aria-invalid": given["aria-invalid"],
    "aria-required": given["aria-required"],
  };
}

export interface InputOutsideForm {
  id: string;
  /** Says why the value is refused. */
  wrong: string | undefined;
}

/** Makes an input outside a form, with what is wrong below it: for a filter or a change of many records. */
export function withReason<Props extends object>(Input: React.ComponentType<Props>) {
  return function Value({ wrong, ...props }: Omit<Props, keyof InputOutsideForm> & InputOutsideForm) {
    const reason = wrong ? `${props.id}-wrong` : undefined;
    return (
      <>
        <Input {...(props as unknown as Props)} aria-invalid={wrong !== undefined} aria-describedby={reason} />
        {wrong && (
          <span className={textStyles.error} id={reason} role="alert">
            {wrong}
          </span>
        )}
      </>
    );
  };
}

/** Takes the value away. It is not in the order of Tab: with the keyboard the text is deleted. */
export function ClearButton({ what, onClear }: { what: string; onClear: () => void }) {
  return (
    <button
      type="button"
      className={`${buttonStyles.bare} ${styles.clear}`}
      tabIndex={-1}
      aria-label={t("Clear {what}", { what })}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onClear}
    >
      ✕
    </button>
  );
}

/** Returns the id of an option, for `aria-activedescendant`. `list`: that of the listbox. */
export function optionId(list: string, at: number): string {
  return `${list}-${at}`;
}

export interface Option {
  key: string | number;
  content: ReactNode;
  className?: string | undefined;
}

interface OptionListProps {
  label: string;
  /** The id of the listbox. */
  list: string;
  options: readonly Option[];
  /** Says which one is active. */
  at: number;
  /** The list stands below this element. */
  anchor: RefObject<HTMLElement | null>;
  isOpen: boolean;
  onPoint: (at: number) => void;
  onChoose: (at: number) => void;
  /** Stands below the options, or in their place. */
  children?: ReactNode;
}

/** Shows what can be chosen, above everything else on the page. */
export function OptionList({ label, list, options, at, anchor, isOpen, onPoint, onChoose, children }: OptionListProps) {
  const box = useRef<HTMLDivElement>(null);
  usePlaceBelow(box, anchor, isOpen);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another one is active, and is to be seen
  useEffect(() => {
    box.current?.querySelector("[aria-selected=true]")?.scrollIntoView?.({ block: "nearest" });
  }, [at]);
  const option = (index: number) => ({
    role: "option",
    id: optionId(list, index),
    "aria-selected": index === at,
    onMouseMove: () => index === at || onPoint(index),
    onClick: () => onChoose(index),
  });
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the focus stays in the input, also for who scrolls the list
    <div popover="manual" ref={box} className={styles.options} onMouseDown={(event) => event.preventDefault()}>
      {isOpen && (
        <>
          <div role="listbox" id={list} aria-label={label} hidden={options.length === 0}>
            {options.map(({ key, content, className }, index) => (
              <div key={key} {...option(index)} className={className}>
                {content}
              </div>
            ))}
          </div>
          {children}
        </>
      )}
    </div>
  );
}
