// The sections of a long form. Headings say what is missing or wrong, and an overview beside them leads to each.

import { useEffect, useRef, useState } from "react";
import type { UseFormReturn } from "react-hook-form";
import type { Collection } from "../../../core/dictionary/collections.ts";
import type { Field } from "../../../core/dictionary/fields.ts";
import type { FormPart, Section } from "../../../core/dictionary/read-sections.ts";
import type { Fields } from "../../../core/dictionary/validate.ts";
import { t, tCount } from "../../../core/i18n/translate.ts";
import * as buttonStyles from "../../ui/button.module.css";
import * as formStyles from "../../ui/form.module.css";
import { type Shortcuts, useShortcuts } from "../../ui/keyboard/shortcuts.ts";
import * as textStyles from "../../ui/text.module.css";
import { goToInput, useFieldId } from "../../values/field-id.ts";
import type { Texts } from "../../values/field-text.ts";
import * as styles from "./form-sections.module.css";
import type { Conditions } from "./use-conditions.ts";

interface FormSectionsProps {
  collection: Collection;
  form: UseFormReturn<Texts, unknown, Fields>;
  conditions: Conditions;
  keys: Shortcuts;
  draw: (field: Field) => React.ReactNode;
}

/** Says what a part still needs. */
interface Needs {
  /** The names of required fields without a value. */
  missing: readonly string[];
  wrong: readonly string[];
  /** No field of it is asked for. */
  isEmpty: boolean;
}

/** Draws the fields of the form, in its sections where it has some. */
export function FormFields({ collection, draw, ...props }: FormSectionsProps) {
  const { formParts, form } = collection;
  if (formParts) return <FormSections {...{ ...props, collection, draw }} parts={formParts} />;
  return <div className={formStyles.fields}>{form.map(draw)}</div>;
}

function FormSections({ parts, form, conditions, keys, draw }: FormSectionsProps & { parts: readonly FormPart[] }) {
  const { errors } = form.formState;
  const frame = useRef<HTMLDivElement>(null);
  const idOf = useFieldId();
  const isAsked = (field: Field) =>
    conditions.of(field)?.isVisible !== false || errors[field.name] || conditions.leftBehind.includes(field);
  const isEmptied = useEmptyFields(form);
  const needs = parts.map(({ fields }): Needs => {
    const wrong = fields.flatMap(({ name }) => (errors[name] ? name : []));
    const isMissing = (field: Field) =>
      (conditions.of(field)?.isRequired ?? field.required) && !field.readOnly && isEmptied(field.name) && isAsked(field);
    const missing = fields.flatMap((field) => (!errors[field.name] && isMissing(field) ? field.name : []));
    return { wrong, missing, isEmpty: !fields.some(isAsked) };
  });
  const goTo = (at: number) => {
    const { wrong = [], missing = [] } = needs[at] ?? {};
    const place = frame.current?.querySelector<HTMLElement>(`[data-part="${at}"]`);
    const names = [...wrong, ...missing, ...(parts[at]?.fields.map(({ name }) => name) ?? [])];
    goToInput(names.flatMap((name) => document.getElementById(idOf(name)) ?? []).find(isUsable) ?? place?.querySelector("summary"));
    place?.scrollIntoView({ block: "nearest" });
    document.activeElement?.scrollIntoView({ block: "nearest" }); // it counts more than the heading of a part that is longer than the window
  };
  const shown = parts.flatMap((_, at) => (needs[at]?.isEmpty ? [] : at));
  const step = (by: 1 | -1) => () => {
    const here = document.activeElement?.closest("[data-part]");
    const at = here && frame.current?.contains(here) ? Number(here.getAttribute("data-part")) : by > 0 ? -1 : parts.length;
    const next = by > 0 ? shown.find((one) => one > at) : shown.findLast((one) => one < at);
    if (next !== undefined) goTo(next);
  };
  useShortcuts(keys, { nextSection: step(1), previousSection: step(-1) });
  return (
    <div className={styles.parts} ref={frame}>
      <Overview {...{ frame, parts, needs, shown, goTo }} />
      <div className={styles.all}>
        {parts.map(({ section, fields }, at) => {
          const own = <div className={formStyles.fields}>{fields.map(draw)}</div>;
          if (!section)
            return (
              <div key="" data-part={at}>
                {own}
              </div>
            );
          return (
            <FormSection key={section.name} {...{ section, at }} needs={needs[at] as Needs} attempt={form.formState.submitCount}>
              {own}
            </FormSection>
          );
        })}
      </div>
    </div>
  );
}

