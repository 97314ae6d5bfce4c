// The upload of a file: the five steps, and below them the current one.

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { inSentence, message, t } from "../../../core/i18n/translate.ts";
import type { UploadState } from "../../../pipeline/runs/upload-state.ts";
import type { SentAgain } from "../../../pipeline/sending/journal.ts";
import { whenAtRest } from "../../app/code/at-rest.ts";
import { lazyPart } from "../../app/code/lazy-page.tsx";
import { MayNotWrite } from "../../app/navigation/may-not-write.tsx";
import { NotFound } from "../../app/navigation/not-found.tsx";
import { Link } from "../../app/router/link.tsx";
import { useParams, useSearch } from "../../app/router/router-context.tsx";
import { useMayUpload } from "../../app/services/permissions.ts";
import { useCollection, useServices } from "../../app/services/services.ts";
import { invalidateCollection } from "../../service/cache-updates.ts";
import { recipesQuery } from "../../service/recipes.ts";
import * as noticeStyles from "../../ui/notice.module.css";
import * as pageStyles from "../../ui/page.module.css";
import { Notice, PageTitle } from "../../ui/primitives.tsx";
import * as textStyles from "../../ui/text.module.css";
import { count } from "../../values/format.ts";
import { NameInSentence } from "../../values/name-in-sentence.tsx";
import { nounsOf } from "../../values/record-name.ts";
import { givenParents } from "../../values/references/relations.ts";
import type { PresetParentsProps } from "../columns/preset-parents.tsx";
import { hasEnded, type UploadManagerState } from "../manager/upload-manager.ts";
import { QueuePanel } from "../queue/lazy-queue-panel.tsx";
import { useStoredQueue } from "../queue/use-kept-queue.ts";
import { FileStep } from "../steps/file-step.tsx";
import { CheckedStep, CheckingStep, ColumnsStep, UndoneStep } from "../steps/lazy-steps.tsx";
import { ReportStep } from "../steps/report-step.tsx";
import { PreparingStep, SendingStep } from "../steps/sending-step.tsx";
import { describeTally, tally } from "../steps/tally.ts";
import { UndoingStep } from "../steps/undo-step.tsx";
import { UploadEndToast } from "./lazy-upload-end-toast.tsx";
import { UnfinishedUploads } from "./unfinished-uploads.tsx";
import * as styles from "./upload-page.module.css";
import { useFileCollection } from "./use-file-collection.ts";

const PresetParents = lazyPart<"PresetParents", PresetParentsProps>(
  () => import("../columns/preset-parents.tsx"),
  "PresetParents",
  () => null,
);

export function UploadPage() {
  useEffect(() => void UploadEndToast.preload(), []);
  const { collection: name } = useParams();
  const collection = useCollection(name);
  const whole = useFileCollection(collection);
  return whole ? <CollectionUpload key={whole.name} collection={whole} /> : <NotFound />;
}

const STEPS = [message("File"), message("Columns"), message("Check"), message("Upload"), message("Report")];
const STEP_NUMBER: Record<UploadState["step"] | "file", number> = {
  file: 0,
  refused: 0,
  columns: 1,
  checking: 2,
  checked: 2,
  preparing: 3,
  sending: 3,
  report: 4,
  undoing: 4,
  undone: 4,
};

function CollectionUpload({ collection }: { collection: Collection }) {
  const { client, uploadManager } = useServices();
  const queries = useQueryClient();
  const ofTab = useSyncExternalStore(uploadManager.subscribe, uploadManager.state);
  const isAnother = ofTab.collection !== undefined && ofTab.collection.name !== collection.name;
  // What has ended in another collection is shown there, and is in nobody's way here.
  const state = isAnother && hasEnded(ofTab.upload) ? { choices: {}, queue: ofTab.queue } : ofTab;
  const step = state.upload?.step ?? "file";
  const isOther = isAnother && state === ofTab;
  const mayUpload = useMayUpload(collection);
  const isUndo = step === "undoing" || step === "undone";
  const title = t("Upload {nouns}", nounsOf(collection));
  const given = givenParents(collection, useSearch());
  const hasParents = Object.keys(given).length > 0;

  useEffect(() => {
    // Otherwise the browser would open a file that misses the drop zone, in place of the app.
    const preventDrop = (event: DragEvent) => event.target instanceof HTMLInputElement || event.preventDefault();
    window.addEventListener("dragover", preventDrop);
    window.addEventListener("drop", preventDrop);
    return () => {
      window.removeEventListener("dragover", preventDrop);
      window.removeEventListener("drop", preventDrop);
    };
  }, []);

  useStoredQueue(collection);
  useEffect(() => void (isUndo && UndoneStep.preload()), [isUndo]);

  const isChosen = state.collection !== undefined;
  useEffect(() => {
    if (isChosen) for (const part of [ColumnsStep, CheckingStep, CheckedStep]) void part.preload();
    else return whenAtRest(ColumnsStep.preload, CheckedStep.preload);
  }, [isChosen]);
  // It is known when the columns are shown, so that nothing moves there any more.
  useEffect(() => {
    if (isChosen) void queries.prefetchQuery(recipesQuery(client, collection));
  }, [isChosen, queries, client, collection]);
  useEffect(() => {
    let coolDown: (() => void) | undefined;
    const giveUp = whenAtRest(() => {
      coolDown = uploadManager.warmUp();
    });
    return () => {
      giveUp();
      coolDown?.();
    };
  }, [uploadManager]);

  useEffect(() => {
    if (step !== "report" && step !== "undone") return;
    void invalidateCollection(queries, collection);
    for (const parent of collection.parents?.values() ?? []) void invalidateCollection(queries, parent.collection);
  }, [step, queries, collection]);

  if (step === "file" && mayUpload === undefined) return <main id="main" />;
  if (step === "file" && !mayUpload) return <MayNotWrite collection={collection} title={title} />;
  return (
    <main id="main">
      <div className={pageStyles.head}>
        <PageTitle key={STEP_NUMBER[step]} detail={stepInWords(state.upload)}>
          {isOther ? title : step === "report" ? t("Report") : isUndo ? t("Undo") : title}
        </PageTitle>
        {STEP_NUMBER[step] === 0 && (
          <Link className="button" to="/recipes" search={{ collection: collection.name }}>
            {t("Recipes")}
          </Link>
        )}
      </div>
      {isOther && state.collection ? (
        <OtherUpload collection={state.collection} />
      ) : (
        <>
          {state.again && STEP_NUMBER[step] <= 3 && <SentAgainLine again={state.again} />}
          {state.queue && <QueuePanel collection={collection} />}
          {STEP_NUMBER[step] <= 1 && hasParents && <PresetParents collection={collection} given={given} />}
          <Step collection={collection} state={state} number={STEP_NUMBER[step]} hasSteps={!isUndo} />
        </>
      )}
    </main>
  );
}

