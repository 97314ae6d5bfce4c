// The help that ? opens: the keys that do something on this page, from the registry, and whether single keys do.

import { useRef, useSyncExternalStore } from "react";
import { isSingle, KeyList } from "../ui/key-list.tsx";
import { Modal } from "../ui/modal.tsx";
import { useDeps } from "./deps.ts";
import type { OverlayProps } from "./overlay.tsx";

export function KeysHelp({ onClose }: OverlayProps) {
  const { keys, settings } = useDeps();
  const { singleKeys } = useSyncExternalStore(settings.subscribe, settings.current);
  const ids = useRef(keys.list()).current;
  return (
    <Modal labelledBy="keys-help" className="keys-help" onClose={() => onClose()}>
      <div className="form">
        <div className="head">
          <h2 id="keys-help">Keys of this page</h2>
          {/* biome-ignore lint/a11y/noAutofocus: the first control of a dialog has the focus */}
          <button type="button" className="button quiet" autoFocus onClick={() => onClose()}>
            Close
          </button>
        </div>
        <KeyList ids={singleKeys ? ids : ids.filter((id) => !isSingle(id))} />
        <label className="choice small ruled">
          <input type="checkbox" checked={singleKeys} onChange={({ target }) => settings.change({ singleKeys: target.checked })} />
          <span>
            Single-key shortcuts <span className="dim">such as ? and N; they never act while you type</span>
          </span>
        </label>
      </div>
    </Modal>
  );
}
