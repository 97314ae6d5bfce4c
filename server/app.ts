// The service as a Fastify app on a given store. Every route is registered here.

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { API_ROOT } from "../core/contract/paths.ts";
import type { SignUp } from "../core/contract/people.ts";
import { type Collection, readDataPackage } from "../core/dictionary/collections.ts";
import type { LivingDictionary } from "./access/living-dictionary.ts";
import { createServedRoutes, patternOf, type RoutesOf, type Served } from "./access/served-routes.ts";
import type { Content } from "./content/content.ts";
import { contentRoutes } from "./content/routes.ts";
import { severalContentRoutes } from "./content/several-routes.ts";
import { erasedContent } from "./content/sweep.ts";
import { computationsRoute } from "./dictionary/computation-routes.ts";
import { conversionRoutes } from "./dictionary/conversion-routes.ts";
import type { Converter } from "./dictionary/converter.ts";
import { createFormerNameUses, type FormerNameUses } from "./dictionary/count-former-names.ts";
import { dictionaryRoute, templateRoute } from "./dictionary/dictionary.ts";
import { draftRoutes } from "./dictionary/draft-routes.ts";
import { formerNamesRoute } from "./dictionary/former-name-routes.ts";
import { retiredRoutes } from "./dictionary/retired-routes.ts";
import { versionRoutes } from "./dictionary/version-routes.ts";
import { createCatchUp } from "./duplicates/matcher.ts";
import { duplicateRoutes } from "./duplicates/routes.ts";
import { NO_REPORT, type ReportWork } from "./engine/background.ts";
import { deriveKeys } from "./engine/secrets/master-secrets.ts";
import type { Store } from "./engine/store.ts";
import { allowOrigins } from "./fastify/cors.ts";
import { createFastify, type FastifyOptions } from "./fastify/fastify.ts";
import { activityRoutes } from "./history/activity.ts";
import { changesRoute } from "./history/changes.ts";
import { erasureRoutes, rewriteRoute } from "./history/erasure.ts";
import { createFeedWatch, type FeedWatch } from "./history/feed-watch.ts";
import { createFollowers, type Followers } from "./history/followers.ts";
import { createPageTurns, type PageTurns } from "./history/page-turns.ts";
import { historyRoutes } from "./history/record-history.ts";
import { undoRoute } from "./history/undo.ts";
import { createAuthenticator, currentSession } from "./http/authenticate.ts";
import { createBodyBudget } from "./http/body-budget.ts";
import { type Cursors, createCursors } from "./http/cursor.ts";
import { createDeadlines } from "./http/deadlines.ts";
import { httpErrors } from "./http/errors.ts";
import { DEFAULT_LIMITS, type Limits } from "./http/limits.ts";
import { createMetrics, type Metrics, metricsRoute } from "./http/metrics.ts";
import { pathOf } from "./http/request.ts";
import { addAllMethods, type Route, type RouteTable, registerRoute } from "./http/route.ts";
import { type ImportWork, importRoute, importStateRoute } from "./imports/routes.ts";
import { createMailer, type Mailer } from "./mail/mailer.ts";
import { accessRoutes } from "./people/access.ts";
import { accessRequestRoutes, createSendNotice } from "./people/access-requests.ts";
import { createTokens, type Tokens } from "./people/auth/access-tokens.ts";
import { createAccounts } from "./people/auth/accounts.ts";
import type { Keys } from "./people/auth/api-keys.ts";
import { createGuesses } from "./people/auth/guesses.ts";
import type { LentTokens } from "./people/auth/lent-tokens.ts";
import type { Notify } from "./people/auth/notices.ts";
import type { OidcSettings } from "./people/auth/oidc/oidc-settings.ts";
import { createPasskeys } from "./people/auth/passkeys/passkeys.ts";
import { createRelyingPartyOf } from "./people/auth/passkeys/relying-party.ts";
import { type CheckProof, createProofCheck } from "./people/auth/proof-check.ts";
import { createRateLimiter } from "./people/auth/rate-limit.ts";
import type { ReadAudit } from "./people/auth/read-audit.ts";
import type { ServiceLog } from "./people/auth/security-events.ts";
import { createSessions, type SessionSettings, type Sessions } from "./people/auth/sessions.ts";
import { createRightsWatch, type WatchRights } from "./people/auth/standing-rights.ts";
import { explainedAccessRoute } from "./people/explained-access.ts";
import { keyRoutes } from "./people/keys.ts";
import { createSendLink, linkRoutes } from "./people/links.ts";
import { meRoutes } from "./people/me.ts";
import { namesRoute } from "./people/names.ts";
import { createNotify, noticeRoutes } from "./people/notices.ts";
import { tokenRoutes } from "./people/oauth.ts";
import { oauthMetadataRoute } from "./people/oauth-metadata.ts";
import { oidcRoutes } from "./people/oidc.ts";
import { passkeyRoutes } from "./people/passkeys.ts";
import { passwordResetRoute } from "./people/password-resets.ts";
import { proofRoute } from "./people/proof.ts";
import { roleRoutes } from "./people/roles.ts";
import { scimRoutes } from "./people/scim/routes.ts";
import { createStartSession, sessionRoutes } from "./people/sessions.ts";
import { userRoutes } from "./people/users.ts";
import { batchRoute } from "./records/batch.ts";
import { childCollections } from "./records/children.ts";
import { createHandler } from "./records/create-many.ts";
import { createExports, type Exports } from "./records/csv-export.ts";
import { deletionsRoute } from "./records/delete-many.ts";
import { fileHandler, filePath, listHandler, listPath } from "./records/list.ts";
import { lookupRoute } from "./records/lookup.ts";
import { mergeRoutes } from "./records/merges.ts";
import type { CatchUp } from "./records/on-duplicate.ts";
import { recordRoute } from "./records/record.ts";
import { ruleExceptionRoute } from "./records/rule-exceptions.ts";
import { searchRoute } from "./records/search.ts";
import { summaryRoute } from "./records/summary.ts";
import { viewersRoute } from "./records/viewers.ts";
import { violationsRoute } from "./records/violations.ts";
import { chosenHandlers } from "./records/write-chosen.ts";
import { runRoutes } from "./runs/routes.ts";
import { organisationRoutes } from "./saved/organisation.ts";
import { savedRoutes } from "./saved/routes.ts";
import { backupRoute } from "./system/backup.ts";
import { healthRoutes } from "./system/health.ts";
import { homeRoutes } from "./system/home.ts";
import { openapiRoutes } from "./system/openapi.ts";
import { serveApp } from "./system/static-app.ts";
import { DEFAULT_POST, type PostSettings } from "./webhooks/sending/post.ts";
import { webhookRoutes } from "./webhooks/webhooks.ts";

