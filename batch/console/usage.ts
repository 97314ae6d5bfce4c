// The text that --help prints.

import { COMMAND_LINE } from "./command-line.ts";

export const USAGE = `${COMMAND_LINE} run FILE          check the whole file, then store its records
${COMMAND_LINE} validate FILE     check the file, store nothing
${COMMAND_LINE} show FILE         print the first records as they are read, store nothing
${COMMAND_LINE} resume FILE|RUN   continue a run that stopped midway
${COMMAND_LINE} undo FILE|RUN     take back what a run stored
${COMMAND_LINE} status [WHAT]     list the known runs: of a file, a folder or an id
${COMMAND_LINE} watch DIR         load every file that comes into a folder
${COMMAND_LINE} export [COLLECTION] FILE   write the records of a layout as an older system reads them; without one FILE.jsonl
${COMMAND_LINE} missing FILE LIST.jsonl   list the records that the service has and the file has not; delete them if asked
${COMMAND_LINE} layout new [FILE] | layout sample LAYOUT [FILE] | layout check LAYOUT
${COMMAND_LINE} layout from COPYBOOK [FILE]        draft a layout from a copybook of COBOL
${COMMAND_LINE} layout save LAYOUT --recipe NAME   keep a layout at the service, as a recipe
${COMMAND_LINE} mcp               serve assistants (Model Context Protocol)

  --collection NAME              the collection, such as customers; needed when the service has several
  --mode create|update|upsert    what to do with each record (default: create)
  --match-by FIELDS              the unique fields that say which record a row means, with commas between (default: the key)
  --empty-cells keep|clear       what an empty cell does to a stored value (default: keep)
  --layout FILE                  the layout that describes the file
  --sheet NAME                   of a workbook: the sheet with the records (default: the one with the most headings)
  --entry NAME                   of a ZIP file with several tables: the file in it
  --heading N                    the line or row of the heading; 0: there is none
  --recipe NAME                  the recipe of the service by which the file is read, matched and corrected
  --max-rejects N|none           how many records may be refused (default: 0)
  --max-rows N|none              how many rows a file may have (watch: 10000000, else none)
  --max-bytes N|none             how many bytes it may unpack to (watch: 10737418240, which is 10 GiB; else none)
  --dry-run                      ask the service what would happen, store nothing
  --rehearse                     ask the service first, then store
  --again                        load a file even if it was loaded before, or is of another day
  --out DIR                      where to write rejects and reports (default: beside the file)
  --state DIR                    where to keep the runs (default: .intake beside the file)
  --config FILE                  a JSON object with url and key, instead of INTAKE_URL and INTAKE_KEY
  --json                         write progress as JSON, one object a line
  --settle SECONDS               watch: how long a file must not change before it is loaded (default: 10)
  --order name|mtime             watch: load files by name or by time (default: name)
  --done                         watch: take only files with a marker (NAME.done, NAME.ok) or checksum (NAME.sha256, NAME.md5)
  --rules FILE                   watch: which files are read by which layout, recipe or collection; status: which are late
  --once                         watch: stop when the folder is empty
  --keep-days N                  delete reports after so many days; watch: with the files that were put away
  --on-end COMMAND               run, resume, watch: run this after each file, with the outcome in its environment
  --mail-to ADDRESS              run, resume, watch: mail the outcome of each file, by SMTP_URL and MAIL_FROM
  --decrypt COMMAND              read each file through this command, such as "gpg --batch --decrypt"
  --encoding NAME                the encoding of the file, such as windows-1250 (default: found out; layout new: utf-8)
  --separator TEXT               what separates the cells: one to eight characters, or tab (default: found out)
  --records N                    show: how many records (default: 5)
  --dictionary FILE              layout from: draft a new collection there, instead of matching one of the service
  --record NAME                  layout from: the record with the data, where the copybook has several
  --changes-since CURSOR         export: only what changed since an earlier export
  --sequence N                   export: the sequence in the header
  --where FILTER                 missing: only stored records of this filter, such as "city=Bonn"
  --delete N                     missing: delete them, if they are at most so many
  --http PORT|HOST:PORT          mcp: serve over HTTP, each caller with their own key, instead of standard input and output
  --allow-hosts NAMES            mcp: the host names by which callers reach it, besides this machine's own, with commas between
  --suspect-rows WHAT            refuse, leave-out or load rows that look like no data, such as totals (default: refuse)
  --acknowledge NAMES            load rows of which these rules warn, with commas between the names, or all
  --on-duplicate warn|error      count, or refuse, new records that look like stored ones
  --create-parents               create records to which the file refers and that are not there, with its columns for them

--version prints the version. For more see docs/batch.md.`;
