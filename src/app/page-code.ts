// The code of the pages that are not part of the first load, by their routes.

import { once } from "../navigation/once.ts";
import type { RoutePath } from "../router/paths.ts";

export const PAGE_CODE = {
  "/uploads": once(() => import("../features/upload/uploads-page.tsx")),
  "/uploads/$upload": once(() => import("../features/upload/past-upload-page.tsx")),
  "/settings": once(() => import("../features/settings/settings-page.tsx")),
  "/settings/$page": once(() => import("../features/settings/administration.tsx")),
  "/activity": once(() => import("../features/activity/activity-page.tsx")),
  "/recipes": once(() => import("../features/upload/recipes-page.tsx")),
  "/about": once(() => import("../features/settings/about-page.tsx")),
  "/$collection/new": once(() => import("../features/record/new-record.tsx")),
  "/$collection/upload": once(() => import("../features/upload/upload-page.tsx")),
  "/$collection/dictionary": once(() => import("../features/dictionary/dictionary-page.tsx")),
  "/$collection/deleted": once(() => import("../features/deleted/deleted-page.tsx")),
  "/$collection/$id": once(() => import("../features/record/record-page.tsx")),
} satisfies Partial<Record<RoutePath, () => Promise<unknown>>>;

export const signInPage = once(() => import("../features/auth/sign-in-page.tsx"));
