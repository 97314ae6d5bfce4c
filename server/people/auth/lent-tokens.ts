// Tokens that the service lends to its own work for somebody: they stand in memory alone, and end with the work.

import { randomCode } from "./random-codes.ts";

/** Says for whom the work is done, and what it may do at most. */
export interface Lender {
  type: "user" | "key";
  id: string;
  scope: string;
}

export interface LentTokens {
  /** Lends a token that allows what both the scope and the lender's rights of each moment allow. */
  lend(lender: Lender): string;
  end(token: string): void;
  /** Returns undefined for a token that is not lent. */
  lenderOf(token: string): Lender | undefined;
}

export const LENT_PREFIX = "inl_";

export function createLentTokens(): LentTokens {
  const lent = new Map<string, Lender>();
  return {
    lend(lender) {
      const token = LENT_PREFIX + randomCode();
      lent.set(token, lender);
      return token;
    },
    end: (token) => void lent.delete(token),
    lenderOf: (token) => lent.get(token),
  };
}
