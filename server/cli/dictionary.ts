// `intake dictionary`: shows, compares and applies the dictionary, in the store or through its service.

import { writeFileSync } from "node:fs";
import type { BroughtRole, DictionaryChange, DictionaryImpact, DictionaryVersion, WholeDraft } from "../../core/contract/dictionary.ts";
import { API_ROOT, DRAFTS_PATH, VERSIONS_PATH } from "../../core/contract/paths.ts";
import type { ProblemBody, ProblemDetail } from "../../core/contract/problems.ts";
import { addImpact } from "../../core/dictionary/rule-impact.ts";
import { createLivingDictionary } from "../access/living-dictionary.ts";
import { type DraftParts, nextOf, refuseWhatIsUnderWay, wholeImpactOf } from "../dictionary/draft-impact.ts";
import { readDictionary, refuseSlowPatterns } from "../dictionary/read-dictionary.ts";
import { toWireVersion } from "../dictionary/version-routes.ts";
import { DictionaryRefused } from "../engine/migrate-dictionary.ts";
import { LAST_VERSION } from "../engine/versions.ts";
import { HttpError } from "../http/errors.ts";
import { openExistingStore, StartError } from "../open-store.ts";
import { bringRoles, foreseeRoles } from "../people/brought-roles.ts";
import { type Command, commandLine, readWords } from "./command-line.ts";
import { type CallService, rejectionOf, signIn } from "./service-client.ts";

const DICTIONARY = commandLine("dictionary");
const USAGE = `${DICTIONARY} show [VERSION] [--output FILE]   prints the data package with the ids of everything; by default the newest version
${DICTIONARY} history                          lists the versions: number, time, who, why
${DICTIONARY} diff FILE                        says what the file would change, and what that means for stored records
${DICTIONARY} apply FILE [--comment TEXT]      makes the file the next version. What it lacks is retired: hidden, and kept

diff and apply end with 78 where the file has mistakes or stored records forbid it. Nothing is changed then.`;

/** `roles`: those that the file brings, and what became of each. */
type Applied = { version?: number; roles?: readonly BroughtRole[] };

/** The dictionary of a store or of a running service. */
interface DictionaryAdmin {
  history(): Promise<readonly DictionaryVersion[]>;
  read(version: number): Promise<unknown>;
  impact(dataPackage: unknown): Promise<DictionaryImpact>;
  apply(dataPackage: unknown, comment: string): Promise<Applied>;
  close(): Promise<void>;
}

export const dictionary: Command = async (args) => {
  const { words, values } = readWords(args, USAGE, 2, { output: { type: "string" }, comment: { type: "string" } });
  const [command, word] = words;
  if (command !== "show" && command !== "history" && command !== "diff" && command !== "apply") throw new StartError(USAGE);
  const file = command === "diff" || command === "apply" ? await readFile(word) : undefined;
  const opened = process.env.URL ? undefined : await openExistingStore();
  const admin = opened ? inStore(opened) : inService(await signIn(process.env));
  try {
    if (command === "history") return (await admin.history()).map(lineOf).join("\n") || "The store keeps no version yet.";
    if (command === "show") return await show(admin, word, values.output);
    const { changes, roles = [] } = await admin.impact(file);
    if (command === "diff") return [...describe(changes), ...linesOf(roles)].join("\n") || "The file changes nothing.";
    const isWanted = changes.length > 0 || roles.some(({ outcome }) => outcome === "made");
    const applied = isWanted ? await admin.apply(file, values.comment ?? "") : { roles };
    const outcome = changes.length > 0 ? `Version ${applied.version} is applied.` : "The file is the dictionary already.";
    return [...describe(changes), outcome, ...linesOf(applied.roles)].join("\n");
  } finally {
    await admin.close();
  }
};

async function readFile(path: string | undefined): Promise<unknown> {
  if (path === undefined) throw new StartError(USAGE);
  const file = readDictionary(path);
  await refuseSlowPatterns(file, path);
  return file.dataPackage;
}

async function show(admin: DictionaryAdmin, word: string | undefined, output: string | undefined): Promise<string> {
  const version = word === undefined ? (await admin.history())[0]?.version : Number(word);
  if (version === undefined || !Number.isSafeInteger(version)) throw new StartError(`There is no version "${word ?? ""}".\n${USAGE}`);
  const text = JSON.stringify(await admin.read(version), null, 2);
  if (output === undefined) return text;
  writeFileSync(output, `${text}\n`);
  return `Version ${version} is in ${output}.`;
}

function lineOf({ version, at, by, comment }: DictionaryVersion): string {
  return [version, at, by?.name ?? "a file", comment].join("  ");
}

