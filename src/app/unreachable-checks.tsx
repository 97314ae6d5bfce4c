// Lists what an administrator can check when the service does not answer. Loaded when it is first needed.

import { t, type Values } from "../../core/i18n/translate.ts";
import type { UnreachableError } from "../service/reachability.ts";
import { RichText } from "../ui/rich-text.tsx";

export function UnreachableChecks({ error }: { error: UnreachableError }) {
  return (
    <>
      <p>
        {error.why === "noReply" && `${t("Browsers do not tell why.")} `}
        {t("Your administrator can check:")}
      </p>
      <List error={error} />
    </>
  );
}

function List({ error: { address, why } }: { error: UnreachableError }) {
  const { origin, protocol } = new URL(address);
  const isElsewhere = origin !== location.origin;
  const isNoReply = why === "noReply";
  return (
    <ul>
      <li>
        <Check
          text={t(
            "{b}Address.{/b} {code}apiBaseUrl{/code} in {link}config.json{/link} must be where the service is, with {code}/v1{/code} at the end. Reload this page after a change.",
          )}
        />
      </li>
      {isNoReply && (
        <li>
          <Check text={t("{b}Service.{/b} It must be running. Its {code}/livez{/code} then answers.")} />
        </li>
      )}
      {isElsewhere && why !== "notIntake" && (
        <li>
          <Check
            text={t("{b}CORS.{/b} The service must be started with {code}CORS_ORIGINS={origin}{/code}")}
            values={{ origin: location.origin }}
          />
        </li>
      )}
      {isNoReply && protocol === "https:" && (
        <li>
          <Check text={t("{b}TLS.{/b} Its certificate must be valid on this computer: open the address in a new tab to check.")} />
        </li>
      )}
      {isNoReply && protocol === "http:" && location.protocol === "https:" && (
        <li>
          <Check text={t("{b}TLS.{/b} A page loaded over https can only reach an https address.")} />
        </li>
      )}
      {isNoReply && isElsewhere && (
        <li>
          <Check
            text={t(
              "{b}Policy.{/b} The Content-Security-Policy that comes with this page must say {code}connect-src 'self' {origin}{/code}",
            )}
            values={{ origin }}
          />
        </li>
      )}
    </ul>
  );
}

function Check({ text, values = {} }: { text: string; values?: Values }) {
  return <RichText text={text} parts={PARTS} values={values} />;
}

const PARTS = {
  b: (text: string) => <b>{text}</b>,
  code: (text: string) => <code>{text}</code>,
  link: (text: string) => (
    <a href="config.json" target="_blank" rel="noreferrer">
      {text}
    </a>
  ),
};
