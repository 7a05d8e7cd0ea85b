import { join } from "@std/path";
import { programName, TARGETS } from "../../scripts/compile/target.ts";
import { ROOT } from "../../scripts/import_map.ts";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "../assert.ts";
import { blocks, codes, sections } from "../docs/markdown.ts";
import { which } from "./bare_machine.ts";
import { mapping, mappings, parseYaml, readYaml } from "./yaml_file.ts";

/** These lines run under Linux alone. */
const linux = Deno.build.os === "linux";
const page = await Deno.readTextFile(new URL("docs/ci.md", ROOT));
const [ci, release, action, example] = await Promise.all([
  readYaml(".github/workflows/ci.yml"),
  readYaml(".github/workflows/release.yml"),
  readYaml("action.yml"),
  parseYaml(blocks(page).find(({ language }) => language === "yaml")?.text ?? "", "docs/ci.md"),
]);
const FILES = { ci, release, action, example };

Deno.test("D1 workflows and the action pin what they use, and put no value into a shell's text", () => {
  for (const [file, content] of Object.entries(FILES)) {
    for (const { uses, run } of mappings(content)) {
      if (typeof uses === "string") {
        assertMatch(uses, /^\.\/|^[\w-]+\/[\w-]+@v\d+(\.\d+\.\d+)?$/, file);
      }
      if (typeof run === "string") assert(!run.includes("${{"), `${file}: ${run}`);
    }
  }
});

Deno.test("D1 the release compiles every target on a machine of its own and tries each out", () => {
  const compile = mapping(release, "jobs", "compile");
  const { include } = mapping(compile, "strategy", "matrix");
  assertEquals(mappings(include).map(({ target }) => String(target)), [...TARGETS]);
  const runs = mappings(compile.steps).map(({ run }) => String(run));
  const order = ["task compile --target", "--version", "demo", "task test:e2e"].map((part) =>
    runs.findIndex((run) => run.includes(part))
  );
  assert(order.every((place, at) => place > (order[at - 1] ?? 0)), order.join());
  // The name in BUB_BIN is that of the compile script.
  const { BUB_BIN = "" } = mapping(compile, "env");
  for (const target of TARGETS) {
    const name = String(BUB_BIN).replace("${{ matrix.target }}", target)
      .replace(/\$\{\{.*\}\}/, target.includes("windows") ? ".exe" : "");
    assertEquals(name, `dist/${programName(target)}`);
  }
});

Deno.test("D1 nothing is published before the checks and the tests, and by no other job", () => {
  const { check, compile, publish } = mapping(release, "jobs");
  assertEquals(mapping(check).uses, "./.github/workflows/ci.yml");
  assert("workflow_call" in mapping(ci, "on"));
  assertEquals([mapping(compile).needs, mapping(publish).needs], ["check", "compile"]);
  for (const file of [ci, release, example]) assertEquals(file.permissions, { contents: "read" });
  assertEquals([mapping(check), mapping(compile)].map((job) => "permissions" in job), [
    false,
    false,
  ]);
  assertEquals(Object.keys(mapping(publish, "permissions")).sort(), [
    "attestations",
    "contents",
    "id-token",
  ]);
});

Deno.test("D2 every file that runs Deno from npm takes the same version", async () => {
  const paths = [
    ".ci/run",
    ".github/workflows/release.yml",
    "README.md",
    "CONTRIBUTING.md",
    "docs/contract.md",
  ];
  const texts = await Promise.all(paths.map((path) => Deno.readTextFile(new URL(path, ROOT))));
  const versions = texts.map((text) => text.matchAll(/\bdeno@(\d+\.\d+\.\d+)/g).map(([, v]) => v));
  const found = versions.map((each) => new Set(each));
  assert(found.every(({ size }) => size === 1), "a file names no version, or two");
  assertEquals(new Set(found.flatMap((each) => [...each])).size, 1);
});

