// Makes people of 20 languages, some of whom are stored twice, and says which. The same seed gives the same people.

import type { Match } from "../../core/dictionary/match.ts";

export interface Person {
  id: number;
  firstName: string;
  lastName: string;
  birthday: string | null;
  phone: string | null;
  email: string | null;
  street: string | null;
  city: string;
}

/** The ways in which the second record of a person differs from the first. */
export const KINDS = [
  "typo",
  "swapped",
  "married",
  "spelling",
  "initial",
  "new phone",
  "phone form",
  "moved",
  "new e-mail",
  "date",
  "gaps",
] as const;
export type TwinKind = (typeof KINDS)[number];

export interface Labelled {
  people: Person[];
  /** `one` and `other` are the same person. */
  twins: { one: number; other: number; kind: TwinKind }[];
}

/** How these people are compared. */
export const PEOPLE_MATCH: Match = {
  comparisons: [
    { fields: ["firstName", "lastName"], as: "name", weight: 6, unlike: 4 },
    { fields: ["birthday"], as: "date", weight: 5, unlike: 5 },
    { fields: ["phone"], as: "phone", weight: 5, unlike: 0.5 },
    { fields: ["email"], as: "email", weight: 6, unlike: 0.5 },
    { fields: ["street"], as: "letters", weight: 2, unlike: 0.5, letters: 2 },
  ],
  same: 9.5,
  maybe: 6,
};

