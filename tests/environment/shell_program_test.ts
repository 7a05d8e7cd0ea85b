import { findShell, invocation, type ShellProgram } from "../../lib/environment/shell_program.ts";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "../assert.ts";

const POSIX = { ignore: Deno.build.os === "windows" };
const BASH = { name: "bash", program: "bash" };

interface Outcome {
  readonly code: number;
  readonly text: string;
}

async function plainly(shell: ShellProgram, command: string): Promise<Outcome> {
  const args = ["-c", 'exec 2>&1; exec "$0" -c "$1"', shell.program, command];
  const { code, stdout } = await new Deno.Command(shell.program, { args, stdin: "null" }).output();
  return { code, text: new TextDecoder().decode(stdout) };
}

async function ours(shell: ShellProgram, command: string): Promise<Outcome> {
  const file = await Deno.makeTempFile();
  const { program, args, script } = invocation(shell, command, file);
  if (script !== undefined) await Deno.writeTextFile(script.path, script.text);
  const { code } = await new Deno.Command(program, { args: [...args], stdin: "null" }).output();
  const text = await Deno.readTextFile(file);
  for (const path of [file, script?.path]) if (path !== undefined) await Deno.remove(path);
  return { code, text };
}

/** Commands in which a wrapper could show. */
const COMMANDS = [
  'echo $0 $# "$@" [$1] $-',
  "echo $LINENO; nosuchcommand\nnosuchcommand\necho $LINENO",
  "echo out; echo err >&2; echo out",
  "cat <<EOF\nhi $#\nEOF",
  "cat <<EOF\nunfinished",
  "cat; echo after",
  "exit 7",
  "false",
  "! true",
  "set -e; false; echo no",
  "set -e; (exit 3); echo no",
  "set -u; echo $1; echo no",
  "# only a comment",
  "",
  "  \n\n",
  "echo a\r\necho b\r",
  "echo a\\",
  "echo a \\\n",
  "trap 'echo bye $?' EXIT; exit 4",
  "return 3; echo after",
  "shift; echo $?",
  "f() { echo $#; return 5; }; f x",
  "exec echo replaced",
  "exec nosuchcommand; echo no",
  "readonly X=1; X=2; echo after",
  "kill -9 $$",
  "kill -TERM $$",
  "env | sort",
  "echo '\"' \"'\" '$1' `echo \\`echo x\\``",
  "echo ü€😀",
];

for (const name of ["bash", "sh"]) {
  Deno.test(`P1 invocation() runs a command as plain ${name} -c does`, POSIX, async () => {
    const shell = { name, program: name };
    for (const command of COMMANDS) {
      // Where a shell names the builtin that met an error, it names eval: nothing else may differ.
      const { code, text } = await ours(shell, command);
      assertEquals(
        { code, text: text.replaceAll(": eval: ", ": ") },
        await plainly(shell, command),
        command,
      );
    }
  });
}

Deno.test(
  "P1 invocation() keeps syntax errors, their line and their exit code",
  POSIX,
  async () => {
    for (const command of ["echo )", "echo a\nif )\necho b", "if", 'echo "unclosed']) {
      const [found, expected] = [await ours(BASH, command), await plainly(BASH, command)];
      assertEquals(found.code, expected.code, command);
      const neutral = (text: string) =>
        text.replaceAll(/: (-c|eval): /g, ": ").replaceAll("` ", "`");
      assertEquals(neutral(found.text), neutral(expected.text), command);
    }
  },
);

Deno.test(
  "P1 invocation() takes a command that looks like an option for a command",
  POSIX,
  async () => {
    assertEquals(await ours(BASH, "-x foo"), {
      code: 127,
      text: "bash: line 1: -x: command not found\n",
    });
  },
);

Deno.test(
  "P1 invocation() puts a command too long for an argument into a script",
  POSIX,
  async () => {
    const filler = "é".repeat(60_000);
    const command =
      `: '${filler}'\necho $0 $# \${#BASH_EXECUTION_STRING}\nnosuchcommand\ncat <<E\nx\nE\n`;
    const { args, script } = invocation(BASH, command, "/folder/file");
    assertEquals([script?.path, script?.text], ["/folder/file.sh", command]);
    assert(args.every((arg) => arg.length < 1000));
    assertEquals(await ours(BASH, command), {
      code: 0,
      text: `bash 0 ${[...command].length}\nbash: line 3: nosuchcommand: command not found\nx\n`,
    });
  },
);

Deno.test("P1 invocation() has cmd redirect what it puts in last, on Windows", () => {
  const command = 'echo "a" & (b) > c';
  assertEquals(invocation({ name: "cmd", program: "cmd" }, command, "C:\\o p.out"), {
    program: "cmd",
    args: ["/d", "/v:on", "/s", "/c", '"!BUB_SHELL_COMMAND! >>"C:\\o p.out" 2>&1"'],
    env: { BUB_SHELL_COMMAND: `cmd /d /s /c "${command}"` },
    windowsRawArguments: true,
    script: undefined,
  });
  const { env } = invocation({ name: "pwsh", program: "pwsh" }, "Get-Item 'ü'", "C:\\o.out");
  const [, base64 = ""] = /^pwsh .*-EncodedCommand (\S+)$/.exec(env["BUB_SHELL_COMMAND"] ?? "") ??
    [];
  const text = new TextDecoder("utf-16le").decode(Uint8Array.fromBase64(base64));
  assertMatch(text, /^Get-Item 'ü'\n\$bubOk = \$\?\n/);
  for (const [name, extension] of [["pwsh", "ps1"], ["cmd", "cmd"]] as const) {
    const long = invocation({ name, program: name }, "x".repeat(9000), "C:\\o.out");
    assertEquals(long.script?.path, `C:\\o.out.${extension}`);
    assertStringIncludes(long.script?.text ?? "", "x".repeat(9000));
    assertStringIncludes(long.env["BUB_SHELL_COMMAND"] ?? "", `"C:\\o.out.${extension}"`);
  }
});

Deno.test("P1 findShell() takes bash, else sh, else what is in /bin", POSIX, async () => {
  const folder = await Deno.makeTempDir();
  try {
    assertEquals(findShell(Deno.env.toObject())?.name, "bash");
    assertEquals(findShell({ PATH: folder }), { name: "bash", program: "/bin/bash" });
    await Deno.writeTextFile(`${folder}/sh`, "");
    assertEquals(findShell({ PATH: `/nowhere::${folder}` }), { name: "sh", program: "sh" });
    await Deno.writeTextFile(`${folder}/bash`, "");
    assertEquals(findShell({ PATH: folder }), BASH);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
