// Lists what to look at: webhooks that fail, drafts to approve, requests for access, rows in doubt, broken rules.

import { useQueries, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { allows, SHAPE } from "../../core/contract/scopes.ts";
import type { Webhook } from "../../core/contract/webhooks.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { t } from "../../core/i18n/translate.ts";
import { Link, type LinkProps } from "../app/router/link.tsx";
import { useMayIn } from "../app/services/permissions.ts";
import { useDictionary, useServices } from "../app/services/services.ts";
import { draftsQuery } from "../service/dictionary-drafts.ts";
import { meQuery } from "../service/me.ts";
import { accessRequestsQuery } from "../service/people.ts";
import { violationCountsQuery } from "../service/violations.ts";
import { webhooksQuery } from "../service/webhooks.ts";
import * as buttonStyles from "../ui/button.module.css";
import type { ListedUpload } from "../upload/manager/upload-history.ts";
import { useUploads } from "../upload/pages/unfinished-uploads.tsx";
import { count, formatDatetime } from "../values/format.ts";
import { NameInSentence } from "../values/name-in-sentence.tsx";
import { Card } from "./card.tsx";
import * as styles from "./home-page.module.css";
import { MOST_COUNTED } from "./most-counted.ts";

/**
 * Nothing is asked of the service that the reader may not know: webhooks and requests are for administrators, drafts and broken rules for those
 * who may shape the dictionary; to count what breaks rules takes the service seconds where there are many records. With `isQuiet` it is not drawn
 * where nothing needs attention.
 */
export function AttentionCard({ isQuiet }: { isQuiet: boolean }) {
  const { client, uploadManager } = useServices();
  const { data: me } = useQuery(meQuery(client));
  const may = useMayIn();
  const enabled = me !== undefined && allows(me.scope, "admin");
  const webhooks = useQuery({ ...webhooksQuery(client), refetchInterval: false, enabled });
  const requests = useQuery({ ...accessRequestsQuery(client), enabled });
  const mayShape = me !== undefined && allows(me.scope, SHAPE);
  const drafts = useQuery({ ...draftsQuery(client), enabled: mayShape });
  const [first] = useDictionary().collections; // each leads to all drafts
  const { uploads = [] } = useUploads(uploadManager);
  const asked = [...(enabled ? [webhooks, requests] : []), ...(mayShape ? [drafts] : [])];
  const broken = useBrokenRules(mayShape);
  const failed = asked.filter(({ error }) => error);
  const isKnown = me !== undefined && asked.every(({ data }) => data !== undefined);
  const asking = requests.data?.length ?? 0;
  const inDoubt = uploads.filter((one) => isInDoubt(one) && may(one.collection, "read"));
  const rows = [
    ...(webhooks.data ?? []).filter(isFailing).map((webhook) => <WebhookRow key={webhook.id} webhook={webhook} />),
    ...(drafts.data?.needsApproval && first ? drafts.data.drafts : [])
      .filter(({ isOwn }) => !isOwn)
      .map(({ id, title }) => (
        <Row
          key={id}
          tone="new"
          to="/$collection/dictionary"
          params={{ collection: first?.name ?? "" }}
          search={{ draft: id, part: "review" }}
          more={t("Review")}
        >
          <NameInSentence name={title} text={t("{name} waits for a second person")} />
        </Row>
      )),
    asking > 0 && (
      <Row key="requests" tone="new" to="/settings/$page" params={{ page: "requests" }} more={t("Decide")}>
        {count(asking, "{n} person asks for access", "{n} people ask for access")}
      </Row>
    ),
    ...broken.map(({ collection, records }) => <BrokenRow key={collection.name} collection={collection} records={records} />),
    ...inDoubt.map((upload) => <DoubtRow key={upload.id} upload={upload} />),
  ].filter(Boolean);
  if (isQuiet && rows.length === 0 && failed.length === 0) return null;
  return (
    <Card title={t("Needs attention")}>
      <ul className={styles.points}>
        {rows}
        {failed.length > 0 ? (
          <li data-tone="wrong">
            <span>{t("Not everything could be read.")}</span>
            <button type="button" className={buttonStyles.link} onClick={() => void Promise.all(failed.map(({ refetch }) => refetch()))}>
              {t("Try again")}
            </button>
          </li>
        ) : (
          isKnown && (
            <li data-tone="good">{rows.length > 0 ? t("Everything else arrived as it should") : t("Everything arrived as it should")}</li>
          )
        )}
      </ul>
    </Card>
  );
}

const COUNTED_FOR = 600_000; // ms

/** Counts what breaks rules in the collections that the page shows first. What fails is left out: nobody has asked for it. */
function useBrokenRules(enabled: boolean): { collection: Collection; records: number }[] {
  const { client } = useServices();
  const collections = useDictionary().collections.slice(0, MOST_COUNTED);
  const may = useMayIn();
  const counts = useQueries({
    queries: collections.map((one) => ({
      ...violationCountsQuery(client, one),
      enabled: enabled && may(one.name, "read") === true,
      staleTime: COUNTED_FOR,
      refetchOnWindowFocus: false,
    })),
  });
  return collections.flatMap((collection, i) => {
    const records = counts[i]?.data?.rules.reduce((sum, { count }) => sum + count, 0) ?? 0;
    return records > 0 ? [{ collection, records }] : [];
  });
}

function BrokenRow({ collection, records }: { collection: Collection; records: number }) {
  const { name, title } = collection;
  return (
    <Row tone="new" to="/$collection/dictionary" params={{ collection: name }} search={{ quality: "all" }} more={t("Data quality")}>
      {count(records, "{title}: {n} value breaks a rule of today", "{title}: {n} values break rules of today", { title })}
    </Row>
  );
}

/** One that an administrator has switched off needs nobody. */
function isFailing({ state, offReason }: Webhook): boolean {
  return state === "retrying" || (state === "off" && offReason !== "administrator");
}

function isInDoubt({ report, hasRows }: ListedUpload): boolean {
  return hasRows && report !== undefined && report.counts.inDoubt > 0;
}

function WebhookRow({ webhook: { url, state, since } }: { webhook: Webhook }) {
  const text = state === "off" ? t("The webhook to {name} is switched off") : t("The webhook to {name} does not arrive");
  return (
    <Row
      tone="wrong"
      to="/settings/$page"
      params={{ page: "webhooks" }}
      more={since ? t("since {when}", { when: formatDatetime(since) }) : t("Show")}
    >
      <NameInSentence name={new URL(url).host} text={text} />
    </Row>
  );
}

function DoubtRow({ upload: { id, fileName, report } }: { upload: ListedUpload }) {
  const text = count(report?.counts.inDoubt ?? 0, "{n} row of {name} is in doubt", "{n} rows of {name} are in doubt", { name: "{name}" });
  return (
    <Row tone="doubt" to="/uploads/$upload" params={{ upload: id }} more={t("Report")}>
      <NameInSentence name={fileName} text={text} />
    </Row>
  );
}

type RowProps = LinkProps & { tone: "wrong" | "doubt" | "new"; more: string; children: ReactNode };

/** The whole row leads where something can be done about it. */
function Row({ tone, more, children, ...link }: RowProps) {
  return (
    <li data-tone={tone}>
      <Link {...(link as LinkProps)}>
        <span>{children}</span> <span className={styles.note}>{more}</span>
      </Link>
    </li>
  );
}
