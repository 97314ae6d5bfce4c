// Does what is alike for a file that comes in one request and for one that comes in several.

import type { ServerResponse } from "node:http";
import type { FastifyRequest } from "fastify";
import type { WireRecord } from "../../core/contract/records.ts";
import type { Collection } from "../../core/dictionary/collections.ts";
import type { Field } from "../../core/dictionary/fields.ts";
import { type FileRules, type FileValue, isAcceptedType, writeFileValue } from "../../core/dictionary/files.ts";
import { type Fields, readOnlyProblem } from "../../core/dictionary/validate.ts";
import type { FileItems } from "../engine/file-items.ts";
import type { Awaitable } from "../engine/script/awaitable.ts";
import { type Store, StoreInDoubt } from "../engine/store.ts";
import { httpErrors } from "../http/errors.ts";
import { ifMatch } from "../http/preconditions.ts";
import { acknowledge, readParameters, text } from "../http/query-parameters.ts";
import type { Sent } from "../http/send-answer.ts";
import type { Session } from "../people/auth/access-tokens.ts";
import type { WatchRights } from "../people/auth/standing-rights.ts";
import { recordIdOf, recordNotFound } from "../records/record-id.ts";
import { mergedInto, toDetails } from "../records/store-errors.ts";
import type { WriteOne } from "../records/write-one.ts";
import type { Content, Kept, Received } from "./content.ts";
import { cleanFileName } from "./file-name.ts";
import { mediaTypeOf } from "./media-type.ts";
import { keepBody, receiveBody } from "./receive-body.ts";

export type FileField = Field & { file: FileRules };

/** Content in its place, which must be released, and what the record is to say of it. */
export interface Incoming {
  kept: Kept;
  /** The rights are those with which the body began. */
  isAllowed: () => Awaitable<boolean>;
  value: FileValue;
}

export interface FileParts {
  collection: Collection;
  field: FileField;
  store: Store;
  /** Is undefined where the service keeps no files. */
  content: Content | undefined;
  watchRights: WatchRights;
}

export const LONGEST_SENT_NAME = 1_000; // characters, with its path
export const NAME_PARAMETER = { ...text(LONGEST_SENT_NAME), meaning: "The name of the file, under which it is saved later." };

/** `several`: those that hold several files, or those that hold one. */
export function fileFieldsOf(collection: Collection, several: boolean): FileField[] {
  const isFile = (field: Field): field is FileField => field.file !== undefined && (field.item !== undefined) === several;
  return collection.fields.filter(isFile);
}

export function requireContent(content: Content | undefined): Content {
  if (!content) throw httpErrors.noFilesHere();
  return content;
}

export const tooLarge = ({ title, file }: FileField) => httpErrors.tooLarge(`${title} may have at most ${file.maxSize} bytes.`);

/** Throws before a body is read what would refuse it afterwards. `asksVersion`: If-Match counts. */
export async function requireWritable(
  { collection, field, store }: Pick<FileParts, "collection" | "field" | "store">,
  request: FastifyRequest,
  asksVersion = true,
): Promise<WireRecord> {
  const id = recordIdOf(collection, request);
  const record = await store.read(collection, id);
  if (!record) {
    const survivor = (await store.merges.findSurvivors(collection.name, [id])).get(id);
    throw survivor === undefined ? recordNotFound(collection) : mergedInto(collection, survivor);
  }
  if (field.readOnly) throw httpErrors.validation(toDetails([readOnlyProblem(field)], ""));
  const { ifMatch: versions } = ifMatch(request, id);
  if (asksVersion && versions && versions !== "any" && !versions.includes(record.version)) throw httpErrors.preconditionFailed();
  return record;
}

interface Receiving {
  request: FastifyRequest;
  session: Session;
  response: ServerResponse;
}

/** Receives the body of one request as content that the field takes. `name`: as it was sent. */
export async function receiveFile(parts: FileParts, name: string, { request, session, response }: Receiving): Promise<Incoming> {
  const { field, content } = parts;
  const place = requireContent(content);
  await requireWritable(parts, request);
  const isAllowed = await parts.watchRights(session);
  const received = await receiveBody(place, request, response, { bytes: field.file.maxSize, tooLarge: () => tooLarge(field) });
  return takeContent(parts, received, name, { request, session, isAllowed });
}

/** Gives content its place, if the field takes its type and the scanner does not refuse it. Otherwise nothing is left of it. */
export async function takeContent(
  { collection, field }: Pick<FileParts, "collection" | "field">,
  received: Received,
  name: string,
  { request, session, isAllowed }: { request: FastifyRequest; session: Session; isAllowed: Incoming["isAllowed"] },
): Promise<Incoming> {
  const { file, title } = field;
  const type = mediaTypeOf(received.head, name);
  if (!isAcceptedType(file, type)) {
    await received.drop();
    throw httpErrors.fileRefused(title, file.accept, type);
  }
  const { hash, size } = received;
  const kept = await keepBody(received, request, session, `${collection.name}/${recordIdOf(collection, request)}`);
  return { kept, isAllowed, value: { name: cleanFileName(name, field.name), type, size, hash } };
}

/** Has the record name the content, and answers with it. `mayBeThere`: then If-Match does not count where the record has it already. */
export async function writeFile(
  { collection, field, store }: Pick<FileParts, "collection" | "field" | "store">,
  write: WriteOne,
  { kept, value, isAllowed }: Incoming,
  { request, session, mayBeThere = false }: { request: FastifyRequest; session: Session; mayBeThere?: boolean },
): Promise<Sent> {
  // Where nobody knows whether it is written, the content must stay: the next sweep decides.
  let isKnown = true;
  try {
    // A body may take hours. Whoever may do something else by now asks again, and is judged by that.
    if (!(await isAllowed())) throw httpErrors.unavailable();
    const given = readParameters(request.query, { name: NAME_PARAMETER, acknowledge });
    const id = recordIdOf(collection, request);
    const record = mayBeThere ? await store.read(collection, id) : undefined;
    const anyVersion = [record?.[field.name]].flat().includes(writeFileValue(value)); // of one file, or of several
    const confirmed = given.acknowledge && { acknowledge: given.acknowledge };
    const versions = anyVersion ? {} : ifMatch(request, id);
    const op = { verb: "patch", id, ...givenBy(field, value), ...versions, ...confirmed } as const;
    return await write(request, session, () => ({ op, pointer: "" }));
  } catch (error) {
    isKnown = !(error instanceof StoreInDoubt);
    throw error;
  } finally {
    if (isKnown) await kept.release();
  }
}

/** Puts the file in the place of the one that is there, or beside those that are. */
function givenBy({ name, item }: FileField, value: FileValue): { given: Fields; files?: FileItems } {
  const text = writeFileValue(value);
  return item ? { given: {}, files: { field: name, add: text } } : { given: { [name]: text } };
}
