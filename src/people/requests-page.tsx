// Shows who asked for access and waits. An administrator approves with roles, or declines.

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { UserPlus } from "lucide";
import { useState } from "react";
import type { AccessRequest, Role } from "../../core/contract/people.ts";
import { t } from "../../core/i18n/translate.ts";
import { ConfirmDialog } from "../app/navigation/confirm-dialog.tsx";
import { Loading } from "../app/services/loading.tsx";
import { useServices } from "../app/services/services.ts";
import { accessRequestsQuery, approveRequest, declineRequest, invalidatePeople, rolesQuery } from "../service/people.ts";
import { signInWaysQuery } from "../service/sign-in-ways.ts";
import * as buttonStyles from "../ui/button.module.css";
import { FormDialog } from "../ui/form-dialog.tsx";
import * as pageStyles from "../ui/page.module.css";
import { Failure, Icon, PageTitle } from "../ui/primitives.tsx";
import * as stackedTableStyles from "../ui/stacked-table.module.css";
import { StackedTable } from "../ui/stacked-table.tsx";
import * as tableStyles from "../ui/table.module.css";
import * as textStyles from "../ui/text.module.css";
import { formatRelativeTime } from "../values/format.ts";
import { NameInSentence } from "../values/name-in-sentence.tsx";
import { type MadeLink, MadeLinkNotice } from "./made-link.tsx";
import { RoleChoice } from "./role-choice.tsx";

export function RequestsPage() {
  const { client } = useServices();
  const query = useQuery(accessRequestsQuery(client));
  const { data: requests } = query;
  const { data: ways } = useQuery(signInWaysQuery(client));
  const { data: roles = [] } = useQuery(rolesQuery(client));
  const [approving, setApproving] = useState<AccessRequest>();
  const [declining, setDeclining] = useState<AccessRequest>();
  const [made, setMade] = useState<MadeLink>();
  return (
    <>
      <div className={pageStyles.head}>
        <PageTitle>{t("Access requests")}</PageTitle>
      </div>
      <p className={textStyles.dim}>{t("Nobody has checked the names, the addresses or the messages. Approve only whom you know.")}</p>
      {made && <MadeLinkNotice made={made} onDone={() => setMade(undefined)} />}
      <Loading query={query} />
      {requests?.length === 0 && (
        <div className={pageStyles.empty}>
          <Icon of={UserPlus} isLarge />
          <b>{t("No open requests")}</b>
          <span className={textStyles.dim}>
            {ways?.signUp === "invite"
              ? t("People get accounts by invitation alone. Whoever runs this service can let them ask (SIGN_UP).")
              : t("Requests that people make on the sign-in page are listed here.")}
          </span>
        </div>
      )}
      {requests && requests.length > 0 && <RequestsTable requests={requests} onApprove={setApproving} onDecline={setDeclining} />}
      {approving && (
        <ApproveDialog
          request={approving}
          roles={roles}
          onMade={(next) => {
            setApproving(undefined);
            setMade(next);
          }}
          onClose={() => setApproving(undefined)}
        />
      )}
      {declining && <DeclineDialog request={declining} onEnd={() => setDeclining(undefined)} />}
    </>
  );
}

interface RequestsTableProps {
  requests: readonly AccessRequest[];
  onApprove: (request: AccessRequest) => void;
  onDecline: (request: AccessRequest) => void;
}

function RequestsTable({ requests, onApprove, onDecline }: RequestsTableProps) {
  return (
    <StackedTable area={t("All requests")} label={t("Access requests")} heads={[t("Name"), t("Message"), t("Asked")]} actions={t("Decide")}>
      {requests.map((request) => (
        <tr key={request.id}>
          <td className={tableStyles.wrap}>
            <b dir="auto">{request.name}</b>
            <div className={textStyles.hint}>
              <bdi>{request.email}</bdi>
            </div>
            {request.hasAccount && <div className={textStyles.hint}>{t("Has an account already")}</div>}
          </td>
          <td className={tableStyles.wrap} data-title={t("Message")}>
            <span dir="auto" style={{ whiteSpace: "pre-line" }}>
              {request.message || "–"}
            </span>
          </td>
          <td data-title={t("Asked")}>{formatRelativeTime(request.askedAt)}</td>
          <td className={stackedTableStyles.actions}>
            <span className={pageStyles.tools}>
              {!request.hasAccount && (
                <button type="button" aria-label={t("Approve {name}", { name: request.name })} onClick={() => onApprove(request)}>
                  {t("Approve…")}
                </button>
              )}
              <button
                type="button"
                className={buttonStyles.danger}
                aria-label={t("Decline {name}", { name: request.name })}
                onClick={() => onDecline(request)}
              >
                {t("Decline")}
              </button>
            </span>
          </td>
        </tr>
      ))}
    </StackedTable>
  );
}

interface ApproveDialogProps {
  request: AccessRequest;
  roles: readonly Role[];
  onMade: (made: MadeLink) => void;
  onClose: () => void;
}

function ApproveDialog({ request, roles, onMade, onClose }: ApproveDialogProps) {
  const { client } = useServices();
  const queries = useQueryClient();
  const [chosen, setChosen] = useState<string[]>([]);
  const [isMissing, setMissing] = useState(false);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => approveRequest(client, request.id, chosen),
    onSuccess: onMade,
    onSettled: () => invalidatePeople(queries),
  });
  return (
    <FormDialog
      title={<NameInSentence name={request.name} text={t("Approve {name}")} />}
      submitLabel={t("Approve")}
      isBusy={isPending}
      error={error}
      onSubmit={() => {
        setMissing(chosen.length === 0);
        if (chosen.length > 0) mutate();
      }}
      onClose={onClose}
    >
      <p className={textStyles.note}>
        <bdi>{request.email}</bdi>
      </p>
      <RoleChoice roles={roles} chosen={chosen} onChange={setChosen} error={isMissing ? t("Choose at least one role.") : undefined} />
    </FormDialog>
  );
}

function DeclineDialog({ request, onEnd }: { request: AccessRequest; onEnd: () => void }) {
  const { client } = useServices();
  const queries = useQueryClient();
  const { mutate, error } = useMutation({
    mutationFn: () => declineRequest(client, request.id),
    onSuccess: onEnd,
    onSettled: () => invalidatePeople(queries),
  });
  return (
    <ConfirmDialog
      title={<NameInSentence name={request.name} text={t("Decline {name}?")} />}
      confirmLabel={t("Decline")}
      onConfirm={mutate}
      onCancel={onEnd}
    >
      {t("The request is deleted. Nobody is told; the person may ask again.")}
      {error && <Failure error={error} />}
    </ConfirmDialog>
  );
}
