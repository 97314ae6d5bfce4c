// The page /docs of the service with its script: tabs, search (also in the text), and requests with the reader's own key. It reads without it.
const LANGUAGE = "intake.docs.language";

/** An element with properties and children. Text is text: nothing is parsed as HTML. */
function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in element) element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

// Tabs: one choice of language for all samples.

function showLanguage(language) {
  for (const sample of document.querySelectorAll("[data-language]")) sample.hidden = sample.dataset.language !== language;
  for (const tab of document.querySelectorAll("[role=tab]")) {
    const isShown = tab.dataset.tab === language;
    tab.setAttribute("aria-selected", String(isShown));
    tab.tabIndex = isShown ? 0 : -1;
  }
  try {
    localStorage.setItem(LANGUAGE, language);
  } catch {
    // The choice then ends with the page.
  }
}

function moveBetween(tabs, event) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  const next = tabs[(tabs.indexOf(event.target) + step + tabs.length) % tabs.length];
  showLanguage(next.dataset.tab);
  next.focus();
}

async function copy(button, samples) {
  await navigator.clipboard.writeText(samples.querySelector("[data-language]:not([hidden]) code").textContent);
  button.textContent = "Copied";
  setTimeout(() => {
    button.textContent = "Copy";
  }, 2_000);
}

function addTabs(samples) {
  const panels = [...samples.querySelectorAll("[data-language]")];
  const tabs = panels.map((panel) => {
    const { language } = panel.dataset;
    const caption = panel.querySelector(".caption");
    caption.hidden = true;
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-label", caption.textContent);
    return make("button", {
      type: "button",
      role: "tab",
      "data-tab": language,
      textContent: caption.textContent,
      onclick: () => showLanguage(language),
    });
  });
  const list = make(
    "div",
    { className: "tabs", role: "tablist", "aria-label": "Language", onkeydown: (event) => moveBetween(tabs, event) },
    ...tabs,
  );
  const button = make("button", { type: "button", className: "copy", textContent: "Copy" });
  button.onclick = () => copy(button, samples);
  samples.prepend(make("div", { className: "tabs" }, list, button));
}

function chosenLanguage() {
  let chosen = "curl";
  try {
    chosen = localStorage.getItem(LANGUAGE) ?? chosen;
  } catch {
    // Nothing can be stored: curl.
  }
  return ["curl", "typescript", "python"].includes(chosen) ? chosen : "curl";
}

// Search: the contents show what fits; Enter leads to the first.

let links = [];
let texts = new Map(); // of what each link leads to, made at the first search
let groups = [];
const search = make("input", { type: "search", placeholder: "Search  /", "aria-label": "Search the documentation" });
const found = make("span", { role: "status", className: "found" });

function readContents() {
  links = [...document.querySelectorAll("nav a")];
  texts = new Map();
  const all = [...document.querySelectorAll("nav details")];
  // On a phone the contents would be longer than the page.
  if (matchMedia("(max-width: 52rem)").matches) for (const group of all) group.open = false;
  groups = all.map((group) => ({ group, wasOpen: group.open }));
}

function textOf(link) {
  const known = texts.get(link) ?? document.getElementById(link.hash.slice(1))?.textContent.toLowerCase() ?? "";
  texts.set(link, known);
  return known;
}

function find() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const isIn = (text) => words.every((word) => text.includes(word));
  let count = 0;
  for (const link of links) {
    const isNamed = isIn(link.dataset.search);
    const fits = isNamed || isIn(textOf(link));
    link.toggleAttribute("data-named", isNamed);
    link.parentElement.hidden = !fits;
    if (fits) count++;
  }
  for (const { group, wasOpen } of groups) {
    group.hidden = !group.querySelector("li:not([hidden])");
    group.open = words.length > 0 || wasOpen;
  }
  found.textContent = words.length > 0 && count === 0 ? "Nothing found" : "";
}

search.oninput = find;
search.onkeydown = (event) => {
  if (event.key === "Enter") (document.querySelector("nav a[data-named]") ?? document.querySelector("nav li:not([hidden]) a"))?.click();
  if (event.key !== "Escape") return;
  search.value = "";
  find();
};
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.target.matches("input, textarea")) return;
  event.preventDefault();
  search.focus();
});

// The key stays in this page's memory and goes to this service only.

const key = make("input", {
  type: "password",
  placeholder: "Your API key: see and try all of it",
  autocomplete: "off",
  "aria-label": "Your API key",
});
document.querySelector("header .tools")?.append(found, search, key);

/** The address with the values of the form. */
function addressOf(path, form) {
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(form.elements[name].value));
  const query = form.elements.query.value.trim().replace(/^\?/, "");
  return query ? `${filled}?${query}` : filled;
}