/** First names and last names of a language. */
const NAMES: readonly (readonly [first: string, last: string])[] = [
  [
    "Anna Ben Clara David Emma Felix Greta Hannes Ida Jonas Karla Lukas Mia Noah Käthe Jürgen Uwe Bärbel",
    "Müller Schmidt Schneider Fischer Weber Meyer Wagner Becker Schulz Hoffmann Schäfer Koch Bauer Richter Klein Wolf Schröder Neumann Schwarz Zimmermann Braun Krüger Hofmann Köhler",
  ],
  [
    "Olivia George Amelia Harry Isla Jack Ava Oscar Emily Arthur Sophie Henry Grace Leo Ella Charlie Lily William",
    "Smith Jones Taylor Brown Williams Wilson Johnson Davies Patel Robinson Wright Thompson Evans Walker White Roberts Green Hall Wood Jackson Clarke Harris Lewis O'Neill",
  ],
  [
    "Camille Hugo Léa Louis Chloé Gabriel Manon Arthur Inès Jules Zoé Raphaël Élise Théo Noémie Benoît Hélène Étienne",
    "Martin Bernard Dubois Thomas Robert Richard Petit Durand Leroy Moreau Simon Laurent Lefebvre Michel Garcia Fournier Girard Bonnet Dupont Lambert Fontaine Rousseau Vincent Müller",
  ],
  [
    "Lucía Hugo Martina Mateo Sofía Martín Paula Daniel Julia Pablo Valeria Alejandro Álvaro Begoña Íñigo Nuria Ramón José",
    "García Rodríguez González Fernández López Martínez Sánchez Pérez Gómez Jiménez Ruiz Hernández Díaz Moreno Muñoz Álvarez Romero Alonso Gutiérrez Navarro Torres Domínguez Vázquez Núñez",
  ],
  [
    "Giulia Leonardo Aurora Francesco Sofia Alessandro Alice Lorenzo Ginevra Mattia Chiara Andrea Emma Tommaso Elena Pietro",
    "Rossi Russo Ferrari Esposito Bianchi Romano Colombo Ricci Marino Greco Bruno Gallo Conti Deluca Costa Giordano Mancini Rizzo Lombardi Moretti Barbieri Fontana",
  ],
  [
    "Emma Daan Julia Sem Mila Lucas Tess Levi Sophie Finn Zoë Luuk Sara Noah Anna Bram",
    "Jansen Visser Smit Meijer Mulder Bos Vos Peters Hendriks Dekker Brouwer Dijkstra Smits Koster Prins Huisman Postma Kuiper Veenstra Kramer",
  ],
  [
    "Alice Lucas Märta Liam Maja William Ebba Hugo Åsa Björn Göran Örjan Sigrid Nils Astrid Gösta",
    "Andersson Johansson Karlsson Nilsson Eriksson Larsson Olsson Persson Svensson Gustafsson Pettersson Jonsson Hansson Bengtsson Jönsson Lindberg Ångström Sjöberg Lindström Öberg",
  ],
  [
    "Zuzanna Antoni Julia Jan Maja Aleksander Łucja Michał Małgorzata Stanisław Żaneta Wojciech Ewa Paweł Agnieszka Krzysztof",
    "Nowak Kowalski Wiśniewski Wójcik Kowalczyk Kamiński Lewandowski Zieliński Szymański Woźniak Dąbrowski Kozłowski Jankowski Mazur Kwiatkowski Krawczyk Grabowski Pawłowski",
  ],
  [
    "Eliška Jakub Tereza Jan Adéla Tomáš Anežka Matěj Viktorie Vojtěch Kateřina Ondřej Lucie Šimon Žofie Jiří",
    "Novák Svoboda Novotný Dvořák Černý Procházka Kučera Veselý Horák Němec Marek Pospíšil Pokorný Hájek Král Jelínek Růžička Beneš Fiala Sedláček",
  ],
  [
    "Hanna Bence Anna Máté Jázmin Levente Luca Ádám Zsófia Dominik Ágnes Gergő Eszter Zoltán Katalin László",
    "Nagy Kovács Tóth Szabó Horváth Varga Kiss Molnár Németh Farkas Balogh Papp Takács Juhász Lakatos Mészáros Oláh Simon Rácz Fekete",
  ],
  [
    "Zeynep Yusuf Elif Mustafa Defne Ömer Ayşe Çağla Emir Gökçe Şule Kerem Hüseyin İpek Özgür Fatma",
    "Yılmaz Kaya Demir Çelik Şahin Yıldız Yıldırım Öztürk Aydın Özdemir Arslan Doğan Kılıç Aslan Çetin Kara Koç Kurt Özkan Şimşek",
  ],
  [
    "Анна Иван Мария Дмитрий Ольга Сергей Елена Алексей Наталья Михаил Татьяна Андрей Ирина Павел Юлия Николай",
    "Иванов Смирнов Кузнецов Попов Васильев Петров Соколов Михайлов Новиков Фёдоров Морозов Волков Алексеев Лебедев Семёнов Егоров Павлов Козлов Степанов Николаев",
  ],
  [
    "Οδυσσέας Ελένη Γιώργος Μαρία Νίκος Κατερίνα Δημήτρης Σοφία Κώστας Άννα Γιάννης Βασιλική Παναγιώτης Αλεξάνδρα",
    "Παπαδόπουλος Νικολάου Γεωργίου Οικονόμου Βλάχος Αγγελόπουλος Αντωνίου Δημητρίου Καραγιάννης Μακρής Παππάς Σταυρόπουλος Λαμπρόπουλος Ζήσης",
  ],
  [
    "דוד שרה אברהם רחל יוסף מרים נועם תמר איתי יעל אורי מיכל דניאל נעמה",
    "כהן לוי מזרחי פרץ ביטון דהן אברהם פרידמן אגבריה חדד גבאי אזולאי עמר אוחיון קליין שפירא",
  ],
  [
    "محمد فاطمة أحمد عائشة علي مريم عمر زينب حسن ليلى خالد نور يوسف سلمى",
    "الخطيب المصري حداد نجار العلي سليمان منصور الشامي درويش عباس خوري بركات زيدان الحسيني حمدان",
  ],
  ["आरव सान्या विवान अनन्या आदित्य दीया राहुल नेहा अर्जुन पूजा रोहन कविता", "शर्मा वर्मा गुप्ता सिंह पटेल कुमार मिश्रा जोशी यादव अग्रवाल चौधरी मेहता"],
  ["伟 秀英 娜 敏 静 丽 强 磊 军 洋 勇 艳 杰 娟 涛 明", "王 李 张 刘 陈 杨 黄 赵 吴 周 徐 孙 马 朱 胡 林 郭 何 高 罗 欧阳"],
  [
    "陽菜 蓮 さくら 太郎 結衣 大翔 花子 健太 美咲 翔太 真由美 健一 由美子 浩",
    "佐藤 鈴木 高橋 田中 伊藤 渡辺 山本 中村 小林 加藤 吉田 山田 佐々木 山口 松本 井上",
  ],
  ["민준 서연 서준 지우 예준 하은 도윤 지민 시우 수빈 주원 예은 지호 채원", "김 이 박 최 정 강 조 윤 장 임 한 오 서 신 권 황"],
  [
    "Anh Bình Châu Dũng Đức Giang Hạnh Hùng Khánh Linh Minh Ngọc Phương Quân Thảo Trang",
    "Nguyễn Trần Lê Phạm Hoàng Phan Vũ Đặng Bùi Đỗ Hồ Ngô Dương Lý Đinh Trịnh",
  ],
];

