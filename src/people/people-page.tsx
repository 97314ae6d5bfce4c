// Shows who has an account, with which roles; inviting people, changing and disabling them.

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Users } from "lucide";
import { useState } from "react";
import type { Role, User, UserStatus } from "../../core/contract/people.ts";
import { message, t } from "../../core/i18n/translate.ts";
import { Loading } from "../app/services/loading.tsx";
import { useServices } from "../app/services/services.ts";
import { rolesQuery, userPagesQuery } from "../service/people.ts";
import { signInWaysQuery } from "../service/sign-in-ways.ts";
import * as buttonStyles from "../ui/button.module.css";
import * as pageStyles from "../ui/page.module.css";
import { Icon, PageTitle } from "../ui/primitives.tsx";
import { StackedTable } from "../ui/stacked-table.tsx";
import * as tableStyles from "../ui/table.module.css";
import * as textStyles from "../ui/text.module.css";
import { TYPING_PAUSE_MS, useDebounced } from "../ui/use-debounced.ts";
import { count, formatNumber, formatRelativeTime } from "../values/format.ts";
import { FindInput, MANY } from "./find-input.tsx";
import { InviteDialog } from "./invite-dialog.tsx";
import { type MadeLink, MadeLinkNotice } from "./made-link.tsx";
import { PersonDialog } from "./person-dialog.tsx";
import { roleName } from "./role-name.ts";

const STATUS_WORDS: Record<UserStatus, string> = {
  invited: message("Invited"),
  active: message("Active"),
  disabled: message("Disabled"),
};

export function PeoplePage() {
  const { client } = useServices();
  const [sought, setSought] = useState("");
  const q = useDebounced(sought.trim(), TYPING_PAUSE_MS);
  const query = useInfiniteQuery(userPagesQuery(client, q));
  const users = query.data?.pages.flatMap((page) => page.users);
  const total = query.data?.pages.at(-1)?.total ?? 0;
  const { data: roles = [] } = useQuery(rolesQuery(client));
  const { data: ways } = useQuery(signInWaysQuery(client));
  const [isInviting, setInviting] = useState(false);
  const [changing, setChanging] = useState<User>();
  const [made, setMade] = useState<MadeLink>();
  const isOld = q !== sought.trim() || query.isPlaceholderData; // what is shown was found by another search
  const show = (next: MadeLink) => {
    setInviting(false);
    setChanging(undefined);
    setMade(next);
  };
  return (
    <>
      <div className={pageStyles.head}>
        <PageTitle>{t("People")}</PageTitle>
        {users && (
          <button type="button" className={buttonStyles.primary} onClick={() => setInviting(true)}>
            {t("Invite someone")}
          </button>
        )}
      </div>
      {made && <MadeLinkNotice made={made} onDone={() => setMade(undefined)} />}
      <Loading query={query} />
      {users && total === 0 && q === "" && !isOld && (
        <div className={pageStyles.empty}>
          <Icon of={Users} isLarge />
          <b>{t("Nobody has an account yet")}</b>
          <span className={textStyles.dim}>
            {t("Until then everybody signs in with an API key. Invite yourself first, as an administrator.")}
          </span>
        </div>
      )}
      {(total > MANY || sought !== "" || isOld) && (
        <FindInput
          label={t("Find people")}
          sought={sought}
          onSought={setSought}
          found={q !== "" && !isOld ? count(total, "{n} person", "{n} people") : ""}
        />
      )}
      {users && total > 0 && <PeopleTable users={users} roles={roles} onChange={setChanging} />}
      {users && total === 0 && q !== "" && <p className={textStyles.dim}>{t("Nobody has a name, address or role like that.")}</p>}
      {users && query.hasNextPage && (
        <div className={pageStyles.tools}>
          <button type="button" aria-disabled={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
            {t("Show more people")}
          </button>
          <span className={textStyles.dim}>{t("{n} of {total}", { n: formatNumber(users.length), total: formatNumber(total) })}</span>
        </div>
      )}
      {isInviting && <InviteDialog roles={roles} isMailed={ways?.canMailLinks ?? false} onMade={show} onClose={() => setInviting(false)} />}
      {changing && <PersonDialog listed={changing} roles={roles} onMade={show} onClose={() => setChanging(undefined)} />}
    </>
  );
}

interface PeopleTableProps {
  users: readonly User[];
  roles: readonly Role[];
  onChange: (user: User) => void;
}

function PeopleTable({ users, roles, onChange }: PeopleTableProps) {
  return (
    <StackedTable
      area={t("All people")}
      label={t("People")}
      heads={[t("Name"), t("Roles"), t("Status"), t("Last seen")]}
      actions={t("Change")}
    >
      {users.map((user) => (
        <tr key={user.id} className={user.status === "disabled" ? tableStyles.ended : undefined}>
          <td className={tableStyles.wrap}>
            <b dir="auto">{user.name}</b>
            <div className={textStyles.hint}>
              <bdi>{user.email}</bdi>
            </div>
          </td>
          <td className={tableStyles.wrap} data-title={t("Roles")}>
            <span>{user.roles.map((id) => roleName(roles, id)).join(", ") || t("None")}</span>
          </td>
          <td data-title={t("Status")}>{t(STATUS_WORDS[user.status])}</td>
          <td data-title={t("Last seen")}>{user.lastSeenAt === null ? t("Never") : formatRelativeTime(user.lastSeenAt)}</td>
          <td className={tableStyles.number}>
            <button type="button" aria-label={t("Change {name}", { name: user.name })} onClick={() => onChange(user)}>
              {t("Change")}
            </button>
          </td>
        </tr>
      ))}
    </StackedTable>
  );
}
