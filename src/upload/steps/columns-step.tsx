// Step 2: which column of the file is which field, with samples, and what a row means.

import { useIsMutating } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { isPassedOver } from "../../../core/dictionary/files.ts";
import { titlesOf } from "../../../core/dictionary/unique-keys.ts";
import { t, tCount } from "../../../core/i18n/translate.ts";
import type { Loss } from "../../../pipeline/correction/correction-state.ts";
import type { Profiled } from "../../../pipeline/inspection/column-profile.ts";
import type { FileInspection } from "../../../pipeline/inspection/inspect-file.ts";
import { matchHeader, missingFields, proposeByContent, withField } from "../../../pipeline/mapping/match-columns.ts";
import { fieldsWithoutParent } from "../../../pipeline/mapping/match-parents.ts";
import { matchChoices, matchFields, proposeMatch } from "../../../pipeline/mapping/match-records.ts";
import type { RowMeaning } from "../../../pipeline/mapping/remembered-mapping.ts";
import { patternsOf } from "../../../pipeline/model/column-rules.ts";
import type { Plan, UploadMode } from "../../../pipeline/model/plan.ts";
import type { UploadState } from "../../../pipeline/runs/upload-state.ts";
import { ConfirmDialog } from "../../app/navigation/confirm-dialog.tsx";
import { useServices } from "../../app/services/services.ts";
import { USE_RECIPE } from "../../service/recipes.ts";
import * as buttonStyles from "../../ui/button.module.css";
import * as chipStyles from "../../ui/chip.module.css";
import * as formStyles from "../../ui/form.module.css";
import * as noticeStyles from "../../ui/notice.module.css";
import { ScrollArea } from "../../ui/scroll-area.tsx";
import * as tableStyles from "../../ui/table.module.css";
import * as textStyles from "../../ui/text.module.css";
import { count } from "../../values/format.ts";
import { changedTable } from "../columns/changed-table.ts";
import { ColumnFixes } from "../columns/column-fixes.tsx";
import type { FoundProfile } from "../columns/column-tools.tsx";
import { proposeSplit } from "../columns/propose-split.ts";
import type { Changing } from "../columns/rule-dialog.tsx";
import { useModes } from "../columns/upload-modes.ts";
import { ProblemGrid } from "../grid/lazy-problem-grid.tsx";
import { ColumnFacts, ColumnTools, RecipeChoice } from "../recipes/lazy-recipes.tsx";
import { ChooseAnotherFile } from "./choose-another-file.tsx";
import { ByContent, NeedsKeys, Parentless } from "./column-hints.tsx";
import * as styles from "./columns-step.module.css";
import { FirstRows } from "./dialect.tsx";
import { ColumnNotes, DamageNote, RecalledNote, SheetNotes, StrayQuotesNote } from "./file-notes.tsx";
import { ReadingChips } from "./table-choice.tsx";

interface ColumnsStepProps {
  collection: Collection;
  columns: Extract<UploadState, { step: "columns" }>;
  plan: Plan;
  isReading?: boolean | undefined;
}

