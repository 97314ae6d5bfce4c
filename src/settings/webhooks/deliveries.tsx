// Shows what a webhook has sent, newest first: with every attempt, and to be sent again.

import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Attempt, Delivery, Webhook } from "../../../core/contract/webhooks.ts";
import { t } from "../../../core/i18n/translate.ts";
import { ConfirmDialog } from "../../app/navigation/confirm-dialog.tsx";
import { Loading } from "../../app/services/loading.tsx";
import { useServices } from "../../app/services/services.ts";
import { changeWebhook, deliveriesQuery, sendAgain, WEBHOOK_KEYS } from "../../service/webhooks.ts";
import * as buttonStyles from "../../ui/button.module.css";
import * as pageStyles from "../../ui/page.module.css";
import { Failure } from "../../ui/primitives.tsx";
import { StackedTable } from "../../ui/stacked-table.tsx";
import * as tableStyles from "../../ui/table.module.css";
import * as textStyles from "../../ui/text.module.css";
import { count, formatDatetime, formatRelativeTime } from "../../values/format.ts";
import { DELIVERY_WORDS, describeAttempt } from "./webhook-words.ts";
import * as styles from "./webhooks.module.css";

export function Deliveries({ webhook }: { webhook: Webhook }) {
  const { client } = useServices();
  const query = useInfiniteQuery(deliveriesQuery(client, webhook.id));
  const [goingBack, setGoingBack] = useState<Delivery>();
  const deliveries = query.data?.pages.flatMap((page) => page.deliveries);
  const label = t("Messages to {url}", { url: webhook.url });
  if (!deliveries) return <Loading query={query} />;
  if (deliveries.length === 0) return <p className={textStyles.note}>{t("Nothing was sent.")}</p>;
  return (
    <>
      <StackedTable label={label} heads={[t("Time"), t("Content"), t("Status")]} actions={t("Send again")}>
        {deliveries.map((delivery) => (
          <DeliveryRow key={delivery.id} webhook={webhook} delivery={delivery} onGoBack={setGoingBack} />
        ))}
      </StackedTable>
      {query.hasNextPage && (
        <div className={pageStyles.tools}>
          <button type="button" aria-disabled={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
            {t("Show earlier messages")}
          </button>
        </div>
      )}
      {goingBack && <GoBackDialog webhook={webhook} delivery={goingBack} onEnd={() => setGoingBack(undefined)} />}
    </>
  );
}

function contentOf({ kind, changes }: Delivery): string {
  switch (kind) {
    case "test":
      return t("Test");
    case "changes":
      return count(changes, "{n} change", "{n} changes");
    case "violations":
      return count(changes, "{n} rule that more records break", "{n} rules that more records break");
  }
}

interface DeliveryRowProps {
  webhook: Webhook;
  delivery: Delivery;
  onGoBack: (delivery: Delivery) => void;
}

function DeliveryRow({ webhook, delivery, onGoBack }: DeliveryRowProps) {
  const { client, toasts } = useServices();
  const queries = useQueryClient();
  const { id, state, createdAt, attempts } = delivery;
  const last = attempts.at(-1);
  const time = formatRelativeTime(createdAt);
  const { mutate, isPending } = useMutation({
    mutationFn: () => sendAgain(client, webhook.id, id),
    onSuccess: ({ attempts: all }) => toasts.show({ message: resultOf(all.at(-1)) }),
    onError: (error) => toasts.show({ message: error.message }),
    onSettled: () => queries.invalidateQueries({ queryKey: WEBHOOK_KEYS }),
  });
  return (
    <tr>
      <td>
        <time dateTime={createdAt} title={formatDatetime(createdAt)}>
          {time}
        </time>
      </td>
      <td data-title={t("Content")}>{contentOf(delivery)}</td>
      <td className={tableStyles.wrap} data-title={t("Status")}>
        <div>
          <b>{t(DELIVERY_WORDS[state])}</b>
          {last && (
            <div className={textStyles.hint}>
              <bdi>{describeAttempt(last)}</bdi>
            </div>
          )}
          {attempts.length > 1 && <EarlierAttempts attempts={attempts.slice(0, -1)} />}
        </div>
      </td>
      <td className={`${tableStyles.number} ${styles.actions}`}>
        <span className={styles.again}>
          <button
            type="button"
            className={buttonStyles.link}
            aria-label={`${t("Send again")}: ${time}`}
            aria-disabled={isPending}
            onClick={() => isPending || mutate()}
          >
            {t("Send again")}
          </button>
          {delivery.after !== null && (
            <button
              type="button"
              className={buttonStyles.link}
              aria-label={`${t("All from here on…")} ${time}`}
              onClick={() => onGoBack(delivery)}
            >
              {t("All from here on…")}
            </button>
          )}
        </span>
      </td>
    </tr>
  );
}

function resultOf(attempt: Attempt | undefined): string {
  if (!attempt) return t("Sent.");
  const answer = describeAttempt(attempt);
  return attempt.problem === null
    ? t("The message was accepted: {answer}", { answer })
    : t("The message was not accepted: {answer}", { answer });
}

function EarlierAttempts({ attempts }: { attempts: readonly Attempt[] }) {
  return (
    <details className={textStyles.small}>
      <summary>{count(attempts.length, "{n} attempt before", "{n} attempts before")}</summary>
      <ol className={styles.attempts} reversed start={attempts.length}>
        {[...attempts].reverse().map((attempt) => (
          <li key={attempt.at}>
            {formatDatetime(attempt.at)}: <bdi>{describeAttempt(attempt)}</bdi>
          </li>
        ))}
      </ol>
    </details>
  );
}

function GoBackDialog({ webhook, delivery, onEnd }: { webhook: Webhook; delivery: Delivery; onEnd: () => void }) {
  const { client } = useServices();
  const queries = useQueryClient();
  const { mutate, error } = useMutation({
    mutationFn: () => changeWebhook(client, webhook.id, { cursor: delivery.after ?? "" }),
    onSuccess() {
      onEnd();
      return queries.invalidateQueries({ queryKey: WEBHOOK_KEYS });
    },
  });
  const time = formatDatetime(delivery.createdAt);
  return (
    <ConfirmDialog title={t("Send again all from here on?")} confirmLabel={t("Send again")} onConfirm={mutate} onCancel={onEnd}>
      {t("Every change from {time} on is sent once more, as new messages. A receiver that does not compare versions does its work twice.", {
        time,
      })}
      {error && <Failure error={error} />}
    </ConfirmDialog>
  );
}
