// The ids of deliveries rise with the time.

import { randomId } from "../../people/auth/random-codes.ts";

/** Makes an id that is higher than those of earlier times. */
export function newDeliveryId(now: number): string {
  return `msg_${now.toString(36).padStart(9, "0")}${randomId()}`;
}
