// About: the versions, where the API is, the limits of the service, and all keys of the app.

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { API_ROOT } from "../../../core/contract/paths.ts";
import { say, toSay } from "../../../core/i18n/translate.ts";
import { buildName } from "../../api/deployment.ts";
import { limitsQuery } from "../../api/limits.ts";
import { KeyList } from "../../components/key-list.tsx";
import { PageTitle } from "../../components/primitives.tsx";
import { Said } from "../../components/rich-text.tsx";
import { Trouble } from "../../context/error-retry.tsx";
import { useDeps } from "../../context/services.ts";
import { formatBytes } from "../../fields/amounts.ts";
import { formatNumber } from "../../fields/format.ts";
import { KEY_MAP, type KeyId } from "../../keyboard/key-map.ts";

export function AboutPage() {
  const { client } = useDeps();
  const { data, error, errorUpdateCount, isFetching, refetch } = useQuery(limitsQuery(client));
  const docs = new URL("../docs", `${client.baseUrl}/`).href; // beside the API, wherever that is
  return (
    <main className="main" id="main">
      <div className="head">
        <PageTitle>{say("About")}</PageTitle>
      </div>
      <div className="form settings">
        <section className="part">
          <h2>{say("This app")}</h2>
          <dl className="facts-list">
            <div>
              <dt>{say("Version")}</dt>
              <dd>
                {import.meta.env.VITE_VERSION} <span className="dim">{say("build {name}", { name: buildName() })}</span>
              </dd>
            </div>
            <div>
              <dt>{say("API")}</dt>
              <dd>
                <code dir="ltr">{client.baseUrl}</code>{" "}
                <span className="dim">{say("version {version}", { version: API_ROOT.slice(1) })}</span>
              </dd>
            </div>
            <div>
              <dt>{say("For programs")}</dt>
              <dd>
                <a href={docs} target="_blank" rel="noreferrer">
                  {say("How to use the API")}
                </a>
              </dd>
            </div>
          </dl>
        </section>
        <section className="part">
          <h2>{say("Limits of the service")}</h2>
          {error && <Trouble error={error} failures={errorUpdateCount} isTrying={isFetching} retry={refetch} />}
          <dl className="facts-list" aria-busy={isFetching}>
            {Object.entries(data ?? {}).map(([name, value]) => (
              <div key={name}>
                <dt>{say(WORDS[name] ?? name)}</dt>
                <dd>{/Bytes$/.test(name) ? formatBytes(value) : formatNumber(value)}</dd>
              </div>
            ))}
          </dl>
        </section>
        <section className="part">
          <h2>{say("Keys")}</h2>
          <p className="dim">
            <Said
              text={say("What works on the page you are on, ? tells. Single keys can be turned off in {link}Settings{/link}.")}
              parts={{ link: (settings) => <Link to="/settings">{settings}</Link> }}
            />
          </p>
          <KeyList ids={Object.keys(KEY_MAP) as KeyId[]} />
        </section>
      </div>
    </main>
  );
}

// A limit that is not known here is shown by its name on the wire.
const WORDS: Readonly<Record<string, string>> = {
  recordsPerRequest: toSay("Records in one write"),
  collectionBytes: toSay("Size of a write of many records"),
  recordBytes: toSay("Size of a write of one record"),
  recordsPerPage: toSay("Records in one page of a list"),
  urlCharacters: toSay("Characters in an address"),
  headerBytes: toSay("Size of a request’s header"),
  requestsPerSecond: toSay("Requests a second, for each key"),
  requestBurst: toSay("Requests at once after a rest, for each key"),
  headerSeconds: toSay("Seconds for a header to arrive"),
  requestSeconds: toSay("Seconds for a request to arrive"),
  handlingSeconds: toSay("Seconds for the service to answer"),
  idempotencyHours: toSay("Hours for which a write can be sent again without being done twice"),
};