Deno.test("D1 the inputs and outputs of the action are those of ci.md, and its example uses them", () => {
  for (const kind of ["input", "output"] as const) {
    const declared = mapping(action, `${kind}s`);
    const rows = (sections(page).find(({ title }) => title === "GitHub Actions")?.rows ?? [])
      .flatMap((row) => codes(row[kind] ?? ""));
    assertEquals(rows.sort(), Object.keys(declared).sort());
    for (const [name, value] of Object.entries(declared)) {
      assert(typeof mapping(value).description === "string", name);
    }
  }
  const text = JSON.stringify(mapping(action, "runs"));
  for (const name of Object.keys(mapping(action, "inputs"))) {
    assertStringIncludes(text, `inputs.${name}`);
  }
  const step = mappings(example).find(({ uses }) => String(uses).startsWith("OWNER/REPO@"));
  for (const name of Object.keys(mapping(step, "with"))) {
    assert(name in mapping(action, "inputs"), name);
  }
});

/** The lines of shell of a step of the job that publishes. */
function publishStep(title: string): string {
  const steps = mappings(mapping(release, "jobs", "publish").steps);
  return String(steps.find(({ name }) => name === title)?.run);
}

Deno.test({
  name: "D1 the release puts the programs and checksums of all targets together, and checks them",
  ignore: !linux,
  async fn() {
    await using folder = await Folder.create();
    for (const target of TARGETS) {
      const name = programName(target);
      await folder.write(`built/${target}/${name}`, target);
      await folder.write(`built/${target}/SHA256SUMS`, `${await sha256(target)}  ${name}\n`);
    }
    const script = publishStep("One folder, one SHA256SUMS");
    assertEquals((await folder.run(script)).code, 0);
    const names = TARGETS.map((target) => programName(target));
    assertEquals(await folder.list("dist"), ["SHA256SUMS", ...names].sort());
    const lines = (await folder.read("dist/SHA256SUMS")).trimEnd().split("\n");
    assertEquals(lines.map((line) => line.slice(66)), names.toSorted());

    await Deno.remove(join(folder.path, "dist"), { recursive: true });
    for (const target of TARGETS) await folder.write(`built/${target}/${programName(target)}`, "x");
    assert((await folder.run(script)).code !== 0, "changed programs are published");
  },
});

Deno.test({
  name: "D1 the install scripts of a release know its address",
  ignore: !linux,
  async fn() {
    await using folder = await Folder.create();
    for (const path of ["scripts/install.sh", "scripts/install.ps1"]) {
      await folder.write(path, await Deno.readTextFile(new URL(path, ROOT)));
    }
    await Deno.mkdir(join(folder.path, "dist"));
    const RELEASES = "https://example.com/a/b/releases";
    const script = publishStep("Install scripts that know where the releases are");
    const { code, stderr } = await folder.run(script, { RELEASES });
    assertEquals(code, 0, stderr);
    assertMatch(
      await folder.read("dist/install.sh"),
      /^RELEASES='https:\/\/example.com\/a\/b\/releases'$/m,
    );
    assertMatch(
      await folder.read("dist/install.ps1"),
      /^\$Releases = 'https:\/\/example.com\/a\/b\/releases'$/m,
    );
  },
});

Deno.test({
  name: "D1 a tag with a prerelease in it makes a prerelease, and no other does",
  ignore: !linux,
  async fn() {
    await using folder = await Folder.create();
    await folder.write("dist/bub", "");
    await folder.write("programs/gh", `#!/bin/sh\necho "$@" >>said\n`);
    await Deno.chmod(join(folder.path, "programs/gh"), 0o755);
    const PATH = `${join(folder.path, "programs")}:${Deno.env.get("PATH")}`;
    for (const GITHUB_REF_NAME of ["v0.2.0-rc1", "v0.2.0-rc.1+a", "v0.2.0", "v0.2.0+a-b"]) {
      const { code, stderr } = await folder.run(publishStep("Publish"), { PATH, GITHUB_REF_NAME });
      assertEquals(code, 0, stderr);
    }
    const kinds = (await folder.read("said")).trim().split("\n").map((line) => {
      assertMatch(line, /^release create v0\.2\.0\S* --verify-tag .* dist\/bub$/);
      return line.includes("--prerelease");
    });
    assertEquals(kinds, [true, true, false, false]);
  },
});