function describe(changes: readonly DictionaryChange[]): string[] {
  const refused = changes.filter(({ effect, violations = 0 }) => effect === "refused" && violations > 0); // the others were not counted
  if (refused.length > 0) throw new DictionaryRefused("stored records forbid the dictionary", refused.map(sentenceOf));
  return changes.map(sentenceOf);
}

function linesOf(roles: readonly BroughtRole[] = []): string[] {
  return roles.map(({ name, outcome, detail }) => `The role "${name}": ${outcome}${detail ? `; ${detail}` : ""}`);
}

function sentenceOf({ kind, path, from, to, detail }: DictionaryChange): string {
  const text = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
  const values = from === undefined && to === undefined ? "" : ` (${text(from) ?? "nothing"} → ${text(to) ?? "nothing"})`;
  return `${path}: ${kind}${values}${detail ? `; ${detail}` : ""}`;
}

const ADMIN = "admin"; // whoever has the store may do all

function inStore({ store, served }: NonNullable<Awaited<ReturnType<typeof openExistingStore>>>): DictionaryAdmin {
  const living = createLivingDictionary({ ...served, store }, () => undefined);
  const parts: DraftParts = { store, living };
  const next = (dataPackage: unknown) => nextOf(parts, { base: served.version, text: JSON.stringify(dataPackage) }).catch(explain);
  return {
    history: async () => (await store.versions.listVersions(LAST_VERSION, 1_000)).map(toWireVersion),
    read: async (version) => {
      const found = await store.versions.readVersion(version);
      if (!found) throw new StartError(`There is no version ${version}.`);
      return JSON.parse(found.text);
    },
    async impact(dataPackage) {
      const draft = await next(dataPackage);
      const roles = await foreseeRoles(store.people, draft.roles, ADMIN, draft.dataPackage);
      return { ...(await wholeImpactOf(store, draft)), roles };
    },
    async apply(dataPackage, comment) {
      const { collections, base, roles, ...wanted } = await next(dataPackage);
      await refuseWhatIsUnderWay(parts, wanted.dataPackage).catch(explain);
      const { version } = await living.apply(wanted.dataPackage, collections, { comment, base });
      return { version, roles: (await bringRoles(store.people, roles, ADMIN, wanted.dataPackage)).all };
    },
    close: () => store.close(),
  };
}

/** Throws what a service would answer as a command says it. */
function explain(error: unknown): never {
  throw error instanceof HttpError ? new DictionaryRefused(error.message, error.extra.errors?.map(reasonOf)) : error;
}

function reasonOf({ pointer = "", detail }: ProblemDetail): string {
  return `${pointer}: ${detail}`;
}

function inService(call: CallService): DictionaryAdmin {
  const ask = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const reply = await call(method, API_ROOT + path, body && { "content-type": "application/json" }, body && JSON.stringify(body));
    if (reply.status === 422) throw await fileErrorOf(reply);
    if (!reply.ok) throw await rejectionOf("The service did not do it", reply);
    return (reply.status === 204 ? undefined : await reply.json()) as T;
  };
  const withDraft = async <T>(title: string, dataPackage: unknown, work: (path: string) => Promise<T>): Promise<T> => {
    const { id } = await ask<WholeDraft>("POST", DRAFTS_PATH, { title, package: dataPackage });
    const path = `${DRAFTS_PATH}/${id}`;
    return work(path).catch(async (error) => {
      await ask("DELETE", path);
      throw error;
    });
  };
  return {
    history: async () => (await ask<{ versions: DictionaryVersion[] }>("GET", VERSIONS_PATH)).versions,
    read: (version) => ask("GET", `${VERSIONS_PATH}/${version}`),
    impact: (dataPackage) =>
      withDraft("A comparison", dataPackage, async (path) => {
        let impact = await ask<DictionaryImpact>("GET", `${path}/impact`);
        while (impact.next !== undefined)
          impact = addImpact(impact, await ask("GET", `${path}/impact?${new URLSearchParams({ cursor: impact.next })}`));
        await ask("DELETE", path);
        return impact;
      }),
    apply: (dataPackage, comment) => withDraft(comment || "From a file", dataPackage, (path) => ask<Applied>("POST", `${path}/apply`)),
    close: async () => undefined,
  };
}

/** Makes the error for an answer that says what is wrong with the file, or else with what was asked. */
async function fileErrorOf(reply: Response): Promise<Error> {
  const { detail = "", errors = [] } = (await reply.clone().json()) as Partial<ProblemBody>;
  const isOfFile = errors.some(({ code }) => code === "DICTIONARY");
  return isOfFile ? new DictionaryRefused(detail, errors.map(reasonOf)) : rejectionOf("The service did not do it", reply);
}
