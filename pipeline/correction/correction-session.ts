// A checked file while the user corrects it: undo and redo, updated findings, and the preview once nothing changes.

import type { Collection } from "../../core/dictionary/collections.ts";
import { readForm } from "../../core/forms/readings.ts";
import { checkFile, validateOneRow } from "../checking/check-file.ts";
import { type CheckSummary, type FieldValues, Findings, rejectionKey } from "../checking/findings.ts";
import { withRepeats } from "../checking/repeated-rows.ts";
import { findFirstRows, readAgain } from "../checking/reread-rows.ts";
import { withCells } from "../checking/validate-row.ts";
import { type Clock, realClock } from "../model/clock.ts";
import { type Corrected, type Corrections, type History, NO_CORRECTIONS, type ValueRule } from "../model/corrections.ts";
import type { Plan } from "../model/plan.ts";
import { RowSet } from "../model/row-set.ts";
import { ParentWatch } from "../parents/parent-watch.ts";
import type { FindTwin, ParentService, PostBatch, QueryTime } from "../sending/responses.ts";
import { correctedOf } from "./carry-over.ts";
import { answerNext, asRead, createRowView, fixBy, hasText } from "./correction-rows.ts";
import { type Act, type CheckAnswer, type CheckQuery, type CorrectionState, shownFields, UNCORRECTED } from "./correction-state.ts";
import { type RejectedRow, runPreview } from "./preview.ts";
import { type CompareService, SimilarWatch } from "./similar-rows.ts";
import type { SimilarState } from "./similar-state.ts";
import { createValueCounts } from "./wrong-values.ts";

export interface CorrectionJob {
  file: File;
  collection: Collection;
  plan: Plan;
  findings: Findings;
  /** Comes from before the columns were matched again, for the same file. */
  history?: History | undefined;
  /** Says what values became in an earlier file with such headings. It is proposed again. */
  remembered?: readonly ValueRule[] | undefined;
  /** Is called at most about ten times a second. */
  post(check: CheckSummary, corrections: CorrectionState): void;
  /** The file can no longer be read (FileError), or there is a bug. */
  fail(error: unknown): void;
  clock?: Clock;
}

const PAUSE = 1_500; // ms without a correction before the preview starts again
const QUIET_PAUSE = 300; // ms without a correction before the file is checked again in the background
const STATE_EVERY = 100; // ms
const SHOWN_REJECTIONS = 1000; // rows
const FEW_ROWS = 200; // validated one by one; after a step that changed more rows the whole file is checked again

export class CorrectionSession {
  readonly #job: CorrectionJob;
  readonly #clock: Clock;
  readonly #history: History;
  #plan: Plan;
  #findings: Findings;
  #check: CheckSummary;
  #state: CorrectionState = UNCORRECTED;
  #dryPost: PostBatch | undefined;
  #findTwin: FindTwin | undefined;
  #queryTime: QueryTime | undefined;
  readonly #parents: ParentWatch;
  #parentService: ParentService | undefined;
  readonly #similar = new SimilarWatch();
  #compareService: Omit<CompareService, "dryPost"> | undefined;
  /** Holds, from the latest preview, the rows of each group, and of all. */
  #refused: ReadonlyMap<string | undefined, RowSet> = new Map();
  /** Repeated key → the row that has it first. */
  #firsts: ReadonlyMap<number, number> = new Map();
  #pass = new AbortController();
  #querying = new AbortController();
  #comparing = new AbortController();
  #isComparing = false;
  /** Rows may look like other stored records than those that were found. */
  #areSimilarOld = false;
  #isPassing = false;
  #isQuerying = false;
  #isClosed = false;

  constructor(job: CorrectionJob) {
    this.#job = job;
    this.#clock = job.clock ?? realClock;
    this.#history = job.history ?? { fixes: job.plan.fixes ?? NO_CORRECTIONS, past: [], future: [] };
    this.#plan = job.plan;
    this.#findings = job.findings;
    this.#parents = new ParentWatch(job);
    this.#check = this.#findings.summary();
    this.#post({});
    this.#start(this.#query(0));
  }

  get plan(): Plan {
    return this.#plan;
  }

  get check(): CheckSummary {
    return this.#check;
  }

  /** The file is being checked again, or the service is asked, or one of them soon will be. */
  get isBusy(): boolean {
    return this.#isPassing || this.#isQuerying || this.#isComparing;
  }

