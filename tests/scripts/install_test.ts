import { join } from "@std/path";
import { programName, type Target, TARGETS } from "../../scripts/compile/target.ts";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "../assert.ts";
import { closedByClient, RawServer, respond } from "../environment/raw_server.ts";
import { INSTALLER, Machine, outcomeOf, which } from "./bare_machine.ts";
import { deadAddress } from "./jsr_server.ts";
import { REFUSED_ADDRESSES, RELEASED, Releases, TAKEN_ADDRESSES } from "./release.ts";

const windows = Deno.build.os === "windows";
const name = programName(TARGETS.find((target) => target === Deno.build.target) ?? TARGETS[0]);

/** What a release has in place of the program: long enough to be cut, and it says its version. */
const PROGRAM = `#!/bin/sh\necho "bub ${RELEASED} (0123456789ab)"\nexit\n${"#".repeat(100_000)}\n`;

const SHELLS = await existing([["sh"], ["bash", "--posix"], ["busybox", "sh"]]);
const LOADERS = await existing([["curl"], ["wget"], ["busybox", "wget"]]);

for (const shell of SHELLS) {
  for (const loader of LOADERS) {
    Deno.test({
      name: `D1 install.sh by ${shell.join(" ")} with ${loader.join(" ")}: a program that is right`,
      ignore: windows,
      async fn() {
        await using releases = await Releases.open(name, PROGRAM);
        await using machine = await Machine.create(loader);
        const { code, stderr } = await machine.install(
          { BUB_RELEASES: `${releases.address}/` },
          { shell },
        );
        assertEquals(code, 0, stderr);
        assertEquals(await machine.installed(), { bub: PROGRAM });
        assertEquals((await Deno.stat(join(machine.folder, "bub"))).mode! & 0o777, 0o755);
        assertEquals(releases.paths, [
          "/latest/download/SHA256SUMS",
          `/latest/download/${name}`,
        ]);
        assertStringIncludes(stderr, `bub: bub ${RELEASED} (0123456789ab) is installed: `);
        assertStringIncludes(stderr, `${machine.folder} is not on PATH; add it with: export PATH=`);
      },
    });

    Deno.test({
      name: `D1 install.sh by ${shell.join(" ")} with ${loader.join(" ")}: none that was cut off`,
      ignore: windows,
      async fn() {
        await using releases = await Releases.open(name, PROGRAM, { cutAt: 50_000 });
        await using machine = await Machine.create(loader);
        await machine.writeOld();
        const { code, stderr } = await machine.install({ BUB_RELEASES: releases.address }, {
          shell,
        });
        assertEquals(code, 1, stderr);
        assertMatch(stderr, /bub: [^\n]+; nothing was installed\n$/);
        assertEquals(await machine.installed(), { bub: "old" });
      },
    });
  }
}

for (const loader of LOADERS) {
  Deno.test({
    name: `D1 install.sh with ${loader.join(" ")} follows no redirect away from https`,
    ignore: windows,
    async fn() {
      await using releases = await Releases.open(name, PROGRAM);
      for (const location of [releases.address, releases.address.replace("http", "HTTP")]) {
        await using redirecting = new RawServer(({ path, connection }) =>
          respond(connection, "302 Found", [`location: ${location}${path}`])
        );
        await using machine = await Machine.create(loader);
        await machine.writeOld();
        const { code, stderr } = await machine.install({ BUB_RELEASES: redirecting.url });
        assertEquals(code, 1, stderr);
        assertMatch(stderr, /SHA256SUMS (could not be downloaded|redirects to http:.*);/i);
        assertEquals(await machine.installed(), { bub: "old" });
      }
    },
  });
}

Deno.test({
  name: "D1 install.sh believes wget only where it stays with https and checks certificates",
  ignore: windows || await which("wget") === undefined,
  async fn() {
    await using releases = await Releases.open(name, PROGRAM);
    const said = async (line: string) => {
      await using machine = await Machine.create(["wget"]);
      await machine.fake("wget", `echo "${line}" >&2; exec ${await which("wget")} "$@"`);
      const { code, stderr } = await machine.install({ BUB_RELEASES: releases.address });
      return { installed: code === 0, stderr };
    };
    for (const location of ["https://files.example/x", "/x"]) {
      const { installed, stderr } = await said(`  Location: ${location}`);
      assert(installed, stderr);
    }
    for (const location of ["http://files.example/x", "//files.example/x", "ftp://x/y", ""]) {
      const { installed, stderr } = await said(`  LOCATION: ${location}`);
      assert(!installed, location);
      assertStringIncludes(stderr, `SHA256SUMS redirects to ${location}; nothing was installed`);
    }
    const blind = await said("wget: note: TLS certificate validation not implemented");
    assert(!blind.installed);
    assertStringIncludes(blind.stderr, "this wget checks no certificate; nothing was installed");
  },
});

