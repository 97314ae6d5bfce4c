// Merges all records that are the same by one rule: what it would do, doing it, and taking a run of it back.

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { t, tCount } from "../../../core/i18n/translate.ts";
import { MayNotWrite } from "../../app/navigation/may-not-write.tsx";
import { Link } from "../../app/router/link.tsx";
import { useMay } from "../../app/services/permissions.ts";
import { useServices } from "../../app/services/services.ts";
import { idOf, keys } from "../../service/records.ts";
import * as buttonStyles from "../../ui/button.module.css";
import * as pageStyles from "../../ui/page.module.css";
import { Failure, Notice, PageTitle } from "../../ui/primitives.tsx";
import * as textStyles from "../../ui/text.module.css";
import { count, formatDatetime, formatNumber } from "../../values/format.ts";
import { countOf, nameOf, nounsOf } from "../../values/record-name.ts";
import { SourceSelect } from "../merge/source-select.tsx";
import { type BulkPlan, type BulkResult, listRuns, type MergeRun, planMerges, runMerges, type UndoResult, undoRun } from "./bulk-merge.ts";
import * as styles from "./bulk-page.module.css";
import type { MergeRule } from "./bulk-plan.ts";

type Work =
  | { is: "none" }
  | { is: "planning" | "merging" | "undoing"; done: number; total: number }
  | { is: "planned"; plan: BulkPlan }
  | { is: "merged"; result: BulkResult; run: string }
  | { is: "undone"; result: UndoResult }
  | { is: "failed"; error: Error };

export function BulkPage({ collection }: { collection: Collection }) {
  const { client } = useServices();
  const queries = useQueryClient();
  const may = useMay(collection);
  const [rule, setRule] = useState<MergeRule>({ survivor: "oldest", source: "survivor" });
  const [work, setWork] = useState<Work>({ is: "none" });
  const running = useRef(new AbortController());
  useEffect(() => () => running.current.abort(), []); // each merge is whole: those that are done stay
  const title = t("Merge {nouns} by a rule", nounsOf(collection));
  if (may("update") === false || may("delete") === false) return <MayNotWrite title={title} collection={collection} />;

  async function start(
    is: "planning" | "merging" | "undoing",
    act: (signal: AbortSignal, onStep: (done: number, total: number) => void) => Promise<Work>,
  ) {
    const own = new AbortController();
    running.current.abort();
    running.current = own;
    setWork({ is, done: 0, total: 0 });
    const next = await act(own.signal, (done, total) => setWork({ is, done, total })).catch((error: Error): Work => {
      return own.signal.aborted ? { is: "none" } : { is: "failed", error };
    });
    if (is !== "planning") await queries.invalidateQueries({ queryKey: keys.all(collection) });
    setWork(next);
  }
  const tryOut = () =>
    start("planning", async (signal, onStep) => ({ is: "planned", plan: await planMerges(client, collection, rule, signal, onStep) }));
  const merge = (plan: BulkPlan) =>
    start("merging", async (signal, onStep) => ({
      is: "merged",
      result: await runMerges(client, collection, plan, signal, onStep),
      run: plan.run,
    }));
  const undo = (run: string) =>
    start("undoing", async (_, onStep) => ({ is: "undone", result: await undoRun(client, collection, run, onStep) }));
  const isBusy = work.is === "planning" || work.is === "merging" || work.is === "undoing";
  return (
    <main id="main" className={styles.page}>
      <div className={pageStyles.head}>
        <PageTitle>{title}</PageTitle>
        <Link className="button" to="/$collection/duplicates" params={{ collection: collection.name }}>
          {t("Back")}
        </Link>
      </div>
      <p className={textStyles.dim}>
        {t(
          "Records of which each is the same as each other one become one. What may be the same, and what is not clear, stays in the list.",
        )}
      </p>
      <Rule
        rule={rule}
        isFixed={isBusy}
        onRule={(next) => {
          setRule(next);
          setWork({ is: "none" });
        }}
      />
      <div className={styles.result} role="status">
        {isBusy && <Progress work={work} />}
        {work.is === "planned" && <Planned collection={collection} plan={work.plan} />}
        {work.is === "merged" && <Merged result={work.result} />}
        {work.is === "undone" && <Undone result={work.result} />}
        {work.is === "failed" && <Failure error={work.error} />}
      </div>
      <div className={styles.acts}>
        {work.is === "planned" && readyIn(work.plan) > 0 && (
          <button type="button" className={buttonStyles.primary} onClick={() => void merge(work.plan)}>
            {count(readyIn(work.plan), "Do {n} merge", "Do {n} merges")}
          </button>
        )}
        {!isBusy && (
          <button type="button" onClick={() => void tryOut()}>
            {work.is === "none" ? t("See what it would do") : t("Look again")}
          </button>
        )}
        {(work.is === "planning" || work.is === "merging") && (
          <button type="button" onClick={() => running.current.abort()}>
            {t("Stop")}
          </button>
        )}
      </div>
      <Runs collection={collection} isBusy={isBusy} onUndo={(run) => void undo(run)} />
    </main>
  );
}

function readyIn({ merges }: BulkPlan): number {
  return merges.filter(({ refused }) => refused === undefined).length;
}

function Rule({ rule, isFixed, onRule }: { rule: MergeRule; isFixed: boolean; onRule: (rule: MergeRule) => void }) {
  return (
    <div className={styles.rule}>
      <label>
        {t("Which one stays")}
        <select
          value={rule.survivor}
          disabled={isFixed}
          onChange={({ target }) => onRule({ ...rule, survivor: target.value as MergeRule["survivor"] })}
        >
          <option value="oldest">{t("the one that was created first")}</option>
          <option value="newest">{t("the one that was created last")}</option>
          <option value="fullest">{t("the one with the most values")}</option>
        </select>
      </label>
      <SourceSelect source={rule.source} isFixed={isFixed} onChoose={(source) => onRule({ ...rule, source })} />
    </div>
  );
}

