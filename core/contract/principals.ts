/** Names who calls the service, or wrote a record: a person, an API key of a program, or the service itself. */
export interface Principal {
  type: "user" | "key" | "service";
  id: string;
  name: string;
}

/** Names who erases by the command where no service runs: whoever can open the store needs no key. */
export const ERASE_COMMAND: Principal = { type: "key", id: "command", name: "command" };

/** Names the service where nobody has asked it for a write. Its name is the same in every language. */
export const SERVICE: Principal = { type: "service", id: "Intake", name: "Intake" };
