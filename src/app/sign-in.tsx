// Signing in, as a page and over a page. Loaded when it is needed: who is signed in already does not wait for it.

import { lazyPart } from "../navigation/lazy-page.tsx";

const load = () => import("../features/auth/sign-in-page.tsx");

export const SignInPage = lazyPart(load, "SignInPage", (waiting) => <main className="starting">{waiting}</main>);

// Not in a dialog while it loads: the real one has to find the focus where the user was.
export const SignInDialog = lazyPart(load, "SignInDialog");

export const WelcomePage = lazyPart(
  () => import("../features/auth/welcome-page.tsx"),
  "WelcomePage",
  (waiting) => <main className="starting">{waiting}</main>,
);
