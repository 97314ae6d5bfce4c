// Starts the service: environment, port and signals.

import { type AddressInfo, isIP } from "node:net";
import { hostname } from "node:os";
import type { FastifyBaseLogger, FastifyInstance } from "fastify";
import { InvalidMailSettings, readMailSettings } from "../core/contract/mail-settings.ts";
import { API_ROOT } from "../core/contract/paths.ts";
import type { SignUp } from "../core/contract/people.ts";
import type { Collection } from "../core/dictionary/collections.ts";
import { createLivingDictionary, type LivingDictionary } from "./access/living-dictionary.ts";
import { createApp } from "./app.ts";
import { createEventStream, type EventStream } from "./audit/event-stream.ts";
import { InvalidAuditStream, readReceiver } from "./audit/receivers.ts";
import { type BackgroundWork, createBackgroundWork, createReport } from "./background-work.ts";
import { createContentSweeper } from "./content/sweep.ts";
import { createConverter } from "./dictionary/converter.ts";
import { createFormerNameUses } from "./dictionary/count-former-names.ts";
import { readDictionary, refuseSlowPatterns } from "./dictionary/read-dictionary.ts";
import { nextVersion, startDictionary } from "./dictionary/start-dictionary.ts";
import { createMatcher } from "./duplicates/matcher.ts";
import { DictionaryRefused } from "./engine/migrate-dictionary.ts";
import { type Store, StoreOpenError, type StoreSettings } from "./engine/store.ts";
import { InvalidLimit, readLimits } from "./http/limits.ts";
import { createMetrics } from "./http/metrics.ts";
import { createImporter } from "./imports/importer.ts";
import { createMailer } from "./mail/mailer.ts";
import { openContent, openImports, openStore, readPlace, readReplica, StartError } from "./open-store.ts";
import { type OwnAddress, ownAddress } from "./own-address.ts";
import { BUILT_APP, DEFAULT_DICTIONARY } from "./package-folder.ts";
import { createAccounts } from "./people/auth/accounts.ts";
import { createKeys, InvalidKey, type Keys } from "./people/auth/api-keys.ts";
import { createViewEnder } from "./people/auth/ended-views.ts";
import { InvalidOidcSettings, type OidcSettings, readOidcSettings, unknownRoles } from "./people/auth/oidc/oidc-settings.ts";
import { type AuditedCollections, createReadAudit } from "./people/auth/read-audit.ts";
import type { ServiceLog } from "./people/auth/security-events.ts";
import { SIGN_UPS } from "./people/wire.ts";
import { createViolationCounter } from "./records/count-violations.ts";
import { createSweeper, readRetention } from "./retention.ts";
import { readSecretFiles } from "./secret-files.ts";
import { readSecretsKeys } from "./secrets-key.ts";
import { startImportThread } from "./threads.ts";
import { createPost } from "./webhooks/sending/post.ts";
import { createSender } from "./webhooks/sending/sender.ts";
import { wantedFeeds } from "./webhooks/wanted-changes.ts";

const LEVELS: Readonly<Record<string, number>> = { debug: 20, info: 30, warn: 40 }; // of pino
const QUIET: readonly string[] = ["fatal", "error", "silent"]; // these leave warnings out
const STOP_WITHIN = 30_000; // ms for running requests to finish
const STREAM_WITHIN = 5_000; // ms for the last security events to be sent

let opened: Store | undefined;

try {
  readSecretFiles(process.env);
  await start();
} catch (error) {
  const isExpected = [
    StartError,
    StoreOpenError,
    InvalidKey,
    InvalidLimit,
    InvalidMailSettings,
    InvalidOidcSettings,
    InvalidAuditStream,
  ].some((kind) => error instanceof kind);
  process.stderr.write(
    isExpected ? `Intake cannot start: ${(error as Error).message}\n` : `Intake cannot start. ${String((error as Error).stack)}\n`,
  );
  await opened?.close(); // libsql crashes the process when it ends while a thread is in the middle of a call
  process.exit(error instanceof DictionaryRefused ? DictionaryRefused.EXIT_CODE : 1);
}

