/** Media types by the bytes that files of the type begin with, at `offset`; as Latin-1 text. */
const SIGNATURES: readonly (readonly [mediaType: string, bytes: string, offset?: number])[] = [
  ["image/png", "\x89PNG\r\n\x1a\n"],
  ["image/jpeg", "\xff\xd8\xff"],
  ["image/gif", "GIF87a"],
  ["image/gif", "GIF89a"],
  ["image/webp", "WEBP", 8],
  ["image/avif", "ftypavif", 4],
  ["image/heic", "ftypheic", 4],
  ["image/tiff", "II*\0"],
  ["image/tiff", "MM\0*"],
  ["image/x-icon", "\0\0\x01\0"],
  ["audio/mp4", "ftypM4A", 4],
  ["audio/mp4", "ftypM4B", 4],
  ["video/quicktime", "ftypqt", 4],
  ["video/3gpp", "ftyp3g", 4],
  ["video/mp4", "ftyp", 4],
  ["video/webm", "\x1aE\xdf\xa3"],
  ["video/x-msvideo", "AVI ", 8],
  ["audio/wav", "WAVE", 8],
  ["audio/ogg", "OggS\0"],
  ["audio/flac", "fLaC\0"],
  ["audio/mpeg", "ID3\x02"],
  ["audio/mpeg", "ID3\x03"],
  ["audio/mpeg", "ID3\x04"],
  ["audio/mpeg", "\xff\xfb"],
  ["audio/mpeg", "\xff\xf3"],
  ["audio/mpeg", "\xff\xf2"],
  ["audio/aac", "\xff\xf1"],
  ["audio/aac", "\xff\xf9"],
  ["video/mpeg", "\0\0\x01\xba"],
  ["application/pdf", "%PDF-"],
  ["application/zip", "PK\x03\x04"],
  ["application/zip", "PK\x05\x06"],
  ["application/gzip", "\x1f\x8b\b"],
  ["application/zstd", "\x28\xb5\x2f\xfd"],
  ["application/x-xz", "\xfd7zXZ\0"],
  ["application/x-7z-compressed", "7z\xbc\xaf\x27\x1c"],
  ["application/x-rar", "Rar!\x1a\x07"],
  ["application/wasm", "\0asm"],
  ["application/x-executable", "\x7fELF"],
  ["application/vnd.sqlite3", "SQLite format 3\0"],
  ["font/woff", "wOFF\0"],
  ["font/woff2", "wOF2\0"],
];

/** The media type that the first bytes of `data` give away; undefined when they say nothing. */
export function sniffMediaType(data: Uint8Array): string | undefined {
  return SIGNATURES.find(([, bytes, offset = 0]) =>
    startsWith(data, bytes, offset) &&
    // These three are kinds of one container.
    (offset !== 8 || startsWith(data, "RIFF", 0))
  )?.[0];
}

/** Whether `data` has the Latin-1 text `bytes` at `offset`. */
export function startsWith(data: Uint8Array, bytes: string, offset: number): boolean {
  for (let i = 0; i < bytes.length; i++) {
    if (data[offset + i] !== bytes.charCodeAt(i)) return false;
  }
  return true;
}
