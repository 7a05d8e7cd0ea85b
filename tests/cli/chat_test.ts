import { join } from "@std/path";
import { assert, assertEquals, assertMatch } from "../assert.ts";
import { startFakeOpenAI } from "../provider/fake_openai.ts";
import { bub, spawnBub } from "./spawn.ts";
import { hasTmux, shellLine, Terminal } from "./terminal.ts";
import { openWorkbench } from "./workbench.ts";

Deno.test("chat on pipes answers every line, ends with its input, and keeps the outputs apart", async () => {
  await using bench = await openWorkbench();
  const model = await bench.record({ calls: [["fs_read", { path: "no" }]] }, { text: "one" });
  const { code, stdout, stderr } = await bub(["chat", "-m", model], {
    env: bench.env,
    stdin: { text: "first\n" },
  });
  assertEquals([code, stdout], [0, "one\n"]);
  assertMatch(stderr, /^fs\.read path=no {2}failed, [^\n]*\n$/);
});

Deno.test("L3 chat on pipes ends with the code of the last turn", async () => {
  await using bench = await openWorkbench();
  const failed = await bub(["chat"], { env: bench.env, stdin: { text: "hi\n" } });
  assertEquals([failed.code, failed.stdout], [2, ""]);
  const mended = await bub(["chat"], {
    env: bench.env,
    stdin: { text: ",fs.raed x\n,printf 'a b'" },
  });
  assertEquals([mended.code, mended.stdout], [0, "a b\n"]);
});

Deno.test("SC5 chat leaves with ,quit and answers nothing behind it", async () => {
  await using bench = await openWorkbench();
  const model = await bench.record({ text: "one" }, { text: "never" });
  const { code, stdout } = await bub(["chat", "-m", model], {
    env: bench.env,
    stdin: { text: "first\n,quit\nsecond\n" },
  });
  assertEquals([code, stdout], [0, "one\nNothing was running.\n"]);
});

Deno.test("B73 chat without a home folder remembers until it ends, and leaves nothing", async () => {
  await using bench = await openWorkbench();
  await using provider = startFakeOpenAI({ script: [{ text: "one" }, { text: "two" }] });
  const { stdin, stdout, stderr, status } = await spawnBub(["chat"], {
    env: {
      BUB_MODEL: "openai-compatible:fake",
      BUB_API_BASE: provider.base,
      TMPDIR: bench.workspace,
    },
    stdin: "open",
  });
  const reader = stdout.pipeThrough(new TextDecoderStream()).getReader();
  let answers = "";
  const says = async (end: string) => {
    while (!answers.endsWith(end)) {
      const { value, done } = await reader.read();
      assert(!done, `"${answers}" and nothing more`);
      answers += value;
    }
  };
  const complaint = new Response(stderr).text();
  const writer = stdin.getWriter();
  const encoder = new TextEncoder();
  await writer.write(encoder.encode("first\n"));
  await says("one\n");
  await writer.write(encoder.encode("second\n"));
  await says("two\n");
  await writer.write(encoder.encode(",printf 'done\\n'\n"));
  await says("done\n");
  await writer.close();
  await reader.cancel();
  assertEquals((await status).code, 0);
  assertMatch(await complaint, /^bub: nothing will be saved: [^\n]*\n$/, "said once");
  const body = JSON.stringify(provider.requests[1]?.body);
  for (const word of ["first", "one", "second"]) assert(body.includes(`"${word}"`), body);
  assertEquals(await Array.fromAsync(Deno.readDir(bench.workspace)), []);
});

const NO_TMUX = !await hasTmux();

