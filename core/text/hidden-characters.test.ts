import { expect, test } from "vitest";
import { hasHidden } from "./hidden-characters.ts";

test.each([
  ["Arabic with a non-joiner", "می\u200cخواهم"],
  ["Sinhala with a joiner", "ශ්\u200dරී"],
  ["a family's form of a Chinese character", "葛\u{e0100}城"],
  ["a heart, which is two characters", "❤\ufe0f Favourites"],
  ["one picture of several", "👩\u200d💻 Developers"],
  ["a keycap", "1\ufe0f⃣ First"],
  ["a flag of tags", "🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}"],
  ["nothing hidden", "Zoë van 't Hoff"],
])("a name may have %s", (_, name) => {
  expect(hasHidden(name)).toBe(false);
});

test.each([
  ["zero width space", "\u200b"],
  ["non-joiner", "\u200c"],
  ["joiner", "\u200d"],
  ["word joiner", "\u2060"],
  ["byte order mark", "\ufeff"],
  ["soft hyphen", "\u00ad"],
  ["combining grapheme joiner", "\u034f"],
  ["direction mark", "\u200e"],
  ["Arabic letter mark", "\u061c"],
  ["Hangul filler", "\u3164"],
  ["variation selector", "\ufe0f"],
  ["tag", "\u{e0041}"],
  ["invisible plus", "\u2064"],
])("a name has no %s between Latin letters, nor at its end", (_, hidden) => {
  expect([hasHidden(`Admin${hidden}istrator`), hasHidden(`Administrator${hidden}`)]).toEqual([true, true]);
});