function Progress({ work }: { work: Work }) {
  if (!("total" in work)) return null;
  const figures = { done: formatNumber(work.done), total: formatNumber(work.total) };
  const words = {
    planning: t("Looking at {done} of {total} …", figures),
    merging: t("Merged {done} of {total} …", figures),
    undoing: t("Taken apart: {done} of {total} …", figures),
  }[work.is];
  return (
    <p>
      {words} <progress value={work.done} max={Math.max(1, work.total)} aria-label={words} />
    </p>
  );
}

const SHOWN = 20;

function Planned({ collection, plan }: { collection: Collection; plan: BulkPlan }) {
  const ready = plan.merges.filter(({ refused }) => refused === undefined);
  const refused = plan.merges.filter((one) => one.refused !== undefined);
  const records = ready.reduce((sum, one) => sum + one.records.length, 0);
  const moved = ready.reduce((sum, one) => sum + one.moved, 0);
  return (
    <>
      <p>
        <b>
          {ready.length === 0
            ? t("There is nothing to merge by this rule.")
            : t("{before} would become {after}.", { before: countOf(collection, records), after: formatNumber(ready.length) })}
        </b>{" "}
        {moved > 0 &&
          tCount(moved, "One record that refers to them moves along.", "{n} records that refer to them move along.", {
            n: formatNumber(moved),
          })}{" "}
        {refused.length > 0 && count(refused.length, "{n} merge is not possible.", "{n} merges are not possible.")}{" "}
        {plan.unclear > 0 &&
          count(
            plan.unclear,
            "{n} group stays in the list, because not each of it is the same as each other one.",
            "{n} groups stay in the list, because not each of them is the same as each other one.",
          )}{" "}
        {plan.isPart && t("This is a part of the list: look again afterwards.")}
      </p>
      {plan.merges.length > 0 && (
        <ul className={styles.merges}>
          {[...refused, ...ready].slice(0, SHOWN).map(({ body, records: some, refused: why }) => {
            const stays = some.find((record) => idOf(collection, record) === body.survivor);
            const rest = some.filter((record) => record !== stays);
            return (
              <li key={body.survivor}>
                <bdi>{rest.map((record) => `${nameOf(collection, record)} (${idOf(collection, record)})`).join(", ")}</bdi> →{" "}
                <b>
                  <bdi>{stays && `${nameOf(collection, stays)} (${body.survivor})`}</bdi>
                </b>
                <span className={textStyles.note}>{why ?? fieldsIn(collection, Object.keys(body.values ?? {}))}</span>
              </li>
            );
          })}
        </ul>
      )}
      {plan.merges.length > SHOWN && <p className={textStyles.note}>{t("{n} more", { n: formatNumber(plan.merges.length - SHOWN) })}</p>}
    </>
  );
}

/** Says which values the survivor gets from others. */
function fieldsIn({ byName }: Collection, names: readonly string[]): string {
  return names.length > 0 ? t("gets {fields}", { fields: names.map((name) => byName.get(name)?.title ?? name).join(", ") }) : "";
}

function Merged({ result: { done, changed, refused, isStopped } }: { result: BulkResult }) {
  const sentences = [
    count(done, "{n} merge is done.", "{n} merges are done."),
    changed > 0 &&
      count(changed, "{n} was left out: its records were changed meanwhile.", "{n} were left out: their records were changed meanwhile."),
    refused > 0 && count(refused, "{n} was refused.", "{n} were refused."),
    isStopped && t("Then it was stopped."),
  ];
  return <Notice>{sentences.filter(Boolean).join(" ")}</Notice>;
}

function Undone({ result: { back, kept, isPart } }: { result: UndoResult }) {
  const sentences = [
    tCount(back, "Taken apart. One record came back.", "Taken apart. {n} records came back.", { n: formatNumber(back) }),
    kept > 0 &&
      count(
        kept,
        "{n} merge stays: it was changed since. Take it apart on its page.",
        "{n} merges stay: they were changed since. Take them apart on their pages.",
      ),
    isPart && t("There may be more."),
  ];
  return <Notice tone={kept > 0 ? "doubt" : "plain"}>{sentences.filter(Boolean).join(" ")}</Notice>;
}

/** Lists the runs that can be taken back, by whoever may. */
function Runs({ collection, isBusy, onUndo }: { collection: Collection; isBusy: boolean; onUndo: (run: string) => void }) {
  const { client } = useServices();
  const { data: runs = [] } = useQuery({
    queryKey: [...keys.lists(collection), "merge runs"],
    queryFn: () => listRuns(client, collection),
  });
  if (runs.length === 0) return null;
  return (
    <section aria-label={t("Runs that can be taken apart")} className={styles.runs}>
      <h2>{t("Runs that can be taken apart")}</h2>
      <ul className={styles.merges}>
        {runs.map(({ run, merges, at }: MergeRun) => (
          <li key={run}>
            {formatDatetime(at)} · {count(merges, "{n} merge", "{n} merges")}{" "}
            <button
              type="button"
              className={buttonStyles.quiet}
              disabled={isBusy}
              aria-label={t("Take apart: {what}", { what: formatDatetime(at) })}
              onClick={() => onUndo(run)}
            >
              {t("Take apart")}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
