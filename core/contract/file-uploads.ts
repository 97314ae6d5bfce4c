// Files of records that come in several requests, as tus 1.0 has it (https://tus.io/protocols/resumable-upload).

export const TUS_VERSION = "1.0.0";
/** The media type of what is added to a file. */
export const PIECE_TYPE = "application/offset+octet-stream";
/** Says how long a file of which nothing new comes may be gone on with. */
export const UPLOAD_HOURS = 24;
/** Bounds how many of one person may be under way. */
export const MOST_UPLOADS = 50;