export function ColumnsStep({
  collection,
  columns: { inspection: asRead, hasCorrections = false, isKept = false, loss },
  plan,
  isReading,
}: ColumnsStepProps) {
  const { uploadManager } = useServices();
  const { columns, mode, rules } = plan;
  const [latest, setFound] = useState<FoundProfile>();
  const found = latest?.of === rules ? latest : undefined;
  const profile = found?.profile;
  // A pattern that was not tried on all rows might keep the page or the check busy for ever.
  const isTried = found?.isOver || patternsOf(rules).length === 0;
  const isFetchingRecipe = useIsMutating({ mutationKey: USE_RECIPE }) > 0;
  const isWaiting = isFetchingRecipe || !isTried;
  const inspection = useMemo(() => changedTable(asRead, rules, isTried), [asRead, rules, isTried]);
  const [changing, setChanging] = useState<Changing>();
  const modes = useModes(collection);
  const [first = mode] = modes;
  useEffect(() => void ProblemGrid.preload(), []);
  // An upload that somebody else began, or the usual choice, may be more than the caller may do, and match by columns that are left out by now.
  useEffect(() => {
    const { plan: now = plan } = uploadManager.state(); // another effect may have changed it
    const mode = modes.length > 0 && !modes.includes(now.mode) ? first : now.mode;
    const matchBy = now.matchBy && proposeMatch(collection, now.columns, now.matchBy);
    if (mode !== now.mode || matchBy !== now.matchBy) uploadManager.choose({ ...now, mode, matchBy });
  });
  const [declined, setDeclined] = useState<Loss>();
  const missingNotice = useRef<HTMLDivElement>(null);
  const question = useRef<HTMLDivElement>(null);
  const isAsking = asRead.plausible.length > 0; // a wrong guess would be stored, and nobody would notice
  const missing = missingFields(collection, columns, mode, plan.matchBy);
  const parentless = fieldsWithoutParent(collection, columns);
  const byName = useMemo(() => matchHeader(collection, inspection.header), [collection, inspection.header]);

  function check(): void {
    if (isReading || isWaiting) return;
    if (isAsking) question.current?.focus();
    else if (missing.length + parentless.length > 0) missingNotice.current?.focus();
    else uploadManager.check();
  }

  /** Says why the file cannot be checked yet. */
  function waitsFor(): string {
    if (isFetchingRecipe) return t("The recipe is being fetched. Then the file can be checked.");
    if (!isTried) return t("The pattern is being tried on all rows. Then the file can be checked.");
    return isAsking ? t("Choose the encoding above. Then the file can be checked.") : t("Nothing is stored yet.");
  }

  return (
    <>
      <ReadingChips inspection={inspection} questionRef={question} />
      {!hasCorrections && <RecipeChoice collection={collection} inspection={asRead} plan={plan} />}
      <SheetNotes notes={inspection.container?.notes ?? []} />
      {inspection.strayQuotes && <StrayQuotesNote strayQuotes={inspection.strayQuotes} />}
      <DamageNote damage={inspection.damage} />
      <FirstRows inspection={inspection} />
      {missing.length > 0 && (
        <div className={noticeStyles.notice} data-tone="wrong" role="alert" tabIndex={-1} ref={missingNotice}>
          <b>
            {count(missing.length, "{n} column is missing: {titles}.", "{n} columns are missing: {titles}.", {
              titles: missing.map((field) => field.title).join(", "),
            })}
          </b>{" "}
          {count(
            missing.length,
            "Choose below which column holds it, or add it to the file and choose the file again.",
            "Choose below which column holds them, or add them to the file and choose the file again.",
          )}
        </div>
      )}
      {missing.length === 0 && parentless.length > 0 && (
        <div className={noticeStyles.notice} data-tone="wrong" role="alert" tabIndex={-1} ref={missingNotice}>
          {parentless.map((field) => (
            <Parentless key={field.name} collection={collection} field={field} heading={inspection.header[columns.indexOf(field.name)]} />
          ))}
        </div>
      )}
      <ColumnFixes collection={collection} plan={plan} profile={profile} />
      <RecalledNote inspection={inspection} byName={byName} plan={plan} />
      <ColumnNotes collection={collection} header={inspection.header} columns={columns} mode={mode} />
      <ColumnTools
        collection={collection}
        plan={plan}
        header={inspection.header}
        changing={changing}
        onChanging={setChanging}
        onProfile={setFound}
      />
      <ColumnTables
        collection={collection}
        inspection={inspection}
        profile={profile}
        onChanging={setChanging}
        columns={columns}
        isMissing={missing.length > 0}
        onChoose={(at, name) => {
          const next = withField(collection, plan, at, name);
          uploadManager.choose({ ...plan, columns: next, matchBy: proposeMatch(collection, next, plan.matchBy) });
        }}
      />
      <RowMeaningChoice
        collection={collection}
        plan={plan}
        modes={modes}
        onChange={(change) => uploadManager.choose({ ...plan, ...change })}
      />
      <div className={formStyles.longSavebar}>
        <button type="button" className={buttonStyles.primary} aria-disabled={isReading || isWaiting || isAsking} onClick={check}>
          {t("Check")}
        </button>
        <ChooseAnotherFile loses={hasCorrections && !isKept} />
        <span className={`${textStyles.note} ${isWaiting || isAsking ? formStyles.waiting : ""}`} role="status">
          {waitsFor()}
        </span>
      </div>
      {loss && loss !== declined && <LossDialog loss={loss} onStay={() => setDeclined(loss)} />}
    </>
  );
}

