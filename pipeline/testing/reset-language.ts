// Begins each file of tests in English, because those of one worker share their modules.

import { setCatalogue } from "../../core/i18n/translate.ts";

setCatalogue();
