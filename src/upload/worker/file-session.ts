// A file in the worker before its upload: inspected, checked, corrected and previewed.

import type { Collection } from "../../../core/dictionary/collections.ts";
import { t } from "../../../core/i18n/translate.ts";
import type { CheckSummary, Findings } from "../../../pipeline/checking/findings.ts";
import type { CorrectionJob, CorrectionSession } from "../../../pipeline/correction/correction-session.ts";
import type { Act, CheckAnswer, CheckQuery, Loss, PlanAnswer, PlanQuery } from "../../../pipeline/correction/correction-state.ts";
import { mappingOf, meaningOf } from "../../../pipeline/mapping/remembered-mapping.ts";
import { type Corrected, type History, NO_CORRECTIONS, withValues } from "../../../pipeline/model/corrections.ts";
import type { Choices } from "../../../pipeline/model/dialect.ts";
import { FileError } from "../../../pipeline/model/file-error.ts";
import type { Plan } from "../../../pipeline/model/plan.ts";
import { correctedToday, withNamesOfToday } from "../../../pipeline/model/renamed-plan.ts";
import type { Fingerprint } from "../../../pipeline/reading/fingerprint.ts";
import type { OpenedUpload, UploadStorage } from "../../../pipeline/runs/resumable-run.ts";
import { runCheck, runInspection } from "../../../pipeline/runs/run-upload.ts";
import type { UploadState } from "../../../pipeline/runs/upload-state.ts";
import type { SentAgain } from "../../../pipeline/sending/journal.ts";
import type { PostBatch } from "../../../pipeline/sending/responses.ts";
import type { UploadService } from "../../../pipeline/sending/upload-service.ts";
import type { Mappings } from "../storage/indexeddb-mappings.ts";
import type { UnsentFile } from "./unsent-file.ts";

/** `post` has no effect once something else runs. */
export interface Run {
  signal: AbortSignal;
  post(state: UploadState): void;
  /** Asks, for a check, the service what it would do. */
  dryPostFor?: (collection: Collection) => PostBatch;
}

export interface CheckedFile {
  file: File;
  collection: Collection;
  /** Includes the corrections so far. */
  plan: Plan;
  check: CheckSummary;
}

type CorrectionCode = NonNullable<Awaited<ReturnType<typeof loadCorrection>>>;

/** Only a file that is checked needs this code. Undefined when it cannot be fetched. */
async function loadCorrection() {
  const parts = await Promise.all([
    import("../../../pipeline/correction/correction-session.ts"),
    import("../../../pipeline/correction/carry-over.ts"),
    import("../../../pipeline/correction/wrong-values.ts"),
    import("./unsent-file.ts"),
  ]).catch(() => undefined);
  return parts && { ...parts[0], ...parts[1], ...parts[2], ...parts[3] };
}

function endOf(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(undefined), { once: true }));
}

/** Returns the state when a part of the app cannot be fetched. */
export function notFetched(title: string): UploadState {
  return {
    step: "refused",
    title,
    detail: t("A part of the app could not be loaded. Reload the page and try again; nothing was changed."),
  };
}

export class FileCheck {
  readonly #broken: (error: unknown) => void;
  readonly #storage: UploadStorage;
  /** Stores the corrections as they are made, from the first check on. */
  #unsent: UnsentFile | undefined;
  #uploadId = "";
  #again: SentAgain | undefined;
  readonly #mappings: Mappings;
  #code: ReturnType<typeof loadCorrection> | undefined;
  #chosen: { file: File; collection: Collection; choices: Choices; columns: UploadState } | undefined;
  /** The checked file while the user corrects it. */
  #corrections: CorrectionSession | undefined;
  #postAgain: (() => void) | undefined;
  /** The corrections from before the same file was inspected again. */
  #corrected: Corrected | undefined;

  constructor(storage: UploadStorage, mappings: Mappings, broken: (error: unknown) => void) {
    this.#storage = storage;
    this.#mappings = mappings;
    this.#broken = broken;
  }

  get file(): File | undefined {
    return this.#chosen?.file;
  }