export interface AppParts extends FastifyOptions {
  store: Store;
  keys: Keys;
  collections: readonly Collection[];
  /** The data package as it was read, for /v1/dictionary. */
  dataPackage: unknown;
  /** The content of files. Without it the service keeps none. */
  content?: Content | undefined;
  /** Works on imports. Without it the service takes none. */
  imports?: (ImportWork & { lent: LentTokens }) | undefined;
  /** Folder of the built browser app. */
  appFolder?: string;
  sessions?: SessionSettings;
  mailer?: Mailer;
  /** Says how people get accounts; by invitation unless given. `open` needs mail and `publicUrl`. */
  signUp?: SignUp;
  /** The organisation's own sign-in. */
  oidc?: OidcSettings | undefined;
  /** REQUIRE_PASSKEY: whoever signs in with a password must have a passkey, and then use it. */
  requirePasskey?: boolean;
  /** Says which addresses webhooks may have; only public ones unless given. */
  webhooks?: PostSettings;
  /** Says where reads of records are logged. */
  audit?: ReadAudit | undefined;
  /** Without them the app counts its requests in metrics of its own. */
  metrics?: Metrics;
  /** Is called when work that no request waits for has ended. */
  report?: ReportWork;
  /** Whence another dictionary comes while the service runs; without it none does. */
  living?: Pick<LivingDictionary, "served" | "onChange" | "apply">;
  /** Converts fields into other kinds; without it nothing does. */
  converter?: Pick<Converter, "wake">;
  /** A file is the dictionary, which drafts cannot change. */
  isDictionaryFile?: boolean;
  /** DICTIONARY_APPROVAL: another person than the one who changed a draft last applies it. */
  needsApproval?: boolean;
  /** Counts the uses of names that fields had before. The caller lets it write them. */
  formerNameUses?: FormerNameUses;
}