const STREETS =
  "Hauptstraße Gartenweg Bahnhofstraße High_Street Station_Road Church_Lane Rue_de_la_Paix Avenue_Foch Calle_Mayor Gran_Vía Via_Roma Corso_Italia Kerkstraat Dorpsstraat Storgatan Drottninggatan Długa Lipowa Nádražní Kossuth_utca Atatürk_Caddesi Ленина Ερμού Herzl_Street".split(
    " ",
  );
const CITIES =
  "Bonn Leeds Lyon Sevilla Torino Utrecht Malmö Kraków Brno Szeged İzmir Казань Πάτρα Haifa Amman Pune 上海 大阪 부산 Huế".split(" ");
const HOSTS = ["example.com", "example.org", "mail.example", "post.example", "firma.example"];

export type Random = (below: number) => number;

/** `twins`: how many of the `count` records are the second of a person. Some others are relatives, who share a name, a phone number and a street. */
export function labelledPeople(count: number, twins: number, seed = 1): Labelled {
  const random = createRandom(seed);
  const people: Person[] = [];
  while (people.length < count - twins) {
    const relative = random(100) < 6 ? people.at(-1) : undefined;
    people.push(relative ? relativeOf(relative, people.length + 1, random) : newPerson(people.length + 1, random));
  }
  const labels: Labelled["twins"] = [];
  const first = people.length;
  for (let i = 0; i < twins; i++) {
    const one = people[Math.floor((i * first) / twins) + random(Math.max(1, Math.floor(first / twins)))] as Person;
    const kind = KINDS[i % KINDS.length] as TwinKind;
    const other = twinOf(one, kind, people.length + 1, random);
    people.push(other);
    labels.push({ one: one.id, other: other.id, kind });
  }
  return { people, twins: labels };
}

function newPerson(id: number, random: Random): Person {
  const language = random(NAMES.length);
  const [firsts, lasts] = (NAMES[language] as (typeof NAMES)[number]).map((names) => names.split(" ")) as [string[], string[]];
  const [firstName, lastName] = [pick(firsts, random), pick(lasts, random)];
  return {
    id,
    firstName: random(12) === 0 && language < 12 ? `${firstName} ${pick(firsts, random)}` : firstName,
    lastName,
    birthday: random(10) < 8 ? birthday(random) : null,
    phone: random(10) < 8 ? phone(random) : null,
    email: random(10) < 7 ? address(random) : null,
    street: random(10) < 8 ? street(random) : null,
    city: CITIES[language] as string,
  };
}

function relativeOf(one: Person, id: number, random: Random): Person {
  const other = newPerson(id, random);
  return { ...other, lastName: one.lastName, street: one.street, city: one.city, ...(random(2) === 0 && { phone: one.phone }) };
}

function birthday(random: Random): string {
  return `${1935 + random(73)}-${two(1 + random(12))}-${two(1 + random(28))}`;
}

function two(number: number): string {
  return String(number).padStart(2, "0");
}

function phone(random: Random): string {
  return `+${[49, 44, 33, 34, 39, 31, 46, 48][random(8)]} ${100 + random(900)} ${1_000_000 + random(9_000_000)}`;
}

