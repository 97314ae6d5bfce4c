// Marks the rows that other people changed, and offers to show the rest. Loaded when the page is at rest.

import { useQueryClient } from "@tanstack/react-query";
import { useLayoutEffect } from "react";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { t } from "../../../core/i18n/translate.ts";
import { invalidateCollection } from "../../service/cache-updates.ts";
import type { Page } from "../../service/records.ts";
import { useFocusFallback } from "../../ui/focus/restore-focus.ts";
import { LiveRegion } from "../../ui/live-region.tsx";
import { count, isolated } from "../../values/format.ts";
import { nounsOf } from "../../values/record-name.ts";
import { type ListState, pageQuery } from "../query/list-url.ts";
import * as styles from "./live-rows.module.css";
import { type RowNews, usePageNews } from "./use-page-news.ts";

export function LiveRows({ collection, state, page }: { collection: Collection; state: ListState; page: Page }) {
  const queries = useQueryClient();
  const news = usePageNews(collection, pageQuery(collection, state), page);
  useRowMarks(news);
  const nouns = nounsOf(collection);
  const kinds = [...news.marks.values()].map(({ is }) => is);
  const changed = kinds.filter((is) => is === "changed").length;
  const moved = news.added + kinds.length - changed;
  const line = moved > 0 ? count(moved, "{n} {noun} changed", "{n} {nouns} changed", nouns) : "";
  const inPlace = changed > 0 ? count(changed, "{n} {noun} on this page changed", "{n} {nouns} on this page changed", nouns) : "";
  return (
    <>
      <LiveRegion>{[inPlace, line].filter(Boolean).join(". ")}</LiveRegion>
      {line && <ShowLine text={line} show={() => invalidateCollection(queries, collection)} />}
    </>
  );
}

function ShowLine({ text, show }: { text: string; show: () => void }) {
  useFocusFallback();
  return (
    <div className={styles.place} data-live-line="">
      <div className={styles.line}>
        <span>{text}</span>
        <button type="button" onClick={show}>
          {t("Show")}
        </button>
      </div>
    </div>
  );
}

/** Marks the rows themselves, not their React elements: the list's first load stays as small as it is. */
function useRowMarks({ marks }: RowNews): void {
  useLayoutEffect(() => {
    const rows = [...document.querySelectorAll<HTMLElement>("main tr[data-id]")];
    const marked = rows.flatMap((row) => {
      const mark = marks.get(Number(row.dataset.id));
      return mark ? [{ row, mark, link: row.querySelector("a") }] : [];
    });
    for (const { row, mark, link } of marked) {
      const text = textOf(mark);
      row.dataset.live = mark.is;
      row.title = text;
      link?.setAttribute("aria-description", text);
    }
    return () => {
      for (const { row, link } of marked) {
        delete row.dataset.live;
        row.removeAttribute("title");
        link?.removeAttribute("aria-description");
      }
    };
  }, [marks]);
}

function textOf({ is, by }: { is: "changed" | "deleted"; by: string }): string {
  const name = by && isolated(by);
  if (is === "deleted") return name ? t("Deleted by {name} just now", { name }) : t("Deleted just now");
  return name ? t("Changed by {name} just now", { name }) : t("Changed just now");
}
