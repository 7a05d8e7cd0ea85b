import { assertEquals } from "../assert.ts";
import { Paper, PaperConsole, paperStream } from "./paper.ts";

Deno.test("B70 OutputStream writes everything in order, though the sink takes it byte by byte", async () => {
  const paper = new Paper(false, 1);
  const stream = paperStream(paper);
  void stream.write("ä, ");
  void stream.write("日本, ");
  await stream.write("🙂");
  assertEquals(paper.text, "ä, 日本, 🙂");
});

Deno.test("B70 OutputStream keeps a failure, drops what comes later, and never rejects", async () => {
  const paper = new Paper();
  const stream = paperStream(paper);
  await stream.write("a");
  paper.failure = new Deno.errors.BrokenPipe("gone");
  await stream.write("b");
  assertEquals([stream.failed.aborted, stream.failure], [true, paper.failure]);
  paper.failure = undefined;
  await stream.write("c");
  await stream.flush();
  assertEquals(paper.text, "a");
});

Deno.test("B74 L3 colours only on a terminal that wants them, decided for each stream", () => {
  const colored = (terminal: boolean, env: Record<string, string>) =>
    paperStream(new Paper(terminal), env).paint("red", "x") !== "x";
  assertEquals(colored(true, {}), true);
  assertEquals(colored(true, { NO_COLOR: "" }), true, "an empty NO_COLOR does not count");
  assertEquals(colored(true, { NO_COLOR: "1" }), false);
  assertEquals(colored(true, { TERM: "dumb" }), false);
  assertEquals(colored(false, {}), false);
  const { stdout, stderr } = new PaperConsole({ err: new Paper(true) });
  assertEquals([stdout.isColored, stderr.isColored], [false, true]);
});

Deno.test("B74 control codes of strangers are shown on a terminal and kept in a pipe", () => {
  const text = "\x1b]0;pwn\x07\x1b[2Jhi\tthere\n";
  assertEquals(paperStream(new Paper()).safe(text), text);
  assertEquals(paperStream(new Paper(true)).safe(text), "␛]0;pwn␇␛[2Jhi\tthere\n");
});
