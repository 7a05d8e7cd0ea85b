/** A whole PNG of one pixel, in base64. */
export const DOT_BASE64 =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==";

/** Its bytes. */
export const DOT_PNG: Uint8Array<ArrayBuffer> = Uint8Array.fromBase64(DOT_BASE64);
