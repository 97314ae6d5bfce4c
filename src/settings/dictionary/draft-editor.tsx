// The editor of a draft of the dictionary: fields, rules, duplicates and look of a collection, JSON, and the review.

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { freeName } from "../../../core/dictionary/name-from-title.ts";
import type { Package } from "../../../core/dictionary/packages.ts";
import { message, t } from "../../../core/i18n/translate.ts";
import { lazyPart } from "../../app/code/lazy-page.tsx";
import { ConfirmDialog } from "../../app/navigation/confirm-dialog.tsx";
import { Link } from "../../app/router/link.tsx";
import { useNavigate, useParams, useSearch } from "../../app/router/router-context.tsx";
import { download } from "../../app/services/download.ts";
import { useServices } from "../../app/services/services.ts";
import { discardDraft, versionQuery } from "../../service/dictionary-drafts.ts";
import { DRAFT_KEYS, draftsQuery } from "../../service/open-drafts.ts";
import * as buttonStyles from "../../ui/button.module.css";
import * as pageStyles from "../../ui/page.module.css";
import { Failure, Notice, PageTitle, Skeleton } from "../../ui/primitives.tsx";
import * as tabStyles from "../../ui/tabs.module.css";
import * as textStyles from "../../ui/text.module.css";
import { CollectionSettings } from "./collection-settings.tsx";
import * as styles from "./dictionary-editor.module.css";
import { useEditorTarget } from "./editor-target.ts";
import { FieldPanel } from "./field-panel.tsx";
import { FieldTable } from "./field-table.tsx";
import { JsonView } from "./json-view.tsx";
import { NewCollectionDialog } from "./new-collection-dialog.tsx";
import { addField, placeAfterMove, removeField, takenNames, titleOf } from "./package-edits.ts";
import { Review } from "./review.tsx";
import { type EditedDraft, useDraft } from "./use-draft.ts";

const ReadyCollections = lazyPart<"ReadyCollections", { edited: EditedDraft }>(() => import("./ready-collections.tsx"), "ReadyCollections");
const RuleList = lazyPart(() => import("./rule-list.tsx"), "RuleList");
const MatchEditor = lazyPart(() => import("./match-editor.tsx"), "MatchEditor");
const NewFromFile = lazyPart<"NewFromFile", { edited: EditedDraft }>(() => import("./new-from-file.tsx"), "NewFromFile");

export function DraftEditor() {
  const { draft: id = "" } = useSearch();
  return <Editor key={id} id={id} />;
}

function Editor({ id }: { id: string }) {
  const { part } = useSearch();
  const edited = useDraft(id);
  const { draft, error, overtaken, retry } = edited;
  if (!draft) return <main id="main">{error ? <Failure error={error} retry={retry} /> : <Skeleton width="320px" />}</main>;
  return (
    <main id="main">
      <Head edited={edited} />
      {error && <Failure error={error} retry={retry} />}
      {overtaken && (
        <Notice tone="doubt">
          {t("Somebody else has changed this draft meanwhile. What they and you have changed is in it.")}{" "}
          {overtaken.length > 0 && t("What you both changed is as they left it: {places}.", { places: overtaken.join(", ") })}
        </Notice>
      )}
      {part === "file" ? (
        <NewFromFile edited={edited} />
      ) : part === "ready" ? (
        <ReadyCollections edited={edited} />
      ) : part === "review" ? (
        <Review edited={edited} />
      ) : part === "json" ? (
        <JsonView all={draft.package} change={edited.change} />
      ) : (
        <CollectionEditor edited={edited} all={draft.package} base={draft.base} />
      )}
    </main>
  );
}

function Head({ edited }: { edited: EditedDraft }) {
  const { client } = useServices();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { collection = "" } = useParams();
  const target = useEditorTarget();
  const { part } = useSearch();
  const { data } = useQuery(draftsQuery(client));
  const { draft, etag } = edited;
  const [failure, setFailure] = useState<Error>();
  const [isAsking, setAsking] = useState(false);
  if (!draft) return null;
  const discard = () =>
    discardDraft(client, draft.id).then(async () => {
      await queries.invalidateQueries({ queryKey: [...DRAFT_KEYS, "all"] });
      await navigate({ to: "/$collection/dictionary", params: { collection } });
    }, setFailure);
  const save = () => download(packageFile(draft.package), "datapackage.json");
  return (
    <>
      <div className={pageStyles.head}>
        <PageTitle>{titleOfPart(part)}</PageTitle>
        <output className={textStyles.note}>{etag === undefined ? t("Saving…") : t("Draft saved")}</output>
        <button type="button" className={buttonStyles.quiet} onClick={() => setAsking(true)}>
          {t("Discard this draft")}
        </button>
        <button type="button" className={buttonStyles.quiet} onClick={save}>
          {t("Download")}
        </button>
        {!OWN_STEPS.includes(part ?? "") && (
          <Link className={buttonStyles.primary} {...target("review")}>
            {t("Review")}
          </Link>
        )}
      </div>
      {isAsking && (
        <ConfirmDialog
          title={t("Discard {name}?", { name: draft.title })}
          confirmLabel={t("Discard")}
          onConfirm={() => {
            setAsking(false);
            void discard();
          }}
          onCancel={() => setAsking(false)}
        >
          {t("Nobody can bring the draft back. The dictionary stays as it is.")}
        </ConfirmDialog>
      )}
      {failure && <Failure error={failure} />}
      {data?.isFile && (
        <Notice>
          <b>{t("Managed by a file.")}</b>{" "}
          {t(
            "The dictionary of this service is a file (DICTIONARY). Download the draft, put it in the file’s place and start the service again.",
          )}{" "}
          <button type="button" onClick={save}>
            {t("Download")}
          </button>
        </Notice>
      )}
      <nav className={tabStyles.tabs} aria-label={t("Parts of the draft")}>
        {(Object.keys(PARTS) as (keyof typeof PARTS)[]).map((name) => (
          <Link key={name} current="search" {...target(name === "fields" ? undefined : name)}>
            {t(PARTS[name])}
          </Link>
        ))}
      </nav>
    </>
  );
}

