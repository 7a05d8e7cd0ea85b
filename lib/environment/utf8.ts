/** Number of characters (code points) of `text`. */
export function countCharacters(text: string): number {
  let pairs = 0;
  for (let i = 0; i < text.length; i++) {
    if (isPair(text, i)) {
      pairs++;
      i++;
    }
  }
  return text.length - pairs;
}

/** The index in `text` right behind its first `characters` characters; its length if it has fewer. */
export function indexOfCharacter(text: string, characters: number): number {
  let index = 0;
  for (let left = characters; left > 0 && index < text.length; left--) {
    index += isPair(text, index) ? 2 : 1;
  }
  return index;
}

function isPair(text: string, index: number): boolean {
  return (text.charCodeAt(index) & 0xfc00) === 0xd800 &&
    (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00;
}

/**
 * How many bytes at the end of `bytes`, 0 to 3, begin a UTF-8 character that more bytes could
 * complete. Cutting there decodes both parts to what the whole decodes to, as `TextDecoder` does
 * it, provided that `bytes` begins at such a cut itself.
 */
export function incompleteTail(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (isContinuation(byte)) continue;
    if (back >= sequenceLength(byte)) return 0;
    return back === 1 || maySecond(byte, bytes[bytes.length - back + 1] ?? 0) ? back : 0;
  }
  return 0;
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

/** Bytes of the character that `lead` begins; 1 for ASCII and for bytes that begin none. */
function sequenceLength(lead: number): number {
  if (lead < 0xc2 || lead > 0xf4) return 1;
  return lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

/** Whether `second`, a continuation byte, may follow `lead`: no overlong forms, no surrogates. */
function maySecond(lead: number, second: number): boolean {
  switch (lead) {
    case 0xe0:
      return second >= 0xa0;
    case 0xed:
      return second < 0xa0;
    case 0xf0:
      return second >= 0x90;
    case 0xf4:
      return second < 0x90;
    default:
      return true;
  }
}
