/** A value that is there, or will be. To wait for what is there would cost as much as to read it. */
export type Awaitable<T> = T | Promise<T>;

/** Goes on at once with a value that is there. What `next` throws, the caller gets thrown, or as a rejection. */
export function whenThere<T, R>(value: Awaitable<T>, next: (value: T) => Awaitable<R>): Awaitable<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}
