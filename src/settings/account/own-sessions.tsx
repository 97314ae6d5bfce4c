import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { SessionInfo } from "../../../core/contract/people.ts";
import { t } from "../../../core/i18n/translate.ts";
import { ConfirmDialog } from "../../app/navigation/confirm-dialog.tsx";
import { AccessToEnd } from "../../app/services/access-to-end.tsx";
import { browserName } from "../../app/services/browser-name.ts";
import { Loading } from "../../app/services/loading.tsx";
import { useServices } from "../../app/services/services.ts";
import { accessQuery, endOtherAccess } from "../../service/lasting-access.ts";
import { endOwnSession, invalidatePeople, ownSessionsQuery } from "../../service/people.ts";
import * as pageStyles from "../../ui/page.module.css";
import { Failure } from "../../ui/primitives.tsx";
import { StackedTable } from "../../ui/stacked-table.tsx";
import * as tableStyles from "../../ui/table.module.css";
import * as textStyles from "../../ui/text.module.css";
import { formatRelativeTime } from "../../values/format.ts";

/** Lists the browsers in which one is signed in. The session of this page ends by signing out. */
export function OwnSessions() {
  const { client, toasts } = useServices();
  const queries = useQueryClient();
  const query = useQuery(ownSessionsQuery(client));
  const { data: sessions } = query;
  const end = useMutation({
    mutationFn: ({ id }: SessionInfo) => endOwnSession(client, id),
    onSuccess(_, ended) {
      toasts.show({ message: t("The session in {browser} is ended.", { browser: nameOf(ended) }) });
      return queries.invalidateQueries(ownSessionsQuery(client));
    },
  });
  const { data: access = [] } = useQuery(accessQuery(client));
  const [isAsking, setAsking] = useState(false);
  const [kept, setKept] = useState<string[]>([]);
  const endAll = useMutation({
    mutationFn: () => endOtherAccess(client, kept),
    onSuccess() {
      toasts.show({ message: t("You are signed out everywhere else.") });
      return invalidatePeople(queries);
    },
  });
  function beginAll(): void {
    if (endAll.isPending) return;
    setKept([]);
    setAsking(true);
  }
  return (
    <section aria-label={t("Sessions")}>
      <h2>{t("Sessions")}</h2>
      {(end.error ?? endAll.error) && <Failure error={(end.error ?? endAll.error) as Error} />}
      <Loading query={query} />
      {sessions && (
        <StackedTable area={t("All sessions")} label={t("Sessions")} heads={[t("Browser"), t("Last seen")]} actions={t("End the session")}>
          {sessions.map((one) => (
            <tr key={one.id}>
              <td className={tableStyles.wrap}>
                <b>{nameOf(one)}</b>
                <div className={textStyles.hint}>
                  <bdi>{one.source}</bdi>
                </div>
              </td>
              <td data-title={t("Last seen")}>{formatRelativeTime(one.lastSeenAt)}</td>
              <td className={tableStyles.number}>
                {one.isCurrent ? (
                  t("This session")
                ) : (
                  <button
                    type="button"
                    aria-label={t("End the session in {browser}", { browser: nameOf(one) })}
                    onClick={() => end.mutate(one)}
                  >
                    {t("End the session")}
                  </button>
                )}
              </td>
            </tr>
          ))}
        </StackedTable>
      )}
      {access.length > 0 && (
        <div className={pageStyles.tools}>
          <button type="button" aria-disabled={endAll.isPending} onClick={beginAll}>
            {t("Sign out everywhere else…")}
          </button>
        </div>
      )}
      {isAsking && (
        <ConfirmDialog
          title={t("Sign out everywhere else?")}
          confirmLabel={t("Sign out everywhere else")}
          onConfirm={() => {
            setAsking(false);
            endAll.mutate();
          }}
          onCancel={() => setAsking(false)}
        >
          {t("Do this when somebody else may use your account, and change your password as well.")}
          <AccessToEnd access={access} kept={kept} onChange={setKept} />
        </ConfirmDialog>
      )}
    </section>
  );
}

const nameOf = ({ agent }: SessionInfo) => browserName(agent) || agent || t("Unknown");
