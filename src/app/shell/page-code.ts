// The code of the pages that are not part of the first load, by their routes.

import { once } from "../code/once.ts";
import type { RoutePath } from "../router/paths.ts";

function rare<Page>(load: (pages: typeof import("./rare-pages.ts")) => Promise<Page>) {
  return once(() => import("./rare-pages.ts").then(load));
}

export const PAGE_CODE = {
  "/": once(() => import("../../home/home-page.tsx")),
  "/uploads": once(() => import("../../upload/pages/uploads-page.tsx")),
  "/uploads/$upload": once(() => import("../../upload/pages/past-upload-page.tsx")),
  "/settings": once(() => import("../../settings/settings-page.tsx")),
  "/settings/$page": rare(({ administration }) => administration()),
  "/activity": once(() => import("../../activity/activity-page.tsx")),
  "/recipes": once(() => import("../../upload/pages/recipes-page.tsx")),
  "/about": once(() => import("../../settings/about-page.tsx")),
  "/$collection/new": once(() => import("../../records/record/new-record.tsx")),
  "/$collection/upload": once(() => import("../../upload/pages/upload-page.tsx")),
  "/$collection/dictionary": once(() => import("../../settings/dictionary/dictionary-page.tsx")),
  "/$collection/deleted": once(() => import("../../records/deleted/deleted-page.tsx")),
  "/$collection/merge": rare(({ merge }) => merge()),
  "/$collection/duplicates": rare(({ duplicates }) => duplicates()),
  "/$collection/$id": once(() => import("../../records/record/record-page.tsx")),
} satisfies Partial<Record<RoutePath, () => Promise<unknown>>>;

export const signInPage = once(() => import("../../people/sign-in/sign-in-page.tsx"));