/** The parts that have a button of their own for what comes next. */
const OWN_STEPS = ["review", "file", "ready"];

function titleOfPart(part: string | undefined): string {
  if (part === "review") return t("Review of the changes");
  if (part === "file") return t("New collection from a file");
  return part === "ready" ? t("Ready collections") : t("Change the dictionary");
}

const PARTS = {
  fields: message("Fields"),
  rules: message("Rules"),
  duplicates: message("Duplicates"),
  collection: message("Collection"),
  json: message("As JSON"),
  review: message("Review"),
};

export function packageFile(all: Package): Blob {
  return new Blob([`${JSON.stringify(all, null, 2)}\n`], { type: "application/json" });
}

function CollectionEditor({ edited, all, base }: { edited: EditedDraft; all: Package; base: number }) {
  const { client } = useServices();
  const { collection = "" } = useParams();
  const { of = collection, part, field: asked } = useSearch();
  const navigate = useNavigate();
  const target = useEditorTarget();
  const { data: before } = useQuery(versionQuery(client, base));
  const at = Math.max(
    0,
    all.resources.findIndex(({ name }) => name === of),
  );
  const resource = all.resources[at];
  const askedAt = resource?.schema.fields.findIndex(({ name }) => name === asked) ?? -1;
  const [open, setOpen] = useState<number | undefined>(askedAt < 0 ? undefined : askedAt);
  const [isAdding, setAdding] = useState(false);
  if (!resource) return null;
  const { change } = edited;
  const field = open === undefined ? undefined : resource.schema.fields[open];
  const close = (next?: number) => {
    const isEmpty = field && field.id === undefined && String(field.title ?? "").trim() === "";
    if (isEmpty && open !== undefined) change((one) => removeField(one, at, open));
    setOpen(next !== undefined && isEmpty && open !== undefined && next > open ? next - 1 : next);
    if (next === undefined && open !== undefined) setTimeout(() => document.getElementById(`field-row-${open}`)?.focus());
  };
  const choose = (name: string) => {
    close();
    void navigate(target(part, { of: name, field: undefined }));
  };
  return (
    <>
      <div className={pageStyles.tools}>
        <label className={styles.head}>
          <span className={textStyles.hidden}>{t("Collection")}</span>
          <select value={resource.name} onChange={({ target: { value } }) => choose(value)}>
            {all.resources.map((one) => (
              <option key={one.name} value={one.name}>
                {one.retired ? t("{title} (retired)", { title: titleOf(one) }) : titleOf(one)}
              </option>
            ))}
          </select>
        </label>
        {(part === undefined || part === "fields") && (
          <button
            type="button"
            onClick={() => {
              close();
              const name = freeName("field", takenNames(resource));
              change((one) => addField(one, at, { name, title: "", type: "string" }));
              setOpen(resource.schema.fields.length);
            }}
          >
            {t("Add field")}
          </button>
        )}
        <button type="button" className={buttonStyles.quiet} onClick={() => setAdding(true)}>
          {t("New collection")}
        </button>
        <Link className={buttonStyles.quiet} {...target("file")}>
          {t("New collection from a file…")}
        </Link>
        <Link className={buttonStyles.quiet} {...target("ready")}>
          {t("Ready collections…")}
        </Link>
      </div>
      {isAdding && <NewCollectionDialog onAdd={(name) => choose(name)} change={change} onClose={() => setAdding(false)} all={all} />}
      {part === "rules" ? (
        <RuleList key={resource.name} edited={edited} all={all} at={at} before={before?.resources.find(({ id }) => id === resource.id)} />
      ) : part === "duplicates" ? (
        <MatchEditor key={resource.name} resource={resource} at={at} change={change} />
      ) : part === "collection" ? (
        <CollectionSettings key={resource.name} resource={resource} at={at} change={change} />
      ) : (
        <div className={styles.columns}>
          <FieldTable
            resource={resource}
            before={before?.resources.find(({ id }) => id === resource.id)}
            at={at}
            open={open}
            onOpen={close}
            onMoved={(from, to) => setOpen(open === undefined ? undefined : placeAfterMove(open, from, to))}
            change={change}
          />
          {field && open !== undefined && (
            <FieldPanel
              key={field.id ?? `new ${resource.name} ${open}`}
              all={all}
              at={at}
              fieldAt={open}
              change={change}
              onClose={() => close()}
            />
          )}
        </div>
      )}
    </>
  );
}
