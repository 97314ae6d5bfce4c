// Says, with --create-parents, which parents a file names that are not there, and which of them were created.

import type { Collection } from "../../core/dictionary/collections.ts";
import { count } from "../../core/text/count.ts";
import { realClock } from "../../pipeline/model/clock.ts";
import { NO_CORRECTIONS, withParents } from "../../pipeline/model/corrections.ts";
import type { ParentsReport } from "../../pipeline/model/outcomes.ts";
import { gatherParents, lackingFields, refusedParents } from "../../pipeline/parents/create-parents.ts";
import { findMissingParents, type MissingParents } from "../../pipeline/parents/find-missing.ts";
import { retry } from "../../pipeline/sending/reconcile.ts";
import { Scheduler } from "../../pipeline/sending/scheduler.ts";
import type { UploadService } from "../../pipeline/sending/upload-service.ts";
import { CommandError, EXIT } from "../console/exit-codes.ts";
import type { ProgressWriter } from "../console/progress.ts";
import type { Reading } from "../files/choose-reader.ts";
import type { Source } from "../files/source-file.ts";

interface ParentsJob {
  source: Source;
  collection: Collection;
  reading: Reading;
  service: UploadService;
  signal: AbortSignal;
}

const MOST = 1_000_000; // parents of one column

/**
 * Returns the reading whose plan creates every parent that is not there. Throws CommandError where one cannot be created, before anything
 * is stored.
 */
export async function withNewParents({ progress, ...job }: ParentsJob & { progress: ProgressWriter }): Promise<Reading> {
  const { source, collection, reading } = job;
  const all = await findMissing(job);
  const rules = all.flatMap(({ column, values }) =>
    [...values.keys()].map((from) => ({ field: column.field.name, from, to: "new" as const })),
  );
  if (rules.length === 0) return reading;
  for (const missing of all) {
    const sentence = whyNot(missing, collection, reading);
    if (sentence) throw new CommandError(EXIT.nothing, `Nothing of ${source.name} was stored: ${sentence}`);
    const { column, values } = missing;
    const are = `${values.size.toLocaleString("en")} of ${column.collection.name} are not there, by ${column.field.title}. They are created first.`;
    if (values.size > 0) progress.line(are, { step: "reading", sentence: are });
  }
  return { ...reading, plan: { ...reading.plan, fixes: withParents(reading.plan.fixes ?? NO_CORRECTIONS, rules) } };
}

async function findMissing({ source, collection, reading, service, signal }: ParentsJob): Promise<MissingParents[]> {
  const scheduler = new Scheduler(realClock, signal, () => undefined);
  const from = { file: source.file, collection, plan: reading.plan, openRows: reading.openRows, signal };
  try {
    return await findMissingParents(
      from,
      async (parent, by, values) => {
        const answer = await retry((each) => service.parents.find(parent, by, values, each), { scheduler, signIn: service.signIn });
        if (answer) return answer.found;
        const why = signal.aborted ? "The command was asked to stop." : `The service does not say which of its ${parent.name} are there.`;
        throw new CommandError(signal.aborted ? EXIT.nothing : EXIT.unreached, `Nothing of ${source.name} was stored. ${why}`);
      },
      MOST,
    );
  } finally {
    scheduler.close();
  }
}

/** Says in a sentence why parents that are missing cannot be created. */
function whyNot({ column, values, more }: MissingParents, collection: Collection, { plan }: Reading): string | undefined {
  if (values.size === 0) return undefined;
  const { name, title } = column.collection;
  const are = `${(values.size + more).toLocaleString("en")} of ${name} are not there`;
  if (more > 0) return `${are}, more than ${MOST.toLocaleString("en")}, which is the most that one file creates.`;
  if (!column.mayCreate) return `${are}, and ${column.field.title} must agree with other fields, which nothing new does.`;
  const lacking = lackingFields(column, collection, plan.columns).map((field) => `${title}: ${field}`);
  return lacking.length > 0 ? `${are}, and to create them the file lacks ${lacking.join(", ")}.` : undefined;
}

/** Lists the parents that a run would create: field → the texts of their values. The service is asked, and nothing is stored. */
export async function parentsInRehearsal({ source, collection, reading, service, signal }: ParentsJob): Promise<Map<string, Set<string>>> {
  const { plan, openRows } = reading;
  if (!plan.fixes?.parents) return new Map();
  const created = new Map<string, Set<string>>();
  for (const parents of await gatherParents({ file: source.file, collection, plan, openRows, signal })) {
    const refused = await refusedParents(parents, service.parents.dryPost(parents.column.collection), signal);
    const texts = parents.parents.map(({ text }) => text).filter((text) => !refused?.has(text));
    created.set(parents.column.field.name, new Set(texts));
  }
  return created;
}

export function describeParents({ collection, created, there, failed, reasons }: ParentsReport): string[] {
  const [first] = reasons;
  return [
    `${count(created, "record")} of ${collection} ${created === 1 ? "was" : "were"} created first.`,
    ...(there > 0 ? [`${there.toLocaleString("en")} of them ${there === 1 ? "was" : "were"} there meanwhile.`] : []),
    ...(first ? [`${failed.toLocaleString("en")} could not be created, such as “${first.text}”: ${first.reason}`] : []),
  ];
}