/** The file is now read differently than when it was corrected. */
function LossDialog({ loss: { cells, rows }, onStay }: { loss: Loss; onStay: () => void }) {
  const { uploadManager } = useServices();
  const corrected = cells > 0 && count(cells, "{n} corrected cell", "{n} corrected cells");
  const out = rows > 0 && count(rows, "{n} row left out", "{n} rows left out");
  const what = corrected && out ? t("{corrected} and {out}", { corrected, out }) : corrected || out || "";
  return (
    <ConfirmDialog
      title={t("Check the file and lose corrections?")}
      confirmLabel={t("Check and discard")}
      onConfirm={() => uploadManager.check(true)}
      onCancel={onStay}
    >
      {tCount(
        cells + rows,
        "{what} belongs to lines that are now read differently and will be lost.",
        "{what} belong to lines that are now read differently and will be lost.",
        { what },
      )}{" "}
      {t("To keep your work, cancel and read the file as before.")}
    </ConfirmDialog>
  );
}

interface ColumnTablesProps {
  collection: Collection;
  inspection: FileInspection;
  columns: readonly (string | null)[];
  /** A required field has no column. */
  isMissing: boolean;
  profile: Profiled | undefined;
  /** Opens the dialog that changes the column. */
  onChanging: (changing: Changing) => void;
  /** Gives a column a field, or none. */
  onChoose: (at: number, name: string | null) => void;
}

const SPARE_SHOWN = 8; // unmatched columns; more than these are folded

/** In a wide file, matched columns come first. Uses the proposed matches, so that no column moves while the user chooses. */
function ColumnTables({ collection, inspection, columns, isMissing, ...facts }: ColumnTablesProps) {
  const [matched, spare] = [true, false].map((isMatched) =>
    inspection.columns.flatMap((name, i) => ((name !== null) === isMatched ? i : [])),
  );
  const proposed = proposeByContent(inspection.byContent ?? [], columns);
  const isFolded = matched?.length !== 0 && (spare?.length ?? 0) > SPARE_SHOWN;
  const table = (label: string, area: string, shown: readonly number[]) => (
    <ColumnTable
      label={label}
      area={area}
      shown={shown}
      collection={collection}
      inspection={inspection}
      columns={columns}
      proposed={proposed}
      {...facts}
    />
  );
  if (!isFolded || !matched || !spare) return table(t("Columns"), t("Columns of the file"), [...inspection.header.keys()]);
  return (
    <>
      {table(t("Columns"), t("Columns of the file"), matched)}
      <details
        className={styles.folded}
        open={isMissing || spare.some((i) => proposed[i] != null) || spare.some((i) => columns[i] !== null)}
      >
        <summary>{count(spare.length, "{n} more column of the file", "{n} more columns of the file")}</summary>
        {table(t("More columns"), t("More columns of the file"), spare)}
      </details>
    </>
  );
}

interface ColumnTableProps extends Omit<ColumnTablesProps, "isMissing"> {
  label: string;
  /** The accessible name of the scroll area. */
  area: string;
  /** Names for each column the field that it may be by its content. */
  proposed: readonly (string | null)[];
  /** Indexes of the columns to show. */
  shown: readonly number[];
}

