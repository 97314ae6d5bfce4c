import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Delivery, Webhook } from "../../../core/contract/webhooks.ts";
import { t } from "../../../core/i18n/translate.ts";
import { useDictionary, useServices } from "../../app/services/services.ts";
import { changeWebhook, testWebhook, WEBHOOK_KEYS } from "../../service/webhooks.ts";
import * as buttonStyles from "../../ui/button.module.css";
import * as pageStyles from "../../ui/page.module.css";
import { Failure, Notice } from "../../ui/primitives.tsx";
import * as textStyles from "../../ui/text.module.css";
import { formatRelativeTime } from "../../values/format.ts";
import { NameInSentence } from "../../values/name-in-sentence.tsx";
import { Deliveries } from "./deliveries.tsx";
import { describeAttempt, describeFilter, describeState } from "./webhook-words.ts";
import * as styles from "./webhooks.module.css";

/** Names what is asked about webhooks. */
export type Asked = { what: "change" | "delete" | "renew"; webhook: Webhook } | { what: "make" };

interface WebhookSectionProps {
  webhook: Webhook;
  onAsk: (asked: Asked) => void;
}

/** Shows one webhook with its state, what can be done with it, and on request what it has sent. */
export function WebhookSection({ webhook, onAsk }: WebhookSectionProps) {
  const { client } = useServices();
  const { collections } = useDictionary();
  const queries = useQueryClient();
  const readAnew = () => queries.invalidateQueries({ queryKey: WEBHOOK_KEYS });
  const { id, url, enabled, state, createdAt, createdBy } = webhook;
  const test = useMutation({ mutationFn: () => testWebhook(client, id), onSettled: readAnew });
  const turn = useMutation({ mutationFn: () => changeWebhook(client, id, { enabled: !enabled }), onSettled: readAnew });
  const error = test.error ?? turn.error;
  return (
    <section className={styles.webhook} aria-labelledby={`webhook-${id}`}>
      <h2 id={`webhook-${id}`}>
        <bdi>{url}</bdi>
      </h2>
      <div className={styles.state} data-state={webhook.offReason === "administrator" ? "paused" : state}>
        {describeState(webhook)}
      </div>
      <div className={textStyles.hint}>
        {describeFilter(webhook, collections)} ·{" "}
        <NameInSentence name={createdBy?.name ?? ""} text={t("made by {name}, {time}", { time: formatRelativeTime(createdAt) })} />
      </div>
      <div className={`${pageStyles.tools} ${styles.tools}`}>
        <button type="button" aria-disabled={test.isPending} onClick={() => test.isPending || test.mutate()}>
          {test.isPending ? t("Sending a test…") : t("Send a test")}
        </button>
        <button type="button" className={buttonStyles.quiet} aria-disabled={turn.isPending} onClick={() => turn.isPending || turn.mutate()}>
          {enabled ? t("Switch off") : t("Switch on")}
        </button>
        <button type="button" className={buttonStyles.quiet} onClick={() => onAsk({ what: "change", webhook })}>
          {t("Change")}
        </button>
        <button type="button" className={buttonStyles.quiet} onClick={() => onAsk({ what: "renew", webhook })}>
          {t("New secret")}
        </button>
        <button type="button" className={`${buttonStyles.quiet} ${buttonStyles.danger}`} onClick={() => onAsk({ what: "delete", webhook })}>
          {t("Delete")}
        </button>
      </div>
      {error && <Failure error={error} />}
      {test.data && !test.isPending && <TestResult sent={test.data} />}
      <OpenedDeliveries webhook={webhook} />
    </section>
  );
}

function TestResult({ sent }: { sent: Delivery }) {
  const [attempt] = sent.attempts;
  if (!attempt) return null;
  const isTaken = attempt.problem === null;
  return (
    <Notice tone={isTaken ? "plain" : "wrong"}>
      <b>{isTaken ? t("The test was accepted.") : t("The test was not accepted.")}</b> <bdi>{describeAttempt(attempt)}</bdi>
    </Notice>
  );
}

/** They are read when this is opened. */
function OpenedDeliveries({ webhook }: { webhook: Webhook }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{t("What was sent in the last 7 days")}</summary>
      {isOpen && <Deliveries webhook={webhook} />}
    </details>
  );
}
