// Tells the other tabs of this app that someone signed out or has a new token, and hears it from them.

/** A person's access token, for the tabs that share the cookie with which it was renewed. */
export interface SharedToken {
  token: string;
  /** The id of the person. */
  owner: string;
  /** Seconds. */
  expiresIn: number;
  /** Seconds without use after which the session ends. */
  idleSeconds?: number | undefined;
  /** It comes from a new sign-in, after which tabs that wait for one go on. */
  isSignIn?: boolean;
}

export interface TabChannel {
  /** `owner`: the id of the person or API key. */
  postSignedOut(owner: string): void;
  /** Calls `listener` when someone signed out in another tab; without BroadcastChannel it does not learn who. */
  onSignedOut(listener: (owner: string | undefined) => void): void;
  /** Returns a number that rises with each sign-out in any tab; 0 before the first. For tabs that slept when it was announced. */
  signedOutAt(): number;
  /** Nothing is written anywhere. Without BroadcastChannel nobody hears it, and each tab renews its own. */
  postToken(token: SharedToken): void;
  onToken(listener: (token: SharedToken) => void): void;
  /** Says whether a cookie of the service keeps someone signed in: scripts cannot see the cookie itself. */
  hasCookie(): boolean;
  setCookie(isThere: boolean): void;
}

type Message = SharedToken | { signedOut: string };

type Target = Pick<EventTarget, "addEventListener"> & { BroadcastChannel?: typeof BroadcastChannel };

/** Uses BroadcastChannel, or else the storage event, which only the other tabs receive (HTML standard). */
export function openTabChannel(service: string, target: Target, storage: Pick<Storage, "getItem" | "setItem">): TabChannel {
  const name = `intake.signed-out ${service}`;
  const cookieName = `intake.cookie ${service}`;
  const channel = target.BroadcastChannel && new target.BroadcastChannel(name);
  let hearSignedOut = (_: string | undefined) => {};
  let hearToken = (_: SharedToken) => {};
  if (channel)
    channel.onmessage = ({ data }: MessageEvent<Message>) => ("signedOut" in data ? hearSignedOut(data.signedOut) : hearToken(data));
  else target.addEventListener("storage", (event) => (event as StorageEvent).key === name && hearSignedOut(undefined));
  const read = (of: string) => {
    try {
      return Number(storage.getItem(of));
    } catch {
      return 0;
    }
  };
  const write = (of: string, value: number) => {
    try {
      storage.setItem(of, String(value));
    } catch {
      // The storage is full or forbidden. Tabs that are awake get what goes through the channel.
    }
  };
  return {
    postSignedOut(owner) {
      channel?.postMessage({ signedOut: owner } satisfies Message);
      write(name, Math.max(Date.now(), read(name) + 1)); // a clock may be set back
    },
    onSignedOut(listener) {
      hearSignedOut = listener;
    },
    signedOutAt: () => read(name),
    postToken: (token) => channel?.postMessage(token),
    onToken(listener) {
      hearToken = listener;
    },
    hasCookie: () => read(cookieName) > 0,
    setCookie: (isThere) => write(cookieName, isThere ? 1 : 0),
  };
}
