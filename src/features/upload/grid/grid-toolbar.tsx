import { t } from "../../../../core/i18n/translate.ts";
import type { CorrectionState } from "../../../../pipeline/correction/correction-state.ts";
import * as buttonStyles from "../../../components/button.module.css";
import { useServices } from "../../../context/services.ts";
import { keyName } from "../../../keyboard/key-name.ts";
import * as styles from "./grid-toolbar.module.css";

interface GridToolbarProps {
  isGroup: boolean;
  onAll: () => void;
  onNext: () => void;
  corrections: CorrectionState;
}

export function GridToolbar({ isGroup, onAll, onNext, corrections }: GridToolbarProps) {
  const { uploadManager } = useServices();
  return (
    <div className={styles.toolbar}>
      <h2>{isGroup ? t("Rows of one group") : t("Rows with problems")}</h2>
      {isGroup && (
        <button type="button" className={buttonStyles.quiet} onClick={onAll}>
          {t("Show all rows")}
        </button>
      )}
      <span />
      <button type="button" className={buttonStyles.quiet} aria-keyshortcuts="F8" title={t("F8; back: Shift+F8")} onClick={onNext}>
        {t("Next problem")}
      </button>
      <Step name={t("Undo")} keys="Control+Z" isThere={corrections.canUndo} onStep={() => uploadManager.act({ do: "undo" })} />
      <Step name={t("Redo")} keys="Control+Shift+Z" isThere={corrections.canRedo} onStep={() => uploadManager.act({ do: "redo" })} />
    </div>
  );
}

function Step({ name, keys, isThere, onStep }: { name: string; keys: string; isThere: boolean; onStep: () => void }) {
  return (
    <button
      type="button"
      className={buttonStyles.quiet}
      aria-disabled={!isThere}
      aria-keyshortcuts={keys}
      title={keyName(keys.replace("Control", "Mod"))}
      onClick={() => isThere && onStep()}
    >
      {name}
    </button>
  );
}
