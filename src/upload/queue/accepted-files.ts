/** Lists what a file input offers. Other files can be chosen all the same: their beginning decides what they are. */
export const ACCEPTED_FILES =
  ".csv,.tsv,.txt,.jsonl,.ndjson,.xlsx,.xlsm,.ods,.gz,.zip,text/csv,text/tab-separated-values,text/plain,application/jsonl,application/x-ndjson,application/zip,application/gzip," +
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet,application/vnd.oasis.opendocument.spreadsheet";
