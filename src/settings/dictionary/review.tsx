// Shows what a draft changes and what that does to stored records, and applies it.

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError } from "../../../client/errors.ts";
import { type BroughtRole, type DictionaryChange, type DictionaryUse, MAX_COMMENT } from "../../../core/contract/dictionary.ts";
import { allows } from "../../../core/contract/scopes.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import type { Package, PackageField, PackageResource } from "../../../core/dictionary/packages.ts";
import { message, t } from "../../../core/i18n/translate.ts";
import { Link } from "../../app/router/link.tsx";
import { useNavigate, useParams, useSearch } from "../../app/router/router-context.tsx";
import { newIdempotencyKey } from "../../app/services/idempotency-key.ts";
import { useDictionary, useServices } from "../../app/services/services.ts";
import { describeConditions } from "../../people/conditions-editor.tsx";
import { describeScope } from "../../people/scope-text.ts";
import {
  applyDraft,
  bringDraftUp,
  changeDraft,
  createDraft,
  draftQuery,
  type OpenDraft,
  versionQuery,
} from "../../service/dictionary-drafts.ts";
import { meQuery } from "../../service/me.ts";
import { DRAFT_KEYS, draftsQuery } from "../../service/open-drafts.ts";
import { addSample, removeSample } from "../../service/sample-data.ts";
import * as buttonStyles from "../../ui/button.module.css";
import * as formStyles from "../../ui/form.module.css";
import * as noticeStyles from "../../ui/notice.module.css";
import * as pageStyles from "../../ui/page.module.css";
import { Failure, Notice, Skeleton } from "../../ui/primitives.tsx";
import * as textStyles from "../../ui/text.module.css";
import { count } from "../../values/format.ts";
import { changeSentence, isOfCondition, placeOf, ruleIn } from "./change-sentence.ts";
import * as styles from "./dictionary-editor.module.css";
import { useEditorTarget } from "./editor-target.ts";
import { usesSentence } from "./former-name-list.tsx";
import { RuleRecords } from "./rule-records.tsx";
import type { EditedDraft } from "./use-draft.ts";
import { useImpact } from "./use-impact.ts";
import { openWaiting, takeSamples, waitingFor } from "./waiting-file.ts";

/** What was typed, and why the draft was not applied, outlast the figures, which are counted again then. */
export function Review({ edited }: { edited: EditedDraft }) {
  const [comment, setComment] = useState<string>();
  const [failure, setFailure] = useState<Error | null>(null);
  return (
    <>
      {failure && <Failure error={failure} />}
      <Reviewed edited={edited} typed={comment} onType={setComment} onFailure={setFailure} />
    </>
  );
}

interface ReviewedProps extends Pick<ApplyFormProps, "typed" | "onType" | "onFailure"> {
  edited: EditedDraft;
}

function Reviewed({ edited: { draft, etag }, ...form }: ReviewedProps) {
  const { client } = useServices();
  const { data: drafts } = useQuery(draftsQuery(client));
  const { impact: data, error, isFetching, refetch } = useImpact(draft?.id ?? "", etag);
  if (!draft || etag === undefined) return <Skeleton width="320px" />;
  if (error instanceof ApiError && error.code === "DICTIONARY_CONFLICT" && !isFetching) return <Conflict {...{ error, draft, etag }} />;
  if (error && !isFetching) return <Mistakes error={error} all={draft.package} retry={refetch} />;
  if (!data) return <p role="status">{t("Counting what the changes do to stored records…")}</p>;
  const { changes, roles = [], complete, next } = data;
  if (changes.length + roles.length === 0) return <p>{t("The draft changes nothing yet.")}</p>;
  const isRefused = changes.some(forbids);
  const waitsForSecond = drafts?.needsApproval && draft.isOwn;
  return (
    <>
      <ul className={styles.changes} aria-label={t("Changes")}>
        {changes.map((change) => (
          <Change key={`${change.kind} ${change.path} ${JSON.stringify(change.to)}`} change={change} all={draft.package} />
        ))}
      </ul>
      {roles.length > 0 && <BroughtRoles roles={roles} all={draft.package} />}
      {next !== undefined && <p role="status">{t("More records are being counted. The draft can be applied meanwhile.")}</p>}
      {!complete && next === undefined && (
        <Notice tone="doubt">{t("There are too many records to count all that breaks a rule. Nothing of it is changed.")}</Notice>
      )}
      {isRefused && (
        <Notice tone="wrong">{t("What is marked in red cannot be applied. Change it in the draft, or mend the records first.")}</Notice>
      )}
      {waitsForSecond && <Notice tone="doubt">{t("The draft waits for a second person, because you have changed it last.")}</Notice>}
      {!drafts?.isFile && !waitsForSecond && (
        <ApplyForm {...{ id: draft.id, etag, isRefused, ...form }} proposed={draft.comment || summaryOf(changes, draft.package)} />
      )}
    </>
  );
}

