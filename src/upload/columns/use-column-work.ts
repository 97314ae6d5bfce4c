// Asks a worker of its own about the columns, and ends it when the question changes or it no longer answers.

import { useEffect, useState } from "react";
import type { ColumnRule } from "../../../pipeline/model/column-rules.ts";
import type { Plan } from "../../../pipeline/model/plan.ts";
import { useServices } from "../../app/services/services.ts";
import type { ColumnFound, ColumnWork } from "../worker/column-work.ts";
import type { Command, WorkerEvent } from "../worker/messages.ts";

const SILENT = 5_000; // ms; a worker posts several times a second, unless a pattern keeps it busy

interface Answered {
  /** JSON of the question. */
  to: string;
  found?: ColumnFound;
  /** The file cannot be read. */
  isUnreadable?: boolean;
  /** It did not answer in time: a pattern takes too long. */
  isSlow: boolean;
}

/** `rule` undefined: what stands in the columns. `isWanted` false: nothing is asked. The answer grows while the file is read. */
export function useColumnWork({ dialect, rules }: Plan, rule: ColumnRule | undefined, isWanted = true): Omit<Answered, "to"> {
  const { uploadManager } = useServices();
  const { file } = uploadManager.state();
  const question = JSON.stringify([dialect, rules, rule]);
  const [answered, setAnswered] = useState<Answered>({ to: "", isSlow: false });
  useEffect(() => {
    if (!file || !isWanted) return;
    const [askedDialect, askedRules, askedRule] = JSON.parse(question) as [Plan["dialect"], Plan["rules"] | null, ColumnRule | null];
    const plan: ColumnWork["plan"] = { dialect: askedDialect, ...(askedRules && { rules: askedRules }) };
    const worker = uploadManager.startWorker();
    const silence = () =>
      setTimeout(() => {
        worker.terminate();
        setAnswered((before) => ({ ...(before.to === question && before), to: question, isSlow: true }));
      }, SILENT);
    let timer = silence();
    worker.addEventListener("message", ({ data }: MessageEvent<WorkerEvent>) => {
      clearTimeout(timer);
      if (data.type !== "columns") return;
      const { found } = data;
      setAnswered({ to: question, found, isUnreadable: found === undefined, isSlow: false });
      if (found && !(found.is === "profile" ? found.profile : found.preview).isDone) timer = silence();
    });
    worker.postMessage({ type: "columns", work: { file, plan, ...(askedRule && { rule: askedRule }) } } satisfies Command);
    return () => {
      clearTimeout(timer);
      worker.terminate();
    };
  }, [uploadManager, file, question, isWanted]);
  if (!file) return { isSlow: false, isUnreadable: true }; // a file that is gone on with is in its worker alone
  return answered.to === question ? answered : { isSlow: false };
}
