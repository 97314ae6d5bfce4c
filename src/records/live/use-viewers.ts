// Says who else has a record open, as long as this page has.

import { useEffect, useState } from "react";
import { ApiError } from "../../../client/errors.ts";
import { viewersPath } from "../../../core/contract/paths.ts";
import type { Principal } from "../../../core/contract/principals.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { newIdempotencyKey } from "../../app/services/idempotency-key.ts";
import { type Services, useServices } from "../../app/services/services.ts";
import { holdPlace } from "../../ui/focus/hold-place.ts";

const PERIOD = 5_000; // ms
const HIDDEN_PERIOD = 30_000; // the service believes it for 75 s

/** `isOn`: whether the record is there, and whoever is signed in a person. */
export function useViewers({ name }: Collection, id: number, isOn: boolean): readonly Principal[] {
  const services = useServices();
  const [viewers, setViewers] = useState<readonly Principal[]>([]);
  useEffect(() => {
    if (!isOn) return;
    return keepAnnouncing(services, viewersPath(name, id), (next) =>
      setViewers((before) => {
        const isSame = JSON.stringify(before) === JSON.stringify(next);
        return isSame ? before : next;
      }),
    );
  }, [services, name, id, isOn]);
  return isOn ? viewers : [];
}

/** Says that the record is open until the function that it returns is called. */
function keepAnnouncing({ client, session }: Services, path: string, onViewers: (viewers: Principal[]) => void): () => void {
  const query = { tab: newIdempotencyKey() };
  let timer: number | undefined;
  let isOver = false;
  let underWay: Promise<unknown> = Promise.resolve();

  async function announce(): Promise<void> {
    clearTimeout(timer);
    try {
      const { json } = await client.request("PUT", path, { query });
      if (!isOver) holdPlace(() => onViewers((json as { viewers: Principal[] }).viewers));
    } catch (error) {
      // It is gone, or may not be read. With a 401 somebody else has signed in meanwhile.
      if (error instanceof ApiError && error.status < 500 && ![401, 429].includes(error.status)) isOver = true;
    }
    if (isOver) return;
    clearTimeout(timer);
    timer = window.setTimeout(begin, document.visibilityState === "visible" ? PERIOD : HIDDEN_PERIOD);
  }

  function begin(): void {
    underWay = Promise.all([underWay, announce()]);
  }

  /** Goes past the client: the request has to outlive the page. */
  function leave(): void {
    const token = session.token();
    if (!token) return;
    const init: RequestInit = { method: "DELETE", keepalive: true, headers: { Authorization: `Bearer ${token}` }, credentials: "omit" };
    fetch(`${client.baseUrl}${path}?${new URLSearchParams(query)}`, init).catch(() => {});
  }

  const announceAgain = () => document.visibilityState === "visible" && !isOver && begin();
  document.addEventListener("visibilitychange", announceAgain);
  window.addEventListener("pagehide", leave);
  begin();
  return () => {
    isOver = true;
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", announceAgain);
    window.removeEventListener("pagehide", leave);
    void underWay.then(leave); // not before what still says that it is open: the service may read the later one first
  };
}
