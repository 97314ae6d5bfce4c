// The whole page when the service does not answer at the start: the address that was asked, and what to check. Asks nothing itself.

import type { NotReached } from "../api/reach.ts";
import { CannotStart } from "../ui/start-page.tsx";

interface NotReachedPageProps {
  error: NotReached;
  retry: () => void;
  isTrying: boolean;
  more?: React.ReactNode;
}

export function NotReachedPage({ error, retry, isTrying, more }: NotReachedPageProps) {
  const { address, why, status } = error;
  return (
    <CannotStart title={TITLES[why]} retry={retry} isTrying={isTrying} more={more}>
      <p>{SAID[why].replace("answers", status ? `answers (${status})` : "answers")}</p>
      <pre dir="ltr">{address}</pre>
      {why !== "offline" && (
        <>
          <p>{why === "silent" && "A browser does not tell why. "}Whoever runs this app can check:</p>
          <Checks error={error} />
        </>
      )}
    </CannotStart>
  );
}

const TITLES: Record<NotReached["why"], string> = {
  offline: "This computer is offline",
  silent: "The service cannot be reached",
  closed: "The service does not let this page in",
  other: "The service is not at its address",
};

const SAID: Record<NotReached["why"], string> = {
  offline: "The app goes on by itself when the connection is back. It asks this address:",
  silent: "Nothing answered at this address:",
  closed: "Something answers at this address, but the browser may not give its answer to this page:",
  other: "Something answers at this address, but it is not the service:",
};

function Checks({ error: { address, why } }: { error: NotReached }) {
  const { origin, protocol } = new URL(address);
  const isElsewhere = origin !== location.origin;
  const isSilent = why === "silent";
  return (
    <ul>
      <li>
        <b>Address.</b> <code>apiBaseUrl</code> in{" "}
        <a href="config.json" target="_blank" rel="noreferrer">
          config.json
        </a>{" "}
        must be where the service is, with <code>/v1</code> at the end. Reload this page after a change.
      </li>
      {isSilent && (
        <li>
          <b>Service.</b> It must be running. Its <code>/livez</code> then answers.
        </li>
      )}
      {isElsewhere && why !== "other" && (
        <li>
          <b>CORS.</b> The service must be started with <code>CORS_ORIGINS={location.origin}</code>
        </li>
      )}
      {isSilent && protocol === "https:" && (
        <li>
          <b>TLS.</b> Its certificate must be valid on this computer: open the address in a tab of its own to see.
        </li>
      )}
      {isSilent && protocol === "http:" && location.protocol === "https:" && (
        <li>
          <b>TLS.</b> A page that came by https may only ask by https.
        </li>
      )}
      {isSilent && isElsewhere && (
        <li>
          <b>Policy.</b> The Content-Security-Policy that comes with this page must say <code>connect-src 'self' {origin}</code>
        </li>
      )}
    </ul>
  );
}
