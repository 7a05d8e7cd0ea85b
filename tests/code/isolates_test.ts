import { BubError } from "../../lib/errors.ts";
import type { JsonValue } from "../../lib/json.ts";
import { MAX_CALLS, type SandboxCall } from "../../lib/code/sandbox.ts";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "../assert.ts";
import { answer, openSandbox } from "./open_sandbox.ts";

Deno.test("C2 code prints what it computes, arguments joined by spaces and lines ended", async () => {
  await using sandbox = openSandbox();
  const code = `
    interface Point { x: number }
    const point: Point = { x: 1 + 1 };
    print("a", 1, point, null);
    console.log("b"); console.info("c"); console.debug("d"); console.warn("e"); console.error("f");
    print();`;
  assertEquals(await sandbox.run(code), {
    printed: 'a 1 {"x": 2} null\nb\nc\nd\ne\nf\n\n',
    notes: [],
    returned: false,
    error: null,
  });
});

Deno.test("C2 await tools.name(…) gives what the call returned, whatever JSON it is", async () => {
  await using sandbox = openSandbox();
  const values: JsonValue[] = [null, "ä\u2028\n", 1.5, false, [1, [2]], { a: { b: "\ud800" } }];
  const calls: SandboxCall[] = [];
  const { printed, error } = await sandbox.run(
    "for (let n = 0; n < 6; n++) print(JSON.stringify(await tools.get({ n })))",
    {
      call: (call) => {
        calls.push(call);
        return Promise.resolve(values[call.number - 1] ?? null);
      },
    },
  );
  assertEquals(error, null);
  assertEquals(printed.trimEnd().split("\n").map((line) => JSON.parse(line)), values);
  assertEquals(calls[1], { number: 2, name: "get", args: '{"n":1}' });
});

Deno.test("C2 an object is the parameters of a call, any other value is sent as it is", async () => {
  await using sandbox = openSandbox();
  const args: string[] = [];
  const code = `
    await tools.a(); await tools.a(undefined); await tools.a({ x: 1, y: undefined });
    await tools.a("t"); await tools.a(5); await tools.a([1]); await tools.a(null);
    await tools.a(new Image({ path: "p" })); await tools.a(new Date(0));`;
  const { error } = await sandbox.run(code, {
    call: (call) => {
      args.push(call.args);
      return Promise.resolve(null);
    },
  });
  assertEquals(error, null);
  const sent = ["{}", "{}", '{"x":1}', '"t"', "5", "[1]", "null"];
  assertEquals(args, [...sent, '{"path":"p"}', '"1970-01-01T00:00:00.000Z"']);
});

Deno.test("C2 what cannot be sent is refused in the code, and no call is made", async () => {
  await using sandbox = openSandbox();
  const refused = {
    "tools.echo(1, 2)": "takes one argument, an object of parameters; got 2",
    "tools.echo(tools.echo({}))": "the argument is a Promise; did you forget await?",
    "tools.echo({ text: Promise.resolve() })": "text is a Promise; did you forget await?",
    "tools.echo(() => 1)": "a function has no place in it",
    "tools.echo({ a: 1n })": "BigInt",
    "tools.echo((() => { const o = {}; o.o = o; return o })())": "circular",
  };
  const tries = Object.keys(refused).map((code) =>
    `await ${code}.then(() => print("sent"), (error) => print(error.message.split("\\n")[0]))`
  );
  const { printed } = await sandbox.run(tries.join("\n"), {
    call: ({ args }) => Promise.resolve(args),
  });
  const said = printed.split("\n");
  for (const [n, part] of Object.values(refused).entries()) {
    assertStringIncludes(said[n] ?? "", part);
  }
});

Deno.test("C2 tools lists the names and passes others on, with dots too, and is no promise", async () => {
  await using sandbox = openSandbox();
  const code = `
    print(Object.keys(tools), "echo" in tools, await tools === tools);
    print(await tools.fs.read({}), await tools["a b"](), await tools.echo.more.yet());
    print(tools, String(tools), tools.echo.name, JSON.stringify({ tools }));`;
  const { printed, error } = await sandbox.run(code, {
    tools: ["echo", "fs_read"],
    call: ({ name }) => Promise.resolve(name),
  });
  assertEquals(error, null);
  assertEquals(printed.split("\n"), [
    '["echo", "fs_read"] true true',
    "fs.read a b echo.more.yet",
    '{"echo": [function echo], "fs_read": [function fs_read]} [object Object] echo {"tools":{}}',
    "",
  ]);
});

Deno.test("C2 a tool called then is neither listed nor called by await tools", async () => {
  await using sandbox = openSandbox();
  const called: string[] = [];
  const { printed, error } = await sandbox.run(
    "print(await tools === tools, Object.keys(tools), typeof tools.then)",
    {
      tools: ["then", "echo"],
      call: ({ name }) => {
        called.push(name);
        return Promise.resolve(null);
      },
    },
  );
  assertEquals([error, printed, called], [null, 'true ["echo"] undefined\n', []]);
});

