import { type ApiKey, SCOPE_WITH_ROLES } from "../../../core/contract/keys.ts";
import type { Role, User } from "../../../core/contract/people.ts";
import { t } from "../../../core/i18n/translate.ts";
import { useDictionary } from "../../app/services/services.ts";
import { roleName } from "../../people/role-name.ts";
import { describeScope } from "../../people/scope-text.ts";
import * as buttonStyles from "../../ui/button.module.css";
import { StackedTable } from "../../ui/stacked-table.tsx";
import * as tableStyles from "../../ui/table.module.css";
import * as textStyles from "../../ui/text.module.css";
import { formatDatetime, formatRelativeTime } from "../../values/format.ts";

interface KeyTableProps {
  label: string;
  keys: readonly ApiKey[];
  className?: string | undefined;
  /** Without it no key can be revoked. */
  onRevoke?: (key: ApiKey) => void;
  /** Everybody; without them there is no column for the owner. */
  users?: readonly User[] | undefined;
  /** Lists those whose names the caller may know. */
  roles?: readonly Role[];
}

export function KeyTable({ label, keys, className, onRevoke, users, roles = [] }: KeyTableProps) {
  const { collections } = useDictionary();
  return (
    <StackedTable
      label={label}
      className={className}
      heads={[t("Name"), t("Rights"), ...(users ? [t("Owner")] : []), t("Expires"), t("Last used"), t("Status")]}
      actions={onRevoke && t("Revoke")}
    >
      {keys.map((key) => (
        <tr key={key.id}>
          <td className={tableStyles.wrap}>
            <b dir="auto">{key.name || t("Without a name")}</b>
            <div className={textStyles.hint}>
              <bdi>{key.id}</bdi> · {t("created {time}", { time: formatRelativeTime(key.createdAt) })}
            </div>
          </td>
          <td className={tableStyles.wrap} data-title={t("Rights")}>
            <div>
              {key.roles.length > 0 && <div>{t("As: {roles}", { roles: key.roles.map((id) => roleName(roles, id)).join(", ") })}</div>}
              {(key.scope === SCOPE_WITH_ROLES ? [] : describeScope(key.scope, collections)).map((line) => (
                <div key={line}>{line}</div>
              ))}
            </div>
          </td>
          {users && (
            <td data-title={t("Owner")}>
              {key.owner === null ? t("The organisation") : <Owner name={ownerOf(key, users)?.name ?? key.owner} />}
            </td>
          )}
          <td data-title={t("Expires")}>{key.expiresAt === null ? <b>{t("Never")}</b> : formatDatetime(key.expiresAt)}</td>
          <td data-title={t("Last used")}>
            {key.lastUsedAt === null ? t("Never") : formatRelativeTime(key.lastUsedAt)}
            {key.lastUsedFrom && (
              <div className={textStyles.hint}>
                <bdi>{key.lastUsedFrom}</bdi>
              </div>
            )}
          </td>
          <td data-title={t("Status")}>{stateOf(key, users)}</td>
          {onRevoke && (
            <td className={tableStyles.number}>
              <button
                type="button"
                className={buttonStyles.danger}
                aria-label={t("Revoke “{name}”", { name: key.name || key.id })}
                onClick={() => onRevoke(key)}
              >
                {t("Revoke")}
              </button>
            </td>
          )}
        </tr>
      ))}
    </StackedTable>
  );
}

/** A long name is cut, and whole when it is pointed at. */
function Owner({ name }: { name: string }) {
  return <bdi title={name}>{name}</bdi>;
}

export function hasEnded({ revokedAt, expiresAt }: ApiKey): boolean {
  return revokedAt !== null || (expiresAt !== null && Date.parse(expiresAt) <= Date.now());
}

function stateOf(key: ApiKey, users: readonly User[] = []): string {
  if (key.revokedAt !== null) return t("Revoked {time}", { time: formatRelativeTime(key.revokedAt) });
  if (hasEnded(key)) return t("Expired");
  return ownerOf(key, users)?.status === "disabled" ? t("Stopped, because the owner’s account is disabled") : t("Active");
}

function ownerOf({ owner }: ApiKey, users: readonly User[]): User | undefined {
  return users.find(({ id }) => id === owner);
}
