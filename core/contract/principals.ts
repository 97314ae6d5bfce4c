/** Who calls the service, and who wrote a record: a person, or an API key with which a program signs in. */
export interface Principal {
  type: "user" | "key";
  id: string;
  name: string;
}
