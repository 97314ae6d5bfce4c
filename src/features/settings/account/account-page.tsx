// One's own account: name, password, passkeys and sessions. API keys have a page of their own.

import { useQuery } from "@tanstack/react-query";
import { t } from "../../../../core/i18n/translate.ts";
import { meQuery } from "../../../api/me.ts";
import * as formStyles from "../../../components/form.module.css";
import * as pageStyles from "../../../components/page.module.css";
import { PageTitle } from "../../../components/primitives.tsx";
import * as textStyles from "../../../components/text.module.css";
import { useServices } from "../../../context/services.ts";
import { Link } from "../../../router/link.tsx";
import { roleName } from "../people/role-name.ts";
import { NameForm, OwnPasswordForm } from "./account-forms.tsx";
import { OwnPasskeys } from "./own-passkeys.tsx";
import { OwnSessions } from "./own-sessions.tsx";

export function AccountPage() {
  const { client } = useServices();
  const { data: me } = useQuery(meQuery(client));
  return (
    <>
      <div className={pageStyles.head}>
        <PageTitle>{t("My account")}</PageTitle>
      </div>
      {me?.principal.type === "key" && <p>{t("You are signed in with an API key, which has no account.")}</p>}
      {me?.principal.type === "user" && (
        <div className={formStyles.form}>
          <p className={textStyles.dim}>
            <bdi>{me.email}</bdi> · {me.roles.map(({ id }) => roleName(me.roles, id)).join(", ")}
          </p>
          <NameForm key={me.principal.name} name={me.principal.name} />
          <OwnPasswordForm email={me.email ?? ""} />
          <OwnPasskeys />
          <OwnSessions />
          <p className={textStyles.note}>
            <Link to="/settings/$page" params={{ page: "keys" }}>
              {t("Your API keys")}
            </Link>
          </p>
        </div>
      )}
    </>
  );
}
