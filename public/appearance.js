// What was chosen in this browser, and whether someone is signed in, before anything is painted. See src/storage/settings.ts and src/api/session.ts.
const root = document.documentElement;
let wanted = "";
try {
  const { theme, density, language } = JSON.parse(localStorage.getItem("intake.settings") || "{}");
  if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  if (density === "compact") root.dataset.density = density;
  wanted = language;
  if (sessionStorage.getItem("intake.token")) root.dataset.kept = "";
} catch {
  // Nothing is kept, or it cannot be read: the page looks as usual.
}
const known = /^(en|de|pseudo)$/;
const tags = [wanted, ...navigator.languages.map((tag) => tag.split("-")[0])];
const chosen = tags.find((tag) => known.test(tag)) || "en";
root.lang = chosen === "pseudo" ? "en" : chosen;
if (chosen === "pseudo") root.dir = "rtl";
