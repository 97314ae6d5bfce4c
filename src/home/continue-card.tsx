// Lists what was begun in this browser and is not finished: typed forms, uploads, files that wait, rows that were refused.

import { useQuery } from "@tanstack/react-query";
import { Files, FileUp, TriangleAlert } from "lucide";
import { type ReactNode, useSyncExternalStore } from "react";
import type { Collection } from "../../core/dictionary/collections.ts";
import { t } from "../../core/i18n/translate.ts";
import type { Report } from "../../pipeline/model/outcomes.ts";
import { errorsFileName } from "../../pipeline/runs/errors-file-name.ts";
import { Link } from "../app/router/link.tsx";
import { useNavigate } from "../app/router/router-context.tsx";
import { useMayIn } from "../app/services/permissions.ts";
import { useDictionary, useServices } from "../app/services/services.ts";
import { Monogram } from "../ui/monogram.tsx";
import { Icon } from "../ui/primitives.tsx";
import { isWaiting } from "../upload/manager/queued-files.ts";
import type { ListedUpload } from "../upload/manager/upload-history.ts";
import { hasEnded } from "../upload/manager/upload-manager.ts";
import { ContinueUpload, describeUnfinished, isUnfinished, useUploads } from "../upload/pages/unfinished-uploads.tsx";
import { useMayBegin } from "../upload/steps/use-may-begin.tsx";
import { count, formatRelativeTime, isolated } from "../values/format.ts";
import { NameInSentence } from "../values/name-in-sentence.tsx";
import { Card } from "./card.tsx";
import * as styles from "./home-page.module.css";
import { type UnsavedForm, useUnsavedForms } from "./unsaved-forms.ts";

const MOST_REFUSED = 3; // uploads with refused rows; the page of uploads has the others

/** Nothing is drawn where nothing was begun. */
export function ContinueCard() {
  const { uploadManager } = useServices();
  const forms = useUnsavedForms();
  const { uploads = [] } = useUploads(uploadManager);
  const waiting = useWaitingFiles();
  const collectionOf = useWritable();
  const { collection: open, upload, fileName = "" } = useSyncExternalStore(uploadManager.subscribe, uploadManager.state);
  const draw = (name: string, row: (collection: Collection) => ReactNode) => {
    const collection = collectionOf(name);
    return collection ? [row(collection)] : [];
  };
  const rows = [
    ...forms.map((form) => <FormRow key={`form ${form.key}`} form={form} />),
    ...(open && upload && !hasEnded(upload)
      ? draw(open.name, (collection) => <OpenRow key="open" collection={collection} fileName={fileName} />)
      : []),
    ...uploads
      .filter((one) => isUnfinished(one) && !one.isElsewhere)
      .flatMap((one) => draw(one.collection, (collection) => <UploadRow key={one.id} upload={one} collection={collection} />)),
    ...waiting.flatMap(({ collection: name, files }) =>
      draw(name, (collection) => <WaitingRow key={`waiting ${name}`} files={files} collection={collection} />),
    ),
    ...uploads
      .filter((one) => hasRefusedRows(one, uploads))
      .slice(0, MOST_REFUSED)
      .flatMap((one) => draw(one.collection, (collection) => <RefusedRow key={one.id} upload={one} collection={collection} />)),
  ];
  if (rows.length === 0) return null;
  return (
    <Card title={t("Continue")}>
      <ul className={styles.rows}>{rows}</ul>
    </Card>
  );
}

/** Finds a collection by its name, if the caller may write to it: nobody else is shown what waits for it. */
function useWritable(): (name: string) => Collection | undefined {
  const { collections } = useDictionary();
  const may = useMayIn();
  return (name) => (may(name, "create") || may(name, "update") ? collections.find((one) => one.name === name) : undefined);
}

/** Files that were chosen together: those of this tab, and of other collections those that an earlier page left. */
function useWaitingFiles(): { collection: string; files: readonly string[] }[] {
  const { uploadManager } = useServices();
  const { queue } = useSyncExternalStore(uploadManager.subscribe, uploadManager.state);
  const { data: stored = [] } = useQuery({
    queryKey: ["uploads", "waiting"],
    queryFn: uploadManager.waiting,
    retry: false,
    staleTime: 0,
    gcTime: 0,
  });
  const own = queue && {
    collection: queue.collection.name,
    files: queue.files.filter((one) => isWaiting(one) && one.id !== queue.openId).map(({ name }) => name),
  };
  const others = stored.filter(({ collection }, at) => {
    return collection !== own?.collection && stored.findIndex((one) => one.collection === collection) === at;
  });
  return [...(own ? [own] : []), ...others].filter(({ files }) => files.length > 0);
}

/** Says whether rows were refused that are still in this browser, and that no later upload has had again. */
function hasRefusedRows(one: ListedUpload, all: readonly ListedUpload[]): boolean {
  if (isUnfinished(one) || one.isElsewhere || one.undo || !one.hasRows || !one.report || refusedRows(one.report) === 0) return false;
  return !all.some((later) => later.startedAt > one.startedAt && later.fileName === errorsFileName(one.fileName));
}