/** Is added to the page title for screen readers when the step changes. */
function stepInWords(upload: UploadState | undefined): string | undefined {
  switch (upload?.step) {
    case undefined:
    case "refused":
    case "report":
    case "undone":
      return undefined;
    case "columns":
      return t("columns");
    case "undoing":
      return t("undoing");
    case "checking":
    case "preparing":
    case "sending":
      return inSentence(t(STEPS[STEP_NUMBER[upload.step]] as string));
    case "checked":
      return describeTally(tally(upload.check, upload.corrections.preview));
  }
}

function Step({
  collection,
  state,
  number,
  hasSteps,
}: {
  collection: Collection;
  state: UploadManagerState;
  number: number;
  hasSteps: boolean;
}) {
  return (
    <>
      {hasSteps && (
        <ol className={styles.steps} aria-label={t("Steps")}>
          {STEPS.map((name, i) => (
            <li key={name} className={i < number ? styles.done : undefined} aria-current={i === number ? "step" : undefined}>
              <b aria-hidden="true">{i < number ? "✓" : i + 1}</b>
              <span>{t(name)}</span>
            </li>
          ))}
        </ol>
      )}
      {state.broken ? <WorkerFailure message={state.broken} /> : <StepBody collection={collection} state={state} />}
    </>
  );
}

function StepBody({ collection, state }: { collection: Collection; state: UploadManagerState }) {
  const { uploadManager } = useServices();
  const { upload, file } = state;
  const unfinished = file && <UnfinishedUploads collection={collection} file={file} />;
  switch (upload?.step) {
    case undefined:
    case "refused":
      return (
        <>
          <UnfinishedUploads collection={collection} />
          <FileStep collection={collection} {...(upload && { refused: upload })} />
        </>
      );
    case "columns":
      return (
        state.plan && (
          <>
            {unfinished}
            <ColumnsStep collection={collection} columns={upload} plan={state.plan} isReading={state.isReading} />
          </>
        )
      );
    case "checking":
      return <CheckingStep state={upload} />;
    case "checked":
      return (
        <>
          {unfinished}
          <CheckedStep collection={collection} state={state} checked={upload} />
        </>
      );
    case "preparing":
      return <PreparingStep state={upload} />;
    case "sending":
      return <SendingStep state={upload} fileName={state.fileName ?? ""} />;
    case "report":
      return (
        <ReportStep
          collection={collection}
          report={upload.report}
          canContinue={upload.canContinue ?? false}
          isOnService={upload.isOnService}
        />
      );
    case "undoing":
      return <UndoingStep state={upload} upload={uploadManager.current()} />;
    case "undone":
      return <UndoneStep state={upload} collection={collection} upload={uploadManager.current()} />;
  }
}

function SentAgainLine({ again: { fileName, rows } }: { again: SentAgain }) {
  return (
    <p className={textStyles.note}>
      <NameInSentence
        name={fileName}
        text={count(
          rows.length,
          "{n} row of {name} that was not stored. It is sent into the same run.",
          "{n} rows of {name} that were not stored. They are sent into the same run.",
        )}
      />
    </p>
  );
}

function WorkerFailure({ message }: { message: string }) {
  const { uploadManager } = useServices();
  return (
    <Notice tone="wrong">
      <b>{t("The upload stopped because of an error in the app.")}</b> {`${message} ${t("Rows already stored are kept.")}`}
      <div className={noticeStyles.actions}>
        <button type="button" onClick={uploadManager.close}>
          {t("Start again")}
        </button>
      </div>
    </Notice>
  );
}

function OtherUpload({ collection }: { collection: Collection }) {
  return (
    <Notice>
      {t("A file of {nouns} is open in this tab. Only one can be uploaded at a time.", nounsOf(collection))}{" "}
      <Link to="/$collection/upload" params={{ collection: collection.name }}>
        {t("Open it")}
      </Link>
    </Notice>
  );
}
