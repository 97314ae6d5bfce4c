// The pages of Settings: one lazily loaded file for all of them.

import type { ComponentType } from "react";
import { NotFound } from "../app/navigation/not-found.tsx";
import { useParams } from "../app/router/router-context.tsx";
import { PeoplePage } from "../people/people-page.tsx";
import { RequestsPage } from "../people/requests-page.tsx";
import { RolesPage } from "../people/roles-page.tsx";
import { WhyPage } from "../people/why-page.tsx";
import { useKeptFocus } from "../ui/focus/kept-focus.ts";
import { AccountPage } from "./account/account-page.tsx";
import { BrowserPage } from "./browser-page.tsx";
import { KeysPage } from "./keys/keys-page.tsx";
import { OrganisationPage } from "./organisation/organisation-page.tsx";
import { SettingsMain } from "./settings-main.tsx";
import { WebhooksPage } from "./webhooks/webhooks-page.tsx";

const PAGES: Partial<Record<string, ComponentType>> = {
  access: WhyPage,
  account: AccountPage,
  browser: BrowserPage,
  keys: KeysPage,
  organisation: OrganisationPage,
  people: PeoplePage,
  requests: RequestsPage,
  roles: RolesPage,
  webhooks: WebhooksPage,
};

export function AdministrationPage() {
  const { page = "" } = useParams();
  const Page = PAGES[page];
  useKeptFocus();
  if (!Page) return <NotFound />;
  return (
    <SettingsMain>
      <Page key={page} />
    </SettingsMain>
  );
}
