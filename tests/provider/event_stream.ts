import type { Answer, Framing } from "./answer.ts";

/** One event of a stream: its data, and its name where the API uses names. */
export interface StreamEvent {
  readonly data: string;
  readonly name?: string;
}

/** The events as the body of an HTTP answer, framed, cut and ended as the answer asks. */
export function eventStream(
  events: readonly StreamEvent[],
  answer: Answer,
  closed: () => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const chunks = answer.raw === undefined
    ? framed(events, answer.framing ?? {})
    : cutBytes([bytesOf(answer.raw)], answer.framing?.cut ?? "whole");
  return chunkStream(chunks, answer, closed);
}

function framed(events: readonly StreamEvent[], framing: Framing): Uint8Array<ArrayBuffer>[] {
  const { cut = "event", newline = "\n", noise = false } = framing;
  const texts = events.map(({ data, name }, index) => {
    const last = index === events.length - 1;
    const lines = [
      ...(noise ? [": keep-alive", `id: ${index}`, "retry: 1000"] : []),
      ...(name === undefined ? [] : [`event: ${name}`]),
      `data:${noise && index % 2 === 1 ? "" : " "}${data}`,
    ];
    return lines.join(newline) + newline + (last && framing.openEnd ? "" : newline);
  });
  if (framing.byteOrderMark) texts[0] = `\uFEFF${texts[0] ?? ""}`;
  return cutBytes(texts.map(bytesOf), cut);
}

function bytesOf(text: string | Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return typeof text === "string" ? new TextEncoder().encode(text) : text;
}

function cutBytes(
  chunks: readonly Uint8Array<ArrayBuffer>[],
  cut: NonNullable<Framing["cut"]>,
): Uint8Array<ArrayBuffer>[] {
  if (cut === "event") return [...chunks];
  const whole = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.length;
  }
  if (cut === "whole") return [whole];
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  const random = typeof cut === "number" ? seeded(cut) : () => 0;
  for (let at = 0; at < whole.length;) {
    const length = 1 + Math.floor(random() * 12);
    pieces.push(whole.slice(at, at + length));
    at += length;
  }
  return pieces;
}

/** A small generator of numbers from 0 to 1 that repeats itself for the same seed. */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function chunkStream(
  chunks: readonly Uint8Array<ArrayBuffer>[],
  { end, pingMs, paceMs = 0 }: Answer,
  closed: () => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let next = 0;
  let timer: ReturnType<typeof setInterval> | undefined;
  const ping = new TextEncoder().encode(": ping\n\n");
  return new ReadableStream({
    async pull(controller) {
      const chunk = chunks[next++];
      if (chunk !== undefined) {
        if (paceMs > 0) await new Promise((resolve) => setTimeout(resolve, paceMs));
        controller.enqueue(chunk);
      } else if (end === "cut") {
        controller.error("fake provider: this connection is cut on purpose");
      } else if (end !== "hang") {
        controller.close();
      } else if (pingMs !== undefined) {
        timer ??= setInterval(() => controller.enqueue(ping), pingMs);
      }
    },
    cancel() {
      clearInterval(timer);
      closed();
    },
  }, { highWaterMark: 0 });
}
