import { useQuery } from "@tanstack/react-query";
import { allows } from "../../core/contract/scopes.ts";
import { useDictionary, useServices } from "../app/services/services.ts";
import { meQuery } from "../service/me.ts";
import { accessRequestsQuery } from "../service/people.ts";
import { type SettingsGroup, settingsGroups } from "./settings-pages.ts";

/** Returns the pages that the caller may open. */
export function useSettingsGroups(): SettingsGroup[] {
  const { client } = useServices();
  const { collections } = useDictionary();
  const { data: me } = useQuery(meQuery(client));
  const { data: requests } = useQuery({ ...accessRequestsQuery(client), enabled: !!me && allows(me.scope, "admin") });
  return settingsGroups(me, collections, requests?.length);
}
