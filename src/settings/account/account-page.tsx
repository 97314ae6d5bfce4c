// One's own account: name, password, passkeys and sessions. API keys have a page of their own.

import { useQuery } from "@tanstack/react-query";
import { t } from "../../../core/i18n/translate.ts";
import { Link } from "../../app/router/link.tsx";
import { useServices } from "../../app/services/services.ts";
import { roleName } from "../../people/role-name.ts";
import { meQuery } from "../../service/me.ts";
import * as formStyles from "../../ui/form.module.css";
import * as pageStyles from "../../ui/page.module.css";
import { PageTitle } from "../../ui/primitives.tsx";
import * as textStyles from "../../ui/text.module.css";
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
            </Link>{" "}
            <Link to="/settings/$page" params={{ page: "access" }}>
              {t("What you may do, and why")}
            </Link>
          </p>
        </div>
      )}
    </>
  );
}