  /** Serves to read the same file again. */
  get corrected(): Corrected {
    return correctedOf(this.#plan, this.#history, (row) => this.#findings.get(row));
  }

  act(given: Act): void {
    const read = asRead(given, this.#job.collection, this.#plan);
    if (read.do === "compare") this.#onCompare(read.isOn);
    else this.#correct(this.#meant(read));
  }

  #correct(act: Exclude<Act, { do: "allParents" | "allSimilar" | "compare" }>): void {
    const { past, future, fixes } = this.#history;
    if (act.do === "undo" || act.do === "redo") {
      const [from, to] = act.do === "undo" ? [past, future] : [future, past];
      const step = from.pop();
      if (!step) return;
      to.push({ fixes, rows: step.rows });
      this.#apply(step.fixes, step.rows);
      return;
    }
    const rows = "row" in act ? [act.row] : "rows" in act && act.rows.length <= FEW_ROWS ? act.rows : undefined;
    const find = (row: number) => this.#findings.get(row);
    const next = fixBy(act, fixes, { find, shown: this.#shown(), refused: this.#refused, values: this.#valuesOf(act) });
    if (next === fixes) {
      if (act.do === "edit") this.#post({}, true); // until then the page shows what was typed
      return;
    }
    past.push({ fixes, rows });
    future.length = 0;
    this.#apply(next, rows, act.do !== "similar");
  }

  #meant(act: Exclude<Act, { do: "compare" }>): Exclude<Act, { do: "allParents" | "allSimilar" | "compare" }> {
    if (act.do === "allSimilar") return { do: "similar", choices: this.#similar.choicesOf(act, this.#plan) };
    return act.do === "allParents" ? { do: "parents", field: act.field, values: this.#parents.rulesOf(act, this.#plan) } : act;
  }

  answer(query: CheckQuery): CheckAnswer {
    if (query.for === "similar") {
      const rows = this.#similar.values(this.#plan);
      return { for: "similar", rows: rows.slice(query.from, query.to), total: rows.length };
    }
    if (query.for === "parents") {
      const values = this.#parents.values(query.field, this.#plan);
      return { for: "parents", values: values.slice(query.from, query.to), total: values.length };
    }
    if (query.for === "values") {
      const values = this.#findings.valuesOf(query.group)?.list() ?? [];
      return { for: "values", values: values.slice(query.from, query.to), total: values.length };
    }
    const { collection } = this.#job;
    const shown = shownFields(collection, this.#plan.columns, query.first);
    const { filter } = query;
    const list = this.#findings.list(filter.group).filter(hasText(filter, shown, this.#plan));
    if (query.for === "next")
      return { for: "next", at: answerNext(list, { shown, key: collection.key.name, ...filter }, query.at, query.by) };
    const show = createRowView({ collection, plan: this.#plan, shown, firsts: this.#firsts });
    return { for: "rows", rows: list.slice(query.from, query.to).map(show), total: list.length };
  }

  /** From now on the service is asked about the rows whenever nothing has changed for a while. */
  preview(
    dryPost: PostBatch,
    findTwin?: FindTwin,
    queryTime?: QueryTime,
    parents?: ParentService,
    compare?: Omit<CompareService, "dryPost">,
  ): void {
    this.#compareService = compare;
    this.#parentService = parents;
    this.#dryPost = dryPost;
    this.#findTwin = findTwin;
    this.#queryTime = queryTime;
    this.#start(this.#query(0));
  }

  /** Calls `post` no more. */
  close(): void {
    this.#isClosed = true;
    this.#pass.abort();
    this.#querying.abort();
    this.#comparing.abort();
  }

  #valuesOf(act: Act): readonly FieldValues[] {
    if (act.do !== "proposals") return [];
    return this.#findings.fieldValues().filter(({ group }) => act.group === undefined || act.group === group);
  }

  #shown(): ReturnType<typeof shownFields> {
    return shownFields(this.#job.collection, this.#plan.columns);
  }

  /** `isOther`: rows may look like other stored records now. */
  #apply(fixes: Corrections, rows: readonly number[] | undefined, isOther = true): void {
    this.#history.fixes = fixes;
    this.#plan = { ...this.#plan, fixes };
    this.#querying.abort();
    if (isOther) {
      this.#comparing.abort();
      this.#isComparing = false;
    }
    this.#areSimilarOld ||= isOther;
    this.#isQuerying = false;
    const isLoud = rows === undefined || this.#state.recheck !== null;
    const wantsPass = rows === undefined || this.#revalidate(rows);
    this.#post({ preview: { is: "none" }, ...(isLoud && { recheck: 0 }) }, true);
    // A running pass was started with other corrections.
    if (wantsPass || this.#isPassing) this.#start(this.#checkAgain(isLoud ? 0 : QUIET_PAUSE));
    else this.#start(this.#query(PAUSE));
  }

  /** Validates single rows. True when a key changed: then other rows may be duplicates, or no longer be. */
  #revalidate(rows: readonly number[]): boolean {
    const validateRow = validateOneRow(this.#job.collection, this.#plan, readForm);
    let wantsPass = this.#plan.fixes?.repeats !== undefined; // another row may stay now
    for (const row of rows) {
      const listed = this.#findings.get(row);
      if (!listed) return true;
      const { problems, key } = listed.verdict;
      const wasRepeated = problems?.some(({ code }) => code === "DUPLICATE") ?? false;
      const verdict = validateRow(row, listed.cells, listed.malformed, (now) => wasRepeated && now === key);
      listed.rejection = undefined;
      this.#findings.replace(row, verdict, withCells(listed.cells, this.#plan.fixes?.edits[row] ?? {}));
      wantsPass ||= verdict.key !== key;
    }
    return wantsPass;
  }

  /** Checks the whole file again. What the page shows stays until it is done. */
  async #checkAgain(pause: number): Promise<void> {
    const { file, collection } = this.#job;
    this.#pass.abort();
    this.#pass = new AbortController();
    this.#isPassing = true;
    const { signal } = this.#pass;
    let postedAt = this.#clock.now();
    if (pause > 0) await this.#clock.sleep(pause, signal);
    if (signal.aborted) return;
    const plan = await withRepeats({ file, collection, plan: this.#plan }, signal);
    if (signal.aborted) return;
    this.#plan = plan;
    const findings = new Findings(collection, plan, createValueCounts(this.#job.remembered, plan.dialect.is1904));
    for await (const _ of checkFile(file, collection, plan, findings)) {
      if (signal.aborted) return;
      if (this.#state.recheck === null || this.#clock.now() - postedAt < STATE_EVERY) continue;
      postedAt = this.#clock.now();
      this.#post({ recheck: Math.floor((100 * findings.bytesRead) / file.size) });
    }
    if (signal.aborted) return;
    this.#isPassing = false;
    findings.seconds = this.#findings.seconds;
    this.#findings = findings;
    this.#firsts = new Map();
    this.#post({ recheck: null }, true);
    await this.#query(PAUSE);
  }

  /** Does work on the whole file that can wait. It starts after a pause, in which another correction may come. */
  async #query(pause: number): Promise<void> {
    this.#querying.abort();
    this.#querying = new AbortController();
    const { signal } = this.#querying;
    const repeated = this.#findings.repeatedKeys();
    const areKnown = [...repeated].every((key) => this.#firsts.has(key));
    if (!this.#dryPost && areKnown) return;
    this.#isQuerying = true;
    if (pause > 0) await this.#clock.sleep(pause, signal);
    if (!signal.aborted && !areKnown) await this.#findFirsts(repeated, signal);
    if (!signal.aborted && !this.#isPassing && this.#parentService)
      await this.#parents.find(this.#plan, this.#parentService, signal, () => this.#post({}, true));
    const isDue = !signal.aborted && !this.#isPassing && this.#check.ready > 0;
    if (isDue && this.#dryPost) await this.#runPreview(this.#dryPost, signal);
    if (signal.aborted) return;
    if (this.#areSimilarOld || this.#similar.isSignedOut) await this.#compareAgain();
    if (!signal.aborted) this.#isQuerying = false;
  }

  /** Costs little more than to read the file, because no row is asked about twice. */
  async #compareAgain(): Promise<void> {
    const isWanted = this.#similar.is === "comparing" || this.#similar.is === "done" || this.#similar.isSignedOut;
    if (isWanted && this.#check.ready > 0) return this.#compare();
    this.#similar.stop();
    if (isWanted) this.#post({}, true);
  }

  #onCompare(isOn: boolean): void {
    this.#comparing.abort();
    this.#isComparing = false;
    if (isOn) {
      this.#similar.forget();
      this.#start(this.#compare());
    } else {
      this.#similar.stop();
      this.#post({}, true);
    }
  }

  /** Runs beside whatever else does. A correction ends it; then it begins again after the preview. */
  async #compare(): Promise<void> {
    if (!this.#dryPost || !this.#compareService) return;
    const { file, collection } = this.#job;
    this.#comparing.abort();
    this.#comparing = new AbortController();
    const { signal } = this.#comparing;
    this.#isComparing = true;
    this.#areSimilarOld = false;
    const job = { file, collection, plan: this.#plan, rowsTotal: this.#check.ready, signal, clock: this.#clock };
    const onNews = () => signal.aborted || this.#post({ similar: this.#similarState() });
    await this.#similar.compare({ ...job, dryPost: this.#dryPost, ...this.#compareService }, onNews);
    if (signal.aborted) return;
    this.#isComparing = false;
    this.#post({}, true); // an open table shows the versions that were compared
  }

  async #findFirsts(repeated: ReadonlySet<number>, signal: AbortSignal): Promise<void> {
    const { file, collection } = this.#job;
    const firsts = await findFirstRows({ file, collection, plan: this.#plan }, repeated, signal);
    if (signal.aborted) return;
    this.#firsts = firsts;
    this.#post({}, true);
  }

  async #runPreview(dryPost: PostBatch, signal: AbortSignal): Promise<void> {
    const { file, collection } = this.#job;
    const rejections = new Map<number, RejectedRow>();
    const refused = new Map<string | undefined, RowSet>([[undefined, new RowSet()]]);
    const previewedAt = await this.#queryTime?.(signal);
    if (signal.aborted) return;
    const job = {
      file,
      collection,
      plan: this.#plan,
      rowsTotal: this.#check.ready,
      dryPost,
      findTwin: this.#findTwin,
      created: this.#parents.toBeCreated(this.#plan),
      signal,
      clock: this.#clock,
    };
    const onRefused = (rejection: RejectedRow): void => {
      const group = rejectionKey(rejection);
      if (!rejection.warnings) for (const key of [undefined, group]) refused.set(key, rowsWith(refused.get(key), rejection.row));
      if (rejections.size < SHOWN_REJECTIONS) rejections.set(rejection.row, rejection);
    };
    for await (const preview of runPreview(job, onRefused)) {
      const hasMore = (preview.is === "done" || preview.is === "stopped") && rejections.size > 0;
      const rows = hasMore ? await readAgain({ file, plan: this.#plan }, rejections, signal) : [];
      if (signal.aborted) return;
      const isSeen = "counts" in preview && preview.rowsDone > preview.counts.unknown;
      if (isSeen && previewedAt !== undefined && this.#plan.previewedAt !== previewedAt) this.#plan = { ...this.#plan, previewedAt };
      if (hasMore) this.#refused = refused;
      for (const row of rows) {
        const rejection = rejections.get(row.row);
        if (rejection) this.#findings.reject(rejection, row);
      }
      this.#post({ preview }, hasMore);
    }
  }

  #similarState(): SimilarState | undefined {
    const state = this.#similar.state(this.#plan);
    return isAbout(state) ? state : undefined;
  }

  #start(work: Promise<void>): void {
    work.catch((error: unknown) => this.#isClosed || this.#job.fail(error));
  }

  #post(change: Partial<CorrectionState>, isOther = false): void {
    if (this.#isClosed) return;
    if (isOther) this.#check = this.#findings.summary();
    const { past, future } = this.#history;
    const revision = this.#state.revision + Number(isOther);
    const parents = isOther ? this.#parents.groups(this.#plan) : this.#state.parents;
    const similar = isOther ? this.#similarState() : this.#state.similar;
    this.#state = { ...this.#state, parents, similar, ...change, revision, canUndo: past.length > 0, canRedo: future.length > 0 };
    this.#job.post(this.#check, this.#state);
  }
}

/** Nothing is said of files about whose rows nobody asked. */
function isAbout({ is, updated, added, leftOut }: SimilarState): boolean {
  return is !== "none" || updated + added + leftOut > 0;
}

function rowsWith(rows: RowSet = new RowSet(), row: number): RowSet {
  rows.add(row);
  return rows;
}
