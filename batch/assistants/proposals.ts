// Keeps what callers have proposed, until it is carried out or has expired. Nothing of it is on a disk.

import { randomBytes } from "node:crypto";
import type { Choice } from "../../client/write-chosen.ts";
import type { Operation } from "../../client/write-records.ts";
import type { Acknowledged } from "../../core/contract/records.ts";

/** Says for how many ms a proposal can be carried out. The service's token of a dry run holds longer (CHOICE_SECONDS). */
export const PROPOSAL_MS = 15 * 60_000;
const MOST_PROPOSALS = 20; // of one caller; the oldest goes
const MOST_SIZE = 64 * 1024 * 1024; // characters of all together; the oldest go

/** Says what is done: operations with the versions that were seen, all or none; or what filters choose, by the token of the service's dry run. */
export type ProposedWork =
  | { operations: readonly Operation[]; acknowledge: Acknowledged | undefined }
  | { choice: Choice; token: string; total: number };

export interface Proposal {
  /** Random, and known to the caller alone. */
  token: string;
  owner: string;
  collection: string;
  work: ProposedWork;
  /** The run under which its writes stand in the history. Its name is the idempotency key as well. */
  run: string;
  /** ms since 1970. */
  expires: number;
  carriedOut?: boolean;
}

export interface Proposals {
  add(proposed: Pick<Proposal, "owner" | "collection" | "work">): Proposal;
  /** Returns undefined for one that is another caller's, has expired, or never was. */
  find(owner: string, token: string): Proposal | undefined;
}

/** Runs that assistants have begun, and no others, have such names: `undo` takes back these alone. */
export const ASSISTANT_RUN = /^assistant-[\w-]{16}$/;

export function createProposals(now: () => number): Proposals {
  const kept = new Map<string, { proposal: Proposal; size: number }>();
  const drop = (isMeant: (proposal: Proposal) => boolean, most: number) => {
    const meant = [...kept.values()].filter(({ proposal }) => isMeant(proposal));
    for (const { proposal } of meant.slice(0, Math.max(0, meant.length - most))) kept.delete(proposal.token);
  };
  const totalSize = () => [...kept.values()].reduce((sum, { size }) => sum + size, 0);
  return {
    add(proposed) {
      drop(({ expires }) => expires <= now(), 0);
      drop(({ owner }) => owner === proposed.owner, MOST_PROPOSALS - 1);
      const token = randomBytes(18).toString("base64url");
      const run = `assistant-${randomBytes(12).toString("base64url")}`;
      const proposal = { ...proposed, token, run, expires: now() + PROPOSAL_MS };
      kept.set(token, { proposal, size: JSON.stringify(proposed).length });
      while (totalSize() > MOST_SIZE && kept.size > 1) drop(() => true, kept.size - 1);
      return proposal;
    },
    find(owner, token) {
      const found = kept.get(token)?.proposal;
      return found && found.owner === owner && found.expires > now() ? found : undefined;
    },
  };
}
