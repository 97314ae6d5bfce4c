// Tells people above every page what happened to their account, and notices another dictionary and other rights.

import { type QueryClient, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { Client } from "../../../client/http-client.ts";
import type { SecurityNotice } from "../../../core/contract/people.ts";
import { loadRules } from "../../../core/dictionary/ask-rules.ts";
import { t } from "../../../core/i18n/translate.ts";
import { type Dictionary, dictionaryQuery } from "../../service/dictionary.ts";
import { dictionaryNewsQuery } from "../../service/dictionary-news.ts";
import { dismissNotice, noticesQuery } from "../../service/lasting-access.ts";
import { meQuery } from "../../service/me.ts";
import { invalidatePermissions } from "../../service/records.ts";
import * as buttonStyles from "../../ui/button.module.css";
import { Failure } from "../../ui/primitives.tsx";
import { formatDatetime, formatNumber } from "../../values/format.ts";
import { NameInSentence } from "../../values/name-in-sentence.tsx";
import { Link } from "../router/link.tsx";
import { browserName } from "../services/browser-name.ts";
import { forgetDrafts, forgetUnseen } from "../services/forget-unseen.ts";
import { useDictionary, useServices } from "../services/services.ts";
import { endView } from "../services/view-as.ts";
import * as styles from "./security-notices.module.css";

export function SecurityNotices() {
  const { client } = useServices();
  const queries = useQueryClient();
  const { data: me } = useQuery(meQuery(client));
  const { data: notices = [] } = useQuery({
    ...noticesQuery(client),
    enabled: me?.principal.type === "user" && !me.mustAddPasskey && !me.viewer,
  });
  const { mutate, isPending, error } = useMutation({
    mutationFn: (ids: readonly string[]) => Promise.all(ids.map((id) => dismissNotice(client, id))),
    onSettled: () => queries.invalidateQueries(noticesQuery(client)),
  });
  const isOtherDictionary = useOtherDictionary();
  const [isWhole, setWhole] = useState(false);
  // Many sign-ins must neither push the page down nor hide that a key was made or the password changed.
  const lastSignIn = notices.find(({ kind }) => kind === "device");
  const shown = notices.filter((notice) => isWhole || notice.kind !== "device" || notice === lastSignIn);
  const more = notices.length - shown.length;
  if (notices.length === 0 && !isOtherDictionary && !me?.viewer) return null;
  return (
    <section className={styles.notices} aria-label={notices.length > 0 ? t("About your account") : t("About this page")}>
      {me?.viewer && <ViewNotice name={me.principal.name} />}
      {isOtherDictionary && (
        <p className={styles.notice}>
          <span>
            {t("The fields, or what you may see of them, have changed.")}{" "}
            {t("Reload when you are ready. Unsaved work is lost, and an upload in this tab stops.")}
          </span>
          <button type="button" onClick={() => location.reload()}>
            {t("Reload")}
          </button>
        </p>
      )}
      {error && <Failure error={error} />}
      {shown.map((notice) => (
        <p key={notice.id} className={styles.notice}>
          <span>
            {happened(notice)} {t("Was it not you?")}{" "}
            <Link to="/settings/$page" params={{ page: "account" }}>
              {t("Show your account")}
            </Link>
          </span>
          <button
            type="button"
            aria-disabled={isPending}
            aria-label={t("Dismiss: {text}", { text: happened(notice) })}
            onClick={() => isPending || mutate([notice.id])}
          >
            {t("Dismiss")}
          </button>
        </p>
      ))}
      {notices.length > 1 && (
        <p className={styles.notice}>
          <span>
            {more > 0 && (
              <button type="button" className={buttonStyles.link} onClick={() => setWhole(true)}>
                {t("and {n} more", { n: formatNumber(more) })}
              </button>
            )}
          </span>
          <button type="button" aria-disabled={isPending} onClick={() => isPending || mutate(notices.map(({ id }) => id))}>
            {t("Dismiss all")}
          </button>
        </p>
      )}
    </section>
  );
}

/** Stays until the view ends. */
function ViewNotice({ name }: { name: string }) {
  const services = useServices();
  const { mutate, isPending } = useMutation({ mutationFn: () => endView(services) });
  useEffect(() => {
    services.signOut.leave = () => endView(services); // it brings the administrator's own session back
  }, [services]);
  return (
    <p className={styles.notice} role="status">
      <b>
        <NameInSentence name={name} text={t("You look at the app as {name} and change nothing meanwhile.")} />
      </b>
      <button type="button" aria-disabled={isPending} onClick={() => isPending || mutate()}>
        {t("End the view")}
      </button>
    </p>
  );
}

/** Reads another dictionary as soon as there is one. True where that failed: then the page needs to be loaded anew. */
function useOtherDictionary(): boolean {
  const services = useServices();
  const { client } = services;
  const queries = useQueryClient();
  const dictionary = useDictionary();
  const { etag, rights, peopleTag, collections } = dictionary;
  const { data: other } = useQuery(dictionaryNewsQuery(client, { etag, rights, peopleTag }));
  const latest = useRef({ services, collections });
  latest.current = { services, collections };
  const [failed, setFailed] = useState<string>();
  const first = useRef(dictionary);
  useEffect(() => void forgetDrafts(latest.current.services, first.current).catch(() => {}), []); // a browser that stores nothing has none
  const known = useRef(etag);
  useEffect(() => {
    if (known.current === etag) return;
    known.current = etag;
    void queries.invalidateQueries({ predicate: ({ queryKey: [first] }) => first !== "dictionary" }); // records have the names of before
  }, [etag, queries]);
  useEffect(() => {
    if (!other || !etag) return;
    const { queryKey } = dictionaryQuery(client);
    if (other === "people") return void queries.refetchQueries({ queryKey });
    const read = () => queries.getQueryData<Dictionary>(queryKey);
    void invalidatePermissions(queries);
    void readOther(queries, client).then(() => {
      const now = read();
      if (now && now.rights !== rights) return forgetUnseen(latest.current.services, queries, latest.current.collections, now);
      setFailed(now?.etag !== etag ? undefined : etag);
    });
  }, [other, etag, rights, client, queries]);
  return failed !== undefined && failed === etag;
}

/** Hands another dictionary on when the rules are there: a form that is open asks them while it is drawn, and may not have had any before. */
async function readOther(queries: QueryClient, client: Client): Promise<void> {
  const query = dictionaryQuery(client);
  try {
    const other = await queries.fetchQuery({ ...query, queryKey: ["other dictionary"], staleTime: 0, gcTime: 0 });
    await Promise.all(other.collections.map(loadRules));
    queries.setQueryData(query.queryKey, other);
  } catch {
    // The page that is shown keeps the one that it has.
  }
}

function happened({ kind, at, source, name }: SecurityNotice): string {
  const when = { time: formatDatetime(at), source };
  switch (kind) {
    case "key":
      return name === ""
        ? t("A new API key was made for you on {time} from {source}.", when)
        : t("The new API key “{name}” was made for you on {time} from {source}.", { name, ...when });
    case "passkey":
      return t("The new passkey “{name}” was added to your account on {time} from {source}.", { name, ...when });
    case "password":
      return t("Your password was changed on {time} from {source}.", when);
    case "address":
      return t("The e-mail address of your account was changed on {time} from {source}. It was {name}.", { name, ...when });
    case "device":
      return t("Somebody signed in as you with {browser}, which you had not used before, on {time} from {source}.", {
        browser: browserName(name) || t("a browser"),
        ...when,
      });
  }
}
