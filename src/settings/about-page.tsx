// Versions, the address of the API, the limits of the service, and all keyboard shortcuts.

import { useQuery } from "@tanstack/react-query";
import { API_ROOT } from "../../core/contract/paths.ts";
import { message, t } from "../../core/i18n/translate.ts";
import { Link } from "../app/router/link.tsx";
import { ErrorRetry } from "../app/services/error-retry.tsx";
import { useServices } from "../app/services/services.ts";
import { buildName } from "../service/deployment.ts";
import { limitsQuery } from "../service/limits.ts";
import * as formStyles from "../ui/form.module.css";
import { KeyList } from "../ui/key-list.tsx";
import { KEY_MAP, type KeyId } from "../ui/keyboard/key-map.ts";
import * as pageStyles from "../ui/page.module.css";
import { PageTitle } from "../ui/primitives.tsx";
import { RichText } from "../ui/rich-text.tsx";
import * as textStyles from "../ui/text.module.css";
import { formatBytes } from "../values/bytes-and-seconds.ts";
import { formatNumber } from "../values/format.ts";
import * as styles from "./settings.module.css";
import { SettingsMain } from "./settings-main.tsx";

export function AboutPage() {
  const { client } = useServices();
  const { data, error, errorUpdateCount, isFetching, refetch } = useQuery(limitsQuery(client));
  const docs = new URL("../docs", `${client.baseUrl}/`).href; // next to the API
  return (
    <SettingsMain>
      <div className={pageStyles.head}>
        <PageTitle>{t("About")}</PageTitle>
      </div>
      <div className={`${formStyles.form} ${styles.settings}`}>
        <section className={styles.part}>
          <h2>{t("This app")}</h2>
          <dl className={styles.facts}>
            <div>
              <dt>{t("Version")}</dt>
              <dd>
                {import.meta.env.VITE_VERSION} <span className={textStyles.dim}>{t("build {name}", { name: buildName() })}</span>
              </dd>
            </div>
            <div>
              <dt>{t("API")}</dt>
              <dd>
                <code dir="ltr">{client.baseUrl}</code>{" "}
                <span className={textStyles.dim}>{t("version {version}", { version: API_ROOT.slice(1) })}</span>
              </dd>
            </div>
            <div>
              <dt>{t("For programs")}</dt>
              <dd>
                <a href={docs} target="_blank" rel="noreferrer">
                  {t("How to use the API")}
                </a>
              </dd>
            </div>
          </dl>
        </section>
        <section className={styles.part}>
          <h2>{t("Limits of the service")}</h2>
          <p className={textStyles.dim}>
            {t("A person counts together with all their API keys. An API key that belongs to the organisation counts for itself.")}
          </p>
          {error && <ErrorRetry error={error} failures={errorUpdateCount} isTrying={isFetching} retry={refetch} />}
          <dl className={styles.facts} aria-busy={isFetching}>
            {Object.entries(data ?? {}).map(([name, value]) => (
              <div key={name}>
                <dt>{t(LIMIT_LABELS[name] ?? name)}</dt>
                <dd>{/Bytes$/.test(name) ? formatBytes(value) : formatNumber(value)}</dd>
              </div>
            ))}
          </dl>
        </section>
        <section className={styles.part}>
          <h2>{t("Keyboard shortcuts")}</h2>
          <p className={textStyles.dim}>
            <RichText
              text={t("Press ? to see the shortcuts of a page. Single keys can be turned off in {link}Settings{/link}.")}
              parts={{
                link: (settings) => (
                  <Link to="/settings/$page" params={{ page: "browser" }}>
                    {settings}
                  </Link>
                ),
              }}
            />
          </p>
          <KeyList ids={Object.keys(KEY_MAP) as KeyId[]} />
        </section>
      </div>
    </SettingsMain>
  );
}

// A limit without a label is shown by its name in the API.
const LIMIT_LABELS: Readonly<Record<string, string>> = {
  recordsPerRequest: message("Records in one write"),
  collectionBytes: message("Size of a write of many records"),
  recordBytes: message("Size of a write of one record"),
  recordsPerPage: message("Records in one page of a list"),
  countedRecords: message("Records that a list counts at most"),
  urlCharacters: message("Characters in an address"),
  headerBytes: message("Size of a request’s header"),
  heldBytes: message("Size of all request bodies at once"),
  keyHeldBytes: message("Size of all request bodies at once, for each person"),
  connections: message("Connections at once"),
  sourceConnections: message("Connections at once from one address"),
  requestsPerSecond: message("Requests per second, for each person"),
  requestBurst: message("Requests in a burst, for each person"),
  headerSeconds: message("Seconds for a header to arrive"),
  requestSeconds: message("Seconds for a request to arrive"),
  handlingSeconds: message("Seconds for the service to answer"),
  exportsPerKey: message("Exports at once, for each person"),
  importBytes: message("Size of a file that is imported"),
  importsPerKey: message("Imports that wait or run at once, for each person"),
  uploadBytes: message("Size of all files under way, for each person"),
  followersPerKey: message("Followers of changes at once, for each person"),
  keysPerPerson: message("API keys of one person"),
  recipesPerPerson: message("Recipes by one person"),
  viewsPerPerson: message("Views for everybody by one person, in one collection"),
  readSeconds: message("Seconds for one read of the stored records"),
  idempotencyHours: message("Hours in which a repeated write is done only once"),
};
