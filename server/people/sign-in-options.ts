// The fields that an app sends with each sign-in, whichever way it is.

import type { Schema } from "../http/json-schemas.ts";
import { flag, optional, text } from "../http/read-fields.ts";

export interface SignInOptions {
  /** The refresh token comes as a cookie. */
  cookie?: boolean | undefined;
  /** A random text that the app keeps in this browser. */
  browser?: string | undefined;
}

/** The fields of a body that say it. */
export const SIGN_IN_OPTIONS = { cookie: optional(flag), browser: optional(text("browser", 100)) };
export const COOKIE_FLAG: Schema = {
  type: "boolean",
  description: "The refresh token comes and goes as a cookie that no script can read.",
};
export const SIGN_IN_OPTION_SCHEMAS: Record<string, Schema> = {
  cookie: COOKIE_FLAG,
  browser: {
    type: "string",
    maxLength: 100,
    description: "A random text that the app keeps in this browser, so that the person is told of a sign-in with another one.",
  },
};