const OUTCOMES: Readonly<Record<BroughtRole["outcome"], string>> = {
  made: message("It is made with the draft; nobody has it until somebody gives it."),
  kept: message("There is a role with this name, which stays as it is."),
  "left out": message("It is left out: only an administrator makes roles, and its name must be unlike the others."),
};

function BroughtRoles({ roles, all }: { roles: readonly BroughtRole[]; all: Package }) {
  const titles = all.resources.map((one) => ({ name: one.name, title: placeOf(one.name, all) })); // also those that are new
  return (
    <>
      <h2>{t("Roles that come with it")}</h2>
      <ul className={styles.changes}>
        {roles.map(({ name, scope, conditions = {}, outcome }) => (
          <li key={name} data-effect={outcome === "left out" ? "stands" : "at once"}>
            <b>{name}</b>
            <span className={textStyles.note}>{describeScope(scope, titles).join(" · ")}</span>
            {Object.entries(conditions).map(([collection, own]) => (
              <span key={collection} className={textStyles.note}>
                {placeOf(collection, all)}: {describeConditions(own)}
              </span>
            ))}
            <span className={textStyles.note}>{t(OUTCOMES[outcome])}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** The service decides about what was not counted, when the draft is applied. */
function forbids({ effect, violations = 0 }: DictionaryChange): boolean {
  return effect === "refused" && violations > 0;
}

const MOST_NAMED = 4;

/** Writes the comment of a version for which nobody has written one. */
function summaryOf(changes: readonly DictionaryChange[], all: Package): string {
  const sentences = changes.map((change) => changeSentence(change, all));
  const more = sentences.length > MOST_NAMED ? [t("and {n} more", { n: sentences.length - MOST_NAMED })] : [];
  return [...sentences.slice(0, MOST_NAMED), ...more].join("\n").slice(0, MAX_COMMENT);
}

export function Change({ change, all }: { change: DictionaryChange; all: Package }) {
  const { collections } = useDictionary();
  const { effect, violations = 0, examples = [], computes = 0, replaces = 0, detail, path } = change;
  const isRefused = forbids(change);
  const isOfRule = ruleIn(change.to) !== undefined || isOfCondition(change);
  const collection = collections.find(({ name }) => name === path.split(".")[0]);
  return (
    <li data-effect={isRefused ? "refused" : violations > 0 ? "stands" : "at once"}>
      <span>{changeSentence(change, all)}</span>
      {change.kind === "withdrawn" && change.requests !== undefined && (
        <span className={textStyles.note}>{usesSentence({ ...change, uses: change.requests })}</span>
      )}
      {change.uses && <span className={textStyles.note}>{usersSentence(change.uses)}</span>}
      {effect === "stands" && violations > 0 && !isOfRule && (
        <span className={textStyles.note}>
          {count(
            violations,
            "{n} record breaks it: it stays as it is until it is next changed.",
            "{n} records break it: they stay as they are until they are next changed.",
          )}
        </span>
      )}
      {computes > 0 && (
        <span className={textStyles.note}>
          {count(computes, "{n} record is computed anew.", "{n} records are computed anew.")}
          {replaces > 0 &&
            ` ${count(replaces, "{n} value that was typed gives way; the history keeps it.", "{n} values that were typed give way; the history keeps them.")}`}
        </span>
      )}
      {isRefused && <span className={textStyles.error}>{detail ?? t("This cannot be applied.")}</span>}
      {isOfRule && <RuleRecords change={change} isComplete />}
      {collection && !isOfRule && examples.length > 0 && (
        <span className={textStyles.note}>
          {t("Such as")}{" "}
          {examples.map((key, i) => (
            <span key={key}>
              {i > 0 && ", "}
              <Link to="/$collection/$id" params={{ collection: collection.name, id: String(key) }}>
                {String(key)}
              </Link>
            </span>
          ))}
        </span>
      )}
    </li>
  );
}

const USERS: Readonly<Record<DictionaryUse["type"], string>> = {
  view: message("Views"),
  recipe: message("Recipes"),
  layout: message("Layouts"),
  role: message("Roles"),
  webhook: message("Webhooks"),
  key: message("API keys"),
  reference: message("Fields"),
};

/** @example "It is named by: Views (Open orders, 2 that people keep for themselves), Roles (Branch)." */
function usersSentence(uses: readonly DictionaryUse[]): string {
  const lists = Object.entries(USERS).flatMap(([type, word]) => {
    const own = uses.filter((one) => one.type === type);
    const hidden = own.filter(({ name }) => name === "").length;
    const kept = hidden > 0 ? [count(hidden, "{n} that people keep for themselves", "{n} that people keep for themselves")] : [];
    return own.length > 0 ? `${t(word)} (${[...own.flatMap(({ name }) => name || []), ...kept].join(", ")})` : [];
  });
  return t("It is named by: {list}.", { list: lists.join(", ") });
}

/** Lists what the service refuses, each with a way to its place in the draft. */
function Mistakes({ error, all, retry }: { error: Error; all: Package; retry: () => void }) {
  const target = useEditorTarget();
  const errors = error instanceof ApiError ? error.errors.filter(({ pointer }) => pointer?.startsWith("/package")) : [];
  if (errors.length === 0) return <Failure error={error} retry={retry} />;
  return (
    <Notice tone="wrong">
      {t("The draft has mistakes. Mend them first.")}
      <ul>
        {errors.map(({ pointer = "", detail }) => {
          const [, , , resourceAt, part, list, listed] = pointer.split("/");
          const resource = all.resources[Number(resourceAt)];
          const field = part === "schema" ? fieldOf(resource, list, Number(listed)) : undefined;
          const place = resource ? placeOf(field ? `${resource.name}.${field.name}` : resource.name, all) : pointer;
          return (
            <li key={`${pointer} ${detail}`}>
              {resource ? (
                <Link {...target(part === "rules" ? "rules" : undefined, { of: resource.name, field: field?.name })}>{place}</Link>
              ) : (
                <code>{place}</code>
              )}
              {": "}
              {detail}
            </li>
          );
        })}
      </ul>
    </Notice>
  );
}

/** Lists what a version that was applied since changed as well, and asks whose values count. */
function Conflict({ error, draft, etag }: { error: ApiError; draft: OpenDraft; etag: string | null }) {
  const { client } = useServices();
  const queries = useQueryClient();
  const [failure, setFailure] = useState<Error>();
  const bringUp = async (prefer: "mine" | "theirs") => {
    try {
      queries.setQueryData(draftQuery(client, draft.id).queryKey, await bringDraftUp(client, draft.id, prefer, etag));
    } catch (problem) {
      setFailure(problem as Error);
    }
  };
  const places = error.errors.map(({ pointer = "" }) => placeOf(pointer.slice(1).replace("/", "."), draft.package));
  return (
    <Notice tone="doubt">
      {error.message}
      <ul>
        {[...new Set(places)].map((place) => (
          <li key={place}>{place}</li>
        ))}
      </ul>
      {failure && <Failure error={failure} />}
      <div className={noticeStyles.actions}>
        <button type="button" onClick={() => void bringUp("mine")}>
          {t("Keep what the draft says")}
        </button>
        <button type="button" onClick={() => void bringUp("theirs")}>
          {t("Take what was applied")}
        </button>
      </div>
    </Notice>
  );
}

/** Returns the field of which a mistake in the schema is: the one at the place, or the one that refers by the key at the place. */
function fieldOf(resource: PackageResource | undefined, list: string | undefined, at: number): PackageField | undefined {
  const { fields = [], foreignKeys } = resource?.schema ?? {};
  if (list === "fields") return fields[at];
  const name = list === "foreignKeys" ? [foreignKeys?.[at]?.fields ?? []].flat()[0] : undefined;
  return fields.find((field) => field.name === name);
}

interface ApplyFormProps {
  id: string;
  etag: string | null;
  isRefused: boolean;
  /** The comment until another one is typed. */
  proposed: string;
  typed: string | undefined;
  onType: (comment: string) => void;
  /** Is called with null when it is tried again. */
  onFailure: (failure: Error | null) => void;
}

function ApplyForm({ id, etag, isRefused, proposed, typed, onType, onFailure }: ApplyFormProps) {
  const { client, toasts, uploadManager } = useServices();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { collection = "" } = useParams();
  const { of = collection } = useSearch();
  const comment = typed ?? proposed;
  /** Takes back this version alone: what others have applied since then stays. */
  const undo = async (version: number) => {
    const before = await queries.fetchQuery(versionQuery(client, version - 1));
    const title = t("Without the change of version {version}", { version });
    const draft = await createDraft(client, { title, package: before, base: version });
    await navigate({ to: "/$collection/dictionary", params: { collection: of }, search: { draft: draft.id, part: "review" } });
  };
  /** Undo takes the sample records back and not the collections, which may have others by then. */
  const addSamples = async (samples: ReturnType<typeof takeSamples>) => {
    const fail = ({ message }: Error) => toasts.show({ message });
    try {
      await addSample(client, queries, samples, newIdempotencyKey());
    } catch (failure) {
      return fail(failure as Error);
    }
    const message = t("The sample data is added.");
    const collections = samples.map((one) => one.collection);
    const run = () => void removeSample(client, queries, collections).catch(fail);
    toasts.show({ message, action: { label: t("Undo"), isUndo: true, undoes: message, run } });
  };
  const { mutate, isPending } = useMutation({
    onMutate: () => onFailure(null),
    async mutationFn() {
      const stored = await changeDraft(client, id, { comment }, etag);
      return applyDraft(client, id, stored.etag);
    },
    async onSuccess({ version }) {
      await queries.refetchQueries({ queryKey: ["dictionary"] });
      const names = queries.getQueriesData<{ collections: Collection[] }>({ queryKey: ["dictionary"] });
      const there = names.flatMap(([, data]) => data?.collections ?? []);
      const samples = takeSamples(uploadManager, id, there);
      const file = waitingFor(uploadManager, id);
      const { scope } = await queries.fetchQuery(meQuery(client));
      const mayStore = file && allows(scope, `${file.collection}:create`);
      const into = mayStore ? there.find(({ name }) => name === file.collection) : undefined;
      const params = { collection: into?.name ?? (there.some(({ name }) => name === of) ? of : collection) };
      const isOpen = file && into && openWaiting(uploadManager, file, into);
      await navigate(isOpen ? { to: "/$collection/upload", params } : { to: "/$collection/dictionary", params });
      void queries.invalidateQueries({ queryKey: DRAFT_KEYS });
      const changed = t("The dictionary has changed. Everybody has version {version} now.", { version });
      const waits = t("Another file is open in this tab. Upload {name} when it is done.", { name: file?.file.name });
      toasts.show({
        message: isOpen === false ? `${changed} ${waits}` : changed,
        action: {
          label: t("Undo"),
          undoes: t("Change of the dictionary"),
          run: () => void undo(version).catch((failure: Error) => toasts.show({ message: failure.message })),
        },
      });
      if (samples.length > 0) await addSamples(samples);
    },
    onError(failure) {
      onFailure(failure);
      return queries.invalidateQueries({ queryKey: [...DRAFT_KEYS, id] });
    },
  });
  return (
    <form
      className={formStyles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isRefused && !isPending) mutate();
      }}
    >
      <div className={formStyles.field}>
        <label htmlFor="draft-comment">{t("Comment")}</label>
        <textarea
          id="draft-comment"
          rows={3}
          dir="auto"
          maxLength={MAX_COMMENT}
          aria-describedby="draft-comment-hint"
          value={comment}
          onChange={({ target }) => onType(target.value)}
        />
        <span className={textStyles.hint} id="draft-comment-hint">
          {t("It stands in the list of versions.")}
        </span>
      </div>
      <div className={pageStyles.tools}>
        <button type="submit" className={buttonStyles.primary} aria-disabled={isRefused || isPending}>
          {t("Apply")}
        </button>
      </div>
    </form>
  );
}