Deno.test("C2 a call that fails throws a ToolError with kind, message and details", async () => {
  await using sandbox = openSandbox();
  const call = () =>
    Promise.reject(new BubError("not_found", "no such file", { details: { path: "x" } }));
  const caught = await sandbox.run(
    `try { await tools.read({}) } catch (error) {
       print(error instanceof ToolError, error instanceof Error, error.name);
       print(error.kind, error.message, error.details);
       print(error);
     }`,
    { call },
  );
  assertEquals(caught.error, null);
  assertEquals(caught.printed.split("\n"), [
    "true true ToolError",
    'not_found no such file {"path": "x"}',
    "ToolError: no such file (kind not_found; line 1, column 19)",
    "",
  ]);
  const uncaught = await sandbox.run("print(1)\n  await tools.read({})", { call });
  assertEquals(
    uncaught.error?.message,
    "ToolError: no such file (kind not_found; line 2, column 15: await tools.read({}))",
  );
  assertEquals([uncaught.error?.kind, uncaught.printed], ["tool", "1\n"]);
});

Deno.test("C2 B62 errors have the places that they have in the text, function or not", async () => {
  await using sandbox = openSandbox();
  const scripts: readonly (readonly [code: string, stack: RegExp])[] = [
    [
      "async () => {\n  try { throw Error() } catch (e) { print(e.stack) }\n}",
      /^Error\n {4}at line 2, column 15\n$/,
    ],
    [
      "function main() {\n  try { throw Error() } catch (e) { print(e.stack) }\n}\n// end",
      /^Error\n {4}at line 2, column 15 in main\n$/,
    ],
    [
      "function main() {\n  try { throw Error() } catch (e) { print(e.stack) }\n}\n(main)();",
      /^Error\n {4}at line 2, column 15 in main\n {4}at line 4, column 7\n$/,
    ],
  ];
  for (const [code, stack] of scripts) {
    const { printed, error } = await sandbox.run(code);
    assertEquals(error, null);
    assertMatch(printed, stack, code);
  }
});

Deno.test("C2 calls run at once, so many of them as are allowed, the rest in order", async () => {
  await using sandbox = openSandbox();
  const full = Promise.withResolvers<void>();
  let [most, now] = [0, 0];
  const order: number[] = [];
  const { printed, error } = await sandbox.run(
    "print((await Promise.all(Array.from({ length: 100 }, (_, n) => tools.a(n)))).join())",
    {
      call: async ({ number, args }) => {
        order.push(number);
        most = Math.max(most, ++now);
        if (now === MAX_CALLS) full.resolve();
        await full.promise;
        now--;
        return JSON.parse(args);
      },
    },
  );
  assertEquals(error, null);
  assertEquals(printed, `${Array.from({ length: 100 }, (_, n) => n).join()}\n`);
  assertEquals(most, MAX_CALLS);
  assertEquals(order, Array.from({ length: 100 }, (_, n) => n + 1));
});

Deno.test("C2 each run starts afresh: nothing of one is in the next", async () => {
  await using sandbox = openSandbox();
  sandbox.isolates.prepare();
  await sandbox.run("globalThis.left = 1; Array.prototype.left = 2; tools.left = 3");
  sandbox.isolates.prepare();
  const { printed } = await sandbox.run("print(typeof left, [].left, Object.keys(tools))");
  assertEquals(printed, 'undefined undefined ["echo", "fail", "wait"]\n');
});

Deno.test("C2 what is returned is not printed, but that there was something is told", async () => {
  await using sandbox = openSandbox();
  const codes = ["return 42", "1 + 1", "print(1); return 42"];
  const outcomes = await Promise.all(codes.map((code) => sandbox.run(code)));
  assertEquals(outcomes.map(({ printed, returned }) => [printed, returned]), [
    ["", true],
    ["", false],
    ["1\n", true],
  ]);
});

Deno.test("C3 calls nobody awaited are waited for and named", async () => {
  await using sandbox = openSandbox();
  const done: string[] = [];
  const { printed, notes, error } = await sandbox.run(
    "tools.a({}); tools.b({}).then(() => tools.c({})).then(() => print('c')); tools.a({})",
    {
      call: async ({ name }) => {
        await new Promise((resolve) => setTimeout(resolve, 10));
        done.push(name);
        return null;
      },
    },
  );
  assertEquals(error, null);
  assertEquals(done, ["a", "b", "a", "c"]);
  assertEquals(printed, "c\n");
  assertEquals(notes, ["not awaited: a (2), b"]);
});

