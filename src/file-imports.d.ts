// Describes imports of files that are not code, as Vite builds them: vite/client knows no named exports of CSS modules.

declare module "*.module.css" {
  /** They stand by class name. src/ui/styles/styles.test.ts finds a name that the file does not have. */
  const classes: Readonly<Record<string, string>>;
  namespace classes {}
  export = classes;
}

declare module "*.css" {}

declare module "*?worker&url" {
  const url: string;
  // biome-ignore lint/style/noDefaultExport: the bundler's form
  export default url;
}
