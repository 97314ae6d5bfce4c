// Sentences of the shared code that ask a person at a browser to do something, as the command says them to an operator.

import type { Catalogue } from "../../core/i18n/translate.ts";

/** English sentence of the code → that of the command, with the same placeholders. A test finds those that are missing. */
const TEXTS: Catalogue["texts"] = {
  // These say what to do about a file as a whole.
  "Add rows below the heading, or choose another file.": "Ask the sender whether that is right.",
  "It has no heading and no rows. Choose another file.": "It has no heading and no rows. Ask the sender for the file.",
  "It has only blank lines. Choose another file.": "It has only blank lines. Ask the sender for the file.",
  "Delete them, then choose the file again.": "Delete them, then load the file again.",
  "There is nothing below the line you chose.": "There is nothing below the line of the heading.",
  "Choose another line as the heading.": "Name another line with --heading.",
  "It was changed, moved or deleted meanwhile. Choose it again.":
    "It was changed, moved or deleted meanwhile. Run this again once it is whole.",
  "Perhaps a sign-in page was saved. Download the list again as CSV.":
    "Perhaps a form to sign in was saved instead of the list. Get it again as CSV.",
  "Copy or download it again, then choose it.": "Copy it again, then load it.",
  "Choose a CSV file.": "Load a CSV file, or describe this one with --layout.",
  "It holds binary data, as pictures do. Choose a CSV file.":
    "It holds binary data, as pictures do. If an older system wrote it, describe it with --layout.",
  "Export the table from it as CSV, then choose that file.": "Export the table from it as CSV, then load that file.",
  "Open it in its program and save it as CSV (in Excel: “CSV UTF-8”), then choose that file.":
    "Open it in its program and save it as CSV (in Excel: “CSV UTF-8”), then load that file.",
  "A part of the app could not be loaded.": "A part of the program could not be loaded.",
  "It is needed to read this kind of file. Reload the page and choose the file again.":
    "It is needed to read this kind of file. Install the program again.",
  "You do not have the right to do this. Ask an administrator if you need it.": "The key has no right to do this.",
  // Encodings and quotation marks.
  "you chose it": "an option or the recipe says so",
  "Choose the encoding in which it was saved.": "Name the encoding in which it was saved with --encoding.",
  "If that is right, read the whole file that way; if not, save it again as UTF-8 (in Excel: “CSV UTF-8”).":
    "If that is right, add --encoding windows-1252; if not, save it again as UTF-8 (in Excel: “CSV UTF-8”).",
  "This row has bytes that are not UTF-8; they are shown as {sign}. Type the right text, or choose another encoding.":
    "This row has bytes that are not UTF-8; they are shown as {sign}. Correct the text, or name the encoding with --encoding.",
  "The quotation marks of this row can be read in two ways, or a separator is missing beside one. Correct the row, or choose another text quote.":
    "The quotation marks of this row can be read in two ways, or a separator is missing beside one. Correct the row, or say with a layout how texts are quoted.",
  // Workbooks and packed files.
  "Choose another file.": "Is it the right file?",
  "There is no file with rows in it. Choose another one.": "There is no file with rows in it. Is it the right file?",
  "Choose the workbook itself: the same name without what stands before it, such as “~$”.":
    "Load the workbook itself: the same name without what stands before it, such as “~$”.",
  "The step “Columns” of an upload can empty such cells.": "A recipe can have a rule that empties such cells.",
  "The step “Columns” of an upload can put the zeros back.": "A recipe can have a rule that puts the zeros back.",
  "Choose another one.": "Name another one with --entry.",
  "Choose another sheet.": "Name another one with --sheet.",
  "Choose another sheet or another file.": "Name another one with --sheet.",
  "Choose a spreadsheet or a CSV file.": "Load a spreadsheet or a CSV file.",
  "Open it in its program and save it as .xlsx or as CSV, then choose that file.":
    "Open it in its program and save it as .xlsx or as CSV, then load that file.",
  "Unpack it and choose the CSV file inside.": "Unpack it and load the CSV file inside.",
  "Save it again in its program, then choose it.": "Save it again in its program, then load it.",
  "Open it in its program, save it without a password, then choose that file.":
    "Open it in its program, save it without a password, then load that file.",
  "Unpack it and choose the file with the rows.": "Unpack it and load the file with the rows.",
  "Pack it again with the usual “Deflate”, or unpack it and choose the file with the rows.":
    "Pack it again with the usual “Deflate”, or unpack it and load the file with the rows.",
  "Its texts or styles have more than {n} million characters. Save the sheet as CSV, which has no limit, then choose that file.":
    "Its texts or styles have more than {n} million characters. Save the sheet as CSV, which has no limit, then load that file.",
  "A cell may have {n} characters, as in Excel. Shorten it, save the workbook, then choose it again.":
    "A cell may have {n} characters, as in Excel. Shorten it, save the workbook, then load it again.",
  "Its sheets or cell styles are more or longer than a program writes. Copy the sheet with the rows into a new workbook, then choose that one.":
    "Its sheets or cell styles are more or longer than a program writes. Copy the sheet with the rows into a new workbook, then load that one.",
  "A sheet may have {rows} rows and {columns} columns, as in Excel. Save it as CSV, which has no limit, then choose that file.":
    "A sheet may have {rows} rows and {columns} columns, as in Excel. Save it as CSV, which has no limit, then load that file.",
  // Runs.
  "This upload cannot go on here.": "This run cannot go on here.",
  // Records.
  "You left this row out.": "Left out, as the recipe or --suspect-rows says.",
  "{title} has lost its last digits in a spreadsheet. Export the column as text, or type the number.":
    "{title} has lost its last digits in a spreadsheet. Ask for an export with this column as text, or write the number.",
  "{title} holds the error {cell} of a spreadsheet. Correct the formula there, or type the value.":
    "{title} holds the error {cell} of a spreadsheet. Correct the formula there, or write the value.",
  "The service refused this row.": "The service refused this record.",
  // Runs.
  "You paused this upload.": "The run is paused.",
  "The service cannot be reached. Check the connection; nothing you typed is lost.": "The service cannot be reached.",
  "Nobody is signed in any more.": "The service does not accept the API key any more.",
  "An internal error stopped the upload.": "An internal error stopped the run.",
  "The upload ended before this row was sent.": "The run ended before this record was sent.",
  "Not sent: the upload was cancelled.": "Not sent: the command was asked to stop.",
  "Not sent: the upload was stopped.": "Not sent: the run was stopped.",
};

export const COMMAND_WORDS: Catalogue = { language: "en", texts: TEXTS };
