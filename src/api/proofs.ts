// Asking again who somebody is, when the service wants to know it before it gives anything that lasts.

/** One question at a time, for all requests that wait for its answer. */
export interface Proofs {
  /** The dialog is to be shown. */
  isProving(): boolean;
  /** Resolves when the dialog has ended: whether the person has proved it. */
  prove(): Promise<boolean>;
  /** The dialog has ended. */
  endProof(isProved: boolean): void;
}

/** `onChange` is called when the dialog is to be shown, and when it has ended. */
export function createProofs(onChange: () => void): Proofs {
  let asked: { answer: Promise<boolean>; resolve: (isProved: boolean) => void } | undefined;
  return {
    isProving: () => asked !== undefined,
    prove() {
      if (asked) return asked.answer;
      const { promise, resolve } = withResolvers();
      asked = { answer: promise, resolve };
      onChange();
      return promise;
    },
    endProof(isProved) {
      const ended = asked;
      asked = undefined;
      ended?.resolve(isProved);
      if (ended) onChange();
    },
  };
}

function withResolvers(): { promise: Promise<boolean>; resolve: (isProved: boolean) => void } {
  let resolve: (isProved: boolean) => void = () => undefined;
  const promise = new Promise<boolean>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
