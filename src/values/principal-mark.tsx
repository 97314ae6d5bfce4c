// The mark of who made a change: a person's letters, or the icon of what wrote for them.

import { FileUp, type IconNode, Plug, SquareTerminal, Undo2 } from "lucide";
import type { SourceType } from "../../core/contract/history.ts";
import type { Principal } from "../../core/contract/principals.ts";
import { Monogram } from "../ui/monogram.tsx";
import { Icon } from "../ui/primitives.tsx";
import * as styles from "./principal-mark.module.css";

/** A form has none: there a person typed. */
const SOURCE_ICONS: Partial<Record<SourceType, IconNode>> = { upload: FileUp, batch: SquareTerminal, api: Plug, undo: Undo2 };

/** `by` is null where the service does not know it any more. Screen readers hear the words beside the mark, which say the same. */
export function PrincipalMark({ by, source }: { by: Principal | null; source: SourceType }) {
  const icon = SOURCE_ICONS[source] ?? (by?.type === "user" ? undefined : Plug);
  if (!icon && by) return <Monogram name={by.name} />;
  return (
    <span className={styles.mark}>
      <Icon of={icon ?? Plug} />
    </span>
  );
}
