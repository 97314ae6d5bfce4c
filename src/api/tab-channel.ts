// Tells the other tabs of this app that someone signed out, and hears it from them.

export interface TabChannel {
  postSignedOut(): void;
  /** Calls `listener` when someone signed out in another tab. */
  onSignedOut(listener: () => void): void;
  /** Epoch milliseconds of the last sign-out in any tab, 0 if unknown. For tabs that slept when it was announced. */
  signedOutAt(): number;
}

type Target = Pick<EventTarget, "addEventListener"> & { BroadcastChannel?: typeof BroadcastChannel };

/** Uses BroadcastChannel, or else the storage event, which only the other tabs receive (HTML standard). */
export function openTabChannel(service: string, target: Target, storage: Pick<Storage, "getItem" | "setItem">): TabChannel {
  const name = `intake.signed-out ${service}`;
  const channel = target.BroadcastChannel && new target.BroadcastChannel(name);
  return {
    postSignedOut() {
      channel?.postMessage(null);
      try {
        storage.setItem(name, String(Date.now()));
      } catch {
        // Full or forbidden. Tabs that are awake got it through the channel.
      }
    },
    onSignedOut(listener) {
      if (channel) channel.onmessage = listener;
      else target.addEventListener("storage", (event) => (event as StorageEvent).key === name && listener());
    },
    signedOutAt() {
      try {
        return Number(storage.getItem(name));
      } catch {
        return 0;
      }
    },
  };
}
