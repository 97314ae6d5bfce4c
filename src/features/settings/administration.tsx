// The pages of Settings that the service has something to do with: one lazily loaded file for all of them.

import { useParams } from "@tanstack/react-router";
import type { ComponentType } from "react";
import { NotFound } from "../../navigation/not-found.tsx";
import { KeysPage } from "./keys/keys-page.tsx";
import { SettingsNav } from "./settings-nav.tsx";

const PAGES: Partial<Record<string, ComponentType>> = { keys: KeysPage };

export function AdministrationPage() {
  const { page = "" } = useParams({ strict: false });
  const Page = PAGES[page];
  if (!Page) return <NotFound />;
  return (
    <main id="main">
      <SettingsNav />
      <Page key={page} />
    </main>
  );
}
