import { t } from "../../core/i18n/translate.ts";
import * as styles from "./key-list.module.css";
import { KEY_LABELS } from "./keyboard/key-labels.ts";
import { KEY_MAP, type KeyId } from "./keyboard/key-map.ts";
import { keyName } from "./keyboard/key-name.ts";

export function KeyList({ ids }: { ids: readonly KeyId[] }) {
  const withKeys = ids.filter((id) => KEY_MAP[id].keys.length > 0);
  const groups = [...new Set(withKeys.map((id) => KEY_LABELS[id].group))];
  return (
    <div className={styles.keyList}>
      {groups.map((group) => (
        <section key={group}>
          <h3>{t(group)}</h3>
          <dl>
            {withKeys
              .filter((id) => KEY_LABELS[id].group === group)
              .map((id) => (
                <div key={id}>
                  <dt>{t(KEY_LABELS[id].label)}</dt>
                  <dd>
                    <Keys id={id} />
                  </dd>
                </div>
              ))}
          </dl>
        </section>
      ))}
    </div>
  );
}

function Keys({ id }: { id: KeyId }) {
  const { keys, isRange } = KEY_MAP[id];
  const [first = "", last = ""] = [keys[0], keys.at(-1)].map((key) => keyName(key ?? ""));
  if (!isRange) return keys.map((key) => <kbd key={key}>{keyName(key)}</kbd>);
  return (
    <>
      <kbd>{first}</kbd> – <kbd>{last}</kbd>
    </>
  );
}

/** Says whether all keys are single characters, which can be turned off (WCAG 2.1.4). The space bar is exempt. */
export function isSingle(id: KeyId): boolean {
  return KEY_MAP[id].keys.length > 0 && KEY_MAP[id].keys.every((key) => key.length === 1 && key !== " ");
}
