import { parseArgs } from "../../lib/cli/args.ts";
import { RUN_FLAGS, SCOPE_FLAGS } from "../../lib/cli/flags.ts";
import { SCOPE_KEYS } from "../../lib/config/scope_setting.ts";
import { BubError } from "../../lib/errors.ts";
import { assert, assertEquals, assertStringIncludes, assertThrows } from "../assert.ts";
import { bub } from "./spawn.ts";
import { openWorkbench } from "./workbench.ts";

const parse = (...args: string[]) => parseArgs(args, RUN_FLAGS);

Deno.test("E3 a bare scope flag means everything and never takes the next word", () => {
  assertEquals(parse("--allow-read", "README.md", "--deny-net", "true", "-q", "--allow-env"), {
    flags: { quiet: true, "allow-read": true, "deny-net": true, "allow-env": true },
    words: ["README.md", "true"],
    literal: [],
  });
  assertEquals(parse("--allow-read=true", "--allow-run", "--", "--allow-net"), {
    flags: { "allow-read": ["true"], "allow-run": true },
    words: [],
    literal: ["--allow-net"],
  });
});

Deno.test("E3 scope flags take lists, doubled commas for one, and repeated ones add up", () => {
  const read = (...args: string[]) => parse(...args).flags["allow-read"];
  assertEquals(read("--allow-read=src,../docs"), ["src", "../docs"]);
  assertEquals(read("--allow-read=src", "--quiet", "--allow-read=/a=b, c"), ["src", "/a=b", " c"]);
  assertEquals(read("--allow-read=a,,b,c"), ["a,b", "c"]);
  assertEquals(read("--allow-read=a,,,b"), ["a,", "b"]);
  assertEquals(parse("--allow-env=HOME,AWS_*").flags, { "allow-env": ["HOME", "AWS_*"] });
});

Deno.test("E3 beside a bare flag of the same name the stricter counts, in either order", () => {
  for (const [first, second] of [["", "=a"], ["=a", ""]]) {
    assertEquals(parse(`--allow-read${first}`, `--allow-read${second}`).flags, {
      "allow-read": ["a"],
    });
    assertEquals(parse(`--deny-read${first}`, `--deny-read${second}`).flags, {
      "deny-read": true,
    });
  }
});

const HOST = "must be a host or host:port, such as example.com:443 or 127.0.0.1";

for (
  const [args, message] of [
    [
      "--allow-read=",
      "--allow-read= needs PATHS with commas between; without = it means everything",
    ],
    ["--allow-read=a,", "--allow-read= needs PATHS"],
    ["--deny-env=,A", "--deny-env= needs NAMES"],
    ["--allow-read=~/x", "--allow-read must be a path that is written out, without ~ or file:"],
    [
      "--deny-read=~",
      '--deny-read must be a path that is written out, without ~ or file:, not "~"',
    ],
    ["--allow-write=file:///x", "--allow-write must be a path that is written out"],
    ["--allow-net=http://x", `--allow-net ${HOST}, not "http://x"`],
    ["--deny-net=x.com:99999", `--deny-net ${HOST}, not "x.com:99999"`],
    ["--allow-net=*", `--allow-net ${HOST}, not "*"`],
    ["--allow-net=unix:/x", `--allow-net ${HOST}, not "unix:/x"`],
    ["--allow-run=bash,", "--allow-run= needs PROGRAMS"],
    ["--allow-env=A=B", '--allow-env must be the name of a variable, not "A=B"'],
    ["--allow-raed", "--allow-raed is not a flag of this command; did you mean --allow-read"],
    ["--no-allow-read", "--no-allow-read is not a flag of this command"],
  ] as const
) {
  Deno.test(`E3 L3 the scope flag ${args} is wrong usage`, () => {
    const error = assertThrows(() => parse(args), BubError, message);
    assertEquals(error.kind, "config");
  });
}

Deno.test("E3 L3 every other permission flag of Deno is wrong usage that says which there are", () => {
  const given =
    "--allow-all -A -R -R=/a -WN -E -S -I -P --allow-sys --allow-ffi=x --allow-import " +
    "--deny-sys --deny-ffi --deny-import --ignore-env --ignore-read=a --no-prompt " +
    "--permission-set=x";
  for (const flag of given.split(" ")) {
    const error = assertThrows(() => parse(flag), BubError);
    const shown = flag === "-WN" ? "-W" : flag.replace(/=.*/, "");
    assertEquals(
      error.message,
      `${shown} is a flag of deno run; what bounds tools here is --allow-read, --allow-write, ` +
        "--allow-net, --allow-run or --allow-env, and --deny-… of each",
    );
  }
});

