// The whole page when the service does not answer at the start: the address that was asked, and what to check. Asks nothing itself.

import { type ComponentType, useEffect, useState } from "react";
import { say, toSay } from "../../core/i18n/translate.ts";
import type { NotReached } from "../api/reachability.ts";
import { CannotStart } from "../components/start-page.tsx";

interface NotReachedPageProps {
  error: NotReached;
  retry: () => void;
  isTrying: boolean;
  more?: React.ReactNode;
}

export function NotReachedPage({ error, retry, isTrying, more }: NotReachedPageProps) {
  const { address, why, status } = error;
  return (
    <CannotStart title={say(TITLES[why])} retry={retry} isTrying={isTrying} more={more}>
      <p>{status ? say("Something answers ({status}) at this address, but it is not the service:", { status }) : say(SAID[why])}</p>
      <pre dir="ltr">{address}</pre>
      {why !== "offline" && <ChecksLater error={error} />}
    </CannotStart>
  );
}

/** Where even this file of the app cannot be fetched, the address alone has to do. */
function ChecksLater({ error }: { error: NotReached }) {
  const [Checks, setChecks] = useState<ComponentType<{ error: NotReached }>>();
  useEffect(() => {
    import("./unreachable-checks.tsx").then(
      (part) => setChecks(() => part.Checks),
      () => {},
    );
  }, []);
  return Checks && <Checks error={error} />;
}

const TITLES: Record<NotReached["why"], string> = {
  offline: toSay("This computer is offline"),
  silent: toSay("The service cannot be reached"),
  closed: toSay("The service does not let this page in"),
  other: toSay("The service is not at its address"),
};

const SAID: Record<NotReached["why"], string> = {
  offline: toSay("The app goes on by itself when the connection is back. It asks this address:"),
  silent: toSay("Nothing answered at this address:"),
  closed: toSay("Something answers at this address, but the browser may not give its answer to this page:"),
  other: toSay("Something answers at this address, but it is not the service:"),
};
