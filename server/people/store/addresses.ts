// Mail addresses: which are taken, and when two are one.

import { domainToASCII } from "node:url";
import { FORBIDDEN } from "../../../core/text/clean-text.ts";
import { HIDDEN } from "../../../core/text/hidden-characters.ts";

const LOCAL = /^[^\s@"<>()[\],;:\\]{1,64}$/u;
/** Letters, digits and hyphens between dots, so that the address of a host has no port, path or escaped character in it. */
const DOMAIN = /^[\p{L}\p{M}\p{N}-]+(?:\.[\p{L}\p{M}\p{N}-]+)*\.[\p{L}\p{M}\p{N}-]{2,}$/u;
const MOST_CHARACTERS = 254;

/** `hidden`: it is read in another way than it is written, because of a character that nobody sees or that stands for another one. */
export type AddressProblem = "form" | "hidden";

/**
 * Returns what is wrong with an address; undefined for one that is taken. The quoted forms of RFC 5321 are not. Whatever Unicode's
 * normalization would change (NFKC, UAX #15), such as the Kelvin sign for a K, is refused: mail for it goes to somebody else than mail for
 * what it becomes.
 */
export function addressProblem(address: string): AddressProblem | undefined {
  const [local = "", domain = "", ...more] = address.split("@");
  if (HIDDEN.test(address) || address.normalize("NFKC") !== address) return "hidden";
  const isAddress = more.length === 0 && LOCAL.test(local) && DOMAIN.test(domain) && domainToASCII(domain) !== "";
  return isAddress && address.length <= MOST_CHARACTERS && !FORBIDDEN.test(address) ? undefined : "form";
}

/**
 * Returns the one form in which addresses are compared: ASCII letters in lower case, which mail servers take for the same in practice, and the
 * domain as the DNS has it (UTS #46), so that `xn--mller-kva.de` is `müller.de`. No other letter is folded.
 */
export function foldEmail(email: string): string {
  const address = foldCase(email.trim());
  const at = address.lastIndexOf("@");
  const domain = address.slice(at + 1);
  return DOMAIN.test(domain) ? address.slice(0, at + 1) + (domainToASCII(domain) || domain) : address;
}

/** Is true of two addresses that are written alike but for the case of ASCII letters. */
export function isSameAddress(one: string, other: string): boolean {
  return foldCase(one) === foldCase(other);
}

function foldCase(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