Deno.test({
  name: "D1 install.sh takes the addresses that may be meant",
  ignore: windows,
  async fn() {
    await using machine = await Machine.create(["curl"]);
    await machine.fake("curl", "exit 7");
    for (const BUB_RELEASES of TAKEN_ADDRESSES) {
      const { stderr } = await machine.install({ BUB_RELEASES });
      assertStringIncludes(stderr, `${BUB_RELEASES}/latest/download/SHA256SUMS could not be`);
    }
  },
});

Deno.test({
  name: "D1 install.sh reads a SHA256SUMS with the line ends and the digits of Windows",
  ignore: windows,
  async fn() {
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(PROGRAM));
    const sums = `${new Uint8Array(digest).toHex().toUpperCase()} *${name}\r\n`;
    await using releases = await Releases.open(name, PROGRAM, { sums });
    await using machine = await Machine.create(LOADERS[0]);
    const { code, stderr } = await machine.install({ BUB_RELEASES: releases.address });
    assertEquals(code, 0, stderr);
    assertEquals(await machine.installed(), { bub: PROGRAM });
  },
});

/** Ways a release can be wrong, and what is said of each. */
const FAULTS: readonly { what: string; sums: string; says: RegExp }[] = [
  {
    what: "a wrong checksum",
    sums: `${"a".repeat(64)}  ${name}\n`,
    says: /the checksum of bub-\S+ is [0-9a-f]{64}, but must be a{64}; nothing was installed\n$/,
  },
  {
    what: "no checksum of this program",
    sums: `${"a".repeat(64)}  another-${name}\n${"a".repeat(64)}  ${name}.sig\n`,
    says: /SHA256SUMS of this release has no checksum of bub-\S+; nothing was installed\n$/,
  },
  {
    what: "a checksum that is none",
    sums: `${"a".repeat(63)}  ${name}\n`,
    says: /has no checksum of bub-/,
  },
  { what: "an empty SHA256SUMS", sums: "", says: /has no checksum of bub-/ },
];

for (const { what, sums, says } of FAULTS) {
  Deno.test({
    name: `D1 install.sh installs nothing with ${what}, and an earlier bub stays`,
    ignore: windows,
    async fn() {
      await using releases = await Releases.open(name, PROGRAM, { sums });
      await using machine = await Machine.create(LOADERS[0]);
      await machine.writeOld();
      const { code, stderr } = await machine.install({ BUB_RELEASES: releases.address });
      assertEquals(code, 1, stderr);
      assertMatch(stderr, says);
      assertEquals(await machine.installed(), { bub: "old" });
    },
  });
}

Deno.test({
  name: "D1 install.sh takes the version that is asked for, and says where there is none",
  ignore: windows,
  async fn() {
    await using releases = await Releases.open(name, PROGRAM);
    await using machine = await Machine.create(LOADERS[0]);
    await machine.writeOld();
    const install = (BUB_VERSION: string) =>
      machine.install({ BUB_RELEASES: releases.address, BUB_VERSION });
    const missing = await install("9.9.9");
    assertEquals(missing.code, 1);
    assertStringIncludes(
      missing.stderr,
      `${releases.address}/download/v9.9.9/SHA256SUMS could not`,
    );
    const wrong = await install("1/../../x");
    assertEquals(wrong.code, 1);
    assertStringIncludes(wrong.stderr, "BUB_VERSION must be a release such as 0.1.0, but is 1/");
    assertEquals(await machine.installed(), { bub: "old" });
    for (const version of [RELEASED, `v${RELEASED}`, "latest"]) {
      await machine.writeOld();
      assertEquals((await install(version)).code, 0);
      assertEquals(await machine.installed(), { bub: PROGRAM });
      await Deno.remove(join(machine.folder, "bub"));
    }
  },
});

Deno.test({
  name: "D1 install.sh starts the program before it puts it in place",
  ignore: windows,
  async fn() {
    await using machine = await Machine.create(LOADERS[0]);
    await machine.writeOld();
    for (const program of ["#!/bin/sh\nexit 3\n", "#!/bin/sh\necho hello\n", "#!/nowhere\n"]) {
      await using releases = await Releases.open(name, program);
      const { code, stderr } = await machine.install({ BUB_RELEASES: releases.address });
      assertEquals(code, 1, stderr);
      assertMatch(stderr, /does not start on this machine; nothing was installed\n$/);
      assertEquals(await machine.installed(), { bub: "old" });
    }
  },
});