Deno.test("E3 L1 a command that takes no scope flags says which ones do", () => {
  for (const flag of ["--allow-read=x", "--deny-env", "-A", "--no-prompt"]) {
    const { message } = assertThrows(() => parseArgs([flag], {}), BubError);
    assertStringIncludes(
      message,
      "are flags of bub run, chat and doctor, and scope in config.jsonc",
    );
  }
});

Deno.test("E3 what deno run refuses is refused here, and what it takes is taken", async () => {
  const items = {
    net: "x.com x.com:80 X.COM. *.x.com *.x.com:80 10.0.0.0/8 [::1] [::1]:80 x_y -x.com " +
      "::1 http://x x.com/ x.com: x.com:99999 x.com:abc :/ * x.* x..com " +
      `${"x".repeat(255)}.com ${"x".repeat(256)}.com ${"x.".repeat(999)}com ` +
      "10.0/8 10.0.0.0/99 300.0.0.0/8 10.0.0.0/8:80 [::x] [fe80::]/10 fe80::/10 unix:x vsock:x münchen.de",
    env: "A A* * A=B",
    run: "ls ./x *",
    read: "a / ./~ a=b",
  };
  const flags = Object.entries(items).flatMap(([access, list]) =>
    list.split(" ").map((item) => `--allow-${access}=${item}`)
  );
  const differing = await Promise.all(flags.map(async (flag) => {
    const taken = accepts(flag);
    return taken === await denoAccepts(flag) ? [] : [`${flag}: ${taken}`];
  }));
  assertEquals(differing.flat(), []);
  assert(flags.some(accepts) && !flags.every(accepts));
});

Deno.test("E3 L3 a host that would match nothing, by its spelling or its port, is wrong usage", () => {
  const dead =
    "127.1 2130706433 0x7f.1 0177.0.0.1 0x7f000001:80 0 1.2.3 256.1.1.1 *.127.0.0.1 a.1 " +
    "010.0.0.0/8 127.0.0.1:0 x.com:0 *.x.com:0 [::1]:0";
  for (const host of dead.split(" ")) {
    for (const name of ["allow", "deny"]) {
      const { kind, message } = assertThrows(() => parse(`--${name}-net=${host}`), BubError);
      assertEquals([kind, message], ["config", `--${name}-net ${HOST}, not "${host}"`]);
    }
  }
  for (
    const host of "127.0.0.1 127.0.0.1. 10.0.0.0/8:80 1a.b.c *.1a X_y.Z. [::ffff:1.2.3.4]".split(
      " ",
    )
  ) {
    assert(accepts(`--deny-net=${host}`), host);
  }
});

function accepts(flag: string): boolean {
  try {
    parse(flag);
    return true;
  } catch (thrown) {
    assert(thrown instanceof BubError);
    return false;
  }
}

/** Whether `deno` takes a flag; what it evaluates needs no module and no type check. */
async function denoAccepts(flag: string): Promise<boolean> {
  const args = ["run", "--no-config", "--no-prompt", "--quiet", flag, "data:text/javascript,0"];
  const { success } = await new Deno.Command(Deno.execPath(), { args, stdin: "null" }).output();
  return success;
}

Deno.test("E3 L1 the help of run, chat and doctor shows the scope flags in a block of their own", async () => {
  for (const name of ["run", "chat", "doctor"]) {
    const { stdout } = await bub([name, "--help"]);
    const [own = "", bounds = ""] = stdout.split("\nBounds of what tools may touch");
    for (const key of SCOPE_KEYS) {
      const { items } = SCOPE_FLAGS[key];
      assertStringIncludes(bounds, `  --${key}[=${items}]  `);
      assert(!own.includes(`--${key}`), key);
    }
  }
});

Deno.test("E3 L3 a wrong scope flag ends the program with one line and exit code 2", async () => {
  await using bench = await openWorkbench();
  const { code, stdout, stderr } = await bub(["run", "--allow-net=http://x", "hi"], {
    env: bench.env,
  });
  assertEquals([code, stdout, stderr], [2, "", `bub: --allow-net ${HOST}, not "http://x"\n`]);
});