async function start(): Promise<void> {
  const {
    PORT = "8080",
    HOST = "127.0.0.1",
    DB_POOL = "10",
    ADMIN_KEY,
    DICTIONARY,
    CORS_ORIGINS = "",
    TRUSTED_PROXIES = "",
    LOG = "warn",
    DRAIN_SECONDS = "0",
    WEBHOOK_PRIVATE = "",
    AUDIT_READS = "",
  } = process.env;
  const port = readPort(PORT, HOST);
  const [limits, logLevel, place] = [readLimits(process.env), readLevel(LOG), readPlace(process.env)];
  const [corsOrigins, trustedProxies, drainSeconds] = [readOrigins(CORS_ORIGINS), readProxies(TRUSTED_PROXIES), readSeconds(DRAIN_SECONDS)];
  const [forPeople, retention, content] = [readPeopleSettings(), readRetention(process.env), await openContent(process.env, place)];
  const webhooks = { allowsPrivate: readFlag("WEBHOOK_PRIVATE", WEBHOOK_PRIVATE) };
  const [audited, stream] = [readAudited(AUDIT_READS, logLevel), readEventStream(logLevel)];
  const dictionary = await startDictionary(DICTIONARY, DEFAULT_DICTIONARY);
  const settings = readStoreSettings(limits.readSeconds, readConnections(DB_POOL), logLevel, readReplica(process.env, place));
  const metrics = createMetrics({ ofProcess: true });
  const { report, logTo } = createReport(metrics);
  const store = await openStore(dictionary.choose, place, { ...settings, report }).catch(dictionary.refuse);
  opened = store;
  const { dataPackage, collections, version, notes } = dictionary.chosen();
  for (const note of notes) settings.onWarning?.(`dictionary: ${note}`);
  const audit = createReadAudit(auditedOf(audited, collections));
  const living = createLivingDictionary({ dataPackage, collections, version, store }, report);
  const [converter, keys, uses] = [createConverter(living, report), createKeys(store, report), createFormerNameUses(store, report)];
  if (ADMIN_KEY) await keys.preset(ADMIN_KEY);
  const imports = createImporter({ store, content: await openImports(process.env, place), report, startThread: startImportThread });
  let isStopping = false;
  const app = await createApp({
    store,
    keys,
    collections,
    dataPackage,
    appFolder: BUILT_APP,
    ...{ limits, corsOrigins, trustedProxies, logLevel, ...forPeople, ...(stream && { logTo: heardBy(stream) }) },
    ...{ content, imports, webhooks, audit, metrics, report, living, converter, formerNameUses: uses },
    ...{ isDictionaryFile: DICTIONARY !== undefined, isStopping: () => isStopping },
    needsApproval: readFlag("DICTIONARY_APPROVAL", process.env.DICTIONARY_APPROVAL ?? ""),
  });
  for (const to of [logTo, stream?.logTo]) to?.(app.log);
  await warnOfUnknownRoles(app.log, store, forPeople.oidc);
  const sender = { store, ...wantedFeeds(() => living.served()), post: createPost(webhooks), log: app.log, audit };
  const runs = [createSender(sender), createSweeper(store, retention, report), createViolationCounter(living, report)];
  const others = [createViewEnder(store.people, forPeople.sessions, app.log, report), living.run, converter.run, uses.run];
  const more = [createMatcher(living, report), createContentSweeper(content, store, report), imports.run];
  const background = [...runs, ...others, ...more].map(createBackgroundWork);
  const stop = (drain: number) => {
    if (!isStopping) void stopWithin(drain, app, background, store, stream);
    isStopping = true;
  };
  process.on("SIGTERM", () => stop(drainSeconds * 1_000));
  process.on("SIGINT", () => stop(0));
  if (!process.stdout.isTTY) process.on("SIGHUP", () => void readAgain(living, DICTIONARY, app.log)); // a terminal that closes ends it
  const own = await listen(app, HOST, port);
  imports.serveAt(own.url + API_ROOT);
  for (const work of background) work.start();
  process.stdout.write(`Intake is ready at ${own.url}${own.isEverywhere ? " and at every other address of this machine" : ""}\n`);
  if (!ADMIN_KEY) await printFirstSecrets(store, keys, forPeople.publicUrl ? { url: forPeople.publicUrl, isEverywhere: false } : own);
}

/** Throws StartError. */
async function listen(app: FastifyInstance, host: string, port: number): Promise<OwnAddress> {
  await app.listen({ port, host }).catch((error) => {
    throw new StartError(whyNotListening(error, host, port));
  });
  return ownAddress(host, app.server.address() as AddressInfo);
}

/** Serves the dictionary as its file is now. One that has mistakes, or that stored records forbid, leaves everything as it is. */
async function readAgain(living: LivingDictionary, path: string | undefined, log: FastifyBaseLogger): Promise<void> {
  if (path === undefined) return log.info("the store keeps the dictionary: there is no file of DICTIONARY to read again");
  try {
    const file = readDictionary(path);
    await refuseSlowPatterns(file, path);
    const served = living.served();
    const next = nextVersion(file, { version: served.version, text: JSON.stringify(served.dataPackage) });
    const { notes } = await living.apply(next.dataPackage, next.collections, { base: served.version }).catch(file.refuse);
    for (const note of [...next.notes, ...notes]) log.warn(`dictionary: ${note}`);
    log.info("the dictionary was read again");
  } catch (error) {
    const why = error instanceof StoreOpenError ? error.message : "the store could not be changed just now; send SIGHUP again";
    log.error({ err: error }, `the dictionary is the one of before: ${why}`);
  }
}

