// The versions of the dictionary with what each changed, and the drafts that are open.

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { DictionaryVersion } from "../../../core/contract/dictionary.ts";
import { t } from "../../../core/i18n/translate.ts";
import { lazyPart } from "../../app/code/lazy-page.tsx";
import { Link } from "../../app/router/link.tsx";
import { useNavigate, useParams } from "../../app/router/router-context.tsx";
import { useServices } from "../../app/services/services.ts";
import { createDraft, versionQuery, versionsQuery } from "../../service/dictionary-drafts.ts";
import { draftsQuery } from "../../service/open-drafts.ts";
import * as pageStyles from "../../ui/page.module.css";
import { Failure, PageTitle, Skeleton } from "../../ui/primitives.tsx";
import * as textStyles from "../../ui/text.module.css";
import { nameOfPrincipal } from "../../values/change-words.ts";
import { formatDatetime } from "../../values/format.ts";
import { ComputationList } from "./computation-list.tsx";
import { ConversionList } from "./conversion-list.tsx";
import * as styles from "./dictionary-editor.module.css";
import { RetiredList } from "./retired-list.tsx";

const Differences = lazyPart<"Differences", { from: number; to: number }>(() => import("./version-differences.tsx"), "Differences");

export function VersionsPage() {
  const { client } = useServices();
  const { collection = "" } = useParams();
  const { data, error, refetch } = useQuery(versionsQuery(client));
  const { data: { drafts } = { drafts: [] } } = useQuery(draftsQuery(client));
  return (
    <main id="main">
      <div className={pageStyles.head}>
        <PageTitle>{t("Versions of the dictionary")}</PageTitle>
        <Link className="button" to="/$collection/dictionary" params={{ collection }}>
          {t("Back to the fields")}
        </Link>
      </div>
      {error && <Failure error={error} retry={refetch} />}
      {drafts.length > 0 && (
        <section aria-labelledby="drafts">
          <h2 id="drafts">{t("Open drafts")}</h2>
          <ul className={styles.versions}>
            {drafts.map(({ id, title, createdBy, updatedAt }) => (
              <li key={id}>
                <Link to="/$collection/dictionary" params={{ collection }} search={{ draft: id }}>
                  {title}
                </Link>
                <span className={textStyles.note}>
                  {t("{who}, {when}", { who: nameOfPrincipal(createdBy), when: formatDatetime(updatedAt) })}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      <ConversionList />
      <ComputationList />
      <RetiredList />
      {!data && !error && <Skeleton width="320px" />}
      <ol className={styles.versions}>
        {data?.map((version, i) => (
          <Version key={version.version} version={version} isLatest={i === 0} before={data[i + 1]?.version} />
        ))}
      </ol>
    </main>
  );
}

interface VersionProps {
  version: DictionaryVersion;
  isLatest: boolean;
  /** The number of the version before. */
  before: number | undefined;
}

function Version({ version: { version, at, by, comment }, isLatest, before }: VersionProps) {
  const { client } = useServices();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { collection = "" } = useParams();
  const [isOpen, setOpen] = useState(false);
  const { mutate, isPending, error } = useMutation({
    async mutationFn() {
      const all = await queries.fetchQuery(versionQuery(client, version));
      const draft = await createDraft(client, { title: t("Back to version {version}", { version }), package: all });
      await navigate({ to: "/$collection/dictionary", params: { collection }, search: { draft: draft.id, part: "review" } });
    },
  });
  return (
    <li>
      <h2>
        {t("Version {version}", { version })} {isLatest && <span className={styles.state}>{t("now")}</span>}
      </h2>
      <span className={textStyles.note}>
        {t("{who}, {when}", { who: by ? nameOfPrincipal(by) : t("From a file"), when: formatDatetime(at) })}
      </span>
      {comment && <p style={{ whiteSpace: "pre-line" }}>{comment}</p>}
      {error && <Failure error={error} />}
      <div className={pageStyles.tools}>
        {before !== undefined && (
          <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {t("What changed")}
          </button>
        )}
        {!isLatest && (
          <button type="button" aria-disabled={isPending} onClick={() => isPending || mutate()}>
            {t("Make a draft of this version")}
          </button>
        )}
      </div>
      {isOpen && before !== undefined && <Differences from={before} to={version} />}
    </li>
  );
}
