// Metrics for Prometheus. Labels are routes, methods and statuses, never an address or a name.

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { WORK_NAMES, type WorkName } from "../engine/background.ts";
import { type PoolState, type ReadCount, WHY_PRIMARY } from "../engine/store.ts";
import type { Route } from "./route.ts";

export interface Metrics {
  /** Counts one finished request. `route` is its pattern, undefined for an address that no route has. */
  observe(method: string, route: string | undefined, status: number, seconds: number): void;
  /** Counts one finished piece of work that no request waits for. */
  countWork(work: WorkName, outcome: "done" | "failed"): void;
  /** Tells the store's connections from now on. */
  watchPools(pools: () => PoolState[]): void;
  /** Tells who answered reads that a replica may answer, from now on. */
  watchReads(counts: () => ReadCount[]): void;
  /** Returns all metrics in Prometheus' text format, and its media type. */
  render(): Promise<{ contentType: string; text: string }>;
}

const BUCKETS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30]; // seconds
const METRICS_TYPE = "text/plain";

/**
 * Metrics in a registry of their own, so that several apps in one process do not mix.
 *
 * With `ofProcess` they also have prom-client's default metrics: event loop lag, garbage collection, heap, open files.
 * These watch the process until it ends, so only its entry point (main.ts) turns them on.
 */
export function createMetrics({ ofProcess = false } = {}): Metrics {
  const registry = new Registry();
  const durations = new Histogram({
    name: "http_request_duration_seconds",
    help: "How long requests took, from the first byte to the last.",
    labelNames: ["method", "route", "status"],
    buckets: BUCKETS,
    registers: [registry],
  });
  const works = new Counter({
    name: "background_work_total",
    help: "Pieces of work that no request waited for.",
    labelNames: ["work", "outcome"],
    registers: [registry],
  });
  for (const work of WORK_NAMES) for (const outcome of ["done", "failed"]) works.inc({ work, outcome }, 0); // so that the first one is seen as an increase
  new Gauge({
    name: "process_uptime_seconds",
    help: "How long the process has been running.",
    registers: [registry],
    collect() {
      this.set(Math.round(process.uptime()));
    },
  });
  if (ofProcess) collectDefaultMetrics({ register: registry });
  return {
    observe: (method, route = "", status, seconds) => durations.observe({ method, route, status }, seconds),
    countWork: (work, outcome) => works.inc({ work, outcome }),
    watchPools: (pools) => registerPools(registry, pools),
    watchReads: (counts) => registerReads(registry, counts),
    render: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  };
}

function registerPools(registry: Registry, pools: () => PoolState[]): void {
  new Gauge({
    name: "db_pool_connections",
    help: "Open connections to the database.",
    labelNames: ["pool", "state"],
    registers: [registry],
    collect() {
      for (const { name: pool, open, idle } of pools()) {
        this.set({ pool, state: "idle" }, idle);
        this.set({ pool, state: "busy" }, open - idle);
      }
    },
  });
  const perPool = (name: string, help: string, read: (state: PoolState) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ["pool"],
      registers: [registry],
      collect() {
        for (const state of pools()) this.set({ pool: state.name }, read(state));
      },
    });
  perPool("db_pool_max", "Connections to the database that may be opened.", ({ max }) => max);
  perPool("db_pool_waiting", "Requests that wait for a connection to the database.", ({ waiting }) => waiting);
}

function registerReads(registry: Registry, counts: () => ReadCount[]): void {
  new Counter({
    name: "db_reads_total",
    help: "Reads that a replica may answer, by the server that did and why it was the primary.",
    labelNames: ["server", "why"],
    registers: [registry],
    collect() {
      this.reset();
      this.inc({ server: "replica", why: "" }, 0); // so that the first one is seen as an increase
      for (const why of WHY_PRIMARY) this.inc({ server: "primary", why }, 0);
      for (const { server, why, reads } of counts()) this.inc({ server, why }, reads);
    },
  });
}

export function metricsRoute(metrics: Metrics): Route {
  return {
    url: "/metrics",
    GET: {
      scope: "open",
      ignoresParameters: true,
      produces: [METRICS_TYPE],
      doc: { id: "metrics", summary: "Counts and times of requests, for Prometheus", responses: { 200: { type: "string" } } },
      async handle() {
        const { contentType, text } = await metrics.render();
        return { status: 200, headers: { "content-type": contentType, "cache-control": "no-store" }, body: text };
      },
    },
  };
}
