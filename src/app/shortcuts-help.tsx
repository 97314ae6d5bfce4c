import { useRef, useSyncExternalStore } from "react";
import { t } from "../../core/i18n/translate.ts";
import { isSingle, KeyList } from "../components/key-list.tsx";
import { Modal, type OverlayProps } from "../components/modal.tsx";
import { useServices } from "../context/services.ts";

export function ShortcutsHelp({ onClose }: OverlayProps) {
  const { keys, settings } = useServices();
  const { singleKeys } = useSyncExternalStore(settings.subscribe, settings.current);
  const ids = useRef(keys.list()).current;
  return (
    <Modal labelledBy="keys-help" className="keys-help" onClose={() => onClose()}>
      <div className="form">
        <div className="head">
          <h2 id="keys-help">{t("Keyboard shortcuts")}</h2>
          {/* biome-ignore lint/a11y/noAutofocus: the first control of a dialog has the focus */}
          <button type="button" className="button quiet" autoFocus onClick={() => onClose()}>
            {t("Close")}
          </button>
        </div>
        <KeyList ids={singleKeys ? ids : ids.filter((id) => !isSingle(id))} />
        <label className="choice small ruled">
          <input type="checkbox" checked={singleKeys} onChange={({ target }) => settings.change({ singleKeys: target.checked })} />
          <span>
            {t("Single-key shortcuts")} <span className="dim">{t("such as ? and N; they never act while you type")}</span>
          </span>
        </label>
      </div>
    </Modal>
  );
}