for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
  Deno.test({
    name: `D1 install.sh ended by ${signal} half-way stops the download and leaves nothing`,
    ignore: windows,
    async fn() {
      const { promise: hungUp, resolve } = Promise.withResolvers<void>();
      await using machine = await Machine.create(LOADERS[0]);
      await machine.writeOld();
      const children: Deno.ChildProcess[] = [];
      await using releases = await Releases.open(name, PROGRAM, {
        async halfWay(connection) {
          children[0]?.kill(signal);
          await closedByClient(connection);
          resolve();
        },
      });
      const child = await machine.spawn({ BUB_RELEASES: releases.address });
      children.push(child);
      const { code, stderr } = await outcomeOf(child);
      await hungUp;
      assertEquals(code, { SIGTERM: 143, SIGINT: 130, SIGHUP: 129 }[signal], stderr);
      assertEquals(await machine.installed(), { bub: "old" });
    },
  });
}

Deno.test({
  name: "D1 install.sh says so where nothing can be written, and where no server answers",
  ignore: windows,
  async fn() {
    await using releases = await Releases.open(name, PROGRAM);
    await using machine = await Machine.create(LOADERS[0]);
    await machine.writeOld();
    const BUB_INSTALL_DIR = join(machine.folder, "bub", "x");
    const blocked = await machine.install({ BUB_RELEASES: releases.address, BUB_INSTALL_DIR });
    assertEquals(blocked.code, 1);
    assertMatch(
      blocked.stderr,
      /bub: the folder \S+ cannot be made; set BUB_INSTALL_DIR to another\n$/,
    );
    const dead = await machine.install({ BUB_RELEASES: deadAddress() });
    assertEquals(dead.code, 1);
    assertMatch(dead.stderr, /SHA256SUMS could not be downloaded; nothing was installed\n$/);
    assertEquals(await machine.installed(), { bub: "old" });
    assertEquals(releases.paths, []);
  },
});

Deno.test({
  name: "D1 install.sh says so where the folder may only be read",
  ignore: windows || (Deno.uid() === 0 && await which("setpriv") === undefined),
  async fn() {
    await using releases = await Releases.open(name, PROGRAM);
    await using machine = await Machine.create(LOADERS[0]);
    await machine.writeOld();
    await Deno.chmod(machine.folder, 0o555);
    await Deno.chmod(join(machine.folder, "../../.."), 0o755);
    const nobody = [
      "setpriv",
      "--reuid=65534",
      "--regid=65534",
      "--clear-groups",
      await which("sh") ?? "",
    ];
    const shell = Deno.uid() === 0 ? nobody : ["sh"];
    const { code, stderr } = await machine.install({ BUB_RELEASES: releases.address }, { shell });
    assertEquals(code, 1);
    assertMatch(
      stderr,
      /bub: nothing can be written to \S+; set BUB_INSTALL_DIR to another folder\n$/,
    );
    assertEquals(await machine.installed(), { bub: "old" });
    await Deno.chmod(machine.folder, 0o755);
  },
});

Deno.test({
  name: "D1 install.sh does not replace what is another program, a link or a folder",
  ignore: windows,
  async fn() {
    await using releases = await Releases.open(name, PROGRAM);
    await using machine = await Machine.create(LOADERS[0]);
    await machine.writeOld();
    const place = join(machine.folder, "bub");
    const others = {
      script: () => Deno.writeTextFile(place, "#!/usr/bin/env python3\n"),
      link: () => Deno.symlink(join(machine.folder, "nowhere"), place),
      folder: () => Deno.mkdir(place),
    };
    for (const [what, make] of Object.entries(others)) {
      await Deno.remove(place);
      await make();
      const { code, stderr } = await machine.install({ BUB_RELEASES: releases.address });
      assertEquals(code, 1, what);
      assertMatch(
        stderr,
        /\/bub is (another program, maybe Bub for Python|a folder); .*BUB_INSTALL_DIR/,
      );
    }
    assertEquals(releases.paths, []);
  },
});

