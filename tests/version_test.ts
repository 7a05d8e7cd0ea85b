import { dirname, join, toFileUrl } from "@std/path";
import { VERSION, versionLine } from "../lib/version.ts";
import { ROOT } from "../scripts/import_map.ts";
import { assertEquals, assertMatch } from "./assert.ts";

const COMMIT = "0123456789abcdef0123456789abcdef01234567";

Deno.test("L1 VERSION is that of deno.json, and the line shows it with the commit", async () => {
  const { version } = JSON.parse(await Deno.readTextFile(new URL("deno.json", ROOT)));
  assertEquals(VERSION, version);
  assertMatch(versionLine(), /^bub \d+\.\d+\.\d+( \([0-9a-f]{12}\))?$/);
});

Deno.test("L1 versionLine() reads the commit of a branch, packed or not, and of none", async () => {
  const repositories: Record<string, string>[] = [
    { HEAD: "ref: refs/heads/a/b\n", "refs/heads/a/b": `${COMMIT}\n` },
    {
      HEAD: "ref: refs/heads/main\n",
      "packed-refs": `# pack-refs\n${
        "f".repeat(40)
      } refs/heads/mainline\n${COMMIT} refs/heads/main\n`,
    },
    { HEAD: `${COMMIT}\n` },
  ];
  for (const git of repositories) {
    assertEquals(await versionLineIn(git), `bub ${VERSION} (0123456789ab)`);
  }
});

Deno.test("L1 versionLine() leaves the commit out where none is known", async () => {
  assertEquals(await versionLineIn({}), `bub ${VERSION}`);
  assertEquals(await versionLineIn({ HEAD: "ref: refs/heads/main\n" }), `bub ${VERSION}`);
  const unborn = { HEAD: "ref: refs/heads/main\n", "packed-refs": `${COMMIT} refs/heads/other\n` };
  assertEquals(await versionLineIn(unborn), `bub ${VERSION}`);
});

Deno.test("L1 E4 versionLine() leaves the commit out where reading is not allowed", async () => {
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", "main.ts", "--version"],
    cwd: ROOT,
    stderr: "null",
  }).output();
  assertEquals([code, new TextDecoder().decode(stdout)], [0, `bub ${VERSION}\n`]);
});

/** The line as the module gives it in a repository with these files in `.git`. */
async function versionLineIn(git: Readonly<Record<string, string>>): Promise<string> {
  const folder = await Deno.makeTempDir();
  try {
    for (const path of ["deno.json", "lib/version.ts"]) {
      await write(join(folder, path), await Deno.readTextFile(new URL(path, ROOT)));
    }
    for (const [path, text] of Object.entries(git)) await write(join(folder, ".git", path), text);
    const module = await import(toFileUrl(join(folder, "lib/version.ts")).href);
    return module.versionLine();
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function write(file: string, text: string): Promise<void> {
  await Deno.mkdir(dirname(file), { recursive: true });
  await Deno.writeTextFile(file, text);
}
