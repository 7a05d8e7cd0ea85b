import { type DeclaredTool, declareTools } from "./declarations.ts";

/** Stands above the declarations. */
const INTRODUCTION = "Code mode: the only tool you call is run_code. Its code has these:";

/** Stand below them. */
const RULES = `Rules of that code:
- You see what print(...) was given and what attach_* added, nothing else: print what you need, cut long results down first.
- Await every call; start independent ones together with Promise.all.
- A call gives text or a JSON value; if it fails it throws ToolError {kind, message, details}.
- A value that is no object is the first parameter: await tools.fs_read("a.txt").
- To look at an image: await tools.attach_image("a.png"). What fs_read gives of one is {text, media}.
- It is the bare language: files, processes and network are reached by tools, nothing can be imported, and no run knows of another.`;

/** What a model is told of code mode: the tools its code may call, and the rules (C1). */
export function codePrompt(tools: readonly DeclaredTool[]): string {
  return `${INTRODUCTION}\n\n${declareTools(tools)}\n\n${RULES}`;
}