Deno.test({
  name: "D1 the Dockerfile takes the program of its platform, if its checksum is right",
  ignore: !linux,
  async fn() {
    const text = await Deno.readTextFile(new URL("Dockerfile", ROOT));
    const [, run = ""] = /^RUN ((?:.*\\\n)*.*)$/m.exec(text) ?? [];
    await using folder = await Folder.create();
    const script = run.replaceAll("\\\n", "").replaceAll(
      /(?<= )\/(dist|image)/g,
      `${folder.path}/$1`,
    );
    const sums: string[] = [];
    for (const target of TARGETS) {
      await folder.write(`dist/${programName(target)}`, target);
      sums.push(`${await sha256(target)}  ${programName(target)}\n`);
    }
    await folder.write("dist/SHA256SUMS", sums.join(""));
    for (const [TARGETARCH, machine] of [["amd64", "x86_64"], ["arm64", "aarch64"]] as const) {
      const { code, stderr } = await folder.run(script, { TARGETARCH });
      assertEquals(code, 0, stderr);
      const program = await folder.read("image/usr/local/bin/bub");
      assertEquals(program, `${machine}-unknown-linux-gnu`);
      await Deno.remove(join(folder.path, "image"), { recursive: true });
    }
    const other = await folder.run(script, { TARGETARCH: "riscv64" });
    assertEquals([other.code, other.stderr], [1, "there is no bub for riscv64\n"]);
    await folder.write(`dist/${programName("x86_64-unknown-linux-gnu")}`, "changed");
    assert((await folder.run(script, { TARGETARCH: "amd64" })).code !== 0);
    assertEquals((await folder.list(".")).includes("image"), false);
    assertMatch(text, /^ENTRYPOINT \["\/usr\/local\/bin\/bub"\]$/m);
    assertEquals(await Deno.readTextFile(new URL(".dockerignore", ROOT)), "*\n!dist/\n");
  },
});

const SHELL_SCRIPTS = ["scripts/install.sh", "scripts/action.sh", ".ci/run"];

Deno.test({
  name: "ShellCheck has nothing to say about the shell scripts",
  ignore: await which("shellcheck") === undefined,
  async fn() {
    const { stdout } = await new Deno.Command("shellcheck", { args: SHELL_SCRIPTS, cwd: ROOT })
      .output();
    assertEquals(new TextDecoder().decode(stdout), "");
  },
});

/** A temporary folder in which lines of shell run as a workflow runs them. */
class Folder implements AsyncDisposable {
  private constructor(readonly path: string) {}

  static async create(): Promise<Folder> {
    return new Folder(await Deno.realPath(await Deno.makeTempDir()));
  }

  async write(path: string, text: string): Promise<void> {
    const file = join(this.path, path);
    await Deno.mkdir(join(file, ".."), { recursive: true });
    await Deno.writeTextFile(file, text);
  }

  read(path: string): Promise<string> {
    return Deno.readTextFile(join(this.path, path));
  }

  async list(path: string): Promise<string[]> {
    return (await Array.fromAsync(Deno.readDir(join(this.path, path)), ({ name }) => name)).sort();
  }

  async run(script: string, env: Readonly<Record<string, string>> = {}) {
    const { code, stderr } = await new Deno.Command("bash", {
      args: ["-eo", "pipefail", "-c", script],
      cwd: this.path,
      env: { ...env },
      stdin: "null",
      stdout: "null",
      stderr: "piped",
    }).output();
    return { code, stderr: new TextDecoder().decode(stderr) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.path, { recursive: true });
  }
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return new Uint8Array(digest).toHex();
}
