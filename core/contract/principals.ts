/** Names who calls the service, and who wrote a record: a person, or an API key with which a program signs in. */
export interface Principal {
  type: "user" | "key";
  id: string;
  name: string;
}

/** Names who erases by the command where no service runs: whoever can open the store needs no key. */
export const ERASE_COMMAND: Principal = { type: "key", id: "command", name: "command" };
