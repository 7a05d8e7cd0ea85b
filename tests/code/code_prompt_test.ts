import { codePrompt } from "../../lib/code/code_prompt.ts";
import { assert, assertEquals, assertStringIncludes } from "../assert.ts";

/** What a model is told that may call these. */
function told(...names: string[]): string {
  return codePrompt(names.map((name) => ({ name, description: "", parameters: {} })));
}

Deno.test("C1 codePrompt() speaks of no tool that is not there", () => {
  const all = told("fs_read", "attach_image", "bash");
  assertStringIncludes(all, 'await tools.attach_image("a.png"). What fs_read gives of an image');
  assertStringIncludes(all, 'await tools.fs_read("a.txt").');
  assertStringIncludes(all, "and what attach_* added");
  const read = told("fs_read");
  assert(!read.includes("attach_"), read);
  assertStringIncludes(read, "\n- What fs_read gives of an image is {text, media}.\n");
  const shell = told("bash");
  assert(!/attach_|fs_read|image/.test(shell), shell);
  assertStringIncludes(shell, "is the first parameter.\n");
});

Deno.test("C1 codePrompt() of code without tools declares none and tells no rules of calls", () => {
  assertEquals(
    told(),
    `Code mode: the only tool you call is run_code. Its code can call no others.

Rules of that code:
- You see what print(...) was given, nothing else: print what you need, cut long results down first.
- It is the bare language: there are no files, processes or network, nothing can be imported, and no run knows of another.`,
  );
});
