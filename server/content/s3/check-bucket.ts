// Asks at the start whether the bucket can be read and written, and what a mistake in its settings would be.

import { randomUUID } from "node:crypto";
import { StoreUnavailable } from "../../engine/store.ts";
import { type S3Client, S3Error } from "./s3-client.ts";
import { INCOMING, listKeys } from "./s3-keys.ts";
import { UnusableBucket } from "./s3-place.ts";
import { removeKey } from "./s3-removal.ts";

/** Throws UnusableBucket. */
export async function checkBucket(client: S3Client): Promise<void> {
  const { place } = client;
  try {
    for await (const _ of listKeys(client, "")) break;
    if (await keepsVersions(client)) throw new S3Error("The bucket keeps versions", { code: "Versioned" });
    const key = `${INCOMING}${randomUUID()}`;
    await client.read({ method: "PUT", key });
    await removeKey(client, key);
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    throw new UnusableBucket(`FILES=s3://${place.bucket}/${place.prefix} cannot be used: ${sentenceOf(error, place.url)}`, {
      cause: error,
    });
  }
}

/** Is true also of a bucket that keeps them no more: those from before are still there. Servers without versions do not know the question. */
async function keepsVersions(client: S3Client): Promise<boolean> {
  const answer = await client.read({ method: "GET", query: { versioning: "" } }).catch((error) => {
    if (error instanceof S3Error && (error.status === 501 || error.status === 405)) return undefined;
    throw error;
  });
  return /<Status>(?:Enabled|Suspended)</.test(answer?.text ?? "");
}

function sentenceOf(error: StoreUnavailable, url: string): string {
  if (!(error instanceof S3Error)) return `${error.message}.`;
  const { status, code } = error;
  const { origin } = new URL(url);
  switch (code) {
    case "NoSuchBucket":
      return `there is no such bucket at ${origin}.`;
    case "InvalidAccessKeyId":
    case "SignatureDoesNotMatch":
    case "InvalidToken":
    case "ExpiredToken":
      return `${origin} refuses the credentials (${code}). Check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN.`;
    case "AccessDenied":
      return `${origin} does not allow it. The key needs s3:ListBucket, s3:GetBucketVersioning, s3:GetObject, s3:PutObject and s3:DeleteObject.`;
    case "PermanentRedirect":
    case "AuthorizationHeaderMalformed":
    case "IllegalLocationConstraintException":
      return `the bucket is in another region (${code}). Set AWS_REGION to it.`;
    case "RequestTimeTooSkewed":
      return `the clock of this machine and that of ${origin} differ too much.`;
    case "Versioned":
      return "it keeps versions, or did so, and would keep what an erasure removes. Make a bucket that never had versions.";
    case "NoList":
      return `what answers at ${origin} is no S3 server. Check AWS_ENDPOINT_URL_S3.`;
  }
  if (status === undefined)
    return `there is no answer from ${origin} (${code || error.message}). Check AWS_ENDPOINT_URL_S3 and AWS_REGION.`;
  return `${origin} answered ${status}${code && ` ${code}`}. Check AWS_ENDPOINT_URL_S3, AWS_REGION and the bucket's name.`;
}