Deno.test("C3 B58 rejections and late throws that nobody catches are notes, and the run succeeds", async () => {
  await using sandbox = openSandbox();
  const failing = {
    call: () => Promise.reject(new BubError("not_found", "no such file")),
  };
  const early = await sandbox.run(
    "print(42); Promise.reject(new Error('early')); tools.read({})",
    failing,
  );
  assertEquals(early.error, null);
  assertEquals(early.printed, "42\n");
  assertEquals(early.notes, [
    "not awaited: read",
    "nobody caught: Error: early (line 1, column 27: print(42); Promise.reject(new Error('early')); tools.read({}))",
    "nobody caught: ToolError: no such file (kind not_found; line 1, column 54: print(42); Promise.reject(new Error('early')); tools.read({}))",
  ]);
  const late = await sandbox.run(
    `setTimeout(() => { throw new Error("late") }, 1);
     Promise.reject(); Promise.reject({ a: 1 });
     await new Promise((resolve) => setTimeout(resolve, 30)); print(42)`,
  );
  assertEquals([late.error, late.printed], [null, "42\n"]);
  assertEquals(late.notes.length, 3);
  assertStringIncludes(late.notes.join(), "nobody caught: Error: late (line 1, column 26");
  const many = await sandbox.run("for (let n = 0; n < 1e4; n++) Promise.reject(n); print(1)");
  assertEquals([many.error, many.printed, many.notes.length], [null, "1\n", 21]);
  assertEquals(many.notes.at(-1), "9980 more like these are left out");
});

Deno.test("C3 B58 a rejection that is caught late is no note, and one that waits long is told before the end", async () => {
  await using sandbox = openSandbox();
  const late = await sandbox.run(
    `const failed = tools.fail({});
     await new Promise((resolve) => setTimeout(resolve, 120));
     try { await failed } catch (error) { print(error.message) }`,
  );
  assertEquals([late.error, late.notes], [null, []]);
  assertEquals(late.printed, "no tool is called fail\n");
  const killed = new AbortController();
  const endless = await sandbox.run(
    `Promise.reject(new Error("early"));
     await new Promise((resolve) => setTimeout(resolve, 2200));
     await tools.stop({}); for (;;);`,
    {
      signal: killed.signal,
      call: () => {
        killed.abort();
        return Promise.resolve(null);
      },
    },
  );
  assertStringIncludes(endless.notes.join(), "nobody caught for 2 seconds: Error: early (line 1");
});

Deno.test("C3 B59 a promise nothing can settle ends its run at once, work that goes on does not", async () => {
  await using sandbox = openSandbox();
  const started = performance.now();
  const { error } = await sandbox.run("await new Promise(() => {})", { timeoutMs: 60_000 });
  assertStringIncludes(
    error?.message ?? "",
    "the code waits for a promise that nothing can settle",
  );
  assert(performance.now() - started < 10_000);
  const { printed } = await sandbox.run(`
    const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    await wait(300);
    const key = await crypto.subtle.importKey("raw", new Uint8Array(8), "PBKDF2", false, ["deriveBits"]);
    const bits = await crypto.subtle.deriveBits(
      { name: "PBKDF2", hash: "SHA-256", salt: new Uint8Array(8), iterations: 1e6 }, key, 256);
    let ticks = 0;
    await new Promise((resolve) => {
      const id = setInterval(() => { if (++ticks === 3) { clearInterval(id); resolve() } }, 60);
    });
    print(bits, ticks, await Promise.race([wait(5), wait(1e12), wait(NaN)]));`);
  assertEquals(printed, "ArrayBuffer(32) 3 undefined\n");
});

Deno.test("C3 output over the limit is cut with a line that says so, and the run goes on", async () => {
  await using sandbox = openSandbox({ outputBytes: 1024 });
  const { printed, error } = await sandbox.run(
    "for (let n = 0; n < 500; n++) print('äöü'); await tools.echo({})",
  );
  assertEquals(error, null);
  assert(new TextEncoder().encode(printed).length < 1024 + 100);
  assertMatch(
    printed,
    /^(äöü\n)+ä?ö?\n?\[cut: this is the first 1 KiB of what the code printed\]\n$/,
  );
});

Deno.test("C3 at the time limit calls are cancelled, and what was printed is kept", async () => {
  await using sandbox = openSandbox();
  const reasons: unknown[] = [];
  const { printed, notes, error } = await sandbox.run(
    "print('before'); await Promise.all([tools.wait(), tools.wait(), tools.other()])",
    {
      timeoutMs: 200,
      call: async ({ name }, signal) => {
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        reasons.push([name, signal.reason.kind]);
        return null;
      },
    },
  );
  assertEquals([printed, error?.kind], ["before\n", "timeout"]);
  assertEquals(error?.message.split(";")[0], "the code took more than 0.2 seconds, its time limit");
  assertEquals(notes, ["cancelled: wait, wait, other"]);
  await Promise.resolve();
  assertEquals(reasons, [["wait", "timeout"], ["wait", "timeout"], ["other", "timeout"]]);
});

