// The follower against the real service, through a proxy that cuts and holds back.

import type { Socket } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { createClient } from "../../../client/http-client.ts";
import type { Change } from "../../../core/contract/history.ts";
import { openTestService, type TestService } from "../../../server/testing/service.ts";
import { openTcpProxy, type TcpProxy } from "../../testing/tcp-proxy.ts";
import { FOLLOW_TIMES, type FollowTimes, followFeed, type News } from "./follow-feed.ts";
import { shareFeed } from "./share-feed.ts";

const STREAM = "text/event-stream";
const WITHIN = { timeout: 50_000, interval: 10 };
const QUICK: FollowTimes = { ...FOLLOW_TIMES, firstPause: 20, longestPause: 200, askEvery: 30, afterFlood: 20 };

let service: TestService;
let origin: string;
let token: string;
let proxy: TcpProxy;
beforeAll(async () => {
  service = await openTestService();
  origin = await service.app.listen({ port: 0, host: "127.0.0.1" });
  token = await service.tokenFor("read");
});
afterAll(() => service.close());
beforeEach(async () => {
  proxy = await openTcpProxy(origin);
});
let stops: AbortController[] = [];
afterEach(async () => {
  for (const stop of stops) stop.abort();
  stops = [];
  await proxy.close();
});

const clientAt = (of: string) => createClient({ baseUrl: `${of}/v1`, session: { token: () => token, renew: async () => token } });
const readCursor = async () => (await service.call("GET", "/v1/changes?after=now")).json.next as string;

let last = 0;
async function create(): Promise<number> {
  return (await service.call("POST", "/v1/customers", { lastName: "Followed", accountID: `f${++last}` })).json.objectId;
}

interface Following {
  news: News[];
  ids(): number[];
  gaps(): number;
  stop: AbortController;
  ended: Promise<void>;
}

function follow(cursor: string | undefined, times = QUICK, network = new EventTarget()): Following {
  const stop = new AbortController();
  stops.push(stop);
  const news: News[] = [];
  const ended = followFeed({ client: clientAt(proxy.origin), times, network }, cursor, (one) => news.push(one), stop.signal);
  return { news, stop, ended, ids: () => idsIn(news), gaps: () => news.filter(({ type }) => type === "gap").length };
}

/** Changes the title of the first collection. */
async function changeDictionary(title: string): Promise<void> {
  const { json: draft } = await service.call("POST", "/v1/dictionary/drafts", { title });
  const [first, ...more] = draft.package.resources;
  const path = `/v1/dictionary/drafts/${draft.id}`;
  expect((await service.call("PATCH", path, { package: { ...draft.package, resources: [{ ...first, title }, ...more] } })).status).toBe(
    200,
  );
  expect((await service.call("POST", `${path}/apply`)).status).toBe(200);
}

const idsIn = (news: News[]) => news.flatMap((one) => (one.type === "changes" ? one.changes : [])).map(({ objectId }: Change) => objectId);
const follows = (following: Following) => vi.waitFor(() => expect(following.news.length).toBeGreaterThan(0), WITHIN);
const gets = (following: Following, ids: number[]) => vi.waitFor(() => expect(following.ids()).toEqual(ids), WITHIN);

describe("a follower", () => {
  test("begins now, with a gap, and gets what changes from then on", async () => {
    await create();
    const following = follow(undefined);
    await follows(following);
    expect(following.news).toMatchObject([{ type: "gap" }]);
    await gets(following, [await create(), await create()]);
  });

  test("gets what changed while it was away, and sends no token in an address", async () => {
    const cursor = await readCursor();
    const ids = [await create(), await create()];
    const following = follow(cursor);
    await gets(following, ids);
    expect(following.gaps()).toBe(0);
    expect([proxy.requests("?after"), proxy.requests(token), proxy.requests(`: Bearer ${token}`)]).toEqual([1, 1, 1]);
  });

  test("hears of another dictionary at once, and goes on with its changes", async () => {
    const following = follow(await readCursor());
    const ids = [await create()];
    await gets(following, ids);
    await changeDictionary("Clients");
    await vi.waitFor(() => expect(following.news.filter(({ type }) => type === "dictionary")).toHaveLength(1), WITHIN);
    ids.push(await create());
    await gets(following, ids);
    expect(following.gaps()).toBe(0);
  });

  test("misses nothing and gets nothing twice when connections are cut again and again", async () => {
    const following = follow(await readCursor());
    const ids: number[] = [];
    for (let i = 0; i < 20; i++) {
      ids.push(await create());
      if (i % 3 === 0) proxy.cut();
      if (i % 4 === 0) await gets(following, ids);
    }
    await gets(following, ids);
  });

  test("comes back when the service was away, with growing pauses, at once when the network is back", async () => {
    const network = new EventTarget();
    const following = follow(await readCursor(), { ...QUICK, longestPause: 40_000, firstPause: 10_000 }, network);
    await vi.waitFor(() => expect(proxy.requests(STREAM)).toBe(1), WITHIN);
    const id = await create();
    await gets(following, [id]);
    proxy.cut();
    const missed = await create();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(proxy.requests(STREAM)).toBe(1); // it waits
    await vi.waitFor(() => {
      network.dispatchEvent(new Event("online"));
      expect(following.ids()).toEqual([id, missed]);
    }, WITHIN);
  });

  test("begins again now, with a gap, when its cursor is not known any more", async () => {
    const following = follow("nonsense");
    await follows(following);
    expect(following.gaps()).toBe(1);
    await gets(following, [await create()]);
  });

  test("leaves out what changes too fast to be shown one by one, and goes on afterwards", async () => {
    const following = follow(await readCursor(), { ...QUICK, flood: 100 });
    const many = Array.from({ length: 300 }, (_, i) => ({ lastName: "Many", accountID: `m${i}` }));
    await service.call("POST", "/v1/customers", many);
    await vi.waitFor(() => expect(following.gaps()).toBeGreaterThan(0), WITHIN);
    const id = await create();
    await vi.waitFor(() => expect(following.ids()).toContain(id), WITHIN);
    expect(following.ids().length).toBeLessThan(300);
  });

  test("ends when it is told to, and so does its connection", async () => {
    const sockets: Socket[] = [];
    const listener = (socket: Socket) => sockets.push(socket);
    service.app.server.on("connection", listener);
    const following = follow(await readCursor());
    await gets(following, [await create()]); // the service has its connection
    service.app.server.off("connection", listener);
    expect(sockets.map(({ destroyed }) => destroyed)).toEqual([false]);
    following.stop.abort();
    await following.ended;
    await vi.waitFor(() => expect(sockets[0]?.destroyed).toBe(true), WITHIN);
  });
});