/** Rows that broke a rule and were not sent, or that the service refused. */
const refusedRows = ({ counts }: Report) => counts.failed + counts.notSent;

interface RowProps {
  mark: ReactNode;
  /** The whole row as a sentence. */
  text: ReactNode;
  note: ReactNode;
  action: ReactNode;
}

function Row({ mark, text, note, action }: RowProps) {
  return (
    <li>
      {mark}
      <span className={styles.what}>
        <b>{text}</b>
        <span className={styles.note}>{note}</span>
      </span>
      {action}
    </li>
  );
}

function FormRow({ form: { collection, id, name, fields, typedAt } }: { form: UnsavedForm }) {
  const when = formatRelativeTime(new Date(typedAt).toISOString());
  const { noun } = collection;
  const isNew = id === undefined;
  const params = { collection: collection.name, id: String(id) };
  return (
    <Row
      mark={<Monogram name={name || collection.title} kind={name ? "person" : "thing"} />}
      text={
        isNew ? (
          name ? (
            <NameInSentence name={name} text={t("New {noun}: {name}", { noun })} />
          ) : (
            t("New {noun}", { noun })
          )
        ) : (
          <bdi>{name}</bdi>
        )
      }
      note={count(fields, "You typed {n} field {when}. It is not saved.", "You typed {n} fields {when}. They are not saved.", { when })}
      action={
        isNew ? (
          <Link className="button" to="/$collection/new" params={params} aria-label={continueWith(name || noun)}>
            {t("Continue")}
          </Link>
        ) : (
          <Link className="button" to="/$collection/$id" params={params} aria-label={continueWith(name)}>
            {t("Continue")}
          </Link>
        )
      }
    />
  );
}

/** Names a button for those who hear it without its row. */
const continueWith = (name: string) => t("Continue: {name}", { name: isolated(name) });

function OpenRow({ collection, fileName }: { collection: Collection; fileName: string }) {
  return (
    <Row
      mark={<Mark of={FileUp} />}
      text={<NameInSentence name={fileName} text={t("{name} is open in this tab")} />}
      note={collection.title}
      action={
        <Link className="button" to="/$collection/upload" params={{ collection: collection.name }} aria-label={continueWith(fileName)}>
          {t("Continue")}
        </Link>
      }
    />
  );
}

function UploadRow({ upload, collection }: { upload: ListedUpload; collection: Collection }) {
  const { fileName, lastRow, job, startedAt, unsent } = upload;
  return (
    <Row
      mark={<Mark of={FileUp} />}
      text={<NameInSentence name={fileName} text={describeUnfinished(upload)} />}
      note={
        <>
          {!unsent && lastRow > 0 && job && <progress value={lastRow} max={job.rowsTotal} aria-hidden="true" />}
          {`${collection.title} · ${formatRelativeTime(new Date(startedAt).toISOString())}`}
        </>
      }
      action={<ContinueUpload upload={upload} collection={collection} className="button" />}
    />
  );
}

function WaitingRow({ files, collection }: { files: readonly string[]; collection: Collection }) {
  return (
    <Row
      mark={<Mark of={Files} />}
      text={count(files.length, "{n} file waits to be uploaded", "{n} files wait to be uploaded")}
      note={<bdi>{files.join(", ")}</bdi>}
      action={
        <Link
          className="button"
          to="/$collection/upload"
          params={{ collection: collection.name }}
          aria-label={continueWith(collection.title)}
        >
          {t("Continue")}
        </Link>
      }
    />
  );
}

/** The refused rows become a file of their own, which is corrected as any other. */
function RefusedRow({ upload, collection }: { upload: ListedUpload; collection: Collection }) {
  const { uploadManager } = useServices();
  const navigate = useNavigate();
  const mayBegin = useMayBegin();
  const { id, fileName, report, endedAt, startedAt } = upload;
  async function correct(): Promise<void> {
    if (!mayBegin()) return;
    const file = await uploadManager.storedErrorsFile(id);
    if (!file) return void navigate({ to: "/uploads/$upload", params: { upload: id } }); // it was too large to be kept
    uploadManager.inspect(new File([file.blob], file.name, { type: "text/csv" }), collection);
    void navigate({ to: "/$collection/upload", params: { collection: collection.name } });
  }
  const text = count(report ? refusedRows(report) : 0, "{n} row of {name} was not stored", "{n} rows of {name} were not stored", {
    name: "{name}",
  });
  return (
    <Row
      mark={<Mark of={TriangleAlert} isWrong />}
      text={<NameInSentence name={fileName} text={text} />}
      note={`${collection.title} · ${formatRelativeTime(new Date(endedAt ?? startedAt).toISOString())}`}
      action={
        <button type="button" onClick={() => void correct()} aria-label={t("Correct: {name}", { name: isolated(fileName) })}>
          {t("Correct")}
        </button>
      }
    />
  );
}

function Mark({ of, isWrong }: { of: Parameters<typeof Icon>[0]["of"]; isWrong?: boolean }) {
  return (
    <span className={styles.mark} data-tone={isWrong ? "wrong" : undefined}>
      <Icon of={of} />
    </span>
  );
}
