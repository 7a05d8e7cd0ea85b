/** Any control code but tab and line feed; `\r` alone or as part of a line end. */
const CONTROL = /\r\n|(?![\t\n])\p{Cc}/gu;

/** Where the visible stand-ins for the codes 0 to 31 start in Unicode (`␀` …). */
const CONTROL_PICTURES = 0x2400;

/**
 * Text of a tool or a model made safe for a terminal: control codes, which could retitle, clear or
 * repaint it, are shown instead of obeyed (`␛[2J`). Line ends and tabs stay. A carriage return
 * alone becomes a line break, so that what it would have painted over can be read. Works piece by
 * piece, escape sequences cut in two included; only for what goes to a terminal, never for pipes.
 */
export function terminalText(text: string): string {
  return text.replaceAll(CONTROL, (code) => {
    if (code === "\r\n" || code === "\r") return "\n";
    const value = code.charCodeAt(0);
    if (value < 0x20) return String.fromCharCode(CONTROL_PICTURES + value);
    return value === 0x7f ? "␡" : `\\x${value.toString(16)}`;
  });
}