describe("where a proxy holds streams back", () => {
  const HURRIED = { ...QUICK, silence: 300, streamAgain: 1_000 };

  test("the follower asks instead, and streams again later", async () => {
    proxy.hold(STREAM);
    const following = follow(await readCursor(), { ...HURRIED, wait: 1 });
    await vi.waitFor(() => expect(proxy.requests("wait=")).toBeGreaterThan(0), WITHIN);
    const ids = [await create()];
    await gets(following, ids);
    proxy.pass();
    const streams = proxy.requests(STREAM);
    await vi.waitFor(() => expect(proxy.requests(STREAM)).toBeGreaterThan(streams), WITHIN);
    ids.push(await create());
    await gets(following, ids);
    expect(following.gaps()).toBe(0);
  });

  test("and cuts questions that wait, the follower asks ones that do not", async () => {
    proxy.hold(STREAM);
    proxy.cutAfter("wait=");
    const following = follow(await readCursor(), { ...HURRIED, streamAgain: 60_000 });
    await vi.waitFor(() => expect(proxy.requests("wait=")).toBe(1), WITHIN);
    await vi.waitFor(() => expect(proxy.requests("limit=1000 HTTP")).toBeGreaterThan(0), WITHIN);
    const held = proxy.requests("wait=");
    await gets(following, [await create(), await create()]);
    expect(proxy.requests("wait=")).toBe(held);
  });

  test("that broke off once, the follower streams again", async () => {
    const following = follow(await readCursor(), { ...HURRIED, streamAgain: 60_000 });
    const first = await create();
    await gets(following, [first]);
    // The connection falls silent without being cut, longer than any sign of life may take: as after a laptop's sleep.
    await vi.waitFor(() => expect(proxy.requests(STREAM)).toBeGreaterThan(1), WITHIN);
    await gets(following, [first, await create()]);
  });
});

/** The browser's, for the tabs of a test: who asks first has it, the others follow in order. */
function createLocks(): Pick<LockManager, "request"> {
  let queue: Promise<unknown> = Promise.resolve();
  const request = (_name: string, { signal }: { signal: AbortSignal }, work: () => Promise<void>) => {
    const mine = queue.then(() => (signal.aborted ? undefined : work()));
    queue = mine.catch(() => {});
    return mine;
  };
  return { request } as unknown as Pick<LockManager, "request">;
}

describe("tabs", () => {
  let names = 0;
  function openTabs(count: number, locks: Pick<LockManager, "request"> | undefined) {
    const name = `tabs ${++names}`;
    return Array.from({ length: count }, () => {
      const stop = new AbortController();
      stops.push(stop);
      const news: News[] = [];
      const parts = { client: clientAt(proxy.origin), times: QUICK };
      void shareFeed(
        name,
        { locks, BroadcastChannel },
        (cursor, onNews, signal) => followFeed(parts, cursor, onNews, signal),
        (one) => news.push(one),
        stop.signal,
      );
      return { news, stop, ids: () => idsIn(news) };
    });
  }

  test("share one connection, and another goes on without a gap when the first one closes", async () => {
    const tabs = openTabs(10, createLocks());
    await vi.waitFor(() => expect(tabs.map(({ news }) => news.length > 0)).toEqual(tabs.map(() => true)), WITHIN);
    const ids = [await create()];
    await vi.waitFor(() => expect(tabs.map((tab) => tab.ids())).toEqual(tabs.map(() => ids)), WITHIN);
    expect(proxy.requests(STREAM)).toBe(1);

    for (let i = 0; i < 3; i++) {
      tabs.shift()?.stop.abort();
      ids.push(await create(), await create());
      await vi.waitFor(() => expect(tabs.map((tab) => tab.ids())).toEqual(tabs.map(() => ids)), WITHIN);
    }
    expect(proxy.requests(STREAM)).toBe(4);
  });

  test("without locks have a connection each", async () => {
    const tabs = openTabs(2, undefined);
    await vi.waitFor(() => expect(tabs.map(({ news }) => news.length > 0)).toEqual([true, true]), WITHIN);
    const id = await create();
    await vi.waitFor(() => expect(tabs.map((tab) => tab.ids())).toEqual([[id], [id]]), WITHIN);
    expect(proxy.requests(STREAM)).toBe(2);
  });
});
