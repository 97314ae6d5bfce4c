import { useQueries } from "@tanstack/react-query";
import type { Activity } from "../../core/contract/history.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { t } from "../../core/i18n/translate.ts";
import { Link } from "../app/router/link.tsx";
import { useDictionary, useServices } from "../app/services/services.ts";
import { recordsByIdQuery } from "../service/history.ts";
import * as textStyles from "../ui/text.module.css";
import { nameOfPrincipal, OPERATION_WORDS, SOURCE_WORDS } from "../values/change-words.ts";
import { count, formatDatetime, formatDay, formatTime } from "../values/format.ts";
import { PrincipalMark } from "../values/principal-mark.tsx";
import { nameOf } from "../values/record-name.ts";
import * as styles from "./activity-page.module.css";

/** Shows the lines under the days on which they happened, as clocks show them here. */
export function ActivityList({ lines }: { lines: readonly Activity[] }) {
  const nameOfLine = useNames(lines);
  const { collections } = useDictionary();
  const nounOf = ({ collection, size }: Activity) =>
    collections.length > 1 && size === 1 ? collections.find(({ name }) => name === collection)?.noun : undefined;
  return byDay(lines).map(([day, ofDay]) => (
    <section key={day} className={styles.day}>
      <h2>{day}</h2>
      <ol>
        {ofDay.map((line) => (
          <Line key={`${line.write} ${line.objectId}`} line={line} name={nameOfLine(line)} noun={nounOf(line)} />
        ))}
      </ol>
    </section>
  ));
}

/** Keeps the order of the lines, under the days on which they happened as clocks show them here. */
export function byDay<Line extends { at: string }>(lines: readonly Line[]): [day: string, lines: Line[]][] {
  const days = new Map<string, Line[]>();
  for (const line of lines) {
    const day = formatDay(line.at);
    days.set(day, [...(days.get(day) ?? []), line]);
  }
  return [...days];
}

interface LineProps {
  line: Activity;
  name: string;
  /** Holds the noun of the collection, where the name alone does not say what it is. */
  noun: string | undefined;
}

function Line({ line, name, noun }: LineProps) {
  const { at, operation, size, by, source, write, objectId, collection } = line;
  const isOne = size === 1;
  const all = source.run === null ? { write: String(write) } : { run: source.run };
  return (
    <li>
      <time dateTime={at} title={formatDatetime(at)}>
        {formatTime(at)}
      </time>
      <span className={styles.subject}>
        <span className={styles.operation} data-operation={isOne ? operation : "many"}>
          {isOne ? t(OPERATION_WORDS[operation]) : count(size, "{n} change", "{n} changes")}
        </span>{" "}
        <span>
          {isOne ? (
            <Link to="/$collection/$id" params={{ collection, id: String(objectId) }}>
              <bdi>{name}</bdi>
            </Link>
          ) : (
            <Link to="/activity" search={all as Record<string, string>}>
              {name}
            </Link>
          )}
          {noun && <span className={textStyles.note}> {noun}</span>}
        </span>
      </span>
      <span className={`${textStyles.note} ${styles.who}`}>
        <PrincipalMark by={by} source={source.type} />
        <span>
          {by && <bdi>{nameOfPrincipal(by)}</bdi>}
          {" · "}
          {source.run === null ? t(SOURCE_WORDS[source.type]) : <RunLink run={source.run} text={t(SOURCE_WORDS[source.type])} />}
        </span>
      </span>
    </li>
  );
}

function RunLink({ run, text }: { run: string; text: string }) {
  return (
    <Link to="/uploads/$upload" params={{ upload: run }}>
      {text}
    </Link>
  );
}

/** Names what each line is about: the record's name, or of several their collection. A deleted record has the name of a line that tells it. */
function useNames(lines: readonly Activity[]): (line: Activity) => string {
  const { client } = useServices();
  const { collections } = useDictionary();
  const idsOf = ({ name }: Collection) => [
    ...new Set(lines.filter(({ collection, size }) => collection === name && size === 1).map(({ objectId }) => objectId)),
  ];
  const found = useQueries({ queries: collections.map((collection) => recordsByIdQuery(client, collection, idsOf(collection))) });
  return ({ collection: name, objectId, size, label }) => {
    const at = collections.findIndex((one) => one.name === name);
    const collection = collections[at];
    if (!collection) return name;
    if (size > 1) return collection.title;
    const lastLabel = () => label ?? lines.find((one) => one.objectId === objectId && one.collection === name && one.label)?.label;
    return nameOf(collection, found[at]?.data?.get(objectId) ?? { ...lastLabel(), [collection.key.name]: objectId });
  };
}
