// The checker without its native parts, which the package has no types for.
declare module "recheck/lib/browser.js" {
  export { checkSync } from "recheck";
}
