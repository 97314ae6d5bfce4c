// Files in other encodings than UTF-8, and files in UTF-8 with a few wrong bytes.

import type { CorpusFile, Truth } from "./corpus.ts";
import { encode } from "./encode.ts";
import { HEADER, lines, people } from "./people.ts";

/** Holds what people called so write, and where they live. */
const TEXTS: readonly [encoding: string, ...names: string[]][] = [
  ["Shift_JIS", "田中 太郎 東京都", "佐藤 花子 大阪府", "鈴木 一郎 名古屋", "高橋 カナ ソフト", "表示 能 ユウジ"],
  ["GB18030", "王小明 北京市", "李娜 上海市", "张伟 广州市", "刘洋 深圳", "陈静 成都市"],
  ["Big5", "許功蓋 台北市", "王小明 高雄市", "陳美玲 台中市", "林志明 新竹", "張雅婷 台南市"],
  ["EUC-KR", "김민준 서울시", "박서연 부산시", "이도윤 대구", "최지우 인천광역시", "정하은 광주"],
  [
    "windows-1250",
    "Łukasz Wiśniewski Łódź",
    "Šárka Dvořáková Plzeň",
    "Żaneta Źrebak Kraków",
    "Győző Szűcs Debrecen",
    "Ľubomír Šťastný Košice",
  ],
  [
    "ISO-8859-2",
    "Łukasz Wiśniewski Łódź",
    "Šárka Dvořáková Plzeň",
    "Żaneta Źrebak Kraków",
    "Győző Szűcs Debrecen",
    "Ľubomír Šťastný Košice",
  ],
  ["windows-1251", "Дмитрий Иванов Москва", "Ольга Петрова Казань", "Сергей Смирнов Тула", "Наталья Кузнецова Омск", "Юлия Соколова Пермь"],
  ["KOI8-R", "Дмитрий Иванов Москва", "Ольга Петрова Казань", "Сергей Смирнов Тула", "Наталья Кузнецова Омск", "Юлия Соколова Пермь"],
  [
    "windows-1253",
    "Γιώργος Παπαδόπουλος Αθήνα",
    "Ελένη Νικολάου Πάτρα",
    "Δημήτρης Ιωάννου Βόλος",
    "Μαρία Γεωργίου Λάρισα",
    "Άννα Όθωνος Ρόδος",
  ],
  ["windows-1254", "Çağla Işık İstanbul", "Gökhan Şahin Eskişehir", "Ayşe Yıldız Muğla", "Özgür Doğan İzmir", "Işıl Ağaoğlu Şanlıurfa"],
  ["windows-1252", "Jörg Müller Köln", "Zoë Brontë Leeds", "François Lefèvre Orléans", "Peña Núñez Logroño", "Åse Sørensen Ålesund"],
  ["ISO-8859-15", "Jörg Müller Köln 5 €", "Zoë Brontë Leeds 7 €", "François Lefèvre Orléans 9 €", "Cœur Sœur 3 €", "Žižek Škoda 4 €"],
  ["macintosh", "Jörg Müller Köln", "Zoë Brontë Leeds", "François Lefèvre Orléans", "Peña Núñez Logroño", "Åse Sørensen Ålesund"],
  ["IBM850", "Jörg Müller Köln", "Zoë Brontë Leeds", "François Lefèvre Orléans", "Peña Núñez Logroño", "Åse Sørensen Ålesund"],
  ["IBM852", "Łukasz Wiśniewski Łódź", "Šárka Dvořáková Plzeň", "Żaneta Źrebak Kraków", "Győző Szűcs Debrecen", "Ľubomír Šťastný Košice"],
];

/** 40 rows of such names. */
function fileIn([encoding, ...names]: (typeof TEXTS)[number]): CorpusFile {
  const rows = people(40).map(([id = "", , note = "", account = ""], i) => [id, names[i % names.length] as string, note, account]);
  return { of: "encodings", name: encoding, content: encode(lines([HEADER, ...rows]), encoding), header: HEADER, rows };
}

