// The whole page when the service does not answer at the start: the address, and what to check.

import { type ComponentType, useEffect, useState } from "react";
import { message, t } from "../../core/i18n/translate.ts";
import type { UnreachableError } from "../api/reachability.ts";
import { CannotStartPage } from "../components/start-page.tsx";

interface ServiceUnreachableProps {
  error: UnreachableError;
  retry: () => void;
  isTrying: boolean;
  more?: React.ReactNode;
}

export function ServiceUnreachable({ error, retry, isTrying, more }: ServiceUnreachableProps) {
  const { address, why, status } = error;
  return (
    <CannotStartPage title={t(TITLES[why])} retry={retry} isTrying={isTrying} more={more}>
      <p>{status ? t("Something answers ({status}) at this address, but it is not the service:", { status }) : t(DESCRIPTIONS[why])}</p>
      <pre dir="ltr">{address}</pre>
      {why !== "offline" && <ChecksLater error={error} />}
    </CannotStartPage>
  );
}

/** If this part of the app cannot be loaded either, the page shows the address alone. */
function ChecksLater({ error }: { error: UnreachableError }) {
  const [Checks, setChecks] = useState<ComponentType<{ error: UnreachableError }>>();
  useEffect(() => {
    import("./unreachable-checks.tsx").then(
      (part) => setChecks(() => part.UnreachableChecks),
      () => {},
    );
  }, []);
  return Checks && <Checks error={error} />;
}

const TITLES: Record<UnreachableError["why"], string> = {
  offline: message("This computer is offline"),
  noReply: message("The service cannot be reached"),
  blocked: message("The service does not let this page in"),
  notIntake: message("The service is not at its address"),
};

const DESCRIPTIONS: Record<UnreachableError["why"], string> = {
  offline: message("The app goes on by itself when the connection is back. It asks this address:"),
  noReply: message("Nothing answered at this address:"),
  blocked: message("Something answers at this address, but the browser may not give its answer to this page:"),
  notIntake: message("Something answers at this address, but it is not the service:"),
};