function ColumnTable({ label, area, shown, collection, inspection, columns, proposed, profile, onChanging, onChoose }: ColumnTableProps) {
  return (
    <ScrollArea label={area}>
      <table className={styles.match} aria-label={label}>
        <thead>
          <tr>
            <th>{t("Column in the file")}</th>
            <th>{t("First rows")}</th>
            <th>{t("Field")}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((i) => (
            <tr key={i}>
              <th scope="row" className={tableStyles.rowHead} dir="auto">
                <div className={styles.column}>
                  <b>{nameOf(inspection.header[i], i)}</b>
                  <ColumnFacts
                    name={nameOf(inspection.header[i], i)}
                    profile={profile?.columns[i]}
                    rows={profile?.rowsRead ?? 0}
                    split={proposeSplit(collection, columns, i, profile?.columns[i])}
                    onChange={(what) => onChanging({ column: i, ...what })}
                  />
                </div>
              </th>
              <td className={textStyles.dim} dir="auto">
                {inspection.samples
                  .slice(0, 3)
                  .map((row) => row[i]?.slice(0, 80))
                  .filter(Boolean)
                  .join(" · ")}
              </td>
              <td>
                <select
                  aria-label={t("Field for {column}", { column: nameOf(inspection.header[i], i) })}
                  value={columns[i] ?? ""}
                  onChange={(event) => onChoose(i, event.target.value || null)}
                >
                  <option value="">{t("Leave out")}</option>
                  {collection.fields
                    .filter((field) => !isPassedOver(field) && !collection.parentFields?.has(field.name))
                    .map((field) => (
                      <option key={field.name} value={field.name}>
                        {field.required ? t("{title} (required)", { title: field.title }) : field.title}
                      </option>
                    ))}
                  {collection.parentFields && collection.parentFields.size > 0 && (
                    <optgroup label={t("For what is created along")}>
                      {[...collection.parentFields.values()].map((field) => (
                        <option key={field.name} value={field.name}>
                          {field.title}
                        </option>
                      ))}
                    </optgroup>
                  )}
                </select>
                <ByContent
                  field={collection.byName.get(proposed[i] ?? "")}
                  column={nameOf(inspection.header[i], i)}
                  onUse={(name) => onChoose(i, name)}
                />
                <NeedsKeys
                  collection={collection}
                  field={collection.byName.get(columns[i] ?? "")}
                  cells={inspection.samples.flatMap((row) => row[i]?.trim() || [])}
                  column={nameOf(inspection.header[i], i)}
                  onUse={(name) => onChoose(i, name)}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  );
}

function nameOf(heading: string | undefined, index: number): string {
  return heading?.slice(0, 100) || t("Column {n}", { n: index + 1 });
}

interface RowMeaningChoiceProps {
  collection: Collection;
  plan: Plan;
  modes: readonly UploadMode[];
  onChange: (change: RowMeaning) => void;
}

/** Asks what a row does, to which record, and what its empty cells mean. */
function RowMeaningChoice({ collection, plan, modes, onChange }: RowMeaningChoiceProps) {
  const { mode, matchBy, clears } = plan;
  const { noun } = collection;
  const choices = matchChoices(collection, plan.columns);
  const naming = matchFields(collection, matchBy);
  const key = titlesOf(naming);
  const hasMatch = choices.some(({ fields }) => fields === naming || fields[0] === naming[0]);
  const empty = clears ? t("An empty cell clears the stored value.") : t("An empty cell leaves the stored value as it is.");
  const texts: Record<UploadMode, [name: string, hint: string]> = {
    create: [t("Add new ones only"), t("A row whose {key} is taken is refused.", { key })],
    upsert: [
      t("Add new ones and update existing ones"),
      hasMatch
        ? `${t("A row whose {key} is taken updates that {noun}.", { key, noun })} ${empty}`
        : t("No column is matched with {key}, so each row adds a new {noun}.", { key, noun }),
    ],
    update: [t("Update existing ones only"), `${t("A row whose {key} is not known is refused.", { key })} ${empty}`],
  };
  return (
    <fieldset>
      <legend>{t("What a row means")}</legend>
      {modes.map((each) => (
        <label className={formStyles.choice} key={each}>
          <input type="radio" name="mode" checked={mode === each} onChange={() => onChange({ mode: each, matchBy, clears })} />
          <span>
            {texts[each][0]} <span className={textStyles.note}>{texts[each][1]}</span>
          </span>
        </label>
      ))}
      {choices.length > 1 && (
        <label className={chipStyles.chip}>
          {t("Matched by")}
          <select
            value={matchBy ?? collection.key.name}
            onChange={({ target }) => onChange({ mode, clears, matchBy: target.value === collection.key.name ? undefined : target.value })}
          >
            {choices.map(({ name, fields }) => (
              <option key={name} value={name}>
                {titlesOf(fields)}
              </option>
            ))}
          </select>
        </label>
      )}
      {mode !== "create" && hasMatch && (
        <label className={formStyles.choice}>
          <input
            type="checkbox"
            checked={clears === true}
            onChange={({ target }) => onChange({ mode, matchBy, clears: target.checked || undefined })}
          />
          <span>
            {t("Empty cells clear stored values")}{" "}
            <span className={textStyles.note}>{t("For files that hold each record as a whole.")}</span>
          </span>
        </label>
      )}
    </fieldset>
  );
}
