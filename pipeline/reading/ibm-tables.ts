// The upper halves of two IBM code pages that TextDecoder lacks. Made from the mappings of the Unicode Consortium.

import type { Decoder } from "./encoding.ts";

/** The characters of the bytes 128 to 255. The lower half is ASCII. */
export const IBM_TABLES = {
  IBM850:
    "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐" +
    "└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0",
  IBM852:
    "ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐" +
    "└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\u00ad˝˛ˇ˘§÷¸°¨˙űŘř■\u00a0",
} as const;

/** Works like a TextDecoder. Each byte is a character, so none is wrong. */
export function createIbmDecoder(encoding: keyof typeof IBM_TABLES): Decoder {
  const upper = IBM_TABLES[encoding];
  const characters = Array.from({ length: 256 }, (_, byte) => (byte < 128 ? String.fromCharCode(byte) : (upper[byte - 128] as string)));
  return { decode: (bytes = new Uint8Array()) => Array.from(bytes, (byte) => characters[byte]).join("") };
}
