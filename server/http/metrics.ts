// Counts for whoever runs the service, in Prometheus' text format 0.0.4. Holds routes and statuses, never an address or a name.

import type { Route } from "./route.ts";

export interface Metrics {
  observe(method: string, route: string | undefined, status: number, seconds: number): void;
  text(): string;
}

const BUCKETS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30]; // seconds
const METRICS_TYPE = "text/plain";

interface Series {
  labels: string;
  /** How many took longer than the bucket before and no longer than this one. */
  buckets: number[];
  sum: number;
  count: number;
}

export function createMetrics(): Metrics {
  const series = new Map<string, Series>();
  return {
    // Routes, methods and statuses are ours, so their number ends; an address that no door has counts as none.
    observe(method, route, status, seconds) {
      const labels = `method="${method}",route="${route ?? ""}",status="${status}"`;
      let one = series.get(labels);
      if (!one) {
        one = { labels, buckets: BUCKETS.map(() => 0), sum: 0, count: 0 };
        series.set(labels, one);
      }
      const bucket = BUCKETS.findIndex((most) => seconds <= most);
      if (bucket !== -1) one.buckets[bucket] = (one.buckets[bucket] ?? 0) + 1;
      one.sum += seconds;
      one.count++;
    },
    text: () => [...lines(series.values()), ...processLines()].map((line) => `${line}\n`).join(""),
  };
}

function* lines(series: Iterable<Series>) {
  const name = "http_request_duration_seconds";
  yield `# HELP ${name} How long requests took, from the first byte to the last.`;
  yield `# TYPE ${name} histogram`;
  for (const { labels, buckets, sum, count } of series) {
    let within = 0;
    for (const [i, most] of BUCKETS.entries()) {
      within += buckets[i] ?? 0;
      yield `${name}_bucket{${labels},le="${most}"} ${within}`;
    }
    yield `${name}_bucket{${labels},le="+Inf"} ${count}`;
    yield `${name}_sum{${labels}} ${sum.toFixed(6)}`;
    yield `${name}_count{${labels}} ${count}`;
  }
}

function processLines(): string[] {
  return [
    "# HELP process_resident_memory_bytes Memory of the process.",
    "# TYPE process_resident_memory_bytes gauge",
    `process_resident_memory_bytes ${process.memoryUsage.rss()}`,
    "# HELP process_uptime_seconds How long the process runs.",
    "# TYPE process_uptime_seconds gauge",
    `process_uptime_seconds ${Math.round(process.uptime())}`,
  ];
}

export function metricsRoute(metrics: Metrics): Route {
  return {
    url: "/metrics",
    GET: {
      scope: "open",
      produces: [METRICS_TYPE],
      doc: { id: "metrics", summary: "Counts and times of requests, for Prometheus", responses: { 200: { type: "string" } } },
      async handle() {
        const headers = { "content-type": `${METRICS_TYPE}; version=0.0.4; charset=utf-8`, "cache-control": "no-store" };
        return { status: 200, headers, body: metrics.text() };
      },
    },
  };
}
