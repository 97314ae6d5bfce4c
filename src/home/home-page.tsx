// The start page: what waits to be continued, what needs attention, the week, views, and recently opened records.

import { useQueries, useQuery } from "@tanstack/react-query";
import { Plus, Upload } from "lucide";
import type { Collection } from "../../core/dictionary/collections.ts";
import { t } from "../../core/i18n/translate.ts";
import { lazyPart, nothing } from "../app/code/lazy-page.tsx";
import { CollectionMark } from "../app/navigation/collection-mark.tsx";
import { Link } from "../app/router/link.tsx";
import { useNavigate } from "../app/router/router-context.tsx";
import { useMayIn } from "../app/services/permissions.ts";
import { useDictionary, useLocale, useServices } from "../app/services/services.ts";
import { homeSearch } from "../records/query/views.ts";
import { meQuery } from "../service/me.ts";
import { type Counted, countQuery } from "../service/records.ts";
import * as buttonStyles from "../ui/button.module.css";
import { useKeptFocus } from "../ui/focus/kept-focus.ts";
import { useShortcuts } from "../ui/keyboard/shortcuts.ts";
import * as pageStyles from "../ui/page.module.css";
import { Icon, PageTitle } from "../ui/primitives.tsx";
import { formatDay, formatNumber } from "../values/format.ts";
import { AttentionCard } from "./attention-card.tsx";
import { ContinueCard } from "./continue-card.tsx";
import { greeting } from "./greeting.ts";
import * as styles from "./home-page.module.css";
import { MOST_COUNTED } from "./most-counted.ts";
import { RecentCard } from "./recent-card.tsx";
import { SampleNotice } from "./sample-notice.tsx";
import { ViewsCard } from "./views-card.tsx";
import { WeekCard } from "./week-card.tsx";

/** Only an organisation that has just begun sees it. */
const FirstSteps = lazyPart(() => import("./first-steps.tsx"), "FirstSteps", nothing);

export function HomePage() {
  useLocale();
  useKeptFocus();
  const { client, views } = useServices();
  const may = useMayIn();
  const readable = useDictionary().collections.filter(({ name }) => may(name, "read") !== false);
  const isFavourite = (one: Collection) => views.of(one).isFavourite === true;
  const shown = [...readable.filter(isFavourite), ...readable.filter((one) => !isFavourite(one))].slice(0, MOST_COUNTED);
  const counts = useQueries({
    queries: shown.map((one) => ({ ...countQuery(client, one, {}), enabled: may(one.name, "read") === true })),
  });
  const isEmpty = readable.length > 0 && readable.length === counts.length && counts.every(({ data }) => data?.total === 0);
  return (
    <main id="main" className={styles.home}>
      <Head />
      <Collections collections={shown} counts={counts.map(({ data }) => data)} />
      {isEmpty ? <FirstSteps collections={readable} /> : <SampleNotice collections={readable} />}
      <div className={styles.columns}>
        <div>
          <ContinueCard />
          {!isEmpty && readable.length > 0 && <WeekCard />}
        </div>
        <div>
          <AttentionCard isQuiet={isEmpty} />
          <ViewsCard collections={readable} />
        </div>
      </div>
      <RecentCard collections={readable} />
    </main>
  );
}

/** Draws the greeting, and the main actions of the first collection to which the reader may write. */
function Head() {
  const { client, keys } = useServices();
  const { collections } = useDictionary();
  const { data: me } = useQuery(meQuery(client));
  const may = useMayIn();
  const navigate = useNavigate();
  const canCreate = ({ name }: Collection) => may(name, "create") === true;
  const first = collections.find(canCreate) ?? collections.find(({ name }) => may(name, "update") === true);
  const params = { collection: first?.name ?? "" };
  const mayCreate = first !== undefined && canCreate(first);
  useShortcuts(keys, { create: mayCreate ? () => void navigate({ to: "/$collection/new", params }) : undefined });
  const now = new Date();
  return (
    <div className={`${pageStyles.head} ${styles.head}`}>
      <div className={styles.greeting}>
        <PageTitle tab={t("Start")}>{greeting(now.getHours(), me?.principal.type === "user" ? me.principal.name : "")}</PageTitle>
        <span className={styles.date}>{formatDay(now.toISOString())}</span>
      </div>
      {first && (
        <Link className="button" to="/$collection/upload" params={params}>
          <Icon of={Upload} />
          {t("Upload a file")}
        </Link>
      )}
      {first && mayCreate && (
        <Link className={buttonStyles.primary} to="/$collection/new" params={params}>
          <Icon of={Plus} />
          {t("New {noun}", { noun: first.noun })}
        </Link>
      )}
    </div>
  );
}

/** `counts`: in the order of the collections, as far as they are known. */
function Collections({ collections, counts }: { collections: readonly Collection[]; counts: readonly (Counted | undefined)[] }) {
  const { views } = useServices();
  const may = useMayIn();
  return (
    <ul className={styles.collections} aria-label={t("Collections")}>
      {collections.map((collection, i) => {
        const { name, title, noun } = collection;
        const counted = counts[i];
        return (
          <li key={name}>
            <CollectionMark collection={collection} />
            <Link to="/$collection" params={{ collection: name }} search={homeSearch(views.of(collection))}>
              {title}
            </Link>
            <span className={styles.count}>{counted && `${formatNumber(counted.total)}${counted.totalIsAtLeast ? "+" : ""}`}</span>
            {collections.length > 1 && may(name, "create") && (
              <Link className={styles.add} to="/$collection/new" params={{ collection: name }} aria-label={t("New {noun}", { noun })}>
                <Icon of={Plus} />
              </Link>
            )}
          </li>
        );
      })}
    </ul>
  );
}
