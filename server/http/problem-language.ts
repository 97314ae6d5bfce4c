// Puts the sentences of problems into the language that a request asks for (Accept-Language).

import { API_ROOT, importPath } from "../../core/contract/paths.ts";
import { PROBLEM_TYPE } from "../../core/contract/problems.ts";
import { type Collection, readDataPackage } from "../../core/dictionary/collections.ts";
import { isObject } from "../../core/dictionary/fields.ts";
import { KIND_TRAITS } from "../../core/dictionary/kinds.ts";
import { FORMATS } from "../../core/dictionary/text-formats.ts";
import { type Language, openCatalogue } from "../../core/i18n/languages.ts";
import { SOURCE_LANGUAGE } from "../../core/i18n/translate.ts";
import type { Awaitable } from "../engine/script/awaitable.ts";
import { createTranslate, NO_WORDS, type Texts, type Translate, type Words } from "../i18n/translate-sentence.ts";
import { preferredLanguage } from "./content-negotiation.ts";

/** The service's own sentences. Those of the check stand in the catalogue of the app, which writes them, too. */
const SERVICE_TEXTS: Partial<Record<Language, () => Promise<Texts>>> = {
  de: async () => (await import("../i18n/de.json", { with: { type: "json" } })).default,
};

/** Holds what of a request decides. */
export interface Asker {
  method: string;
  url: string;
  headers: { "accept-language"?: string | undefined };
  /** The data package as the caller may know it; undefined before that is known. */
  dictionary: (() => unknown) | undefined;
}

interface Sendable {
  status: number;
  headers: Record<string, string>;
  body: string | Buffer;
}

/**
 * Returns the answer with its problems in the language that the request prefers; codes, names and values stay. What is stored, such as the
 * answer to an idempotency key, is English: whoever asks again gets it in the language of that request.
 */
export function inLanguageOf<T extends Sendable>(request: Asker, answer: T): Awaitable<T> {
  const isProblem = answer.headers["content-type"] === PROBLEM_TYPE;
  if (!isProblem && !mayHaveProblems(request, answer)) return answer;
  const language = preferredLanguage(request.headers["accept-language"]) ?? SOURCE_LANGUAGE;
  const load = SERVICE_TEXTS[language as Language];
  if (!load) return isProblem ? marked(answer, SOURCE_LANGUAGE) : answer;
  if (!isProblem && answer.status < 400 && !isRead(request) && !String(answer.body).includes('"detail":')) return answer;
  const known = translators.get(language);
  if (known) return translated(request, answer, language, known);
  return openTranslate(language as Language, load).then((translate) => translated(request, answer, language, translate));
}

const translators = new Map<string, Translate>();

async function openTranslate(language: Language, load: () => Promise<Texts>): Promise<Translate> {
  const [ofApp, ofService] = await Promise.all([openCatalogue(language), load()]);
  const translate = createTranslate(textsOfCheck(ofApp?.texts ?? {}), ofService);
  translators.set(language, translate);
  return translate;
}

/** Returns the sentences of the catalogue that the check of records writes (core/dictionary), and the phrases in them. */
function textsOfCheck(all: Readonly<Record<string, unknown>>): Texts {
  const phrases = new Set([...Object.values(KIND_TRAITS), ...Object.values(FORMATS)].map(({ expects }) => expects as string));
  const isOfCheck = (text: string) => phrases.has(text) || /\{title\}.*\.$|^\{title\}, value|^Did you mean ".*\?$/.test(text);
  const texts = Object.entries(all).flatMap(([text, own]) => (typeof own === "string" && isOfCheck(text) ? [[text, own]] : []));
  return Object.fromEntries(texts);
}

const OF_IMPORT = new RegExp(`^${API_ROOT}${importPath("[^/]+")}(?:$|\\?)`);

/** Answers to writes may have problems of single records, and warnings; imports say what is wrong with their rows. Most answers are to neither. */
function mayHaveProblems(request: Asker, { status, headers, body }: Sendable): boolean {
  if (status < 400 && isRead(request) && !OF_IMPORT.test(request.url)) return false;
  return typeof body === "string" && /^application\/(?:scim\+)?json/.test(headers["content-type"] ?? "");
}

const isRead = ({ method }: Asker) => method === "GET" || method === "HEAD";

