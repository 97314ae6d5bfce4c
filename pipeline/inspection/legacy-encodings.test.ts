// No file of an older encoding is read as another one without a question.

import { describe, expect, test } from "vitest";
import { createDecoder } from "../reading/encoding.ts";
import { createIbmDecoder } from "../reading/ibm-tables.ts";
import { customers } from "../testing/fake-service.ts";
import { encode } from "../testing/reading/encode.ts";
import { inspectFile } from "./inspect-file.ts";
import { rankEncodings } from "./legacy-encodings.ts";

interface Language {
  encodings: readonly string[];
  names: readonly string[];
  addresses: readonly string[];
  /** One word each, alone in a file. */
  alone: readonly string[];
}

const WEST = ["windows-1252", "ISO-8859-15", "macintosh", "IBM850"];
const CENTRAL = ["windows-1250", "ISO-8859-2", "IBM852"];

const LANGUAGES: Record<string, Language> = {
  German: {
    encodings: WEST,
    names: ["Jörg Müller", "Käthe Groß", "Jürgen Böhm", "Änne Schäfer"],
    addresses: ["Königstraße 5", "Münchner Straße 12", "Am Brühl 3"],
    alone: ["Müller", "Groß", "MÜLLER", "Ärzte"],
  },
  French: {
    encodings: WEST,
    names: ["François Lefèvre", "Hélène Bérard", "Zoë Brontë", "Benoît Hervé"],
    addresses: ["12 rue de l'Église", "3 allée des Chênes", "Nîmes", "Orléans"],
    alone: ["François", "Hélène", "Noël", "HÉLÈNE", "café"],
  },
  Spanish: {
    encodings: WEST,
    names: ["Muñoz Ibáñez", "José García", "María Núñez", "Íñigo Peña"],
    addresses: ["Calle Mayor 5 3ºD", "Gran Vía 2ºB", "Logroño", "Málaga"],
    alone: ["Muñoz", "José", "3ºD", "Mª"],
  },
  Portuguese: {
    encodings: WEST,
    names: ["João Conceição", "Inês Simões", "António Guimarães", "Luís Gonçalves"],
    addresses: ["Rua São João 4", "Praça da República", "Évora", "Óbidos"],
    alone: ["João", "Inês", "Conceição", "São"],
  },
  Italian: {
    encodings: WEST,
    names: ["Niccolò Orsù", "Mosè Cantù", "Nicolò Libertà", "Giosuè Baldi"],
    addresses: ["Piazza della Libertà 1", "Forlì", "Cantù"],
    alone: ["Cantù", "Forlì", "Libertà"],
  },
  Swedish: {
    encodings: WEST,
    names: ["Åsa Sjöberg", "Pär Håkansson", "Björn Öström", "Märta Ängström"],
    addresses: ["Södergatan 4", "Malmö", "Växjö", "Åkersberga"],
    alone: ["Åsa", "Malmö", "Ångström"],
  },
  Danish: {
    encodings: WEST,
    names: ["Åse Sørensen", "Søren Kjær", "Jørgen Præst", "Bjørn Østergård"],
    addresses: ["Ålborg", "Nørregade 3", "Ærøskøbing"],
    alone: ["Søren", "Østergård", "Ærø"],
  },
  Icelandic: {
    encodings: ["windows-1252", "ISO-8859-15"],
    names: ["Þór Guðmundsson", "Ásta Jónsdóttir", "Sigríður Björnsdóttir", "Þóra Ægisdóttir"],
    addresses: ["Reykjavík", "Ísafjörður", "Þingvellir"],
    alone: ["Þór", "Guðmundsson", "Sigríður"],
  },
  English: {
    encodings: WEST,
    names: ["Zoë Brontë", "Chloë Sevigny", "Renée Fiancée", "Siân Cliché"],
    addresses: ["Café Rouge", "Naïve Street 3"],
    alone: ["Zoë", "Renée", "naïve"],
  },
  Polish: {
    encodings: [...CENTRAL, "windows-1257"],
    names: ["Łukasz Wiśniewski", "Żaneta Źrebak", "Grażyna Śląska", "Paweł Kołodziej"],
    addresses: ["ul. Długa 5", "Łódź", "Kraków", "Gdańsk"],
    alone: ["Łódź", "Paweł", "Gdańsk", "Wiśniewski"],
  },
  Czech: {
    encodings: CENTRAL,
    names: ["Šárka Dvořáková", "Jiří Nováček", "Tomáš Říha", "Věra Žižková"],
    addresses: ["Plzeň", "Třída Míru 3", "Ústí", "Děčín"],
    alone: ["Jiří", "Plzeň", "Tomáš"],
  },
  Hungarian: {
    encodings: CENTRAL,
    names: ["Győző Szűcs", "Erzsébet Őry", "Ödön Füredi", "István Kőműves"],
    addresses: ["Fő utca 3", "Győr", "Székesfehérvár"],
    alone: ["Győr", "Szűcs", "István"],
  },
  Croatian: {
    encodings: CENTRAL,
    names: ["Đuro Šimić", "Željko Horvatić", "Anđela Čačić"],
    addresses: ["Šibenik", "Čakovec", "Požega"],
    alone: ["Đuro", "Šimić", "Čakovec"],
  },
  Lithuanian: {
    encodings: ["windows-1257"],
    names: ["Jūratė Šakalytė", "Žydrūnas Ąžuolas", "Eglė Čepaitė"],
    addresses: ["Šiauliai", "Panevėžys", "Klaipėda"],
    alone: ["Jūratė", "Šakalys", "Eglė"],
  },
  Latvian: {
    encodings: ["windows-1257"],
    names: ["Jānis Bērziņš", "Ilze Kalniņa", "Kārlis Ozoliņš", "Līga Šķēle"],
    addresses: ["Rīga", "Jūrmala", "Cēsis"],
    alone: ["Jānis", "Rīga", "Kalniņa"],
  },
  Turkish: {
    encodings: ["windows-1254"],
    names: ["Çağla Işık", "Gökhan Şahin", "Ayşe Yıldız", "Özgür Doğan"],
    addresses: ["İstanbul", "Eskişehir", "Muğla", "Şanlıurfa"],
    alone: ["Işık", "Şahin", "Doğan", "İzmir"],
  },
  Russian: {
    encodings: ["windows-1251", "KOI8-R"],
    names: ["Дмитрий Иванов", "Ольга Петрова", "Сергей Смирнов", "Юлия Соколова"],
    addresses: ["Москва", "ул. Ленина", "Казань", "Тула"],
    alone: ["Иванов", "Москва", "Ольга"],
  },
  Ukrainian: {
    encodings: ["windows-1251"],
    names: ["Олексій Ковальчук", "Наталія Шевченко", "Юрій Їжак"],
    addresses: ["Київ", "Львів", "вул. Хрещатик"],
    alone: ["Київ", "Шевченко", "Олексій"],
  },
  Greek: {
    encodings: ["windows-1253"],
    names: ["Γιώργος Παπαδόπουλος", "Ελένη Νικολάου", "Δημήτρης Ιωάννου"],
    addresses: ["Αθήνα", "Πάτρα", "Λάρισα"],
    alone: ["Γιώργος", "Αθήνα", "Ελένη"],
  },
  Hebrew: {
    encodings: ["windows-1255"],
    names: ["משה כהן", "שרה לוי", "יוסף מזרחי", "רחל פרץ"],
    addresses: ["תל אביב", "ירושלים", "חיפה", "רחוב הרצל"],
    alone: ["ירושלים", "כהן", "חיפה"],
  },
  Arabic: {
    encodings: ["windows-1256"],
    names: ["محمد علي", "فاطمة حسن", "أحمد إبراهيم", "خالد يوسف"],
    addresses: ["القاهرة", "شارع النيل", "بغداد", "دمشق"],
    alone: ["محمد", "القاهرة", "أحمد"],
  },
  Thai: {
    encodings: ["windows-874"],
    names: ["สมชาย ใจดี", "มาลี ศรีสุข", "วิชัย ทองคำ", "นภา แก้วใส"],
    addresses: ["กรุงเทพ", "ถนนสุขุมวิท", "เชียงใหม่"],
    alone: ["สมชาย", "กรุงเทพ", "มาลี"],
  },
  Japanese: {
    encodings: ["Shift_JIS"],
    names: ["田中 太郎", "佐藤 花子", "鈴木 一郎", "高橋 カナ"],
    addresses: ["東京都新宿区", "大阪府", "名古屋市3丁目"],
    alone: ["田中", "東京都", "カナ"],
  },
  Chinese: {
    encodings: ["GB18030", "Big5"],
    names: ["王小明", "林志明", "李美玲", "高志成"],
    addresses: ["台北市中山路", "上海市", "北京市"],
    alone: ["王小明", "台北市", "上海"],
  },
  Korean: {
    encodings: ["EUC-KR"],
    names: ["김민준", "박서연", "이도윤", "최지우"],
    addresses: ["서울시 강남구", "부산시", "대구"],
    alone: ["김민준", "서울시", "부산"],
  },
};

