import { fromFileUrl, join } from "@std/path";
import { programName } from "../../scripts/compile/target.ts";
import { ROOT } from "../../scripts/import_map.ts";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "../assert.ts";
import { REFUSED_ADDRESSES, RELEASED, Releases, TAKEN_ADDRESSES } from "./release.ts";

const INSTALLER = new URL("scripts/install.ps1", ROOT);
const name = programName("x86_64-pc-windows-msvc");
const PROGRAM = `#!/bin/sh\necho "bub ${RELEASED}"\n`;

/** A PowerShell to run it with, where there is one. */
const SHELL = await firstThat(["pwsh", "powershell"]);

Deno.test("D1 install.ps1 checks and starts the program before it puts it in place", async () => {
  const text = await Deno.readTextFile(INSTALLER);
  assertStringIncludes(text, `$Name = '${name}'`);
  const steps = [
    'Save-File "$address/SHA256SUMS"',
    "Get-Expected $sums",
    'Save-File "$address/$Name"',
    "Get-FileHash -Algorithm SHA256",
    "if ($actual -cne $expected) {",
    "& $program --version",
    "Move-Item -LiteralPath $place -Destination $old",
    "Move-Item -LiteralPath $program -Destination $place",
    "Remove-Item -Recurse -Force -LiteralPath $work",
  ].map((step) => text.indexOf(step));
  assert(steps.every((at, step) => at > (steps[step - 1] ?? 0)), steps.join());
  assertStringIncludes(text, '$old = Join-Path $folder ".bub-old.');
  assertStringIncludes(text, "--location --proto-redir '=https'");
  assertMatch(text, /\ntry \{\n {2}Install-Bub\n\} catch \{\n.*\n {2}exit 1\n\}\n$/);
});

Deno.test("D1 install.ps1 takes the addresses that install.sh takes", async () => {
  const text = await Deno.readTextFile(INSTALLER);
  const [, pattern = ""] = /\$base -notmatch '(.+)'\)/.exec(text) ?? [];
  // The end of the text is \z there.
  const address = new RegExp(pattern.replace("\\z", "(?!\\n)$"), "i");
  for (const taken of TAKEN_ADDRESSES) assertMatch(taken, address);
  for (const refused of REFUSED_ADDRESSES) assert(!address.test(refused), refused);
});

Deno.test({
  name: "D1 install.ps1 installs nothing that is wrong, and an earlier bub stays",
  ignore: SHELL === undefined,
  async fn() {
    const wrong = { sums: `${"A".repeat(64)} *${name}\r\n` };
    for (
      const [fault, says] of [
        [wrong, "nothing was installed"],
        [{ sums: "" }, "has no checksum of"],
        [{ cutAt: 10 }, "nothing was installed"],
      ] as const
    ) {
      await using releases = await Releases.open(name, PROGRAM, fault);
      const { code, stderr, files } = await install({ BUB_RELEASES: releases.address });
      assertEquals([code, files], [1, { "bub.exe": "old" }]);
      assertStringIncludes(stderr, says);
    }
    await using releases = await Releases.open(name, PROGRAM);
    const env = { BUB_RELEASES: releases.address, BUB_VERSION: "9.9.9" };
    const { code, stderr, files } = await install(env);
    assertEquals([code, files], [1, { "bub.exe": "old" }]);
    assertStringIncludes(stderr, "could not be downloaded");
  },
});

Deno.test({
  name: "D1 install.ps1 puts a program that is right in place",
  // Elsewhere a script can be a program.
  ignore: SHELL === undefined || Deno.build.os === "windows",
  async fn() {
    await using releases = await Releases.open(name, PROGRAM);
    const { code, stderr, files } = await install({ BUB_RELEASES: releases.address });
    assertEquals([code, files], [0, { "bub.exe": PROGRAM }], stderr);
  },
});

/** Runs the script over an earlier program, and reads what is in the folder then. */
async function install(env: Readonly<Record<string, string>>) {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(join(folder, "bub.exe"), "old");
    const { code, stderr } = await new Deno.Command(SHELL ?? "", {
      args: ["-NoProfile", "-ExecutionPolicy", "Bypass", "-File", fromFileUrl(INSTALLER)],
      env: { BUB_INSTALL_DIR: folder, ...env },
      stdin: "null",
      stdout: "null",
      stderr: "piped",
    }).output();
    const files: Record<string, string> = {};
    for await (const { name } of Deno.readDir(folder)) {
      files[name] = await Deno.readTextFile(join(folder, name));
    }
    return { code, stderr: new TextDecoder().decode(stderr), files };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function firstThat(programs: readonly string[]): Promise<string | undefined> {
  for (const program of programs) {
    try {
      const args = ["-NoProfile", "-Command", "exit 0"];
      if ((await new Deno.Command(program, { args }).output()).success) return program;
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
  return undefined;
}
