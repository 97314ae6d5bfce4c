import type { Collection } from "../../../core/dictionary/collections.ts";
import type { Field } from "../../../core/dictionary/fields.ts";
import { t } from "../../../core/i18n/translate.ts";
import * as buttonStyles from "../../components/button.module.css";
import * as formStyles from "../../components/form.module.css";
import * as panelStyles from "../../components/panel.module.css";
import { useServices } from "../../context/services.ts";
import { type ListState, listFields, shownColumns } from "../../state/list-url.ts";
import * as styles from "./panels.module.css";
import type { ChangeList } from "./use-list.ts";

export function ColumnsPanel({ collection, state, go }: { collection: Collection; state: ListState; go: ChangeList }) {
  const { views } = useServices();
  const shown = shownColumns(collection, state.columns);
  const hidden = listFields(collection).filter((field) => !shown.includes(field));

  /** Also makes them the columns that the collection opens with. */
  function show(columns: readonly Field[] | undefined): void {
    const names = columns?.map(({ name }) => name);
    views.put(collection, { ...views.of(collection), columns: names?.join(",") });
    go({ columns: names, cursor: state.cursor }, true);
  }

  function move(at: number, by: number): void {
    const next = [...shown];
    const [moved] = next.splice(at, 1);
    if (moved) next.splice(at + by, 0, moved);
    show(next);
  }

  return (
    <div className={panelStyles.content}>
      <ul className={styles.rows}>
        {shown.map((field, at) => (
          <li key={field.name}>
            <label className={formStyles.choice}>
              <input type="checkbox" checked disabled={shown.length === 1} onChange={() => show(shown.filter((one) => one !== field))} />
              {field.title}
            </label>
            <button
              type="button"
              className={`${buttonStyles.bare} ${styles.icon}`}
              aria-label={t("Move {title} up", { title: field.title })}
              aria-disabled={at === 0}
              onClick={() => at > 0 && move(at, -1)}
            >
              ↑
            </button>
            <button
              type="button"
              className={`${buttonStyles.bare} ${styles.icon}`}
              aria-label={t("Move {title} down", { title: field.title })}
              aria-disabled={at === shown.length - 1}
              onClick={() => at < shown.length - 1 && move(at, 1)}
            >
              ↓
            </button>
          </li>
        ))}
        {hidden.map((field) => (
          <li key={field.name}>
            <label className={formStyles.choice}>
              <input type="checkbox" checked={false} onChange={() => show([...shown, field])} />
              {field.title}
            </label>
          </li>
        ))}
      </ul>
      {state.columns && (
        <button type="button" onClick={() => show(undefined)}>
          {t("Reset columns")}
        </button>
      )}
    </div>
  );
}
