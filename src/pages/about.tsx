// About: the versions, where the API is, the limits of the service, and all keys of the app.

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { API_ROOT } from "../../dictionary/wire.ts";
import { buildName } from "../api/deployment.ts";
import { limitsQuery } from "../api/limits.ts";
import { formatBytes, formatNumber } from "../ui/format.ts";
import { KeyList } from "../ui/key-list.tsx";
import { KEY_MAP, type KeyId } from "../ui/key-map.ts";
import { PageTitle } from "../ui/pieces.tsx";
import { useDeps } from "./deps.ts";
import { Trouble } from "./trouble.tsx";

export function AboutPage() {
  const { client } = useDeps();
  const { data, error, errorUpdateCount, isFetching, refetch } = useQuery(limitsQuery(client));
  const docs = new URL("/docs", client.baseUrl).href;
  return (
    <main className="main" id="main">
      <div className="head">
        <PageTitle>About</PageTitle>
      </div>
      <div className="form settings">
        <section className="part">
          <h2>This app</h2>
          <dl className="facts-list">
            <div>
              <dt>Version</dt>
              <dd>
                {import.meta.env.VITE_VERSION} <span className="dim">build {buildName()}</span>
              </dd>
            </div>
            <div>
              <dt>API</dt>
              <dd>
                <code dir="ltr">{client.baseUrl}</code> <span className="dim">version {API_ROOT.slice(1)}</span>
              </dd>
            </div>
            <div>
              <dt>For programs</dt>
              <dd>
                <a href={docs} target="_blank" rel="noreferrer">
                  How to use the API
                </a>
              </dd>
            </div>
          </dl>
        </section>
        <section className="part">
          <h2>Limits of the service</h2>
          {error && <Trouble error={error} failures={errorUpdateCount} isTrying={isFetching} retry={refetch} />}
          <dl className="facts-list" aria-busy={isFetching}>
            {Object.entries(data ?? {}).map(([name, value]) => (
              <div key={name}>
                <dt>{WORDS[name] ?? name}</dt>
                <dd>{/Bytes$/.test(name) ? formatBytes(value) : formatNumber(value)}</dd>
              </div>
            ))}
          </dl>
        </section>
        <section className="part">
          <h2>Keys</h2>
          <p className="dim">
            What works on the page you are on, ? tells. Single keys can be turned off in <Link to="/settings">Settings</Link>.
          </p>
          <KeyList ids={Object.keys(KEY_MAP) as KeyId[]} />
        </section>
      </div>
    </main>
  );
}

// A limit that is not known here is shown by its name on the wire.
const WORDS: Readonly<Record<string, string>> = {
  recordsPerRequest: "Records in one write",
  collectionBytes: "Size of a write of many records",
  recordBytes: "Size of a write of one record",
  recordsPerPage: "Records in one page of a list",
  urlCharacters: "Characters in an address",
  headerBytes: "Size of a request’s header",
  requestsPerSecond: "Requests a second, for each key",
  requestBurst: "Requests at once after a rest, for each key",
  headerSeconds: "Seconds for a header to arrive",
  requestSeconds: "Seconds for a request to arrive",
  handlingSeconds: "Seconds for the service to answer",
  idempotencyHours: "Hours for which a write can be sent again without being done twice",
};
