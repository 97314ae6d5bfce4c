// Says what every page of the documentation is made of.

/** Makes a whole page. Its addresses begin at the root, because pages stand at several depths. */
export function htmlPage(title: string, body: string, language = "en"): string {
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title><link rel="stylesheet" href="/docs.css"></head><body>${body}</body></html>`;
}

/** Writes HTML of a text, in which words between backticks are code. */
export function prose(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, "<code>$1</code>");
}

export function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