Deno.test({
  name: "D1 install.sh knows the targets of the releases by uname, and refuses others",
  ignore: windows,
  async fn() {
    const found = new Set<string>();
    await using machine = await Machine.create(LOADERS[0]);
    const refused: string[] = [];
    await machine.fake("getconf", "echo glibc 2.36");
    await machine.fake("sysctl", "echo 0");
    for (const system of ["Linux", "Darwin", "MINGW64_NT-10.0", "FreeBSD"]) {
      for (const hardware of ["x86_64", "amd64", "aarch64", "arm64", "riscv64"]) {
        await machine.fake("uname", `[ "$1" = -m ] && echo ${hardware} || echo ${system}`);
        await using releases = await Releases.open("none", PROGRAM, { sums: "" });
        const { code, stderr } = await machine.install({ BUB_RELEASES: releases.address });
        assertEquals(code, 1);
        const target = /has no checksum of bub-(\S+);/.exec(stderr)?.[1];
        if (target === undefined) refused.push(stderr);
        else found.add(target);
      }
    }
    const expected: readonly Target[] = TARGETS.filter((target) => !target.includes("windows"));
    assertEquals([...found].sort(), [...expected].sort());
    assertEquals(
      refused.filter((text) => text.includes("this is Windows; use install.ps1")).length,
      5,
    );
    assertEquals(refused.filter((text) => text.includes("no bub for FreeBSD;")).length, 5);
    assertEquals(refused.filter((text) => text.includes("no bub for riscv64 under ")).length, 2);
    await machine.fake("sysctl", "echo 1");
    await machine.fake("uname", `[ "$1" = -m ] && echo x86_64 || echo Darwin`);
    await using releases = await Releases.open("none", PROGRAM, { sums: "" });
    const { stderr } = await machine.install({ BUB_RELEASES: releases.address });
    assertStringIncludes(stderr, "no checksum of bub-aarch64-apple-darwin;");
  },
});

Deno.test({
  name: "D1 install.sh refuses musl, programs that are missing, and addresses that are not safe",
  ignore: windows,
  async fn() {
    await using releases = await Releases.open(name, PROGRAM);
    const refusal = async (
      change: (machine: Machine) => Promise<void>,
      env: Record<string, string> = {},
    ) => {
      await using machine = await Machine.create(LOADERS[0]);
      await change(machine);
      const { code, stderr } = await machine.install({ BUB_RELEASES: releases.address, ...env });
      assertEquals(code, 1, stderr);
      assertEquals(await machine.installed() ?? {}, {});
      return stderr;
    };
    const nothing = () => Promise.resolve();
    const musl = await refusal(async (machine) => {
      await machine.fake("uname", `[ "$1" = -m ] && echo x86_64 || echo Linux`);
      await machine.fake("getconf", "exit 1");
      await machine.fake("ldd", "echo 'musl libc (x86_64)' >&2; exit 1");
    });
    assertStringIncludes(musl, "this system has musl in place of glibc");
    const [loader = []] = LOADERS;
    const deaf = await refusal((machine) => machine.without(loader.at(-1) ?? ""));
    assertStringIncludes(deaf, "curl or wget is needed, and neither was found");
    for (const BUB_RELEASES of REFUSED_ADDRESSES) {
      const unsafe = await refusal(nothing, { BUB_RELEASES });
      const expected = "must be a plain address that begins with https://, but is ";
      assertStringIncludes(unsafe, `BUB_RELEASES ${expected}${BUB_RELEASES}`);
    }
    const unknown = await refusal(nothing, { BUB_RELEASES: "" });
    assertStringIncludes(unknown, "does not know where the releases are");
    const homeless = await refusal(nothing, { HOME: "" });
    assertStringIncludes(homeless, "HOME is not set; set BUB_INSTALL_DIR");
    assertEquals(releases.paths, []);
  },
});

Deno.test({
  name: "D1 install.sh that was cut off on its way to the shell does nothing",
  ignore: windows,
  async fn() {
    await using releases = await Releases.open(name, PROGRAM);
    await using machine = await Machine.create(LOADERS[0]);
    const text = await Deno.readTextFile(INSTALLER);
    const script = join(machine.folder, "../../install.sh");
    await Deno.mkdir(join(script, ".."), { recursive: true });
    for (const cut of [text.length - "main\n".length, Math.floor(text.length / 2), 2000]) {
      await Deno.writeTextFile(script, text.slice(0, cut));
      await outcomeOf(await machine.spawn({ BUB_RELEASES: releases.address }, { script }));
      assertEquals(await machine.installed(), undefined);
    }
    assertEquals(releases.paths, []);
  },
});

/** The command lines whose program there is. */
async function existing(lines: readonly (readonly string[])[]) {
  const paths = await Promise.all(lines.map(([program = ""]) => which(program)));
  return lines.filter((_, at) => paths[at] !== undefined);
}