export async function createApp(parts: AppParts): Promise<FastifyInstance> {
  const metrics = parts.metrics ?? createMetrics();
  const { store } = parts;
  if (store.pools) metrics.watchPools(() => store.pools?.() ?? []);
  if (store.readCounts) metrics.watchReads(() => store.readCounts?.() ?? []);
  const app = createFastify(parts, metrics, () => store.ping());
  const limits = parts.limits ?? DEFAULT_LIMITS;
  const sessions = createSessions(store.people, parts.sessions, parts.report);
  const tokens = createTokens(parts.store, parts.keys, sessions, {
    ...(parts.requirePasskey !== undefined && { requirePasskey: parts.requirePasskey }),
    rightsKey: deriveKeys(store.secrets, "rights tag")[0],
    lent: parts.imports?.lent,
  });
  const authenticator = createAuthenticator(tokens, createRateLimiter(limits.requestsPerSecond, limits.requestBurst), parts.keys);
  await allowOrigins(app, parts.corsOrigins ?? []);
  addAllMethods(app);
  const checkProof = createProofCheck({
    people: store.people,
    sessions,
    isRequired: parts.requirePasskey ?? false,
    proofNeeded: httpErrors.proofNeeded,
  });
  const notify = createNotify(parts.mailer ?? createMailer(undefined), parts.publicUrl ?? "", app.log);
  const shared: Shared = {
    sessions,
    checkProof,
    notify,
    log: app.log,
    tokens,
    watchRights: createRightsWatch(store, sessions),
    ...createSharedReads(parts, limits),
  };
  const fixed = [...fixedRoutes(parts, shared), metricsRoute(metrics)];
  let current = await servedAtStart(parts);
  const live = { current: () => current, table: () => table };
  const routesIn = (whole: Served) => createRoutesOf(parts, shared, { fixed, whole, ...live });
  const serve = (served: Served) => createServedRoutes(served, fixed, routesIn(served), shared.uses.note);
  let table = serve(current);
  parts.living?.onChange((served) => {
    current = served;
    table = serve(served);
  });
  const deadlines = createDeadlines(limits.handlingSeconds);
  const refuse = async (request: FastifyRequest, reply: FastifyReply): Promise<never> => {
    // Without a token nobody learns which addresses below /v1 exist.
    if (pathOf(request).startsWith(`${API_ROOT}/`)) await authenticator.authenticate(request, reply, ["signed-in"]);
    const slip = SLIP.exec(pathOf(request));
    throw httpErrors.notFound(slip ? `There is nothing at this address: it has ${slip[0]} in it. Send it without.` : undefined);
  };
  const bodies = createBodyBudget(limits);
  const context = { authenticator, bodies, deadlines, limits, audit: parts.audit, table: () => table, refuse };
  for (const [pattern, example] of examplesOf([...fixed, ...routesIn({ ...EXAMPLE, store, version: 0, gone: [] })(EXAMPLE, store, store)]))
    registerRoute(app, context, pattern, example);
  const page = parts.appFolder ? await serveApp(app, parts.appFolder) : undefined;
  app.setNotFoundHandler(async (request, reply) => {
    const isOfApi = pathOf(request).startsWith(`${API_ROOT}/`) || SLIP.test(pathOf(request));
    return page && !isOfApi ? page(request, reply) : refuse(request, reply);
  });
  return app;
}

interface RouteSource {
  fixed: readonly Route[];
  whole: Served;
  /** Returns the dictionary that is served by now, and its routes. */
  current(): Served;
  table(): RouteTable;
}

function createRoutesOf(parts: AppParts, shared: Shared, { fixed, whole, current, table }: RouteSource): RoutesOf {
  // With another dictionary whoever follows comes again, and gets what that has.
  const newerDictionary = () => (current() === whole ? undefined : current().version);
  const isOver = () => (parts.isStopping?.() ?? false) || newerDictionary() !== undefined;
  const watch = createFeedWatch(whole.store.feed, isOver);
  const catchUp = createCatchUp(whole);
  return (access, store, ofRows) => {
    const own = { ...parts, store, whole: { ...whole, store: ofRows }, isOver, newerDictionary, watch, catchUp };
    const routesWith = (collections: readonly Collection[], dataPackage: unknown): Route[] =>
      routesOf({ ...own, collections, dataPackage, admit: (request, session) => table().admit(request, session) }, shared);
    const documented = {
      ...access,
      publicUrl: parts.publicUrl ?? "",
      routesWith: (...given: Parameters<typeof routesWith>) => [...fixed, ...routesWith(...given)],
    };
    return [...routesWith(access.collections, access.dataPackage), ...openapiRoutes(documented)];
  };
}

async function servedAtStart({ dataPackage, collections, store, living }: AppParts): Promise<Served> {
  return { dataPackage, collections, store, version: 0, ...living?.served(), gone: await store.history.readGone() };
}

/** Matches what no address has in it. */
const SLIP = /\/{2,}|\/\.{1,2}(?:\/|$)/;

/** One collection with a rule and files that refers to another: its routes have every pattern that routes of collections can have. */
const EXAMPLE = readExample();

