import { sniffMediaType, startsWith } from "./signature.ts";

/** What models take as images. */
export const IMAGE_TYPES = ["image/png", "image/jpeg", "image/webp", "image/gif"] as const;
export type ImageType = typeof IMAGE_TYPES[number];

/** Whether the name of a file says that it is an image for models; any case. */
export function isImageName(path: string): boolean {
  return /\.(?:png|jpe?g|webp|gif)$/i.test(path);
}

/** What the first bytes of `data` say it is; undefined when it is no image for models. */
export function imageType(data: Uint8Array): ImageType | undefined {
  const type = sniffMediaType(data);
  return IMAGE_TYPES.find((known) => known === type);
}

/**
 * Whether the image goes on to its end. Providers refuse one that is cut short, and go on doing
 * so for as long as it stays in the conversation. Looks at the structure, decodes no pixels;
 * anything behind the end is ignored, as viewers do.
 */
export function isCompleteImage(data: Uint8Array, type: ImageType): boolean {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  try {
    return COMPLETE[type](view, data);
  } catch (error) {
    // Reading beyond the last byte: the structure goes on and the file does not.
    if (error instanceof RangeError) return false;
    throw error;
  }
}

const COMPLETE: Readonly<Record<ImageType, (view: DataView, data: Uint8Array) => boolean>> = {
  "image/png": pngEnds,
  "image/jpeg": jpegEnds,
  "image/webp": webpEnds,
  "image/gif": gifEnds,
};

/** Chunks of length, name, data and checksum, up to the one named IEND. */
function pngEnds(view: DataView, data: Uint8Array): boolean {
  let at = 8;
  if (!startsWith(data, "IHDR", at + 4)) return false;
  while (!startsWith(data, "IEND", at + 4)) at += 12 + view.getUint32(at);
  return at + 12 <= data.length;
}

/** Segments up to the first scan, then compressed data in which only markers follow an FF. */
function jpegEnds(view: DataView, data: Uint8Array): boolean {
  const SCAN = 0xda;
  const END = 0xd9;
  let at = 2;
  while (view.getUint8(at + 1) !== SCAN) {
    if (view.getUint8(at) !== 0xff) return false;
    // An FF before a marker is padding.
    at += view.getUint8(at + 1) === 0xff ? 1 : 2 + view.getUint16(at + 2);
  }
  for (at = data.indexOf(0xff, at + 2); at !== -1; at = data.indexOf(0xff, at + 1)) {
    if (data[at + 1] === END) return true;
  }
  return false;
}

/** The container states its length. */
function webpEnds(view: DataView, data: Uint8Array): boolean {
  return startsWith(data, "VP8", 12) && view.getUint32(4, true) + 8 <= data.length;
}

/** Extensions and images, each a header and a row of blocks, up to the trailer. */
function gifEnds(view: DataView): boolean {
  const EXTENSION = 0x21;
  const IMAGE = 0x2c;
  const TRAILER = 0x3b;
  let images = 0;
  let at = 13 + colorTable(view.getUint8(10));
  for (;;) {
    const block = view.getUint8(at);
    if (block === TRAILER) return images > 0;
    if (block === IMAGE) {
      images++;
      at += 11 + colorTable(view.getUint8(at + 9));
    } else if (block === EXTENSION) {
      at += 2;
    } else {
      return false;
    }
    for (let size = view.getUint8(at); size > 0; size = view.getUint8(at)) at += size + 1;
    at++;
  }
}

/** Bytes of the colour table that the flags announce. */
function colorTable(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
}
