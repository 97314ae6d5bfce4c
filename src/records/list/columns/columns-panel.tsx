import { t } from "../../../../core/i18n/translate.ts";
import * as buttonStyles from "../../../ui/button.module.css";
import * as formStyles from "../../../ui/form.module.css";
import * as styles from "../../../ui/list-panels.module.css";
import * as panelStyles from "../../../ui/panel.module.css";
import { type ListParts, listFields } from "../../query/list-url.ts";
import { useColumns } from "./use-columns.ts";

export function ColumnsPanel(parts: ListParts) {
  const { shown, show, move, widths, size } = useColumns(parts);
  const hidden = listFields(parts.collection).filter((field) => !shown.includes(field));

  function reset(): void {
    size(undefined);
    show(undefined);
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
              onClick={() => at > 0 && move(at, at - 1)}
            >
              ↑
            </button>
            <button
              type="button"
              className={`${buttonStyles.bare} ${styles.icon}`}
              aria-label={t("Move {title} down", { title: field.title })}
              aria-disabled={at === shown.length - 1}
              onClick={() => at < shown.length - 1 && move(at, at + 1)}
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
      {(parts.state.columns || widths) && (
        <button type="button" onClick={reset}>
          {t("Reset columns")}
        </button>
      )}
    </div>
  );
}
