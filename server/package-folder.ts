import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of package.json. It is not at the same distance from the source as from what the build makes of it. */
export const PACKAGE_FOLDER = findPackageFolder(dirname(fileURLToPath(import.meta.url)));

/** The dictionary that comes with Intake. */
export const DEFAULT_DICTIONARY = join(PACKAGE_FOLDER, "core", "dictionary", "datapackage.json");

/** `npm run build` puts the browser app here. */
export const BUILT_APP = join(PACKAGE_FOLDER, "dist", "app");

function findPackageFolder(folder: string): string {
  return existsSync(join(folder, "package.json")) ? folder : findPackageFolder(dirname(folder));
}
