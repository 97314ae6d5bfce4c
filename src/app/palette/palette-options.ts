// Lists what the command palette offers: pages, actions of the current page, and records that the service finds.

import { useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import {
  Activity,
  Bookmark,
  CopyCheck,
  CornerDownRight,
  FileUp,
  History,
  type IconNode,
  Info,
  Plus,
  Rows3,
  ScrollText,
  SlidersHorizontal,
  SquarePen,
  TableProperties,
  Trash2,
  Undo2,
  Upload,
} from "lucide";
import { useRef } from "react";
import type { WireRecord } from "../../../core/contract/records.ts";
import { allows, type Right } from "../../../core/contract/scopes.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import type { Value } from "../../../core/dictionary/kinds.ts";
import { message, t } from "../../../core/i18n/translate.ts";
import { nameWords } from "../../../core/text/fold.ts";
import { VIEW_PARAMETER } from "../../records/query/list-url.ts";
import { openView } from "../../records/query/list-views.ts";
import { homeSearch } from "../../records/query/views.ts";
import { meQuery } from "../../service/me.ts";
import { recentRecords } from "../../service/recent-records.ts";
import { idOf } from "../../service/records.ts";
import { noteSearch } from "../../service/related-records.ts";
import { viewsQuery } from "../../service/saved-views.ts";
import { searchQuery } from "../../service/search-records.ts";
import { settingsGroups } from "../../settings/settings-pages.ts";
import { ANYWHERE, KEY_LABELS, type KeyGroup } from "../../ui/keyboard/key-labels.ts";
import { KEY_MAP, type KeyId } from "../../ui/keyboard/key-map.ts";
import { TYPING_PAUSE_MS, useDebounced } from "../../ui/use-debounced.ts";
import { findLike } from "../../values/find-like.ts";
import { formatValue } from "../../values/format-value.ts";
import { detailFields } from "../../values/record-detail.ts";
import { nameOf, nounsOf } from "../../values/record-name.ts";
import { withIsoDates } from "../../values/search-dates.ts";
import { formatTarget, type Target } from "../router/paths.ts";
import { useLocation, useNavigate } from "../router/router-context.tsx";
import { useDictionary, useServices } from "../services/services.ts";

export interface PaletteOption {
  id: string;
  icon: IconNode;
  group: string;
  label: string;
  /** Is shown beside the label, to tell options with equal labels apart. */
  detail?: string | undefined;
  /** Says what else people call it. It is not shown. */
  also?: string | undefined;
  /** The shortcut for the same action, as spelled in key-map.ts. */
  key?: string | undefined;
  /** Changes records at once, so it is never chosen by itself: Enter alone does not run it. */
  isRisky?: boolean | undefined;
  run: () => unknown;
}

export interface PaletteResult {
  options: PaletteOption[];
  isSearching: boolean;
  error: Error | undefined;
  /** Collections of which nobody knows what they have, because looking took too long. */
  late: readonly Collection[];
}

export function usePaletteOptions(typed: string): PaletteResult {
  const text = typed.trim();
  const debounced = useDebounced(text, TYPING_PAUSE_MS);
  const records = useRecords(nameWords(debounced).length > 0 ? debounced : "");
  const recent = useRecent();
  // The sentence that names a deletion is found by any other word, such as by that for the page of what is deleted.
  const isUndoMeant = text === "" || nameWords(t("Undo")).every((word) => nameWords(text).includes(word));
  const undos = useUndos(isUndoMeant && text !== "");
  const offered = [
    ...useActions((group) => group !== ANYWHERE),
    ...(isUndoMeant ? undos : []),
    ...recent,
    ...usePlaces(),
    ...useActions((group) => group === ANYWHERE),
    ...(isUndoMeant ? [] : undos),
  ];
  const known = findLike(text, offered, ({ label, detail = "", also = "" }) => `${label} ${detail} ${also}`);
  if (text === "") return { options: known, isSearching: false, error: undefined, late: [] };
  // Never offer the records that an earlier text found, and none twice.
  const found = debounced === text ? records.options : [];
  const options = [...known, ...found.filter(({ id }) => !known.some((one) => one.id === id))];
  return { options, isSearching: debounced !== text || records.isSearching, error: records.error, late: records.late };
}

const MOST_UNDOS = 10; // lines; the key reaches those before them

/** Lists what can be undone in this tab, also when its message is gone. The key takes the latest back. */
function useUndos(isMeant: boolean): PaletteOption[] {
  const { toasts } = useServices();
  return toasts
    .undos()
    .slice(0, MOST_UNDOS)
    .map((action, at) => ({
      id: `undo ${at}`,
      icon: Undo2,
      group: t("Undo"),
      label: action.undoes ?? "",
      also: t("Undo"),
      key: action === toasts.latestUndo() ? KEY_MAP.undo.keys[0] : undefined,
      isRisky: !isMeant,
      run: () => toasts.run(action),
    }));
}

/** Records that were opened before, without the one that is shown. */
function useRecent(): PaletteOption[] {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  return recentRecords(useQueryClient())
    .map(({ collection, record }) => ({ ...recordOption(collection, record, t("Recently opened"), navigate), icon: History }))
    .filter(({ id }) => id !== pathname);
}

const MOST_DETAILS = 2; // people of one name and one account differ by the next value

function recordOption(collection: Collection, record: WireRecord, group: string, navigate: (to: Target) => unknown): PaletteOption {
  const to: Target = { to: "/$collection/$id", params: { collection: collection.name, id: String(idOf(collection, record)) } };
  const values = detailFields(collection, record).slice(0, MOST_DETAILS);
  const detail = values.map((field) => formatValue(field, record[field.name] as Value)).join(" · ");
  return { id: formatTarget(to), icon: SquarePen, group, label: nameOf(collection, record), detail, run: () => navigate(to) };
}

function usePlaces(): PaletteOption[] {
  const { client, views } = useServices();
  const { collections } = useDictionary();
  const navigate = useNavigate();
  const { data: me } = useQuery(meQuery(client));
  const { data: saved } = useQuery(viewsQuery(client));
  const may = (name: string, right: Right) => me !== undefined && allows(me.scope, `${name}:${right}`);
  const go = (icon: IconNode, target: Target) => ({
    id: `go ${formatTarget(target)}`,
    icon,
    group: t("Go to"),
    run: () => navigate(target),
  });
  const ofCollections = collections.flatMap((collection): PaletteOption[] => {
    const { name, title, noun } = collection;
    const params = { collection: name };
    const mayCreate = may(name, "create");
    return [
      { ...go(Rows3, { to: "/$collection", params, search: homeSearch(views.of(collection)) }), label: title },
      ...(mayCreate ? [{ ...go(Plus, { to: "/$collection/new", params }), label: t("New {noun}", { noun }) }] : []),
      ...(mayCreate || may(name, "update")
        ? [{ ...go(Upload, { to: "/$collection/upload", params }), label: t("Upload {nouns} from a file", nounsOf(collection)) }]
        : []),
      ...(saved ?? [])
        .filter((view) => view.collection === name)
        .map((view) => ({
          ...go(Bookmark, {
            to: "/$collection",
            params,
            search: { ...openView(collection, view.search).search, [VIEW_PARAMETER]: view.id },
          }),
          label: view.name,
          detail: t("View of {nouns}", nounsOf(collection)),
        })),
      ...(may(name, "read")
        ? [
            {
              ...go(Trash2, { to: "/$collection/deleted", params }),
              label: t("Deleted {nouns}", nounsOf(collection)),
              also: t("delete, bring back, trash"),
            },
            ...(collection.match
              ? [
                  {
                    ...go(CopyCheck, { to: "/$collection/duplicates", params }),
                    label: t("Duplicates"),
                    detail: title,
                    also: t("the same twice, merge"),
                  },
                ]
              : []),
          ]
        : []),
      { ...go(TableProperties, { to: "/$collection/dictionary", params }), label: t("Data dictionary"), detail: title },
    ];
  });
  return [
    ...ofCollections,
    { ...go(Activity, { to: "/activity" }), label: t("Activity"), also: t("history, changes, log") },
    { ...go(FileUp, { to: "/uploads" }), label: t("Uploads"), also: t("files, reports, import") },
    { ...go(ScrollText, { to: "/recipes" }), label: t("Recipes") },
    { ...go(SlidersHorizontal, { to: "/settings" }), label: t("Settings"), also: t("language, theme, password, preferences") },
    ...settingsGroups(me, [])
      .flatMap(({ links }) => links)
      .filter(({ target }) => target.to === "/settings/$page")
      .map(({ icon, target, label, line }) => ({ ...go(icon, target), label, detail: t("Settings"), also: line })),
    { ...go(Info, { to: "/about" }), label: t("About") },
  ];
}

const ALSO: Partial<Record<KeyId, string>> = {
  signOut: message("log out, logout, exit"),
  help: message("help, keys, hotkeys"),
};

/** Returns the actions that were available when the palette opened. */
function useActions(isWanted: (group: KeyGroup) => boolean): PaletteOption[] {
  const { keys, toasts } = useServices();
  const ids = useRef(keys.list()).current;
  const isNamed = toasts.latestUndo()?.undoes !== undefined; // useUndos says what it undoes
  return ids
    .filter((id) => id !== "undo" || !isNamed)
    .map((id) => ({ id, ...KEY_MAP[id], ...KEY_LABELS[id] }))
    .filter(({ group, isAction }) => isAction && isWanted(group))
    .map(({ id, group, label, keys: [key] }) => ({
      id,
      icon: CornerDownRight,
      group: group === ANYWHERE ? t(group) : t("On this page"),
      label: t(label),
      also: ALSO[id] && t(ALSO[id]),
      key,
      isRisky: id === "delete",
      run: () => keys.run(id),
    }));
}

function useRecords(q: string): PaletteResult {
  const { client } = useServices();
  const { collections } = useDictionary();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const texts = [...new Set(collections.map((one) => withIsoDates(one, q)))]; // two where a date was typed that only some have
  const found = useQueries({
    queries: texts.map((typed) => {
      const some = collections.filter((one) => withIsoDates(one, q) === typed);
      return { ...searchQuery(client, some, typed), enabled: q !== "" };
    }),
  });
  const options = found.flatMap(({ data = [] }, i) =>
    data.flatMap(({ collection: name, records, meant, parent, more }) => {
      const collection = collections.find((one) => one.name === name);
      if (!collection) return []; // the dictionary was changed meanwhile
      const named = collection.references.find(({ reference }) => reference.as === parent);
      const group = meant
        ? t("{collection}: did you mean “{search}”?", { collection: collection.title, search: meant })
        : named
          ? t("{collection} by {parent}", { collection: collection.title, parent: named.title })
          : collection.title;
      const words = meant ?? texts[i] ?? q;
      const shown = records.map((record) => {
        const open = (to: Target) => {
          if (!named) noteSearch(queries, collection, idOf(collection, record), words);
          return navigate(to);
        };
        return recordOption(collection, record, group, open);
      });
      if (!more || named) return shown; // by a parent's words a list finds nothing
      const whole: Target = { to: "/$collection", params: { collection: name }, search: { q: words } };
      const label = t("Show all {nouns} in the list", nounsOf(collection));
      return [...shown, { id: `all ${name}`, icon: Rows3, group, label, run: () => navigate(whole) }];
    }),
  );
  const isSearching = found.some(({ isFetching }) => isFetching);
  const isLate = ({ name }: Collection) => found.some(({ data = [] }) => data.some((one) => one.tookTooLong && one.collection === name));
  return { options, isSearching, error: found.find(({ error }) => error)?.error ?? undefined, late: collections.filter(isLate) };
}