/** Signs that every language uses, alone in a file whose letters are plain ASCII. */
const SIGNS = [
  "O’Neill",
  "Bob’s Garage",
  "“Oak Lodge”",
  "Smith – Jones",
  "• first",
  "12,50 €",
  "Acme™",
  "20°C",
  "3ºD",
  "Mª",
  "© 2024",
  "Acme®",
  "§ 5",
  "£12",
  "1\u00a0000",
];
const SIGN_ENCODINGS = [
  "windows-1252",
  "windows-1250",
  "windows-1257",
  "ISO-8859-15",
  "macintosh",
  "IBM850",
  "windows-1251",
  "windows-1253",
];

const fileOf = (texts: readonly string[]) =>
  ["id,First name,Last name,Account ID", ...texts.map((text, i) => `${i + 1},Mary,${text},A${i}`), ""].join("\n");

function decoded(bytes: Uint8Array, encoding: string): string {
  const isIbm = encoding === "IBM850" || encoding === "IBM852";
  return (isIbm ? createIbmDecoder(encoding) : createDecoder(encoding as "UTF-8")).decode(bytes, { stream: true });
}

/** The bytes, or undefined where the encoding lacks a character. */
function encoded(text: string, encoding: string): Uint8Array | undefined {
  try {
    return encode(text, encoding);
  } catch {
    return undefined;
  }
}

