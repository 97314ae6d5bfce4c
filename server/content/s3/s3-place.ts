// Reads which bucket of which S3 server keeps the content of files, and with which credentials.

/** The bucket cannot be used; the message is a sentence for whoever started the service. */
export class UnusableBucket extends Error {}

export interface S3Place {
  /** The address of the bucket, without a slash at its end. */
  url: string;
  bucket: string;
  /** Stands before all keys: empty, or with a slash at its end. */
  prefix: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Comes with credentials that end. */
  sessionToken: string | undefined;
}

const FORM = "FILES must be a folder, or s3:// with a bucket and perhaps a prefix of letters, digits, dots and hyphens";
const BUCKET = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/|$)(.*)$/;
const PREFIX = /^(?:[\w.-]*[\w-][\w.-]*\/)*$/; // no part of points alone, which addresses would resolve

/** `files`: the text of FILES. Throws UnusableBucket for what cannot be an address or is missing. */
export function readS3Place(files: string, env: Readonly<Record<string, string | undefined>>): S3Place {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_REGION, AWS_ENDPOINT_URL_S3 } = env;
  const [, bucket = "", path = ""] = BUCKET.exec(files) ?? [];
  const prefix = path === "" || path.endsWith("/") ? path : `${path}/`;
  if (bucket === "" || !PREFIX.test(prefix)) throw new UnusableBucket(`${FORM}, such as s3://acme-files/intake, not "${files}".`);
  if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY)
    throw new UnusableBucket("FILES names a bucket of S3: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY to the credentials for it.");
  if (!AWS_REGION && !AWS_ENDPOINT_URL_S3)
    throw new UnusableBucket("FILES names a bucket of S3: set AWS_REGION to its region, or AWS_ENDPOINT_URL_S3 to the server that has it.");
  return {
    url: addressOf(bucket, AWS_REGION, AWS_ENDPOINT_URL_S3),
    bucket,
    prefix,
    region: AWS_REGION || "us-east-1", // which servers of one's own take without being told
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    sessionToken: AWS_SESSION_TOKEN || undefined,
  };
}

/** The bucket stands in the path, which every server knows; at AWS in the name of the host, but where a point in it would break TLS. */
function addressOf(bucket: string, region: string | undefined, endpoint: string | undefined): string {
  if (!endpoint)
    return bucket.includes(".") ? `https://s3.${region}.amazonaws.com/${bucket}` : `https://${bucket}.s3.${region}.amazonaws.com`;
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  const isUsable = url && ["https:", "http:"].includes(url.protocol) && !url.search && !url.hash && !url.username && !url.password;
  if (!isUsable) throw new UnusableBucket(`AWS_ENDPOINT_URL_S3 must be an address such as https://s3.example.org, not "${endpoint}".`);
  return `${url.href.replace(/\/+$/, "")}/${bucket}`;
}
