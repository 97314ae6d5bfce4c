// Forty made-up customers from twenty-odd countries, with names as they come in life. Loaded only while a store is empty.

import type { QueryClient } from "@tanstack/react-query";
import type { Client } from "../../client/http-client.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import { validateRecord } from "../../core/dictionary/validate.ts";
import { addSample, refreshSample, sampleLeftQuery } from "../service/sample-data.ts";

/** First name, last name and account, of which some have several customers. */
const CUSTOMERS: readonly (readonly [string, string, string])[] = [
  ["Märta", "Ångström", "10021-SE"],
  ["Oskar", "Lindqvist", "10021-SE"],
  ["Ingrid", "Bergstrand", "10034-SE"],
  ["Jürgen", "Großmann", "20107-DE"],
  ["Annika", "Großmann", "20107-DE"],
  ["Friederike", "Müller-Lüdenscheidt", "20118-DE"],
  ["Thorben", "Weißhaupt", "20126-DE"],
  ["Zoë", "van 't Hoff", "30015-NL"],
  ["Daan", "de Groot", "30022-NL"],
  ["Fenna", "Hoekstra", "30022-NL"],
  ["Chloé", "Lefèvre", "40009-FR"],
  ["Étienne", "d'Aubigny", "40013-FR"],
  ["Maëlle", "Kervella", "40027-FR"],
  ["Siobhán", "O'Dwyer", "50031-IE"],
  ["Cillian", "Mac Giolla", "50044-IE"],
  ["Beatriz", "Nóbrega", "60002-PT"],
  ["João", "Figueiredo", "60002-PT"],
  ["Nerea", "Echeverría Soto", "61018-ES"],
  ["Iñaki", "Zabala", "61025-ES"],
  ["Giulia", "Dell'Acqua", "62006-IT"],
  ["Matteo", "Bonfiglio", "62011-IT"],
  ["Anna", "Wiśniewska", "70054-PL"],
  ["Łukasz", "Dąbrowski", "70054-PL"],
  ["Eliška", "Dvořáková", "71003-CZ"],
  ["Bence", "Szőllősi", "72019-HU"],
  ["Ioana", "Țurcanu", "73008-RO"],
  ["Ирина", "Петренко", "74012-UA"],
  ["Тарас", "Коваленко", "74012-UA"],
  ["Ελένη", "Παπαδάκη", "75020-GR"],
  ["Elif", "Yıldırım", "76007-TR"],
  ["Kerem", "Özgür", "76007-TR"],
  ["Yael", "Ben-Ami", "77005-IL"],
  ["ليلى", "الخطيب", "78001-JO"],
  ["Ananya", "Raghunathan", "80033-IN"],
  ["Wei Ling", "Goh", "81016-SG"],
  ["智恩", "朴", "82002-KR"],
  ["美咲", "長谷川", "83010-JP"],
  ["Amaka", "Okonjo", "84004-NG"],
  ["Tāne", "Parata", "85011-NZ"],
  ["Sukarni", "Wulandari", "86001-ID"],
];

const FIELDS = ["firstName", "lastName", "accountID"];
const records = CUSTOMERS.map((values) => Object.fromEntries(FIELDS.map((name, at) => [name, values[at] ?? ""])));

export const SAMPLE_SIZE = records.length;

/** Says whether the collection takes every record of the sample as it is. */
export function fitsSample(collection: Collection): boolean {
  return records.every((record) => validateRecord(collection, record, { from: "json" }).problems === undefined);
}

/**
 * Adds the sample, unless somebody has done so meanwhile. `sendKey`: of this press, so that it is sent again without adding it twice.
 * Throws ApiError and NoReply.
 */
export async function addCustomers(client: Client, queries: QueryClient, collection: Collection, sendKey: string): Promise<void> {
  const [left] = await queries.fetchQuery({ ...sampleLeftQuery(client, [collection]), staleTime: 0 });
  if (left === 0) await addSample(client, queries, [{ collection, records }], sendKey);
  else await refreshSample(queries, [collection]);
}