function readStoreSettings(readSeconds: number, connections: number, logLevel: string, readUrl: string | undefined): StoreSettings {
  const log = (level: number, line: Readonly<Record<string, unknown>>) => {
    if (level >= (LEVELS[logLevel] ?? Number.POSITIVE_INFINITY)) logLine(level, line);
  };
  return {
    readSeconds,
    connections,
    readUrl,
    secretsKeys: readSecretsKeys(process.env),
    onUpgrade: (from, to) => log(30, { from, to, msg: `bringing the store from version ${from} to ${to}` }),
    onWarning: (msg) => log(40, { msg }),
  };
}

/** Writes a line as the service's log has them, which begins only with the store. */
function logLine(level: number, line: Readonly<Record<string, unknown>>): void {
  process.stdout.write(`${JSON.stringify({ level, time: Date.now(), pid: process.pid, hostname: hostname(), ...line })}\n`);
}

/** Reads the settings of mail, sign-in and sessions. */
function readPeopleSettings() {
  const {
    PUBLIC_URL,
    SMTP_URL,
    MAIL_FROM,
    SIGN_UP = "invite",
    SESSION_IDLE_MINUTES = "60",
    SESSION_HOURS = "12",
    REQUIRE_PASSKEY = "",
  } = process.env;
  const publicUrl = readPublicUrl(PUBLIC_URL);
  const mailer = createMailer(readMailSettings(SMTP_URL, MAIL_FROM));
  const signUp = readSignUp(SIGN_UP, mailer.isSetUp && publicUrl !== "");
  const sessions = {
    idleMinutes: readAmount("SESSION_IDLE_MINUTES", SESSION_IDLE_MINUTES),
    hours: readAmount("SESSION_HOURS", SESSION_HOURS),
  };
  return {
    publicUrl,
    mailer,
    signUp,
    sessions,
    requirePasskey: readFlag("REQUIRE_PASSKEY", REQUIRE_PASSKEY),
    oidc: readOidcSettings(process.env),
  };
}

/** They may be made later, so the service starts all the same. */
async function warnOfUnknownRoles(log: ServiceLog, { people }: Store, oidc: OidcSettings | undefined): Promise<void> {
  const roles = oidc ? unknownRoles(oidc, await people.listRoles()) : [];
  if (roles.length > 0)
    log.warn({ roles }, "OIDC_ROLES names roles that do not exist: nobody gets them. Correct the names, or make the roles in Settings.");
}

async function stopWithin(
  drain: number,
  app: FastifyInstance,
  background: readonly BackgroundWork[],
  store: Store,
  stream: EventStream | undefined,
): Promise<void> {
  setTimeout(() => process.exit(0), drain + STOP_WITHIN).unref();
  await new Promise((resolve) => setTimeout(resolve, drain)); // for the balancer to see that /readyz says no
  await Promise.all([app.close(), ...background.map((work) => work.stop())]);
  await Promise.all([store.close(), stream?.close(STREAM_WITHIN)]);
  process.exit(0);
}

/** Runs on the first start only. They are made after listening has begun: if it fails, nobody sees them. */
async function printFirstSecrets(store: Store, keys: Keys, { url, isEverywhere }: OwnAddress): Promise<void> {
  const key = await keys.createFirst();
  if (!key) return;
  const { code } = await createAccounts(store.people).setUpLink();
  process.stdout.write(`The API key of the first administrator, shown this once: ${key}\n`);
  process.stdout.write(`The first person becomes an administrator here, once, within 72 hours: ${url}/welcome#${code}\n`);
  if (isEverywhere)
    process.stdout.write(
      "On another computer, write this machine's name for localhost in that link, or set PUBLIC_URL before the first start.\n",
    );
}