interface OverviewProps {
  frame: React.RefObject<HTMLElement | null>;
  parts: readonly FormPart[];
  needs: readonly Needs[];
  /** The places of the parts of which some field is asked for. */
  shown: readonly number[];
  goTo: (at: number) => void;
}

/** It follows the window by itself, so that scrolling draws no field again. */
function Overview({ frame, parts, needs, shown, goTo }: OverviewProps) {
  const current = useCurrentPart(frame, parts);
  return (
    <nav className={styles.overview} aria-label={t("Sections")}>
      <ol>
        {shown.map((at) => (
          <li key={parts[at]?.section?.name ?? ""}>
            <button
              type="button"
              className={buttonStyles.bare}
              aria-current={current === at ? "location" : undefined}
              onClick={() => goTo(at)}
            >
              <span dir="auto">{parts[at]?.section?.title ?? t("General")}</span>
              <NeedsOf {...(needs[at] as Needs)} />
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}

interface FormSectionProps {
  section: Section;
  at: number;
  needs: Needs;
  /** Counts how often it was tried to save. */
  attempt: number;
  children: React.ReactNode;
}

/** It opens when something in it is wrong. `open` is not set again after that, so that it stays as people leave it. */
function FormSection({ section, at, needs, attempt, children }: FormSectionProps) {
  const place = useRef<HTMLDetailsElement>(null);
  const isWrong = needs.wrong.length > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt to save opens it again
  useEffect(() => {
    if (isWrong && place.current) place.current.open = true;
  }, [isWrong, attempt]);
  return (
    <details className={styles.section} ref={place} open={!section.isCollapsed} data-part={at} hidden={needs.isEmpty}>
      <summary>
        <h2 dir="auto">{section.title}</h2>
        <NeedsOf {...needs} />
      </summary>
      {section.description && (
        <p className={textStyles.hint} dir="auto">
          {section.description}
        </p>
      )}
      {children}
    </details>
  );
}

function NeedsOf({ wrong, missing }: Needs) {
  return (
    <>
      {wrong.length > 0 && <span className={textStyles.error}> {tCount(wrong.length, "{n} is wrong", "{n} are wrong")}</span>}
      {missing.length > 0 && <span className={textStyles.hint}> {tCount(missing.length, "{n} is missing", "{n} are missing")}</span>}
    </>
  );
}

/** Says of a field whether its input is empty. The sections are drawn again only when that of some field changes. */
function useEmptyFields(form: FormSectionsProps["form"]): (name: string) => boolean {
  const read = () => {
    const texts = form.getValues();
    return Object.keys(texts)
      .filter((name) => texts[name] === "")
      .join(" ");
  };
  const [empty, setEmpty] = useState(read);
  const latest = useRef(read);
  latest.current = read;
  useEffect(() => {
    const follow = () => setEmpty(latest.current());
    follow();
    return form.subscribe({ formState: { values: true }, callback: follow });
  }, [form]);
  const names = new Set(empty.split(" "));
  return (name) => names.has(name);
}

/** Returns the part that stands in the upper third of the window. */
function useCurrentPart(frame: React.RefObject<HTMLElement | null>, parts: readonly FormPart[]): number | undefined {
  const [current, setCurrent] = useState<number>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: other parts have other elements
  useEffect(() => {
    const seen = new Set<number>();
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          const at = Number(target.getAttribute("data-part"));
          if (isIntersecting) seen.add(at);
          else seen.delete(at);
        }
        setCurrent(seen.size > 0 ? Math.min(...seen) : undefined);
      },
      { rootMargin: "0px 0px -67% 0px" },
    );
    for (const part of frame.current?.querySelectorAll("[data-part]") ?? []) observer.observe(part);
    return () => observer.disconnect();
  }, [frame, parts]);
  return current;
}

function isUsable(input: Element): boolean {
  return !(input instanceof HTMLInputElement && input.readOnly);
}
