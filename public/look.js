// The colours and the room that were chosen in this browser, before anything is painted. What app and page share is src/ui/settings.ts.
try {
  const { theme, density } = JSON.parse(localStorage.getItem("intake.settings") || "{}");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  if (density === "compact") document.documentElement.dataset.density = density;
} catch {
  // Nothing is kept, or it cannot be read: the page looks as usual.
}