function readExample() {
  const fields = [
    { name: "id", type: "integer" },
    { name: "parentId", type: "integer" },
    { name: "picture", type: "string", format: "file" },
    { name: "pictures", type: "list", format: "file" },
  ];
  const foreignKeys = [{ fields: ["parentId"], reference: { resource: "parents", fields: ["id"] } }];
  const match = { comparisons: [{ fields: ["parentId"], as: "exact", weight: 1 }], same: 1, maybe: 1 };
  const rules = [{ name: "own", must: "parentId != id", message: "It must be another one." }];
  const dataPackage = {
    resources: [
      { name: "parents", schema: { fields, primaryKey: ["id"] } },
      { name: "examples", rules, match, schema: { fields, primaryKey: ["id"], foreignKeys } },
    ],
  };
  const read = readDataPackage(dataPackage);
  if ("mistakes" in read) throw new Error("the example of a dictionary has mistakes");
  return { dataPackage, collections: read.collections };
}

/** Returns each pattern with the methods that some route has there. */
function examplesOf(routes: readonly Route[]): Map<string, Route> {
  const examples = new Map<string, Route>();
  for (const route of routes) examples.set(patternOf(route), { ...examples.get(patternOf(route)), ...route });
  const home = examples.get(`${API_ROOT}/`);
  return home ? examples.set(API_ROOT, home) : examples;
}

/** Parts that routes of both kinds need, of one service. */
interface Shared {
  sessions: Sessions;
  checkProof: CheckProof;
  notify: Notify;
  log: ServiceLog;
  tokens: Tokens;
  cursors: Cursors;
  exports: Exports;
  watchRights: WatchRights;
  followers: Followers;
  turns: PageTurns;
  uses: FormerNameUses;
}

function createSharedReads({ store, report = NO_REPORT, formerNameUses }: AppParts, { exportsPerKey, followersPerKey }: Limits) {
  const [exports, followers] = [createExports(exportsPerKey), createFollowers(followersPerKey)];
  const uses = formerNameUses ?? createFormerNameUses(store, report);
  return { cursors: createCursors(store.secrets), exports, followers, turns: createPageTurns(), uses };
}

/** `collections` and `store` as the callers of the routes may know them, `whole` as they are. */
interface RouteParts extends AppParts {
  whole: Served;
  admit: RouteTable["admit"];
  /** The service stops, or another dictionary is served by now. */
  isOver(): boolean;
  /** Returns the version of the dictionary that is served by now, if it is another. */
  newerDictionary(): number | undefined;
  /** Tells of all changes. */
  watch: FeedWatch;
  catchUp: CatchUp;
}

/** Lists the routes that do not know the dictionary. */
function fixedRoutes(parts: AppParts, shared: Shared): Route[] {
  const { store, keys, limits = DEFAULT_LIMITS, isStopping = () => false } = parts;
  return [
    ...healthRoutes(store, isStopping),
    ...tokenRoutes(keys, shared.tokens, limits),
    oauthMetadataRoute(parts.publicUrl ?? ""),
    backupRoute(store, shared.checkProof),
    ...organisationRoutes(store),
    ...peopleRoutes(parts, shared),
  ];
}

