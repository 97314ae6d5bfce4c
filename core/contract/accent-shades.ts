// The shades of an accent colour that can be read on light and on dark pages (WCAG 2.2, success criterion 1.4.3).

/** Both are `#` and six hexadecimal digits. */
export interface Shades {
  light: string;
  dark: string;
}

type Rgb = readonly [number, number, number];

const NEEDED = 4.5; // to 1
const STEP = 0.02; // of the way to black or white
const BLACK: Rgb = [0, 0, 0];
const WHITE: Rgb = [255, 255, 255];
/** Surfaces of src/ui/styles/tokens.css on which the accent stands: cards, and a row under the pointer; and the text on it in the dark. */
const LIGHT = ["#ffffff", "#f1efe8"].map(toRgb);
const DARK = ["#1d2024", "#23272c", "#10203c"].map(toRgb);
/** Says how much of the accent its own wash has (src/ui/accent.ts). */
const WASH = { light: 0.08, dark: 0.18 };

/** Returns the colour itself where it can be read, and otherwise the nearest one on its way to black or white. `accent`: `#` and six digits. */
export function shadesOf(accent: string): Shades {
  const [card = WHITE] = LIGHT;
  const [darkCard = BLACK] = DARK;
  return {
    light: nearest(toRgb(accent), BLACK, (one) => [...LIGHT, mix(card, one, WASH.light)]),
    dark: nearest(toRgb(accent), WHITE, (one) => [...DARK, mix(darkCard, one, WASH.dark)]),
  };
}

/** Returns the contrast of two colours by WCAG's formula, 1 to 21. */
export function contrast(one: string, other: string): number {
  return contrastOf(toRgb(one), toRgb(other));
}

function nearest(colour: Rgb, end: Rgb, surfaces: (one: Rgb) => readonly Rgb[]): string {
  for (let share = 0; share < 1; share += STEP) {
    const one = mix(colour, end, share);
    if (surfaces(one).every((surface) => contrastOf(one, surface) >= NEEDED)) return toHex(one);
  }
  return toHex(end);
}

function contrastOf(one: Rgb, other: Rgb): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

function luminance(colour: Rgb): number {
  const [r = 0, g = 0, b = 0] = colour.map((part) => {
    const c = part / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function mix(from: Rgb, to: Rgb, share: number): Rgb {
  const part = (at: 0 | 1 | 2) => Math.round(from[at] + (to[at] - from[at]) * share);
  return [part(0), part(1), part(2)];
}

function toRgb(hex: string): Rgb {
  const part = (at: number) => Number.parseInt(hex.slice(at, at + 2), 16);
  return [part(1), part(3), part(5)];
}

function toHex(colour: Rgb): string {
  return `#${colour.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}