async function send(form, method, path, output) {
  const headers = { ...(key.value && { Authorization: `Bearer ${key.value.trim()}` }) };
  for (const { dataset, value } of form.querySelectorAll("[data-header]")) if (value.trim()) headers[dataset.header] = value.trim();
  const body = form.elements.body?.value;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  output.replaceChildren("Sending …");
  const began = performance.now();
  try {
    const reply = await fetch(addressOf(path, form), { method, headers, body, cache: "no-store" });
    const text = await reply.text();
    const time = `${Math.round(performance.now() - began)} ms`;
    const status = make("span", { className: reply.ok ? "good" : "bad", textContent: `${reply.status} ${reply.statusText}` });
    const fields = ["location", "etag", "link", "retry-after"].flatMap((name) =>
      reply.headers.has(name) ? [`${name}: ${reply.headers.get(name)}`] : [],
    );
    const shown = [...fields, ...(fields.length > 0 ? [""] : []), pretty(text)].join("\n");
    output.replaceChildren(make("p", {}, status, ` · ${time}`), make("pre", { tabIndex: 0 }, make("code", { textContent: shown })));
  } catch {
    output.replaceChildren(make("p", { className: "bad", textContent: "No answer came. Is the service running?" }));
  }
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text.length > 20_000 ? `${text.slice(0, 20_000)}\n…` : text;
  }
}

function formFor(section) {
  const [method, path] = section.dataset.try.split(" ");
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const output = make("output");
  const field = (label, input) => make("label", {}, label, input);
  const inputs = names.map((name) => field(name, make("input", { name, required: true, autocomplete: "off" })));
  const query = field("Parameters", make("input", { name: "query", placeholder: "limit=10&sort=-createdAt", autocomplete: "off" }));
  const headers = (section.dataset.headers?.split(" ") ?? []).map((name) =>
    field(name, make("input", { "data-header": name, autocomplete: "off" })),
  );
  const body =
    section.dataset.body === undefined
      ? []
      : [field("Body", make("textarea", { name: "body", value: section.dataset.body, spellcheck: false }))];
  const writes = method === "GET" ? [] : [make("span", { textContent: "This writes to the service for real." })];
  const button = make("button", { className: "primary", textContent: `Send ${method}` });
  const form = make(
    "form",
    { className: "try" },
    ...inputs,
    query,
    ...headers,
    ...body,
    make("div", { className: "row" }, button, ...writes),
    output,
  );
  form.onsubmit = (event) => {
    event.preventDefault();
    send(form, method, path, output);
  };
  return form;
}

function addForm(section) {
  const button = make("button", { type: "button", textContent: "Try it out", "aria-expanded": "false" });
  let form;
  button.onclick = () => {
    if (form) form.hidden = !form.hidden;
    else {
      form = formFor(section);
      section.append(form);
    }
    button.setAttribute("aria-expanded", String(!form.hidden));
    if (!form.hidden) form.querySelector("input, textarea").focus();
  };
  section.querySelector("h3").append(button);
}

// Where the reader is.

const watcher = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      for (const link of links) link.removeAttribute("aria-current");
      links.find((link) => link.hash.slice(1) === target.id)?.setAttribute("aria-current", "location");
    }
  },
  { rootMargin: "-15% 0px -80% 0px" },
);

/** Adds to the page what needs the script: to the one that came, and to the one that a key brings. */
function setUp() {
  for (const samples of document.querySelectorAll(".samples")) addTabs(samples);
  showLanguage(chosenLanguage());
  for (const section of document.querySelectorAll("[data-try]")) addForm(section);
  watcher.disconnect();
  for (const section of document.querySelectorAll("main section[id]")) watcher.observe(section);
  readContents();
  find();
}

// The page names only the collections that the reader may see. Without a key that is none.

const policy = globalThis.trustedTypes?.createPolicy("docs", { createHTML: (html) => html }); // for this service's own page alone
let asked = 0;

async function showFor(secret) {
  const turn = ++asked;
  const headers = { Accept: "text/html", ...(secret && { Authorization: `Bearer ${secret}` }) };
  const reply = await fetch("/docs", { headers, cache: "no-store" }).catch(() => undefined);
  const html = reply?.ok ? await reply.text() : undefined;
  if (turn !== asked) return; // another key was typed meanwhile
  found.textContent = html === undefined ? "This key is not known here, or no answer came" : "";
  if (html === undefined) return;
  const page = new DOMParser().parseFromString(policy ? policy.createHTML(html) : html, "text/html");
  for (const part of ["nav", "main"]) document.querySelector(part).replaceWith(document.adoptNode(page.querySelector(part)));
  setUp();
}

key.onchange = () => showFor(key.value.trim());
setUp();
