// Names the sort of field that holds people, for pages about the dictionary.

import { message } from "../i18n/translate.ts";

export const PERSON_TITLE = message("Person");