/** Three names alone: a person may be asked, and what is read without a question must be right. */
function shortFileIn([encoding, ...names]: (typeof TEXTS)[number]): CorpusFile {
  const rows = people(3).map(([id = "", , note = "", account = ""], i) => [id, names[i] as string, note, account]);
  return { ...fileIn([encoding, ...names]), name: `${encoding}, three rows`, content: encode(lines([HEADER, ...rows]), encoding), rows };
}

/** The letters come behind the first 64 KiB. */
function lateFileIn([encoding, ...names]: (typeof TEXTS)[number]): CorpusFile {
  const rows = [
    ...people(3000),
    ...people(40, 4000).map(([id = "", , note = "", account = ""], i) => [id, names[i % names.length] as string, note, account]),
  ];
  return { of: "encodings", name: `${encoding}, far down`, content: encode(lines([HEADER, ...rows]), encoding), header: HEADER, rows };
}

const one = (encoding: string, name: string, text: string): CorpusFile => {
  const rows = [...people(5), ["6", text, "x", "A"]];
  return { of: "encodings", name, content: encode(lines([HEADER, ...rows]), encoding), header: HEADER, rows };
};

const WRONG = "wrong bytes";
/** UTF-8 with letters; the row 700 of the last ones has a byte that is not. */
function wrongBytes(name: string, count: number, wrong: readonly number[], at: number): CorpusFile {
  const parts: number[] = [...encode(lines([HEADER]), "UTF-8")];
  const rows: (readonly string[] | null)[] = [];
  for (const [id = "", last = "", , account = ""] of people(count)) {
    const isWrong = Number(id) === at;
    parts.push(...encode(`${id},${last} Zoë Łukasz,`, "UTF-8"), ...(isWrong ? wrong : []), ...encode(`x,${account}\n`, "UTF-8"));
    rows.push(isWrong ? null : [id, `${last} Zoë Łukasz`, "x", account]);
  }
  return { of: WRONG, name, content: new Uint8Array(parts), header: HEADER, rows };
}

const inUtf8 = (name: string, rows: Truth["rows"] & string[][]): CorpusFile => ({
  of: WRONG,
  name,
  content: lines([HEADER, ...rows]),
  header: HEADER,
  rows,
});

export const ENCODED_FILES: readonly CorpusFile[] = [
  ...TEXTS.map(fileIn),
  ...TEXTS.map(shortFileIn),
  ...TEXTS.slice(0, 11).map(lateFileIn),
  one("windows-1252", "not: one umlaut in Windows-1252", "Müller"),
  one("windows-1252", "not: an apostrophe and a dash in Windows-1252", "O’Neill – Smith"),
  one("windows-1252", "not: Spanish in Windows-1252", "Muñoz Ibáñez"),
  one("windows-1252", "not: Portuguese in Windows-1252", "João Conceição"),
  one("UTF-8", "not: UTF-8 in Japanese", "田中 太郎"),
  one("UTF-8", "not: UTF-8 with few letters", "Zoë"),
  wrongBytes("one late byte of Windows-1252", 3000, [0xe4], 2900),
  wrongBytes("one late byte in the first 64 KiB", 300, [0xe4], 290),
  wrongBytes("a cut character", 3000, [0xc5], 2900),
  wrongBytes("bytes that no encoding has", 3000, [0xff, 0xfe], 2900),
  wrongBytes("in the last row", 3000, [0xfc], 3000),
  wrongBytes("a lone continuation", 3000, [0x80], 1500),
  inUtf8("not: a replacement character that was saved", [...people(5), ["6", "J\uFFFDrg", "x", "A"]]),
  inUtf8(
    "not: good UTF-8",
    people(5).map((cells) => cells.map((cell) => `${cell} Zoë`)),
  ),
];
