// The whole page when the service does not answer at the start: the address, and what to check.

import { type ComponentType, useEffect, useState } from "react";
import { message, t } from "../../core/i18n/translate.ts";
import type { UnreachableError } from "../service/reachability.ts";
import { CannotStartPage } from "../ui/start-page.tsx";

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
  blocked: message("The service does not allow this page"),
  notIntake: message("There is no Intake service at this address"),
};

const DESCRIPTIONS: Record<UnreachableError["why"], string> = {
  offline: message("The app continues when the connection is back. The address of the service:"),
  noReply: message("Nothing answered at this address:"),
  blocked: message("Something answers at this address, but does not let this page read the reply:"),
  notIntake: message("Something answers at this address, but it is not the service:"),
};
