import { PORTS } from "./ports.ts";
import { openApi } from "./service.ts";

const HIGHEST = 1_000_000_000_000;

/**
 * Records without an id get the next one after the highest. With this one they never meet the ids that files of other tests
 * have, which run at the same time.
 */
export default async function reserveIds(): Promise<void> {
  const customer = { lastName: "Reserved", accountID: "R" };
  for (const port of [PORTS.main, PORTS.foreign]) {
    const { status } = await (await openApi(port)).call("PUT", `/customers/${HIGHEST}`, customer);
    if (status !== 201) throw new Error(`The customer ${HIGHEST} was answered ${status}.`);
  }
}
