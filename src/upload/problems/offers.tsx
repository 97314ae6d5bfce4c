// Offers what can be done with one click about a group of problems, and asks what must be asked.

import type { Field } from "../../../core/dictionary/fields.ts";
import { KIND_TRAITS, textOfValue, type Value } from "../../../core/dictionary/kinds.ts";
import { t } from "../../../core/i18n/translate.ts";
import type { Offer, ProblemGroup, WrongValue } from "../../../pipeline/checking/problem-groups.ts";
import { groupKey } from "../../../pipeline/checking/validate-row.ts";
import { isForm } from "../../../pipeline/model/value-fixes.ts";
import { useServices } from "../../app/services/services.ts";
import * as buttonStyles from "../../ui/button.module.css";
import * as textStyles from "../../ui/text.module.css";
import { count } from "../../values/format.ts";
import { formatValue } from "../../values/format-value.ts";
import { labelOfFix } from "./fix-labels.ts";
import * as styles from "./problems.module.css";

const SHOWN = 12; // offers of one group

/** Draws one button for all groups that have proposals. What must be asked is not among them. */
export function AllProposals({ groups }: { groups: readonly ProblemGroup[] }) {
  const { uploadManager } = useServices();
  const columns = new Set(groups.filter(hasProposals).map(({ field }) => field)).size;
  return (
    <p className={styles.offers}>
      <button type="button" className={buttonStyles.primary} onClick={() => uploadManager.act({ do: "proposals" })}>
        {t("Apply all proposals")} <span>{count(columns, "in {n} column", "in {n} columns")}</span>
      </button>
    </p>
  );
}

export function hasProposals({ offers, values }: ProblemGroup): boolean {
  return (values?.proposed ?? 0) > 0 || offers.some(({ choices }) => choices.length === 1);
}

interface OffersProps {
  group: ProblemGroup;
  /** Is undefined for a group that is about whole rows. */
  field: Field | undefined;
  /** No other button applies the proposals of the group. */
  isFirst: boolean;
}

export function Offers({ group, field, isFirst }: OffersProps) {
  const { uploadManager } = useServices();
  const { offers, values } = group;
  const clear = offers.filter(({ choices }) => choices.length === 1);
  const asked = offers.filter(({ choices }) => choices.length > 1);
  const proposed = values?.proposed ?? 0;
  if (offers.length + proposed === 0) return null;
  const rows = clear.reduce((sum, offer) => sum + offer.rows, values?.proposedRows ?? 0);
  return (
    <span className={styles.offers}>
      {clear.length + proposed > 1 && (
        <button
          type="button"
          className={isFirst ? buttonStyles.primary : undefined}
          aria-label={t("Apply proposals: {what}", { what: group.title })}
          onClick={() => uploadManager.act({ do: "proposals", group: groupKey(group) })}
        >
          {t("Apply proposals")} <span>{inRows(rows, group)}</span>
        </button>
      )}
      {clear.slice(0, SHOWN).map((offer) => (
        <ClearOffer key={offer.choices[0]?.name} offer={offer} group={group} field={field} />
      ))}
      {values?.proposals.map((value) => (
        <ProposedValue key={value.text} value={value} group={group} field={field} />
      ))}
      {proposed > (values?.proposals.length ?? 0) && (
        <span className={textStyles.note}>
          {count(proposed - (values?.proposals.length ?? 0), "and {n} more value", "and {n} more values")}
        </span>
      )}
      {asked.slice(0, SHOWN).map((offer) => (
        <AskedOffer key={offer.choices.map(({ name }) => name).join()} offer={offer} group={group} field={field} />
      ))}
    </span>
  );
}

/** Writes a value as lists show it, with labels, dates and times. A number stays as files have it, where a point has one meaning. */
function shownValue(field: Field | undefined, value: Value | null): string {
  if (field === undefined || value === null) return String(value);
  const { isTime, choices, fromText } = KIND_TRAITS[field.kind];
  const isRead = field.labels ?? choices ?? isTime;
  const read = isRead ? fromText(textOfValue(field, value)) : undefined;
  return read === undefined ? String(value) : formatValue(field, read);
}

interface OfferProps extends Pick<OffersProps, "group" | "field"> {
  offer: Offer;
}

function ClearOffer({ offer: { choices, rows, example }, group, field }: OfferProps) {
  const { uploadManager } = useServices();
  const [choice] = choices;
  if (!choice) return null;
  const { name, becomes } = choice;
  return (
    <button type="button" onClick={() => uploadManager.act({ do: "autoFix", field: group.field, name, isOn: true })}>
      {isForm(name) ? (
        <>
          <span title={labelOfFix(name)}>
            <bdi>{example}</bdi> → <b>{shownValue(field, becomes)}</b>
          </span>
          <span className={textStyles.hidden}>{labelOfFix(name)}</span>
        </>
      ) : (
        labelOfFix(name)
      )}{" "}
      <span className={textStyles.dim}>{inRows(rows, group)}</span>
    </button>
  );
}

function ProposedValue({ value: { text, rows, proposal }, group, field }: Omit<OfferProps, "offer"> & { value: WrongValue }) {
  const { uploadManager } = useServices();
  if (!proposal) return null;
  const { to, why } = proposal;
  const values = [{ from: text, to }];
  return (
    <button type="button" onClick={() => uploadManager.act({ do: "values", field: group.field, values })}>
      <bdi>{text}</bdi> → <b>{to === null ? t("leave its rows out") : to === "" ? t("no value") : shownValue(field, to)}</b>{" "}
      <span className={textStyles.dim}>
        {why === "remembered" && `${t("as last time")}, `}
        {inRows(rows, group)}
      </span>
    </button>
  );
}

/** Nobody can tell from the cells alone which reading is meant. */
function AskedOffer({ offer: { choices, rows, example }, group, field }: OfferProps) {
  const { uploadManager } = useServices();
  const question = count(rows, "“{example}” in {n} row can be read in more than one way:", "“{example}” in {n} rows can be read in more than one way:", { example }); // biome-ignore format: long
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset may not stand in a line
    <span role="group" aria-label={question} className={styles.asked}>
      <span className={textStyles.note}>{question}</span>
      {choices.map(({ name, becomes }) => (
        <button key={name} type="button" onClick={() => uploadManager.act({ do: "autoFix", field: group.field, name, isOn: true })}>
          <b>{shownValue(field, becomes)}</b> <span className={textStyles.dim}>{labelOfFix(name)}</span>
        </button>
      ))}
    </span>
  );
}

function inRows(rows: number, group: ProblemGroup): string {
  return rows === group.count ? t("in all") : count(rows, "in {n} row", "in {n} rows");
}