Deno.test("C3 an aborted run ends within moments, busy or not, before and while it starts", async () => {
  await using sandbox = openSandbox();
  for (const code of ["tools.wait(); for (;;);", "await tools.wait()"]) {
    sandbox.isolates.prepare();
    const controller = new AbortController();
    let aborted = 0;
    const { error } = await sandbox.run(code, {
      signal: controller.signal,
      timeoutMs: 60_000,
      call: async (call, signal) => {
        aborted = performance.now();
        controller.abort();
        return await answer(call, signal);
      },
    });
    assertEquals(error?.kind, "interrupted");
    assert(performance.now() - aborted < 500, "ended at once");
  }
  const reason = new BubError("interrupted", "the user said so");
  const starting = new AbortController();
  const running = sandbox.run("print(1)", { signal: starting.signal });
  starting.abort(reason);
  assertEquals(await running, { printed: "", notes: [], returned: false, error: reason });
  assertEquals(await sandbox.run("print(1)", { signal: AbortSignal.abort(reason) }), {
    printed: "",
    notes: [],
    returned: false,
    error: reason,
  });
});

Deno.test("C3 long answers that come in one moment do not harm the host: what is too much is an error", async () => {
  await using sandbox = openSandbox({ memoryBytes: 512 * 2 ** 20 });
  const long = "x".repeat(15 * 2 ** 20);
  const { promise: allCalled, resolve } = Promise.withResolvers<void>();
  const { printed, error } = await sandbox.run(
    `const ends = Array.from({ length: 32 }, () => tools.x().then(() => "came", (e) => e.message));
     const counts = Object.groupBy(await Promise.all(ends), (end) => end);
     for (const end of Object.keys(counts)) print(counts[end].length, end);`,
    {
      timeoutMs: 20_000,
      call: async ({ number }) => {
        if (number === 32) resolve();
        await allCalled;
        return long;
      },
    },
  );
  assertEquals(error, null);
  assertEquals(printed.trimEnd().split("\n").sort(), [
    "28 the result of x and those before it are together longer than 64 MiB; make fewer calls " +
    "with long results at a time",
    "4 came",
  ]);
  assertEquals((await sandbox.run("print(1)")).printed, "1\n");
});

Deno.test("C2 a result of 100 MB, or an error with one, is told to the code and harms nobody", async () => {
  await using sandbox = openSandbox();
  const big = "x".repeat(100e6);
  const { printed, error } = await sandbox.run(
    `for (const name of ["text", "list"]) await tools[name]({}).catch((e) => print(e.message));
     await tools.fail().catch((e) => print(e.kind, e.message, e.details));
     await tools.shout().catch((e) => print(e.message.length));
     print((await tools.fits()).length);`,
    {
      timeoutMs: 20_000,
      call: ({ name }) => {
        if (name === "text") return Promise.resolve(big);
        if (name === "list") return Promise.resolve([big]);
        if (name === "shout") return Promise.reject(new Error(big));
        if (name === "fits") return Promise.resolve(big.slice(0, 8e6));
        return Promise.reject(new BubError("tool", "failed", { details: { output: big } }));
      },
    },
  );
  assertEquals(error, null);
  assertEquals(printed.split("\n"), [
    "the result of text is longer than 16 MiB, the most code can take",
    "the result of list is longer than 16 MiB, the most code can take",
    "tool failed undefined",
    "65537",
    "8000000",
    "",
  ]);
});

Deno.test("C2 code that is too long is refused", async () => {
  await using sandbox = openSandbox();
  const { error } = await sandbox.run(" ".repeat(40e6));
  assertEquals([error?.kind, error?.message], ["invalid_input", "code may have 16 MiB at most"]);
});

Deno.test("C3 runs at the same time know nothing of each other", async () => {
  await using sandbox = openSandbox();
  const runs = [1, 2, 3].map((n) =>
    sandbox.run(n === 2 ? "throw new Error('2')" : `print(await tools.echo(${n}))`)
  );
  const outcomes = await Promise.all(runs);
  assertEquals(outcomes.map(({ printed }) => printed), ["1\n", "", "3\n"]);
  assertEquals(outcomes.map(({ error }) => error === null), [true, false, true]);
});

Deno.test("close() ends what runs and waits, and later runs end before they start", async () => {
  const { isolates, run } = openSandbox();
  isolates.prepare();
  const running = run("for (;;);", { timeoutMs: 60_000 });
  isolates.prepare();
  isolates.prepare();
  await isolates.close();
  assertEquals((await running).error?.kind, "interrupted");
  isolates.prepare();
  assertEquals((await run("print(1)")).error?.kind, "interrupted");
  await isolates.close();
});
