// A field in a form: label, input, hint and problem.

import type { UseFormRegisterReturn } from "react-hook-form";
import { labelOf } from "../../core/dictionary/categories.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import { KIND_TRAITS, type Kind, textOfValue } from "../../core/dictionary/kinds.ts";
import type { TextFormat } from "../../core/dictionary/text-formats.ts";
import { t } from "../../core/i18n/translate.ts";
import * as buttonStyles from "../ui/button.module.css";
import * as formStyles from "../ui/form.module.css";
import * as textStyles from "../ui/text.module.css";
import { DateInput } from "./date-input.tsx";
import { useFieldId } from "./field-id.ts";
import { KEYBOARDS } from "./input-attributes.ts";
import { pickerOf } from "./typed-values.ts";

interface FieldInputProps {
  field: Field;
  register: UseFormRegisterReturn;
  problem: string | undefined;
  /** Is true of the key of a stored record. */
  readOnly?: boolean;
  /** The field has its own line; otherwise two fields share one. */
  wide: boolean;
  /** Holds what other fields leave of it, if they are asked. */
  given?: GivenByOthers | undefined;
  /** Is there where several records are entered one after the other. */
  keep?: KeepValue | undefined;
  /** Ends the label's line: what was understood, or what can be done with the value, such as to call a number. */
  labelEnd?: React.ReactNode | undefined;
  /** Stands after the hint: how much room is left. */
  hintEnd?: React.ReactNode | undefined;
  /** The text of the record: a list of values that was made shorter since may lack it. */
  stored?: string | undefined;
  /** Draws another input than that of the field's kind. */
  input?: ((props: InputProps & { id: string }) => React.ReactNode) | undefined;
}

/** Says what the values of other fields make of a field. */
export interface GivenByOthers {
  isRequired: boolean;
  /** Replaces its closed list, or gives it one. */
  choices: readonly string[] | undefined;
  /** The text in the input, which the list may lack. */
  text: string;
}

/** Says whether the next record begins with the value of this one. */
export interface KeepValue {
  isKept: boolean;
  onToggle: () => void;
}

type InputProps = Pick<
  React.ComponentProps<"input">,
  "id" | "readOnly" | "title" | "aria-label" | "aria-describedby" | "aria-invalid" | "aria-required"
> &
  UseFormRegisterReturn;

export function FieldInput({
  field,
  register,
  problem,
  readOnly = false,
  wide,
  given,
  keep,
  labelEnd,
  hintEnd,
  stored,
  input,
}: FieldInputProps) {
  const id = useFieldId()(field.name);
  const hint = hintOf(field, readOnly);
  const isRequired = (field.required || given?.isRequired === true) && !field.readOnly;
  const props: InputProps & { id: string } = {
    ...register,
    id,
    readOnly,
    title: readOnly ? hint : undefined,
    "aria-describedby": `${id}-hint`,
    "aria-invalid": problem !== undefined,
    "aria-required": isRequired,
  };
  return (
    <div
      className={wide ? `${formStyles.field} ${formStyles.wide}` : formStyles.field}
      data-field={field.name}
      data-sometimes={field.visibleIf === undefined ? undefined : ""}
    >
      <div className={formStyles.head}>
        <label htmlFor={id} data-required={isRequired || undefined}>
          {field.title}
        </label>
        {labelEnd}
        {keep && <KeepButton title={field.title} {...keep} />}
      </div>
      {input ? input(props) : <FieldControl field={field} stored={stored} given={given} {...props} />}
      <span className={formStyles.hints} id={`${id}-hint`}>
        {problem && <span className={textStyles.error}>{problem}</span>}
        {hint && <span className={textStyles.hint}>{hint}</span>}
        {!readOnly && field.pattern && field.example && (
          <span className={`${textStyles.hint} ${formStyles.onFocus}`}>{t("Such as {example}.", { example: field.example })}</span>
        )}
        {hintEnd}
      </span>
    </div>
  );
}

