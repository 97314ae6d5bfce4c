// Webhooks in words: what is sent, in which state they are, and what became of an attempt.

import type {
  Attempt,
  AttemptProblem,
  DeliveryState,
  OffReason,
  Webhook,
  WebhookEvent,
  WebhookInclude,
} from "../../../core/contract/webhooks.ts";
import type { Collection } from "../../../core/dictionary/collections.ts";
import { message, t } from "../../../core/i18n/translate.ts";
import { OPERATION_WORDS } from "../../values/change-words.ts";
import { formatDatetime, formatNumber } from "../../values/format.ts";

const OFF: Record<OffReason, string> = {
  administrator: message("Switched off {time}"),
  gone: message("Off since {time}: the receiver said that this address is gone (410)"),
  failing: message("Off since {time}: no message was accepted for a day"),
  expired: message("Off since {time}: the next changes to send are no longer stored"),
  condition: message("Off since {time}: its filter or fields are no longer in the data dictionary"),
};

export const DELIVERY_WORDS: Record<DeliveryState, string> = {
  open: message("Waiting"),
  delivered: message("Delivered"),
  failed: message("Failed"),
  dropped: message("Dropped"),
};

const PROBLEMS: Record<Exclude<AttemptProblem, "status">, string> = {
  redirect: message("Redirects are not followed"),
  address: message("This address may not be reached: it is private, or not https"),
  name: message("The host’s name was not found"),
  unreachable: message("The host cannot be reached"),
  tls: message("The host’s certificate is not trusted"),
  timeout: message("No answer in time"),
  protocol: message("The answer was not HTTP"),
};

export const EVENT_WORDS: Record<WebhookEvent, string> = { ...OPERATION_WORDS, violations: message("More records break a rule") };

export const INCLUDE_WORDS: Record<WebhookInclude, string> = {
  record: message("The record as it is when the message is sent"),
  changes: message("The values before and after"),
};

/** @example "Customers · Created, Deleted · With conditions" */
export function describeFilter(
  { collections, operations, where, fields }: Webhook,
  known: readonly Pick<Collection, "name" | "title">[],
): string {
  const titles = collections.map((name) => known.find((one) => one.name === name)?.title ?? name);
  const words = operations.map((operation) => t(EVENT_WORDS[operation]));
  const more = where !== null || fields.length > 0 ? [t("With conditions")] : [];
  return [titles.join(", ") || t("All records"), words.join(", ") || t("Every change"), ...more].join(" · ");
}

export function describeState({ state, since, offReason, nextAttemptAt }: Webhook): string {
  const time = formatDatetime(since ?? new Date().toISOString());
  switch (state) {
    case "working":
      return t("Working");
    case "retrying":
      return t("Not accepted since {time}; next attempt {next}", { time, next: nextAttemptAt ? formatDatetime(nextAttemptAt) : "–" });
    case "off":
      return t(OFF[offReason ?? "administrator"], { time });
  }
}

/** @example "204 after 35 ms" or "500 after 2 ms: out of order" */
export function describeAttempt({ status, problem, milliseconds, excerpt }: Attempt): string {
  const what = problem === null || problem === "status" ? "" : t(PROBLEMS[problem]);
  const answer = status === null ? what : [String(status), what].filter(Boolean).join(" – ");
  const text = t("{answer} after {n} ms", { answer, n: formatNumber(milliseconds) });
  return excerpt === "" ? text : `${text}: ${excerpt}`;
}
