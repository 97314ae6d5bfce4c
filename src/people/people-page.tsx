// Shows who has an account, with which roles; inviting people, changing and disabling them.

import { useQuery } from "@tanstack/react-query";
import { Users } from "lucide";
import { useState } from "react";
import type { Role, User, UserStatus } from "../../core/contract/people.ts";
import { message, t } from "../../core/i18n/translate.ts";
import { compareNames } from "../../core/text/compare-names.ts";
import { foldWords } from "../../core/text/fold.ts";
import { Loading } from "../app/services/loading.tsx";
import { useServices } from "../app/services/services.ts";
import { rolesQuery, usersQuery } from "../service/people.ts";
import { signInWaysQuery } from "../service/sign-in-ways.ts";
import { Announce } from "../ui/announce.tsx";
import * as buttonStyles from "../ui/button.module.css";
import * as pageStyles from "../ui/page.module.css";
import { Icon, PageTitle } from "../ui/primitives.tsx";
import { ScrollArea } from "../ui/scroll-area.tsx";
import * as stackedTableStyles from "../ui/stacked-table.module.css";
import * as tableStyles from "../ui/table.module.css";
import * as textStyles from "../ui/text.module.css";
import { count, formatRelativeTime } from "../values/format.ts";
import { InviteDialog } from "./invite-dialog.tsx";
import { type MadeLink, MadeLinkNotice } from "./made-link.tsx";
import * as styles from "./people-page.module.css";
import { PersonDialog } from "./person-dialog.tsx";
import { roleName } from "./role-name.ts";

const STATUS_WORDS: Record<UserStatus, string> = {
  invited: message("Invited"),
  active: message("Has an account"),
  disabled: message("Disabled"),
};

const MANY = 10; // people: more are searched

export function PeoplePage() {
  const { client } = useServices();
  const query = useQuery(usersQuery(client));
  const { data: users } = query;
  const { data: roles = [] } = useQuery(rolesQuery(client));
  const { data: ways } = useQuery(signInWaysQuery(client));
  const [isInviting, setInviting] = useState(false);
  const [changing, setChanging] = useState<User>();
  const [made, setMade] = useState<MadeLink>();
  const [sought, setSought] = useState("");
  const byName = [...(users ?? [])].sort((a, b) => compareNames(a.name, b.name));
  const words = foldWords(sought);
  const found = byName.filter((user) => {
    const text = foldWords([user.name, user.email, ...user.roles.map((id) => roleName(roles, id))].join(" "));
    return words.every((word) => text.some((own) => own.startsWith(word)));
  });
  const onType = ({ target }: React.ChangeEvent<HTMLInputElement>) => setSought(target.value);
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
      {users?.length === 0 && (
        <div className={pageStyles.empty}>
          <Icon of={Users} isLarge />
          <b>{t("Nobody has an account yet")}</b>
          <span className={textStyles.dim}>
            {t("Until then everybody signs in with an API key. Invite yourself first, as an administrator.")}
          </span>
        </div>
      )}
      {byName.length > MANY && (
        <div className={pageStyles.tools}>
          <input
            type="search"
            className={styles.search}
            aria-label={t("Find people")}
            placeholder={t("Find people")}
            value={sought}
            onChange={onType}
          />
          <Announce text={sought === "" ? "" : count(found.length, "{n} person", "{n} people")} />
        </div>
      )}
      {found.length > 0 && <PeopleTable users={found} roles={roles} onChange={setChanging} />}
      {byName.length > 0 && found.length === 0 && <p className={textStyles.dim}>{t("Nobody has a name, address or role like that.")}</p>}
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
    <ScrollArea label={t("All people")}>
      <table className={stackedTableStyles.stacked} aria-label={t("People")}>
        <thead>
          <tr>
            <th>{t("Name")}</th>
            <th>{t("Roles")}</th>
            <th>{t("State")}</th>
            <th>{t("Last seen")}</th>
            <th>
              <span className={textStyles.hidden}>{t("Change")}</span>
            </th>
          </tr>
        </thead>
        <tbody>
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
              <td data-title={t("State")}>{t(STATUS_WORDS[user.status])}</td>
              <td data-title={t("Last seen")}>{user.lastSeenAt === null ? t("Never") : formatRelativeTime(user.lastSeenAt)}</td>
              <td className={tableStyles.number}>
                <button type="button" aria-label={t("Change {name}", { name: user.name })} onClick={() => onChange(user)}>
                  {t("Change")}
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  );
}
