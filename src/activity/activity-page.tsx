// Shows what happened, by whom and from where, by day, with filters and a chart of the days; and what was exported.

import { useQuery } from "@tanstack/react-query";
import { Activity } from "lucide";
import { t } from "../../core/i18n/translate.ts";
import { Link } from "../app/router/link.tsx";
import { useNavigate, useSearch } from "../app/router/router-context.tsx";
import { Loading } from "../app/services/loading.tsx";
import { useMayIn } from "../app/services/permissions.ts";
import { useDictionary, useLocale, useServices } from "../app/services/services.ts";
import { activityQuery, daysQuery } from "../service/history.ts";
import { Announce } from "../ui/announce.tsx";
import * as buttonStyles from "../ui/button.module.css";
import * as chipStyles from "../ui/chip.module.css";
import { useKeptFocus } from "../ui/focus/kept-focus.ts";
import * as pageStyles from "../ui/page.module.css";
import { Icon, Notice, PageTitle } from "../ui/primitives.tsx";
import * as tabStyles from "../ui/tabs.module.css";
import * as textStyles from "../ui/text.module.css";
import { count } from "../values/format.ts";
import { ActivityFilters } from "./activity-filters.tsx";
import { ActivityList } from "./activity-list.tsx";
import { type ActivityState, daysOf, isFiltered, parseActivityUrl } from "./activity-url.ts";
import { DayChart } from "./day-chart.tsx";
import { ExportList } from "./export-list.tsx";
import { Pages } from "./pages.tsx";

export function ActivityPage() {
  useLocale();
  useKeptFocus();
  const { collections } = useDictionary();
  const search: Record<string, string | undefined> = useSearch();
  const state = parseActivityUrl(search, collections);
  const navigate = useNavigate();
  const go = (change: ActivityState) => {
    const next = { ...state, before: undefined, ...change };
    void navigate({ to: "/activity", search: next as Record<string, string>, resetScroll: false });
  };
  const may = useMayIn();
  const rights = collections.map(({ name }) => may(name, "read"));
  const mayRead = rights.some((isGiven) => isGiven !== false);
  return (
    <main id="main">
      <div className={pageStyles.head}>
        <PageTitle>{t("Activity")}</PageTitle>
      </div>
      <nav className={tabStyles.tabs} aria-label={t("Parts of this page")}>
        <Link to="/activity" aria-current={state.show ? undefined : "page"}>
          {t("Changes")}
        </Link>
        <Link to="/activity" search={{ show: "exports" }} aria-current={state.show ? "page" : undefined}>
          {t("Exports")}
        </Link>
      </nav>
      {!mayRead && <Notice>{t("You may not read any records, and so not what was changed in them.")}</Notice>}
      {state.show ? (
        mayRead && <ExportList state={state} go={go} />
      ) : (
        <Changes state={state} go={go} mayRead={mayRead} isKnown={!rights.includes(undefined)} />
      )}
    </main>
  );
}

interface ChangesProps {
  state: ActivityState;
  go: (change: ActivityState) => void;
  mayRead: boolean;
  /** Says whether it is known of every collection that the reader may read it. */
  isKnown: boolean;
}

function Changes({ state, go, mayRead, isKnown }: ChangesProps) {
  const { client } = useServices();
  const query = useQuery(activityQuery(client, { ...state }));
  const hasChart = mayRead && !state.operation && !state.write;
  const days = useQuery({ ...daysQuery(client, daysOf(state)), enabled: hasChart });
  const { data } = query;
  const lines = data?.activity ?? [];
  return (
    <>
      <ActivityFilters state={state} go={go} seen={lines.flatMap(({ by }) => by ?? [])} />
      {(state.run || state.write) && <OneRun state={state} go={go} />}
      {hasChart && days.data && <DayChart {...days.data} onDay={(day) => go({ from: day, to: day })} />}
      <Announce text={data && !query.isPlaceholderData ? count(lines.length, "{n} entry", "{n} entries") : ""} />
      <Loading query={query} />
      {mayRead && isKnown && data && lines.length === 0 && <Nothing isAll={!isFiltered(state)} hasMore={data.next !== null} />}
      <ActivityList lines={lines} />
      <Pages state={state} go={go} next={data?.next ?? null} />
    </>
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
