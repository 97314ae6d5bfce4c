// What this browser's user chose, and whether someone is signed in, before the first paint. See src/browser/settings.ts and src/service/session.ts.
const root = document.documentElement;
let wanted = "";
try {
  const { theme, density, language, sidebar } = JSON.parse(localStorage.getItem("intake.settings") || "{}");
  if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  if (density === "compact") root.dataset.density = density;
  if (sidebar === "folded") root.dataset.sidebar = sidebar;
  wanted = language;
  const hasCookie = Object.keys(localStorage).some((name) => name.startsWith("intake.cookie ") && localStorage.getItem(name) === "1");
  if (hasCookie || sessionStorage.getItem("intake.token") || sessionStorage.getItem("intake.refresh")) root.dataset.signedIn = "";
  // As src/ui/accent.ts does.
  const organisation = JSON.parse(localStorage.getItem(`intake.organisation ${new URL(document.baseURI).pathname}`) || "{}");
  if (organisation.name) root.dataset.named = "";
  if (organisation.shades) root.style.setProperty("--accent", `light-dark(${organisation.shades.light}, ${organisation.shades.dark})`);
} catch {
  // Nothing is stored, or it cannot be read: the page looks as usual.
}
// The build writes both lists from core/i18n/languages.ts into index.html.
const { languages, rtl } = root.dataset;
const tags = [wanted, ...navigator.languages.map((tag) => tag.split("-")[0])];
const chosen = tags.find((tag) => languages.split(" ").includes(tag)) || "en";
root.lang = chosen === "pseudo" ? "en" : chosen;
if (rtl.split(" ").includes(chosen)) root.dir = "rtl";
// Once the whole page is parsed. Its words are not painted in the first half second (src/ui/styles/start.css).
document.addEventListener(
  "readystatechange",
  () => {
    for (const text of document.querySelectorAll(".starting [lang]")) text.hidden = text.lang !== root.lang;
  },
  { once: true },
);
// The first formats of a page, whichever they are, take a slow phone a tenth of a second. Here the page only waits for its styles.
setTimeout(() => [new Intl.NumberFormat(), new Intl.DateTimeFormat()]);