/** Also refuses an empty host, which would mean every address of the machine. */
function readPort(text: string, host: string): number {
  if (host === "") throw new StartError("HOST is set, but empty: set it to an address of this machine, or remove it for 127.0.0.1.");
  if (/^[0-9]{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new StartError(`PORT must be a number from 0 to 65535, not "${text}".`);
}

function readSeconds(text: string): number {
  if (/^[0-9]{1,3}$/.test(text)) return Number(text);
  throw new StartError(`DRAIN_SECONDS must be a number of seconds from 0 to 999, not "${text}".`);
}

function readAmount(name: string, text: string): number {
  if (/^[1-9][0-9]{0,4}$/.test(text)) return Number(text);
  throw new StartError(`${name} must be a whole number from 1 to 99999, not "${text}".`);
}

function readSignUp(text: string, canMailLinks: boolean): SignUp {
  const signUp = SIGN_UPS.find((one) => one === text);
  if (!signUp) throw new StartError(`SIGN_UP must be one of ${SIGN_UPS.join(", ")}, not "${text}".`);
  if (signUp === "open" && !canMailLinks)
    throw new StartError("SIGN_UP=open needs SMTP_URL and PUBLIC_URL: whoever asks gets the link by mail alone.");
  return signUp;
}

function readFlag(name: string, text: string): boolean {
  if (["", "true", "false"].includes(text)) return text === "true";
  throw new StartError(`${name} must be true or false, not "${text}".`);
}

/** Says where people find the app. Without a slash at the end. */
function readPublicUrl(text = ""): string {
  if (text === "") return "";
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isUsable = url && ["https:", "http:"].includes(url.protocol) && !url.search && !url.hash && !url.username;
  if (!isUsable) throw new StartError(`PUBLIC_URL must be an address such as https://intake.example.org, not "${text}".`);
  return url.href.replace(/\/+$/, "");
}

function readConnections(text: string): number {
  if (/^[1-9][0-9]{0,3}$/.test(text)) return Number(text);
  throw new StartError(`DB_POOL must be a number of connections from 1 to 9999, not "${text}".`);
}

function readList(text: string): string[] {
  return text
    .split(",")
    .map((word) => word.trim())
    .filter(Boolean);
}

/** Reads them as browsers write them in the header Origin. */
function readOrigins(text: string): string[] {
  const origins = readList(text);
  for (const given of origins) {
    const url = URL.canParse(given) ? new URL(given) : undefined;
    const origin = url && ["https:", "http:"].includes(url.protocol) ? url.origin : undefined;
    if (origin === given) continue;
    const form = "origins such as https://app.example.org (scheme, host and port if it is not the usual one, no path)";
    throw new StartError(`CORS_ORIGINS must be ${form}, not "${given}"${origin ? `: write ${origin}` : "."}`);
  }
  return origins;
}

function readProxies(text: string): string[] {
  const proxies = readList(text);
  for (const proxy of proxies) {
    const [address = "", bits = "1", ...more] = proxy.split("/");
    const isRange = more.length === 0 && /^[1-9][0-9]{0,2}$/.test(bits) && Number(bits) <= (isIP(address) === 6 ? 128 : 32);
    if (!isIP(address) || !isRange) throw new StartError(`TRUSTED_PROXIES must be addresses or ranges such as 10.0.0.0/8, not "${proxy}".`);
  }
  return proxies;
}

/** Names the collections whose reads are logged. Refuses them where the log would not have the lines. */
function readAudited(text: string, logLevel: string): readonly string[] {
  const words = readList(text);
  if (words.length > 0 && QUIET.includes(logLevel))
    throw new StartError(`AUDIT_READS writes lines that LOG=${logLevel} leaves out. Set LOG to warn, info or debug.`);
  return words;
}

/** Refuses it where the log would not have the lines that it sends. */
function readEventStream(logLevel: string): EventStream | undefined {
  const send = readReceiver(process.env);
  if (send && QUIET.includes(logLevel))
    throw new StartError(`AUDIT_STREAM sends lines that LOG=${logLevel} leaves out. Set LOG to warn, info or debug.`);
  return send && createEventStream(send);
}

/** Sends the log to standard output, as without the stream, and to the stream. */
function heardBy(stream: EventStream): { write(line: string): void } {
  return {
    write(line) {
      process.stdout.write(line);
      stream.hear(line);
    },
  };
}

/** Refuses a word that names no collection. */
function auditedOf(words: readonly string[], collections: readonly Collection[]): AuditedCollections {
  const names = collections.map(({ name }) => name);
  const unknown = words.find((word) => word !== "*" && !names.includes(word));
  if (unknown !== undefined) throw new StartError(`AUDIT_READS must be * or names of collections (${names.join(", ")}), not "${unknown}".`);
  return words.includes("*") ? "*" : words;
}

function readLevel(text: string): string {
  const levels = ["fatal", "error", "warn", "info", "debug", "silent"];
  if (levels.includes(text)) return text;
  throw new StartError(`LOG must be one of ${levels.join(", ")}, not "${text}".`);
}

function whyNotListening(error: NodeJS.ErrnoException, host: string, port: number): string {
  if (error.code === "EADDRINUSE") return `port ${port} of ${host} is taken by another program; choose another with PORT.`;
  if (error.code === "EACCES") return `port ${port} may not be used by this user; choose another with PORT.`;
  if (error.code === "EADDRNOTAVAIL" || error.code === "ENOTFOUND") return `HOST ${host} is not an address of this machine.`;
  return `it cannot listen on ${host}:${port} (${error.code}).`;
}
