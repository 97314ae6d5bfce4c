// Begins each file of tests with the sentences of the code, whatever the one before it left: files of a worker share their modules.

import { setCatalogue } from "../../core/i18n/translate.ts";

setCatalogue();
