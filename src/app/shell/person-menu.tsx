// The menu of whoever is signed in: language, appearance, account, help and signing out. It is loaded when it is opened.

import { useQuery } from "@tanstack/react-query";
import { Info, LifeBuoy, LogOut, UserRound } from "lucide";
import { useSyncExternalStore } from "react";
import { t } from "../../../core/i18n/translate.ts";
import { meQuery } from "../../service/me.ts";
import * as buttonStyles from "../../ui/button.module.css";
import * as formStyles from "../../ui/form.module.css";
import { Icon } from "../../ui/primitives.tsx";
import { Link } from "../router/link.tsx";
import { LanguageChoice, ThemeChoice } from "../services/look-choices.tsx";
import { useServices } from "../services/services.ts";
import * as styles from "./person-menu.module.css";

export function PersonMenu({ close, onSignOut }: { close: () => void; onSignOut: () => void }) {
  const { client, organisation } = useServices();
  const { data: me } = useQuery(meQuery(client));
  const { supportUrl } = useSyncExternalStore(organisation.subscribe, organisation.current);
  return (
    <div className={styles.menu}>
      {me && (
        <p className={styles.who}>
          <b>
            <bdi>{me.principal.name || t("API key")}</bdi>
          </b>
          <span>{me.email ?? t("API key")}</span>
        </p>
      )}
      <div className={formStyles.field}>
        <LanguageChoice />
      </div>
      <div className={formStyles.field}>
        <ThemeChoice />
      </div>
      <div className={styles.entries}>
        {me?.principal.type === "user" && (
          <Link to="/settings/$page" params={{ page: "account" }} onClick={close}>
            <Icon of={UserRound} />
            {t("My account")}
          </Link>
        )}
        {supportUrl && (
          <a href={supportUrl} target="_blank" rel="noreferrer">
            <Icon of={LifeBuoy} />
            {t("Help")}
          </a>
        )}
        <Link to="/about" onClick={close}>
          <Icon of={Info} />
          {t("About")}
        </Link>
        <button
          type="button"
          className={buttonStyles.bare}
          onClick={() => {
            close();
            onSignOut();
          }}
        >
          <Icon of={LogOut} />
          {me?.viewer ? t("End the view") : t("Sign out")}
        </button>
      </div>
    </div>
  );
}
