// The named views of a collection: open, save, rename, delete, and choose the one it opens with.

import { type FormEvent, useId, useRef, useState, useSyncExternalStore } from "react";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { t } from "../../../core/i18n/translate.ts";
import * as buttonStyles from "../../components/button.module.css";
import * as formStyles from "../../components/form.module.css";
import * as panelStyles from "../../components/panel.module.css";
import * as textStyles from "../../components/text.module.css";
import { useServices } from "../../context/services.ts";
import { nounsOf } from "../../fields/record-name.ts";
import { Link } from "../../router/link.tsx";
import { deleteView, renameView, saveView } from "../../state/edit-views.ts";
import { formatListUrl, type ListState } from "../../state/list-url.ts";
import type { SavedViews, View } from "../../state/views.ts";
import * as styles from "./panels.module.css";

const MAX_NAME_LENGTH = 60; // characters

interface ViewsPanelProps {
  collection: Collection;
  state: ListState;
  onDone: () => void;
}

export function ViewsPanel({ collection, state, onDone }: ViewsPanelProps) {
  const { views } = useServices();
  const saved = useSyncExternalStore(views.subscribe, () => views.of(collection));
  const put = (next: SavedViews) => views.put(collection, next);
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [name, setName] = useState("");
  const here = formatListUrl({ ...state, cursor: undefined });

  function save(event: FormEvent): void {
    event.preventDefault();
    if (name.trim() === "") input.current?.focus();
    else put(saveView(saved, name.trim(), here));
    setName("");
  }

  return (
    <div className={panelStyles.content}>
      <ul className={styles.rows}>
        <li>
          <Link to="/$collection" params={{ collection: collection.name }} current="search" onClick={onDone}>
            {t("All records")}
          </Link>
        </li>
        {saved.views.map((view) => (
          <ViewRow key={view.name} collection={collection} view={view} saved={saved} put={put} onDone={onDone} />
        ))}
      </ul>
      <form className={`${formStyles.field} ${panelStyles.ruled}`} onSubmit={save}>
        <label htmlFor={id}>{t("Save this list as")}</label>
        <span className={formStyles.withAction}>
          <input
            id={id}
            ref={input}
            type="text"
            dir="auto"
            autoComplete="off"
            maxLength={MAX_NAME_LENGTH}
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
          <button type="submit">{t("Save")}</button>
        </span>
        <span className={textStyles.hint}>
          {t("Saves search, filters, order and columns on this computer. To share a view, send its address.")}
        </span>
      </form>
      <Link to="/$collection/deleted" params={{ collection: collection.name }} onClick={onDone}>
        {t("Deleted {nouns}", nounsOf(collection))}
      </Link>
    </div>
  );
}

interface ViewRowProps {
  collection: Collection;
  view: View;
  saved: SavedViews;
  put: (saved: SavedViews) => void;
  onDone: () => void;
}

function ViewRow({ collection, view, saved, put, onDone }: ViewRowProps) {
  const [isNaming, setNaming] = useState(false);
  const isHome = saved.home === view.name;
  if (isNaming) {
    const rename = (to: string) => {
      setNaming(false);
      if (to.trim() !== "") put(renameView(saved, view.name, to.trim()));
    };
    return <RenameRow name={view.name} onName={rename} />;
  }
  return (
    <li>
      <Link to="/$collection" params={{ collection: collection.name }} search={view.search} current="search" onClick={onDone}>
        <bdi>{view.name}</bdi>
      </Link>
      <button
        type="button"
        className={`${buttonStyles.bare} ${styles.icon}`}
        aria-pressed={isHome}
        aria-label={t("{name}: open with this view", { name: view.name })}
        title={t("Open with this view")}
        onClick={() => put({ ...saved, home: isHome ? undefined : view.name })}
      >
        {isHome ? "★" : "☆"}
      </button>
      <button
        type="button"
        className={`${buttonStyles.bare} ${styles.icon}`}
        aria-label={t("{name}: rename", { name: view.name })}
        title={t("Rename")}
        onClick={() => setNaming(true)}
      >
        ✎
      </button>
      <button
        type="button"
        className={`${buttonStyles.bare} ${styles.icon}`}
        aria-label={t("{name}: delete", { name: view.name })}
        title={t("Delete")}
        onClick={() => put(deleteView(saved, view.name))}
      >
        ✕
      </button>
    </li>
  );
}

function RenameRow({ name, onName }: { name: string; onName: (name: string) => void }) {
  const [typed, setTyped] = useState(name);
  return (
    <li>
      <form
        className={formStyles.withAction}
        onSubmit={(event) => {
          event.preventDefault();
          onName(typed);
        }}
      >
        <input
          type="text"
          dir="auto"
          aria-label={t("New name")}
          // biome-ignore lint/a11y/noAutofocus: the button that was pressed has made way for this input
          autoFocus
          maxLength={MAX_NAME_LENGTH}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
        <button type="submit">{t("Rename")}</button>
      </form>
    </li>
  );
}
