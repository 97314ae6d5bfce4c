// An administrator looks at the app as another person, in this tab. Nothing of either side is kept for the other.

import type { Client } from "../../../client/http-client.ts";
import { bearer } from "../../../client/sessions.ts";
import { SESSIONS_PATH, USERS_PATH, VIEW_PATH } from "../../../core/contract/paths.ts";
import { openStorage } from "../../browser/browser-storage.ts";
import { isOf, personKey, VIEW_OF } from "../../browser/person.ts";
import { deleteDrafts } from "../../records/drafts/delete-drafts.ts";
import type { TabSession } from "../../service/session.ts";
import type { UploadManager } from "../../upload/manager/upload-manager.ts";

// They are named as in session.ts and views.ts, but not taken from there: the first page would have to give them out.
const STORED = "intake.token";
const STORED_REFRESH = "intake.refresh";
const STORED_OWNER = "intake.token.owner";
const VIEWS_KEY = "intake.views ";
const OWN_REFRESH = "intake.refresh.own"; // of the administrator, who asked to stay signed in for the tab

/** Starts the app over with the token of the view. What it keeps is kept under a name of its own. */
export async function beginView({ client, session }: Pick<EndParts, "client" | "session">, userId: string): Promise<void> {
  const { json } = await client.request("POST", `${USERS_PATH}/${encodeURIComponent(userId)}${VIEW_PATH}`);
  const storage = openStorage(() => sessionStorage);
  const refresh = storage.getItem(STORED_REFRESH);
  storage.removeItem(OWN_REFRESH); // one of somebody else may be left of a view that was never ended
  if (refresh !== null) storage.setItem(OWN_REFRESH, refresh);
  storage.removeItem(STORED_REFRESH);
  session.begin({ token: (json as { access_token: string }).access_token, owner: VIEW_OF + userId }, true);
}

interface EndParts {
  client: Client;
  session: TabSession;
  uploadManager: Pick<UploadManager, "stop" | "uploads" | "drop" | "clear">;
  startOver(): void;
}

/** Starts the app over as oneself. A service that cannot be reached lets the view expire. */
export async function endView({ client, session, uploadManager, startOver }: EndParts): Promise<void> {
  const person = personKey(client.baseUrl, session.owner());
  // The request goes without the session: one that has ended would have it wait for a sign-in.
  await client.request("DELETE", `${SESSIONS_PATH}/current`, { open: true, headers: bearer(session.token()) }).catch(() => {});
  await uploadManager.stop().catch(() => {});
  const uploads = await uploadManager.uploads().catch(() => []);
  await Promise.allSettled([...uploads.map(({ id }) => uploadManager.drop(id)), uploadManager.clear(), deleteDrafts(person)]);
  for (const key of Object.keys(localStorage))
    if (key.startsWith(VIEWS_KEY) && isOf(person, key.slice(VIEWS_KEY.length))) localStorage.removeItem(key);
  const storage = openStorage(() => sessionStorage);
  const refresh = storage.getItem(OWN_REFRESH);
  for (const name of [STORED, STORED_OWNER, OWN_REFRESH]) storage.removeItem(name);
  if (refresh !== null) storage.setItem(STORED_REFRESH, refresh);
  startOver();
}
