// The help that ? opens: the keys that do something on this page, from the registry, and whether single keys do.

import { useRef, useSyncExternalStore } from "react";
import { say } from "../../core/i18n/translate.ts";
import { isSingle, KeyList } from "../components/key-list.tsx";
import { Modal, type OverlayProps } from "../components/modal.tsx";
import { useDeps } from "../context/services.ts";

export function KeysHelp({ onClose }: OverlayProps) {
  const { keys, settings } = useDeps();
  const { singleKeys } = useSyncExternalStore(settings.subscribe, settings.current);
  const ids = useRef(keys.list()).current;
  return (
    <Modal labelledBy="keys-help" className="keys-help" onClose={() => onClose()}>
      <div className="form">
        <div className="head">
          <h2 id="keys-help">{say("Keys of this page")}</h2>
          {/* biome-ignore lint/a11y/noAutofocus: the first control of a dialog has the focus */}
          <button type="button" className="button quiet" autoFocus onClick={() => onClose()}>
            {say("Close")}
          </button>
        </div>
        <KeyList ids={singleKeys ? ids : ids.filter((id) => !isSingle(id))} />
        <label className="choice small ruled">
          <input type="checkbox" checked={singleKeys} onChange={({ target }) => settings.change({ singleKeys: target.checked })} />
          <span>
            {say("Single-key shortcuts")} <span className="dim">{say("such as ? and N; they never act while you type")}</span>
          </span>
        </label>
      </div>
    </Modal>
  );
}
