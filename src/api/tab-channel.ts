// Tells the other tabs of this app that someone signed out, and hears it from them.

export interface TabChannel {
  postSignedOut(): void;
  /** `listener` is called when someone signed out in another tab. */
  onSignedOut(listener: () => void): void;
  /** Epoch milliseconds of the last time in any tab; 0 when it is not known. A tab that slept then has not heard it. */
  signedOutAt(): number;
}

type Target = Pick<EventTarget, "addEventListener"> & { BroadcastChannel?: typeof BroadcastChannel };

/** By a broadcast; in a browser without one by the storage event (HTML standard), which other tabs get and this one does not. */
export function openTabChannel(service: string, target: Target, storage: Pick<Storage, "getItem" | "setItem">): TabChannel {
  const name = `intake.signed-out ${service}`;
  const channel = target.BroadcastChannel && new target.BroadcastChannel(name);
  return {
    postSignedOut() {
      channel?.postMessage(null);
      try {
        storage.setItem(name, String(Date.now()));
      } catch {
        // Full or forbidden: tabs that are awake have heard it by the channel.
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
