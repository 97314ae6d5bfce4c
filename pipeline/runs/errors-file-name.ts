/** Names the file with the rows of `fileName` that were not stored. */
export function errorsFileName(fileName: string): string {
  return `${fileName.replace(/\.[^.]*$/, "")}-not-stored.csv`;
}