Deno.test({
  name: "chat on a terminal edits lines, streams answers, is steered and is interrupted",
  ignore: NO_TMUX,
  async fn() {
    await using bench = await openWorkbench();
    await Deno.writeTextFile(join(bench.workspace, "a.txt"), "x");
    const call = { id: "c1", name: "bash", arguments: { command: "touch ready; sleep 1" } };
    await using provider = startFakeOpenAI({
      script: [{ text: "Wait. ", calls: [call] }, { text: "Steered." }, {
        text: "endless",
        end: "hang",
      }],
    });
    await using terminal = new Terminal();
    const env = {
      ...bench.env,
      BUB_MODEL: "openai-compatible:fake",
      BUB_API_BASE: provider.base,
    };
    await terminal.start(["chat"], env, bench.workspace);
    await terminal.shows(/^> $|^>$/m);
    await terminal.type("helo 日本", "Left", "Left", "Left", "BSpace", "lo");
    await terminal.shows(/^> hello 日本$/m);
    await terminal.type("Enter");
    await terminal.shows(/Wait\./);
    await terminal.type("and this");
    await terminal.shows(/^> and this$/m);
    await terminal.type("Enter");
    const screen = await terminal.shows(/^Steered\.$/m);
    assertMatch(screen, /^bash command="touch ready; sleep 1" {2}ok, /m);
    const [, second] = provider.requests;
    assert(JSON.stringify(second?.body).includes("and this"), "the next step read it");
    await terminal.type("Up", "Up", "Enter");
    await terminal.shows(/endless/);
    await terminal.type("C-c");
    await terminal.shows(/the turn was interrupted\s+>/);
    await terminal.type("C-c");
    await terminal.shows(/Ctrl-C again leaves/);
    await terminal.type("C-c");
    await terminal.shows(/exit code 130/);
  },
});

Deno.test({
  name: "chat on a terminal takes a paste of several lines as one message, and ends with Ctrl-D",
  ignore: NO_TMUX,
  async fn() {
    await using bench = await openWorkbench();
    await using terminal = new Terminal();
    await terminal.start(["chat"], bench.env, bench.workspace);
    await terminal.shows(/^>/m);
    await terminal.paste(",printf 'one\ntwo'");
    await terminal.shows(/^> ,printf 'one\ntwo'$/m);
    await terminal.type("Enter");
    await terminal.shows(/^two'\none\ntwo\n>/m);
    await terminal.type("C-d");
    await terminal.shows(/exit code 0/);
  },
});

Deno.test({
  name: "B74 run on a terminal shows control codes instead of obeying them",
  ignore: NO_TMUX,
  async fn() {
    await using bench = await openWorkbench();
    await using terminal = new Terminal();
    const line = ",printf '\\033]0;pwn\\007\\033[2Jhi\\n'";
    await terminal.start(["run", line.replaceAll("'", '"')], bench.env, bench.workspace);
    const screen = await terminal.shows(/exit code 0/);
    assertMatch(screen, /␛\]0;pwn␇␛\[2Jhi/);
  },
});

Deno.test({
  name: "P6 L3 B72 chat whose terminal hangs up stops what runs, records it, and exits with 129",
  ignore: NO_TMUX || Deno.build.os !== "linux",
  async fn() {
    await using bench = await openWorkbench();
    const { root, workspace, env } = bench;
    const command = "echo $$ > pid.tmp; mv pid.tmp pid; exec sleep 777";
    const model = await bench.record({ calls: [["bash", { command }]] }, { text: "no" });
    const script = join(root, "start.sh");
    const line = await shellLine(["chat", "-m", model]);
    await Deno.writeTextFile(script, `${line}\necho $? > code.tmp\nmv code.tmp code\n`);
    await using terminal = new Terminal();
    // In a session of its own no signal tells of the end, only what it reads does.
    await terminal.run(`setsid --wait sh ${script}`, env, workspace);
    await terminal.shows(/^>/m);
    await terminal.type("go", "Enter");
    const pid = (await contents(join(workspace, "pid"))).trim();
    await terminal.hangUp();
    assertEquals(await contents(join(workspace, "code")), "129\n");
    assertEquals(await exists(`/proc/${pid}`), false, "no process is left");
    const tapes = join(root, "home", "tapes");
    const [tape = ""] = await Array.fromAsync(Deno.readDir(tapes), ({ name }) => name);
    const lines = (await Deno.readTextFile(join(tapes, tape))).trimEnd().split("\n");
    const { payload } = JSON.parse(lines.at(-1) ?? "");
    assertEquals([payload.name, payload.data.status], ["loop.step", "interrupted"]);
  },
});

/** What a file holds, once it is there. */
async function contents(path: string): Promise<string> {
  while (!await exists(path)) await new Promise((resolve) => setTimeout(resolve, 20));
  return await Deno.readTextFile(path);
}

async function exists(path: string): Promise<boolean> {
  try {
    await Deno.stat(path);
    return true;
  } catch (thrown) {
    if (thrown instanceof Deno.errors.NotFound) return false;
    throw thrown;
  }
}
