import { useRef, useSyncExternalStore } from "react";
import { t } from "../../../core/i18n/translate.ts";
import * as buttonStyles from "../../ui/button.module.css";
import * as formStyles from "../../ui/form.module.css";
import { isSingle, KeyList } from "../../ui/key-list.tsx";
import { Modal, type OverlayProps } from "../../ui/modal.tsx";
import * as pageStyles from "../../ui/page.module.css";
import * as panelStyles from "../../ui/panel.module.css";
import * as textStyles from "../../ui/text.module.css";
import { useServices } from "../services/services.ts";
import * as styles from "./shortcuts-help.module.css";

export function ShortcutsHelp({ onClose }: OverlayProps) {
  const { keys, settings } = useServices();
  const { singleKeys } = useSyncExternalStore(settings.subscribe, settings.current);
  const ids = useRef(keys.list()).current;
  return (
    <Modal labelledBy="keys-help" className={styles.shortcuts} onClose={() => onClose()}>
      <div className={formStyles.form}>
        <div className={pageStyles.head}>
          <h2 id="keys-help">{t("Keyboard shortcuts")}</h2>
          {/* biome-ignore lint/a11y/noAutofocus: the first control of a dialog has the focus */}
          <button type="button" className={buttonStyles.quiet} autoFocus onClick={() => onClose()}>
            {t("Close")}
          </button>
        </div>
        <KeyList ids={singleKeys ? ids : ids.filter((id) => !isSingle(id))} />
        <label className={`${formStyles.choice} ${panelStyles.ruled}`}>
          <input type="checkbox" checked={singleKeys} onChange={({ target }) => settings.change({ singleKeys: target.checked })} />
          <span>
            {t("Single-key shortcuts")} <span className={textStyles.dim}>{t("such as ? and N; they never act while you type")}</span>
          </span>
        </label>
      </div>
    </Modal>
  );
}