/** Draws the input of a field alone. */
export function FieldControl({ field, stored, given, ...props }: Pick<FieldInputProps, "field" | "stored" | "given"> & InputProps) {
  // With other values it is another input, which begins with the text of the form.
  if (given?.choices)
    return <Choices key={given.choices.join("\n")} field={field} props={props} stored={given.text} choices={given.choices} />;
  return field.enum ? (
    <Choices field={field} props={props} stored={stored} choices={field.enum.map((value) => textOfValue(field, value))} />
  ) : (
    inputOf(field, props)
  );
}

/** Stands outside of the order of Tab, which leads from input to input. Its key works in the input. */
function KeepButton({ title, isKept, onToggle }: KeepValue & { title: string }) {
  return (
    <button
      type="button"
      className={`${buttonStyles.bare} ${formStyles.keep}`}
      tabIndex={-1}
      aria-pressed={isKept}
      aria-keyshortcuts="Control+. Meta+."
      title={t("Keep the value of this field for the next record")}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onToggle}
    >
      {t("Keep")}
      <span className={textStyles.hidden}> {title}</span>
    </button>
  );
}

function inputOf(field: Field, props: InputProps): React.ReactNode {
  const { choices } = KIND_TRAITS[field.kind];
  if (choices) return <Choices field={field} props={props} choices={Object.keys(choices)} />;
  if (pickerOf(field)) return <DateInput field={field} {...props} />;
  return field.format ? TEXTS[field.format](props) : plainInput(field.kind, props);
}

function plainInput(kind: Kind, props: InputProps & Pick<React.ComponentProps<"input">, "type" | "inputMode" | "dir">) {
  return <input autoComplete="off" spellCheck={false} {...KIND_TRAITS[kind].input} {...props} />;
}

/** They have no autofill, because the browser knows the clerk's own address and number. Numbers and addresses read from left to right. */
const TEXTS: Record<TextFormat, (props: InputProps) => React.ReactNode> = {
  // It has no type "email": Chromium rewrites letters beyond ASCII in its value.
  email: (props) => plainInput("string", { dir: "ltr", inputMode: KEYBOARDS.email, ...props }),
  uri: (props) => plainInput("string", { dir: "ltr", type: "url", ...props }),
  phone: (props) => plainInput("string", { dir: "ltr", type: "tel", ...props }),
  multiline: (props) => <textarea rows={3} dir="auto" autoComplete="off" className={formStyles.lines} {...props} />,
};

interface ChoicesProps extends Pick<FieldInputProps, "field" | "stored"> {
  props: InputProps;
  choices: readonly string[];
}

function Choices({ field, props, stored = "", choices }: ChoicesProps) {
  const { readOnly, ...rest } = props;
  const { choices: words } = KIND_TRAITS[field.kind];
  const shown = readOnly ? choices.filter((choice) => choice === stored) : choices;
  const isOld = stored !== "" && !choices.includes(stored);
  return (
    <select {...rest}>
      {!(readOnly && stored) && <option value="">{props["aria-required"] ? t("Choose…") : words ? t("Unknown") : t("None")}</option>}
      {isOld && <option value={stored}>{t("{value} (no longer a choice)", { value: labelOf(field, stored) })}</option>}
      {shown.map((choice) => (
        <option key={choice} value={choice}>
          {words ? t(words[choice] ?? choice) : labelOf(field, choice)}
        </option>
      ))}
    </select>
  );
}

/** Helps before they fail: the form that a value needs is shown while the input has the focus, its length once little room is left. */
function hintOf(field: Field, readOnly: boolean): string {
  if (field.masked) return t("Masked: your rights do not show this value. It stays as it is.");
  if (field.computed !== undefined) return t("Is computed.");
  if (field.autoNumber !== undefined) return t("The service gives it when the record is saved. It never changes.");
  if (readOnly && field.isUnseenReference) return t("Reference: your rights do not show this record. It stays as it is.");
  if (field.readOnly) return t("Only to be seen with your rights.");
  return readOnly ? t("Cannot be changed.") : field.description;
}