/** Lists every route that knows the dictionary, but for the OpenAPI document. A new route is one more line here. */
function routesOf(parts: RouteParts, shared: Shared): Route[] {
  const { tokens, checkProof, notify, log, cursors, exports, watchRights, followers, turns } = shared;
  const { store, keys, collections, whole, audit, catchUp, limits = DEFAULT_LIMITS } = parts;
  const lists = { store, collections, cursors, exports, watchRights, limits, catchUp, work: parts.imports };
  const shaping = { living: parts.living, isFile: parts.isDictionaryFile ?? false, needsApproval: parts.needsApproval ?? false };
  return [
    ...homeRoutes(collections, store, limits),
    rewriteRoute(store),
    ...keyRoutes({ keys, collections, people: store.people, checkProof, notify }),
    ...roleRoutes({ checkProof, people: store.people }, { dataPackage: parts.dataPackage, collections }),
    explainedAccessRoute({ collections, store, whole }),
    dictionaryRoute(parts.dataPackage, collections, whole.version),
    namesRoute(collections, store.people),
    ...versionRoutes(store),
    formerNamesRoute(collections, store, shared.uses),
    ...draftRoutes({ ...shaping, store, cursors, limits, checkProof }),
    computationsRoute(collections, store),
    ...[conversionRoutes, retiredRoutes].flatMap((routes) => routes({ ...shaping, converter: parts.converter })),
    changesRoute({
      ...{ store, collections, followers, turns, newerDictionary: parts.newerDictionary },
      gone: [...whole.gone, ...namesWithout(whole.collections, collections)], // those that are retired, too
      watch: createFeedWatch(store.feed, parts.isOver, parts.watch),
      renew: async (request) => {
        const session = await currentSession(tokens, request);
        return session && parts.admit(request, session);
      },
      isStopping: parts.isOver,
    }),
    ...activityRoutes(collections, store),
    searchRoute(collections, store),
    ...savedRoutes(collections, store),
    ...[...runRoutes({ collections, all: whole.collections, store }), importStateRoute(collections, lists)],
    ...webhookRoutes({ store, collections, whole, log, audit, settings: parts.webhooks ?? DEFAULT_POST, checkProof }),
    ...collections.flatMap((collection) =>
      withPatterns(collection, [
        templateRoute(collection),
        {
          url: listPath(collection),
          GET: listHandler(collection, lists),
          POST: createHandler(collection, lists),
          ...chosenHandlers(collection, { store, collections, version: whole.version, limits }),
        },
        { url: filePath(collection), GET: fileHandler(collection, lists) },
        deletionsRoute(collection, collections, store, limits),
        batchRoute(collection, collections, lists),
        recordRoute(collection, collections, store),
        ...mergeRoutes(collection, whole.collections, store),
        ...childCollections(collection, collections).map(({ child, under, url }) => ({
          url,
          pattern: `${API_ROOT}/:collection/:id/:child`,
          GET: listHandler(child, lists, under),
          POST: createHandler(child, lists, under),
        })),
        ...[contentRoutes, severalContentRoutes].flatMap((make) => make(collection, store, parts.content, lists)),
        ...[...historyRoutes(collection, store, whole), viewersRoute(collection, store)],
        ...[undoRoute(collection.name, whole), importRoute(collection, lists)],
        ...[violationsRoute(collection, lists), summaryRoute(collection, lists), ruleExceptionRoute(collection, lists)],
        ...duplicateRoutes(collection, { store, cursors, whole }),
        lookupRoute(collection, store),
        ...erasureRoutes(collection, collections, store, parts.content && erasedContent(parts.content)),
      ]),
    ),
  ];
}

function namesWithout(all: readonly Collection[], shown: readonly Collection[]): string[] {
  return all.map(({ name }) => name).filter((name) => !shown.some((one) => one.name === name));
}

/** Routes of a collection, with the patterns of their addresses. */
function withPatterns({ name }: Collection, routes: readonly Route[]): Route[] {
  const own = listPath({ name });
  return routes.map((route) => {
    if (route.pattern) return route;
    const below = route.url.startsWith(`${own}/`) ? route.url.slice(own.length) : "";
    return { ...route, pattern: `${API_ROOT}/:collection${below}` };
  });
}

/** Serves people: accounts, roles, links, sign-in and sessions. */
function peopleRoutes(parts: AppParts, shared: Shared): Route[] {
  const { log } = shared;
  const { store, publicUrl = "", mailer = createMailer(undefined), signUp = "invite" } = parts;
  const { oidc, corsOrigins = [] } = parts;
  const { people } = store;
  const accounts = createAccounts(people);
  const startSession = createStartSession(shared.sessions, shared.notify);
  const sendLink = createSendLink(mailer, publicUrl, log);
  const canMailLinks = mailer.isSetUp && publicUrl !== "";
  const common = {
    people,
    accounts,
    guesses: createGuesses(store.attempts),
    startSession,
    ...shared,
    sendLink,
    passkeys: createPasskeys(people, store.secrets),
    relyingPartyOf: createRelyingPartyOf(parts.corsOrigins ?? [], publicUrl),
    isRequired: parts.requirePasskey ?? false,
    claims: oidc?.attributes.map(({ name }) => name) ?? [],
  };
  return [
    ...userRoutes(common),
    ...scimRoutes({ ...common, publicUrl, sendsLinks: canMailLinks && !oidc }),
    ...accessRequestRoutes({ ...common, signUp, sendNotice: createSendNotice(mailer, publicUrl, log) }),
    passwordResetRoute({ ...common, canMailLinks }),
    ...linkRoutes(common),
    ...sessionRoutes({ ...common, offers: { signUp, canMailLinks, oidc: oidc ? { name: oidc.name } : null } }),
    ...oidcRoutes({ ...common, secrets: store.secrets, settings: oidc, origins: corsOrigins, publicUrl }),
    ...meRoutes(common),
    ...accessRoutes(common),
    ...noticeRoutes(people),
    ...passkeyRoutes(common),
    proofRoute({ ...common, hasOidc: oidc !== undefined }),
  ];
}