  /** Returns undefined unless a file is checked. */
  get checked(): CheckedFile | undefined {
    if (!this.#corrections || !this.#chosen) return undefined;
    const { file, collection } = this.#chosen;
    const { plan, check } = this.#corrections;
    return { file, collection, plan, check };
  }

  /** `uploadId`: under which the corrections are stored. What is stored of a file before stays. */
  async inspect(
    {
      file,
      collection,
      choices,
      uploadId,
      again,
    }: { file: File; collection: Collection; choices: Choices; uploadId: string; again?: SentAgain | undefined },
    { signal, post }: Run,
  ): Promise<void> {
    this.#uploadId = uploadId;
    this.#again = again;
    await this.#unsent?.begin(uploadId);
    if (!this.#isChosen(file)) this.#corrected = undefined;
    let columns = await runInspection(file, collection, choices, await this.#mappings.list());
    if (signal.aborted) return;
    const hasCorrections = (this.#corrected?.history.past.length ?? 0) > 0;
    if (columns.step === "columns") columns = { ...columns, hasCorrections, isKept: this.#isKept };
    this.#chosen = { file, collection, choices, columns };
    post(columns);
    if (uploadId && columns.step === "columns") void this.#loadCorrection(); // the check is what comes next
  }

  /** Goes on with a file that was stored with its corrections. False when another tab works on it. */
  async restore({ upload, file, isCopy = false }: OpenedUpload, collection: Collection, run: Run): Promise<boolean> {
    const { id: uploadId, unsent, job } = upload;
    if (!unsent || !job) throw new Error("Nothing of it is stored.");
    const part = await this.#loadCorrection();
    if (!part) run.post(notFetched(t("The check could not start.")));
    else if (!(await this.#openUnsent(part).adopt(uploadId, job.fingerprint, isCopy))) return false;
    if (!part) return true;
    await this.inspect({ file, collection, choices: unsent.choices, uploadId, again: upload.again }, run);
    this.#corrected = correctedToday(unsent.corrected, collection);
    const plan = withNamesOfToday(job.plan, collection);
    if (!run.signal.aborted && this.#chosen?.columns.step === "columns") await this.check(plan, true, run);
    return true;
  }

  /** Makes way for the upload that begins: nothing is stored afterwards. Returns what is stored already under its id, if anything. */
  async endUnsent(uploadId: string): Promise<{ isCopy: boolean; fingerprint: Fingerprint | undefined }> {
    const isCopy = this.#unsent?.isCopy ?? false;
    return { isCopy, fingerprint: await this.#unsent?.end(uploadId) };
  }

  /** Loads it once, until it fails. */
  #loadCorrection(): ReturnType<typeof loadCorrection> {
    this.#code ??= loadCorrection().then((part) => {
      if (!part) this.#code = undefined;
      return part;
    });
    return this.#code;
  }

  get #isKept(): boolean {
    return this.#unsent?.isKept ?? false;
  }

  #openUnsent({ UnsentFile: Unsent }: CorrectionCode): UnsentFile {
    this.#unsent ??= new Unsent(this.#storage, () => this.#postAgain?.());
    return this.#unsent;
  }

  /**
   * Checks with the corrections so far. If reading the file in another way would lose some of them, it reports that first, unless
   * `isAgreed`.
   */
  async check(base: Plan, isAgreed: boolean, { signal, post, dryPostFor }: Run): Promise<void> {
    if (!this.#chosen) throw new Error("No file was looked at.");
    const { file, collection, columns } = this.#chosen;
    if (columns.step !== "columns") throw new Error("The file could not be read.");
    this.#remember(collection, columns, base);
    // With corrections the columns step stays, for its question about them. Their code is there already.
    if (!this.#corrected) post({ step: "checking", rowsRead: 0, bytesRead: 0, bytesTotal: file.size });
    const part = await Promise.race([this.#loadCorrection(), endOf(signal)]);
    if (signal.aborted) return post(columns);
    if (!part) return post(notFetched(t("The check could not start.")));
    await this.#openUnsent(part).begin(this.#uploadId);
    const carriedOver = await this.#carryOver(part.carryOver, file, base, { signal, post });
    if (signal.aborted) return post(columns);
    if (carriedOver && !isAgreed && carriedOver.loss.cells + carriedOver.loss.rows > 0) return post({ ...columns, loss: carriedOver.loss });
    const history = carriedOver?.history;
    const plan = history ? { ...base, fixes: history.fixes } : base;
    let found: { findings: Findings; plan: Plan } | undefined;
    const onFound = (findings: Findings, checked: Plan) => {
      found = { findings, plan: checked };
    };
    const remembered = columns.inspection.recalled?.values;
    const countValues = part.createValueCounts(remembered, plan.dialect.is1904);
    for await (const state of runCheck({ file, collection, plan, signal, onFound, countValues, dryPost: dryPostFor?.(collection) })) {
      if (signal.aborted) break;
      if (state.step !== "checked" || !found) post(state);
      else this.#correct(part.CorrectionSession, { file, collection, ...found, history, remembered }, post);
    }
    if (signal.aborted) post(columns);
  }

  act(act: Act): void {
    const corrections = this.#corrections;
    if (!corrections || !this.#chosen) return;
    corrections.act(act);
    const { file, collection, choices } = this.#chosen;
    this.#unsent?.keep(() => {
      const { plan, check, corrected } = corrections;
      if (corrected.history.past.length === 0) return undefined;
      return { file, collection, plan, rowsTotal: check.rowsRead, choices, corrected, again: this.#again };
    });
  }

  answer(query: CheckQuery | PlanQuery): CheckAnswer | PlanAnswer | undefined {
    if (query.for !== "plan") return this.#corrections?.answer(query);
    const columns = this.#chosen?.columns;
    const plan = this.checked?.plan;
    return plan && columns?.step === "columns" ? { for: "plan", plan, headings: columns.inspection.header } : undefined;
  }

  preview({ postDry, findTwin, queryTime, parents, ...compare }: UploadService): void {
    this.#corrections?.preview(postDry, findTwin, queryTime, parents, compare);
  }

  /** When the file is inspected again, its corrections come back. */
  close(): void {
    if (!this.#corrections) return;
    if (this.#chosen?.columns.step === "columns") this.#remember(this.#chosen.collection, this.#chosen.columns, this.#corrections.plan);
    const { corrected } = this.#corrections;
    const { past, future } = corrected.history;
    this.#corrected = past.length + future.length > 0 ? corrected : undefined; // the rules of a recipe are the plan's own
    this.#corrections.close();
    this.#corrections = undefined;
  }

  #correct(
    Session: CorrectionCode["CorrectionSession"],
    job: Pick<CorrectionJob, "file" | "collection" | "plan" | "findings" | "history" | "remembered">,
    post: Run["post"],
  ): void {
    this.#corrections = new Session({
      ...job,
      post: (check, corrections) => {
        this.#postAgain = () => this.#corrections && post({ step: "checked", check, corrections, isKept: this.#isKept });
        post({ step: "checked", check, corrections, isKept: this.#isKept });
      },
      fail: (error) => {
        if (!(error instanceof FileError)) return this.#broken(error);
        const { title, detail, autoFix } = error;
        post({ step: "refused", title, detail, autoFix });
      },
    });
  }

  async #carryOver(
    carryOver: CorrectionCode["carryOver"],
    file: File,
    { dialect, rules }: Plan,
    { signal, post }: Run,
  ): Promise<{ history: History; loss: Loss } | undefined> {
    const carriedOver =
      this.#corrected &&
      carryOver(this.#corrected, { file, dialect, ...(rules && { rules }) }, ({ first, bytesRead }) => {
        post({ step: "checking", rowsRead: first, bytesRead, bytesTotal: file.size });
        return !signal.aborted;
      });
    return carriedOver?.catch((error: unknown) => {
      if (!(error instanceof FileError)) throw error;
      return undefined; // the check fails with the same error
    });
  }

  #isChosen({ name, size, lastModified }: File): boolean {
    const file = this.#chosen?.file;
    return file?.name === name && file.size === size && file.lastModified === lastModified;
  }

  /** Remembers them for the next file with these headings. A browser that stores nothing forgets. */
  #remember(
    collection: Collection,
    { inspection }: Extract<UploadState, { step: "columns" }>,
    { columns, rules, fixes, ...plan }: Plan,
  ): void {
    if (this.#again) return; // its headings are ours
    const { values } = withValues(NO_CORRECTIONS, [...(inspection.recalled?.values ?? []), ...(fixes?.values ?? [])]);
    this.#mappings.keep(mappingOf(collection, inspection.header, { ...meaningOf(plan), columns, rules, values })).catch(() => {});
  }
}
