// Says which modules of the app are one file. Each file is a request that a phone waits for.

interface Chunk {
  name: string;
  test?: RegExp;
  tags?: ["$initial"];
  includeDependenciesRecursively?: boolean;
}

/** A path ends with one of these, without what stands behind the point. */
function modules(folder: string, names: string): RegExp {
  return new RegExp(`/${folder}/(?:${names.split(" ").join("|")})(?:\\.module)?\\.(?:tsx?|css)$`);
}

/**
 * Four files are what every page needs: what reads the first page's data, which runs while the others are still loading, the libraries, which
 * seldom change, with those queries apart that both need, and the app's own. Then comes what many later pages share, in parts that are
 * needed together. What is loaded by itself later is in none.
 */
const CHUNKS: readonly Chunk[] = [
  {
    name: "queries", // for start and for the libraries, which stay in caches; but for what only later pages use
    test: /node_modules\/@tanstack\/query-core\/(?!.*\/(?:queriesObserver|infiniteQueryObserver|mutationObserver)\.js$)/,
  },
  { name: "start", test: /\/src\/start\.ts$/ }, // with all that it imports
  { name: "libraries", tags: ["$initial"], test: /node_modules/ },
  { name: "app", tags: ["$initial"] },
  ...Object.entries({
    checks: either(
      modules("core/dictionary", "validate masks unique-keys"),
      modules("core/text", "clean-text fold similarity"),
      modules("core/forms", "yes-no"),
      modules("pipeline/model", "value-fixes"),
    ),
    typed: either(
      modules("src/values", "typed-values typed-dates typed-times typed-numbers field-text"),
      modules("core/forms", "date-forms time-zones month-names typed-date number-forms"),
    ),
    inputs: either(
      modules("src/values", "field-input understood field-id input-attributes references/lazy-reference-inputs"),
      modules("core/dictionary", "ask-rules"),
    ),
    writes: either(
      modules("src/service", "bulk history"),
      modules("core/contract", "history"),
      modules("src/app/services", "idempotency-key"),
      modules("client", "write-records"),
    ),
    parts: either(
      modules("src/ui", "form table scroll-area"),
      modules("src/values", "name-in-sentence record-detail"),
      /\/@tanstack\/(?:react-query\/.*\/useMutation|query-core\/.*\/mutationObserver)\.js$/,
      modules("core/contract", "records"),
    ),
    leaving: /\/(?:leave-guard|use-blocker|use-is-mounted|bring-into-sight)\.tsx?$/,
    page: /\/(?:may-not-write|back-to-list|relations)\.tsx?$/,
    form: either(
      /\/node_modules\/react-hook-form\//,
      modules(
        "src/records/form",
        "record-form form-sections save-bar use-go-to-field lazy-contact-link use-save use-save-record use-record-form-state form-notices saved-edits left-behind computed-field use-conditions use-draft use-warnings use-lost-reply use-retry-save use-follow-stored use-gone-texts resolver diff",
      ),
      modules("src/ui", "menu-button focus/hold-place"),
      modules("src/service", "record-writes"),
    ),
  }).map(([name, test]) => ({ name, test, includeDependenciesRecursively: false })),
];

function either(...tests: readonly RegExp[]): RegExp {
  return new RegExp(tests.map(({ source }) => source).join("|"));
}

/** The groups of `codeSplitting`, of which the first that fits takes a module. */
export const chunks = CHUNKS.map((chunk, i) => ({ ...chunk, priority: CHUNKS.length - i }));
