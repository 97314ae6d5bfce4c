/** Makes 128 random bits. crypto.randomUUID is missing where the app is served without TLS on another host than localhost. */
export function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