/** `right` without a question, `asked` with the right reading among the choices, or what went wrong. */
function verdictOf(text: string, encoding: string): string {
  const bytes = encoded(text, encoding);
  if (!bytes) return "right"; // there is no such file
  const choices = rankEncodings(bytes);
  const index = choices.findIndex((choice) => decoded(bytes, choice.encoding) === text);
  if (choices.length === 1) return index === 0 ? "right" : `silent: ${choices[0]?.encoding} for ${encoding}, ${choices[0]?.sample}`;
  if (!choices.some((choice) => decoded(bytes, choice.encoding) === decoded(bytes, "windows-1252"))) return "asked without windows-1252";
  return index === -1 ? `asked without ${encoding}: ${choices.map((choice) => choice.encoding)} ${text.slice(35)}` : "asked";
}

const cases = Object.entries(LANGUAGES).flatMap(([name, language]) => language.encodings.map((encoding) => ({ name, encoding, language })));

describe.each(cases)("$name in $encoding", ({ encoding, language }) => {
  test("names and addresses are read right, without a question where there are many", () => {
    const { names, addresses } = language;
    expect(verdictOf(fileOf([...names, ...addresses]), encoding)).toBe("right");
    for (const some of [names, addresses]) expect(verdictOf(fileOf(some), encoding)).toMatch(/^(right|asked)$/);
    for (const some of [names, addresses])
      expect(verdictOf(fileOf(some.map((text) => text.toUpperCase())), encoding)).toMatch(/^(right|asked)$/);
  });

  test("names with prices and dashes are read right, or asked", () => {
    const text = language.names.map((name, i) => `${name} – ${i}2,50 €`);
    expect(verdictOf(fileOf(text), encoding)).toMatch(/^(right|asked)$/);
  });

  test("one word alone is read right, or asked", () => {
    for (const word of language.alone) expect(verdictOf(fileOf([word, "Smith"]), encoding), word).toMatch(/^(right|asked)$/);
    for (const word of language.alone)
      expect(verdictOf(fileOf(Array.from({ length: 49 }, () => word)), encoding), word).toMatch(/^(right|asked)$/);
  });
});

test.each(SIGN_ENCODINGS)("a sign alone in %s is read right, or asked", (encoding) => {
  for (const sign of SIGNS) expect(verdictOf(fileOf([sign, "Smith"]), encoding), sign).toMatch(/^(right|asked)$/);
});

/** These are letters in Mac OS Roman, and read well there, too: Luís, bientôt. */
const ASKED = ["Bob’s Garage", "Acme™"];

test.each(SIGNS.filter((sign) => !ASKED.includes(sign)))("%s in windows-1252 needs no question", (sign) => {
  expect(verdictOf(fileOf([sign, "Smith"]), "windows-1252")).toBe("right");
  expect(verdictOf(fileOf(Array.from({ length: 49 }, () => sign)), "windows-1252")).toBe("right");
});

test.each(["Müller", "O’Neill", "Zoë", "José", "Þór Guðmundsson", "Søren Kjær", "20°C"])("%s in windows-1252 needs no question", (text) => {
  expect(verdictOf(fileOf([text]), "windows-1252")).toBe("right");
});

test("the reader of a file gets the same answer, with the question", async () => {
  const text = fileOf(["O’Neill", "20°C"]);
  const { dialect, plausible } = await inspectFile(new File([encode(text, "windows-1252") as Uint8Array<ArrayBuffer>], "a.csv"), customers);
  expect([dialect.encoding, plausible]).toEqual(["windows-1252", []]);
  const asked = await inspectFile(new File([encode(fileOf(["Jānis"]), "windows-1257") as Uint8Array<ArrayBuffer>], "b.csv"), customers);
  expect(asked.plausible.map(({ encoding }) => encoding)).toContain("windows-1257");
});

test("the words by which the choices differ come first, the same for each", async () => {
  const bytes = encode(fileOf(["20°C", "Kovač"]), "windows-1250") as Uint8Array<ArrayBuffer>;
  const { plausible } = await inspectFile(new File([bytes], "a.csv"), customers);
  expect(plausible).toEqual([
    { encoding: "windows-1252", sample: "Kovaè · 20°C" },
    { encoding: "windows-1250", sample: "Kovač · 20°C" },
  ]);
});
