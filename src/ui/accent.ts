// Shows the organisation's colour and picture on the page. public/appearance.js does the first before the first paint.

import type { Shades } from "../../core/contract/accent-shades.ts";

/** Sets the tokens of the accent, or takes them back. The content security policy allows no style in HTML, but this. `root`: has the tokens. */
export function showAccent(shades: Shades | null, root: HTMLElement = document.documentElement): void {
  const tokens = {
    "--accent": `light-dark(${shades?.light}, ${shades?.dark})`,
    "--accent-2": "color-mix(in srgb, var(--accent), light-dark(#000, #fff) 20%)",
    "--wash": "light-dark(color-mix(in srgb, var(--accent) 8%, var(--card)), color-mix(in srgb, var(--accent) 18%, var(--card)))",
  };
  for (const [name, value] of Object.entries(tokens)) {
    if (shades) root.style.setProperty(name, value);
    else root.style.removeProperty(name);
  }
}

/** Puts the picture on the browser's tab; undefined: the app's own. */
export function showFavicon(logo: string | undefined): void {
  const link = document.querySelector<HTMLLinkElement>("link[rel=icon]");
  if (link) link.href = logo ?? new URL("icon.svg", document.baseURI).href;
}
