// Names who is signed in: a person with their role, or an API key. A press opens their menu.

import { useQuery } from "@tanstack/react-query";
import { ChevronsUpDown } from "lucide";
import { useEffect } from "react";
import { t } from "../../../core/i18n/translate.ts";
import { roleName } from "../../people/role-name.ts";
import { meQuery } from "../../service/me.ts";
import { Monogram } from "../../ui/monogram.tsx";
import { PanelButton } from "../../ui/panel.tsx";
import { Icon } from "../../ui/primitives.tsx";
import { whenAtRest } from "../code/at-rest.ts";
import { openedPart } from "../code/lazy-page.tsx";
import { useServices } from "../services/services.ts";
import * as styles from "./sidebar.module.css";

const PersonMenu = openedPart(() => import("./person-menu.tsx"), "PersonMenu");

export function PersonButton({ onSignOut }: { onSignOut: () => void }) {
  const { client } = useServices();
  const { data: me } = useQuery(meQuery(client));
  useEffect(() => whenAtRest(PersonMenu.preload), []);
  const isPerson = me?.principal.type === "user";
  const name = me?.principal.name || t("API key");
  const role = isPerson ? me.roles.map(({ id }) => roleName(me.roles, id)).join(", ") : t("API key");
  return (
    <div className={styles.person}>
      <PanelButton
        label={
          <>
            <Monogram name={me ? name : ""} kind={isPerson ? "person" : "thing"} />
            <span>
              <bdi>{me ? name : t("Account")}</bdi>
              {me && role !== name && <small>{role}</small>}
            </span>
            <Icon of={ChevronsUpDown} />
          </>
        }
        title={t("Account")}
        className={styles.personButton}
        onNear={PersonMenu.preload}
      >
        {(close) => <PersonMenu close={close} onSignOut={onSignOut} />}
      </PanelButton>
    </div>
  );
}
