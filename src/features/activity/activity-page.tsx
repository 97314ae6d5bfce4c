// What happened, by whom and from where: grouped by day, with filters and a chart of the days.

import { useQuery } from "@tanstack/react-query";
import { Activity } from "lucide";
import { t } from "../../../core/i18n/translate.ts";
import { activityQuery, daysQuery } from "../../api/history.ts";
import { Announce } from "../../components/announce.tsx";
import * as buttonStyles from "../../components/button.module.css";
import * as chipStyles from "../../components/chip.module.css";
import * as pageStyles from "../../components/page.module.css";
import { Icon, Notice, PageTitle } from "../../components/primitives.tsx";
import * as textStyles from "../../components/text.module.css";
import { Loading } from "../../context/loading.tsx";
import { useMayIn } from "../../context/permissions.ts";
import { useDictionary, useLocale, useServices } from "../../context/services.ts";
import { count } from "../../fields/format.ts";
import { useKeptFocus } from "../../navigation/kept-focus.ts";
import { Link } from "../../router/link.tsx";
import { useNavigate, useSearch } from "../../router/router-context.tsx";
import { ActivityFilters } from "./activity-filters.tsx";
import { ActivityList } from "./activity-list.tsx";
import * as styles from "./activity-page.module.css";
import { type ActivityState, daysOf, isFiltered, parseActivityUrl } from "./activity-url.ts";
import { DayChart } from "./day-chart.tsx";

export function ActivityPage() {
  useLocale();
  useKeptFocus();
  const { client } = useServices();
  const { collections } = useDictionary();
  const search: Record<string, string | undefined> = useSearch();
  const state = parseActivityUrl(search, collections);
  const navigate = useNavigate();
  const go = (change: ActivityState) => {
    const next = { ...state, before: undefined, ...change };
    void navigate({ to: "/activity", search: next as Record<string, string>, resetScroll: false });
  };
  const query = useQuery(activityQuery(client, { ...state }));
  const may = useMayIn();
  const rights = collections.map(({ name }) => may(name, "read"));
  const mayRead = rights.some((isGiven) => isGiven !== false);
  const hasChart = mayRead && !state.operation && !state.write;
  const days = useQuery({ ...daysQuery(client, daysOf(state)), enabled: hasChart });
  const { data } = query;
  const lines = data?.activity ?? [];
  return (
    <main id="main">
      <div className={pageStyles.head}>
        <PageTitle>{t("Activity")}</PageTitle>
      </div>
      <ActivityFilters state={state} go={go} seen={lines.flatMap(({ by }) => by ?? [])} />
      {(state.run || state.write) && <OneRun state={state} go={go} />}
      {hasChart && days.data && <DayChart days={days.data.days} onDay={(day) => go({ from: day, to: day })} />}
      <Announce text={data && !query.isPlaceholderData ? count(lines.length, "{n} entry", "{n} entries") : ""} />
      <Loading query={query} />
      {!mayRead && <Notice>{t("You may not read any records, and so not what was changed in them.")}</Notice>}
      {mayRead && !rights.includes(undefined) && data && lines.length === 0 && (
        <Nothing isAll={!isFiltered(state)} hasMore={data.next !== null} />
      )}
      <ActivityList lines={lines} />
      {data && (data.next || state.before) && (
        <nav className={styles.pages} aria-label={t("Pages")}>
          {state.before && (
            <button type="button" onClick={() => go({})}>
              {t("Newest")}
            </button>
          )}
          {data.next && (
            <Link className="button" to="/activity" search={{ ...state, before: data.next } as Record<string, string>}>
              {t("Show earlier")}
            </Link>
          )}
        </nav>
      )}
    </main>
  );
}

function OneRun({ state, go }: { state: ActivityState; go: (change: ActivityState) => void }) {
  return (
    <p className={pageStyles.tools}>
      <span className={chipStyles.chip}>
        {state.run ? t("Only what one upload, batch run or its undo changed") : t("Only what was changed together")}
        <button
          type="button"
          className={buttonStyles.bare}
          aria-label={t("Show everything again")}
          onClick={() => go({ run: undefined, write: undefined })}
        >
          ×
        </button>
      </span>
      {state.run && (
        <Link to="/uploads/$upload" params={{ upload: state.run }}>
          {t("Report")}
        </Link>
      )}
    </p>
  );
}

function Nothing({ isAll, hasMore }: { isAll: boolean; hasMore: boolean }) {
  return (
    <div className={pageStyles.empty}>
      <Icon of={Activity} isLarge />
      <b>{isAll ? t("Nothing has happened yet") : t("Nothing matches these filters")}</b>
      <span className={textStyles.dim}>
        {hasMore
          ? t("Earlier changes have not been looked through yet.")
          : isAll && t("Every change of a record is listed here, with who made it and how.")}
      </span>
    </div>
  );
}
