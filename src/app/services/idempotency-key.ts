/** Makes 128 random bits. Where the app is served without TLS, beyond localhost, there is no crypto.randomUUID. */
export function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
