// Signing in, as a page and over a page. Loaded when it is needed: who is signed in already does not wait for it.

import { lazyPart } from "../code/lazy-page.tsx";
import { signInPage } from "./page-code.ts";

export const SignInPage = lazyPart(signInPage, "SignInPage", (waiting) => <main className="starting">{waiting}</main>);

// It loads outside of a dialog: the real one has to find the focus where the user was.
export const SignInDialog = lazyPart(signInPage, "SignInDialog");

// It is loaded when it is asked: few sessions are old when somebody gives lasting access.
export const ProofDialog = lazyPart(() => import("../../people/sign-in/proof-dialog.tsx"), "ProofDialog");

export const WelcomePage = lazyPart(
  () => import("../../people/sign-in/welcome-page.tsx"),
  "WelcomePage",
  (waiting) => <main className="starting">{waiting}</main>,
);
