const HOST = /^http:\/\/(?:[^/?#]*@)?(\[[^\]]*\]|[^/?#:]*)/i;
/** Names and addresses that stay on this machine: RFC 6761 section 6.3, RFC 1122 section 3.2.1.3, RFC 4291 section 2.5.3. */
const OWN_HOST = /^(?:(?:[^.]+\.)*localhost\.?|127(?:\.\d+){1,3}|\[::1\])$/i;

/** Says whether what is sent to this address goes over a network unencrypted, so that others can read it. */
export function isUnencrypted(url: string): boolean {
  const host = HOST.exec(url)?.[1];
  return host !== undefined && !OWN_HOST.test(host);
}
