// Asks a worker of its own to propose a collection for a file.

import { useEffect, useState } from "react";
import type { Choices } from "../../../pipeline/model/dialect.ts";
import { useServices } from "../../app/services/services.ts";
import type { Command, WorkerEvent } from "../../upload/worker/messages.ts";
import type { Proposed } from "../../upload/worker/propose-work.ts";

/** Returns undefined until something is known. What is proposed comes when the whole file was read. */
export function useProposal(file: File | undefined, choices: Choices): { proposed: Proposed | undefined; broken: string | undefined } {
  const { uploadManager } = useServices();
  const asked = JSON.stringify(choices);
  const [answer, setAnswer] = useState<{ to: string; of?: File; proposed?: Proposed; broken?: string }>({ to: "" });
  useEffect(() => {
    if (!file) return;
    const worker = uploadManager.startWorker();
    const fail = (broken: string) => setAnswer({ to: asked, of: file, broken });
    worker.addEventListener("message", ({ data }: MessageEvent<WorkerEvent>) => {
      if (data.type === "proposed") setAnswer({ to: asked, of: file, proposed: data.proposed });
      else if (data.type === "broken") fail(data.message);
    });
    worker.addEventListener("error", ({ message }) => fail(message));
    worker.postMessage({ type: "propose", work: { file, choices: JSON.parse(asked) as Choices } } satisfies Command);
    return () => worker.terminate();
  }, [uploadManager, file, asked]);
  const isAnswer = answer.to === asked && answer.of === file;
  return { proposed: isAnswer ? answer.proposed : undefined, broken: isAnswer ? answer.broken : undefined };
}