function marked<T extends Sendable>(answer: T, language: string): T {
  const vary = [answer.headers.vary, "Accept-Language"].filter(Boolean).join(", ");
  return { ...answer, headers: { ...answer.headers, "content-language": language, vary } };
}

function translated<T extends Sendable>({ dictionary }: Asker, answer: T, language: string, translate: Translate): T {
  const body: unknown = JSON.parse(String(answer.body));
  const words = wordsOf(dictionary?.(), language);
  const done = new Map<string, string>(); // a batch says the same of many records
  const inLanguage = (sentence: string) => {
    const known = done.get(sentence) ?? translate(sentence, words) ?? sentence;
    done.set(sentence, known);
    return known;
  };
  const isProblem = answer.status >= 400 || answer.headers["content-type"] === PROBLEM_TYPE;
  if (!isObject(body) || !translateBody(body, inLanguage, isProblem)) return answer;
  return marked({ ...answer, body: JSON.stringify(body) }, language);
}

type Write = (sentence: string) => string;

/** Translates in place. Returns whether there was a sentence. `isProblem`: the whole is one; otherwise it may be a record, with a `title` of its own. */
function translateBody(body: Record<string, unknown>, write: Write, isProblem: boolean): boolean {
  const own = isProblem && translateProblem(body, write);
  const found = [
    ...problemsIn(body),
    ...listIn(body.results).flatMap((result) => [...problemsIn(result), result.problem].filter(isObject)),
  ];
  for (const problem of found) translateProblem(problem, write);
  return own || found.length > 0;
}

const SENTENCES = ["title", "detail", "message", "error_description"];

function translateProblem(problem: Record<string, unknown>, write: Write): true {
  for (const name of SENTENCES) {
    const sentence = problem[name];
    if (typeof sentence === "string") problem[name] = write(sentence);
  }
  for (const one of problemsIn(problem)) translateProblem(one, write);
  return true;
}

/** Problems have no version: what has one is a record of a collection of that name. */
function problemsIn({ errors, warnings, problems }: Record<string, unknown>): Record<string, unknown>[] {
  return [errors, warnings, problems].flatMap(listIn).filter(({ code, version }) => typeof code === "string" && version === undefined);
}

function listIn(list: unknown): Record<string, unknown>[] {
  return Array.isArray(list) ? list.filter(isObject) : [];
}

const wordsIn = new WeakMap<object, Map<string, Words>>(); // of each data package, by language

function wordsOf(dataPackage: unknown, language: string): Words {
  if (!isObject(dataPackage)) return NO_WORDS;
  const made = wordsIn.get(dataPackage) ?? new Map<string, Words>();
  wordsIn.set(dataPackage, made);
  const words = made.get(language) ?? makeWords(dataPackage, language);
  made.set(language, words);
  return words;
}

function makeWords(dataPackage: unknown, language: string): Words {
  const [own, others] = [readDataPackage(dataPackage), readDataPackage(dataPackage, language)];
  if ("mistakes" in own || "mistakes" in others) return NO_WORDS;
  const [names, labels] = [new Map<string, string>(), new Map<string, string>()];
  /** The first thing of a name has it. Inside a sentence a title begins with a small letter. */
  const add = (word: string, translation: string) => {
    for (const one of [word, word.charAt(0).toLowerCase() + word.slice(1)]) if (!names.has(one)) names.set(one, translation);
  };
  for (const [i, collection] of own.collections.entries()) {
    const other = others.collections[i] ?? collection;
    add(collection.title, other.title);
    add(collection.noun, other.noun);
    for (const [word, translation] of wordsOfParts(collection, other, language)) add(word, translation);
    for (const { name, labels: own = new Map<string, string>() } of collection.fields)
      for (const [value, label] of own) if (!labels.has(label)) labels.set(label, other.byName.get(name)?.labels?.get(value) ?? label);
  }
  return { names, labels };
}

function wordsOfParts(collection: Collection, other: Collection, language: string): [string, string][] {
  const fields = collection.fields.map(({ name, title }): [string, string] => [title, other.byName.get(name)?.title ?? title]);
  const lookups = [...collection.lookups.values()].map(({ name, title }): [string, string] => [
    title,
    other.lookups.get(name)?.title ?? title,
  ]);
  const rules = (collection.rules ?? []).map(({ message, translations }): [string, string] => [
    message,
    translations?.[language]?.message ?? message,
  ]);
  return [...fields, ...lookups, ...rules];
}
