// Webhooks: where changes are sent, in which state that is, and what was sent.

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Send } from "lucide";
import { useState } from "react";
import type { Webhook } from "../../../core/contract/webhooks.ts";
import { t } from "../../../core/i18n/translate.ts";
import { ConfirmDialog } from "../../app/navigation/confirm-dialog.tsx";
import { Loading } from "../../app/services/loading.tsx";
import { useServices } from "../../app/services/services.ts";
import { deleteWebhook, renewWebhookSecret, WEBHOOK_KEYS, webhooksQuery } from "../../service/webhooks.ts";
import * as buttonStyles from "../../ui/button.module.css";
import { CopyOnce } from "../../ui/copy-once.tsx";
import * as pageStyles from "../../ui/page.module.css";
import { Failure, Icon, PageTitle } from "../../ui/primitives.tsx";
import * as textStyles from "../../ui/text.module.css";
import { NameInSentence } from "../../values/name-in-sentence.tsx";
import { WebhookDialog } from "./webhook-dialog.tsx";
import { type Asked, WebhookSection } from "./webhook-section.tsx";

interface Shown {
  url: string;
  secret: string;
}

export function WebhooksPage() {
  const { client } = useServices();
  const query = useQuery(webhooksQuery(client));
  const { data: webhooks } = query;
  const [asked, setAsked] = useState<Asked>();
  const [shown, setShown] = useState<Shown>();
  const close = () => setAsked(undefined);
  const show = (next: Shown) => {
    setAsked(undefined);
    setShown(next);
  };
  return (
    <>
      <div className={pageStyles.head}>
        <PageTitle>{t("Webhooks")}</PageTitle>
        {webhooks && (
          <button type="button" className={buttonStyles.primary} onClick={() => setAsked({ what: "make" })}>
            {t("New webhook")}
          </button>
        )}
      </div>
      <p className={textStyles.dim}>
        {t("A webhook informs another system of every change, in order, by a signed message. It says what changed, but no values.")}
      </p>
      {shown && (
        <CopyOnce
          key={shown.secret}
          title={t("Copy the secret now.")}
          label={t("Secret")}
          secret={shown.secret}
          onDone={() => setShown(undefined)}
        >
          <NameInSentence
            name={shown.url}
            text={t("The receiver at {name} needs it to verify the signatures. It is shown only this once.")}
          />
        </CopyOnce>
      )}
      <Loading query={query} />
      {webhooks?.length === 0 && (
        <div className={pageStyles.empty}>
          <Icon of={Send} isLarge />
          <b>{t("No webhooks yet")}</b>
          <span className={textStyles.dim}>{t("Another system that should learn of changes at once needs one.")}</span>
        </div>
      )}
      {webhooks?.map((webhook) => (
        <WebhookSection key={webhook.id} webhook={webhook} onAsk={setAsked} />
      ))}
      {asked?.what === "make" && <WebhookDialog listed={undefined} onMade={show} onClose={close} />}
      {asked?.what === "change" && <WebhookDialog listed={asked.webhook} onMade={close} onClose={close} />}
      {asked?.what === "delete" && <DeleteDialog webhook={asked.webhook} onEnd={close} />}
      {asked?.what === "renew" && <RenewDialog webhook={asked.webhook} onRenewed={show} onEnd={close} />}
    </>
  );
}

function DeleteDialog({ webhook: { id, url }, onEnd }: { webhook: Webhook; onEnd: () => void }) {
  const { client } = useServices();
  const queries = useQueryClient();
  const { mutate, error } = useMutation({
    mutationFn: () => deleteWebhook(client, id),
    onSuccess() {
      onEnd();
      return queries.invalidateQueries({ queryKey: WEBHOOK_KEYS });
    },
  });
  return (
    <ConfirmDialog title={t("Delete this webhook?")} confirmLabel={t("Delete")} onConfirm={mutate} onCancel={onEnd}>
      <NameInSentence name={url} text={t("Nothing more is sent to {name}, and the list of what was sent is gone.")} />
      {error && <Failure error={error} />}
    </ConfirmDialog>
  );
}

function RenewDialog({
  webhook: { id, url },
  onRenewed,
  onEnd,
}: {
  webhook: Webhook;
  onRenewed: (shown: Shown) => void;
  onEnd: () => void;
}) {
  const { client } = useServices();
  const { mutate, error } = useMutation({
    mutationFn: () => renewWebhookSecret(client, id),
    onSuccess: (secret) => onRenewed({ url, secret }),
  });
  return (
    <ConfirmDialog title={t("Make a new secret?")} confirmLabel={t("New secret")} onConfirm={mutate} onCancel={onEnd}>
      {t("For 24 hours messages are signed with the old one, too. Give the new one to the receiver within that time.")}
      {error && <Failure error={error} />}
    </ConfirmDialog>
  );
}
