// Generated customers, as rows or as a CSV file. The same seed gives the same bytes.

import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdir, rename, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { csvLine } from "../../core/text/csv.ts";

export const CUSTOMER_HEADER = ["objectId", "firstName", "lastName", "accountID"] as const;

/** objectId, firstName, lastName, accountID, as they stand in a file. */
export type CustomerRow = [objectId: string, firstName: string, lastName: string, accountID: string];

const FIRST: readonly string[] =
  `Märta Zoë Łukasz José Søren Ana-María Þóra Dieudonné Siân Çağla Nguyễn Đức Ewa Björk Noël Aoife Tomáš Ágnes Željko Ștefan
  Mary John Robert Patricia Linda James Michael Barbara William Elizabeth David Jennifer Richard Maria Susan Joseph Thomas
  Иван Ольга Дмитрий Катерина Γιώργος Ελένη Αλέξανδρος דוד שרה אברהם محمد فاطمة یوسف زهرا عمر नेहा राहुल প্রিয়া முருகன் ศรีสุดา
  伟 秀英 娜 敏 さくら 太郎 陽子 健 민준 서연 지우 ადამი ნინო Արամ Անահիտ ሰላም`
    .trim()
    .split(/\s+/);

const LAST: readonly string[] =
  `Ångström|van 't Hoff|Müller-Lüdenscheidt|O’Neill|D'Angelo|de la Cruz|Dvořák|Šimůnek|Wiśniewska|Håkansson|Ó Súilleabháin|Nguyễn
  |Smith|Johnson|Williams|Brown|Jones|Garcia|Miller|Davis|Rodriguez|Martinez|Wilson|Anderson|Taylor|Moore|Jackson|Martin|Lee|Thompson
  |Иванов|Петрова|Шевченко|Παπαδόπουλος|Οικονόμου|כהן|לוי|الخطيب|بن سلمان|رضایی|शर्मा|पटेल|চৌধুরী|சுப்பிரமணியன்|สุขใจ
  |王|李|张|欧阳|佐藤|鈴木|髙橋|김|박|ბერიძე|Հարությունյան|ተስፋዬ|Smith, Jr.|King, PhD|dos Santos, Filho|"Ace" Ventura|Sartre (née Beauvoir)`
    .replace(/\n\s*/g, "")
    .split("|");

const MIDDLE: readonly string[] = ["", "", "", "", "", "", " J.", " María", " “Bo”", ' "Buddy"', " K.", ", the elder"];

/** Yields `rows` rows. Ids grow and never repeat; accounts have leading zeros and are shared by a few people. */
export function* customerRows(rows: number, seed = 1): Generator<CustomerRow> {
  const random = createRandom(seed);
  for (let i = 0; i < rows; i++) {
    const first = random(20) === 0 ? "" : pick(FIRST, random) + pick(MIDDLE, random);
    yield [String(100_000 + 7 * i + random(7)), first, pick(LAST, random), account(random(Math.max(1, rows >> 1)), random)];
  }
}

/** Writes the file unless it exists, so its name should contain rows and seed. */
export async function writeCustomersFile(path: string, rows: number, seed = 1): Promise<void> {
  if (await exists(path)) return;
  await mkdir(dirname(path), { recursive: true });
  const unfinished = `${path}.${process.pid}.part`;
  const out = createWriteStream(unfinished);
  let text = csvLine(CUSTOMER_HEADER);
  for (const row of customerRows(rows, seed)) {
    text += csvLine(row);
    if (text.length < 256 * 1024) continue;
    if (!out.write(text)) await once(out, "drain");
    text = "";
  }
  out.end(text);
  await once(out, "finish");
  await rename(unfinished, path);
}

/** mulberry32: whole numbers from 0 up to but not including `below`, the same on every machine. */
function createRandom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4_294_967_296) * below);
  };
}

function pick(list: readonly string[], random: (below: number) => number): string {
  return list[random(list.length)] as string;
}

function account(n: number, random: (below: number) => number): string {
  const number = String(n).padStart(6, "0");
  return random(4) === 0 ? `${number}-${"ABCDEF"[random(6)]}` : number;
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