function address(random: Random): string {
  const word = Array.from({ length: 3 + random(4) }, () => "bcdfghklmnprstvw"[random(16)] + ("aeiou"[random(5)] as string)).join("");
  return `${word}${random(3) === 0 ? random(100) : ""}@${pick(HOSTS, random)}`;
}

function street(random: Random): string {
  return `${pick(STREETS, random).replaceAll("_", " ")} ${1 + random(180)}`;
}

/** Each kind changes what it names; and some values are missing, or somebody has made a slip besides. */
function twinOf(one: Person, kind: TwinKind, id: number, random: Random): Person {
  const changed = CHANGES[kind]({ ...one, id }, random);
  if (random(10) === 0) changed.street = null;
  if (random(12) === 0) changed.city = pick(CITIES, random);
  return isKnown(one, changed) ? changed : { ...changed, birthday: one.birthday, phone: one.phone, email: one.email };
}

/** Nobody can know two records for the same person that have nothing in common but a name. */
function isKnown(one: Person, other: Person): boolean {
  return (["birthday", "phone", "email"] as const).some((name) => one[name] !== null && other[name] !== null);
}

const CHANGES: Record<TwinKind, (person: Person, random: Random) => Person> = {
  typo: (person, random) =>
    random(2) === 0
      ? { ...person, lastName: withSlip(person.lastName, random) }
      : { ...person, firstName: withSlip(person.firstName, random), email: random(4) === 0 ? null : person.email },
  swapped: (person) => ({ ...person, firstName: person.lastName, lastName: person.firstName }),
  married: (person, random) => ({ ...person, lastName: newPerson(0, random).lastName }),
  spelling: (person) => ({ ...person, firstName: inLatin(person.firstName), lastName: inLatin(person.lastName).toUpperCase() }),
  initial: (person) => ({ ...person, firstName: `${[...person.firstName][0]}.` }),
  "new phone": (person, random) => ({ ...person, phone: phone(random) }),
  "phone form": (person) => ({ ...person, phone: person.phone && `0${person.phone.replace(/^\+\d+ /, "").replace(" ", "/")}` }),
  moved: (person, random) => ({ ...person, street: street(random), city: pick(CITIES, random) }),
  "new e-mail": (person, random) => ({ ...person, email: address(random) }),
  date: (person) => ({ ...person, birthday: person.birthday?.replace(/(\d\d)-(\d\d)$/, "$2-$1") ?? null }),
  gaps: (person, random) => ({ ...person, ...(random(2) === 0 ? { phone: null, birthday: null } : { email: null, street: null }) }),
};

/** As people write it on a keyboard without these letters. */
function inLatin(text: string): string {
  const letters: Record<string, string> = { ä: "ae", ö: "oe", ü: "ue", ß: "ss", ø: "oe", å: "a", ł: "l" };
  return text
    .toLowerCase()
    .replace(/[äöüßøåł]/g, (letter) => letters[letter] as string)
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .normalize("NFC");
}

/** One letter is left out, doubled, swapped with the next, or another one. */
export function withSlip(word: string, random: Random): string {
  const letters = [...word];
  const at = 1 + random(Math.max(1, letters.length - 1));
  switch (random(4)) {
    case 0:
      return [...letters.slice(0, at), ...letters.slice(at + 1)].join("") || word;
    case 1:
      return [...letters.slice(0, at), letters[at - 1], ...letters.slice(at)].join("");
    case 2:
      return letters.length < 3
        ? `${word}${word}`
        : [...letters.slice(0, at - 1), letters[at] ?? "", letters[at - 1], ...letters.slice(at + 1)].join("");
    default:
      return [...letters.slice(0, at), letters[random(letters.length)], ...letters.slice(at + 1)].join("");
  }
}

function pick(list: readonly string[], random: Random): string {
  return list[random(list.length)] as string;
}

/** mulberry32: whole numbers from 0 up to but not including `below`, the same on every machine. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4_294_967_296) * below);
  };
}
