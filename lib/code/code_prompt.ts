import { type DeclaredTool, declareTools } from "./declarations.ts";

/** Stands above the declarations. */
const INTRODUCTION = "Code mode: the only tool you call is run_code. Its code has these:";

/** Of the code of a model that has no other tools. */
const ALONE = "Code mode: the only tool you call is run_code. Its code can call no others.";

/** What a model is told of code mode: the tools its code may call, and the rules (C1). */
export function codePrompt(tools: readonly DeclaredTool[]): string {
  const names = new Set(tools.map(({ name }) => name));
  const top = tools.length === 0 ? [ALONE] : [INTRODUCTION, declareTools(tools)];
  const rules = ["Rules of that code:", ...rulesFor(names)].join("\n- ");
  return [...top, rules].join("\n\n");
}

/** What stands below the declarations: of tools that are not there it says nothing. */
function rulesFor(names: ReadonlySet<string>): readonly string[] {
  const shows = [...names].some((name) => name.startsWith("attach_"));
  const seen = `You see what print(...) was given${shows ? " and what attach_* added" : ""}, ` +
    "nothing else: print what you need, cut long results down first.";
  const reached = names.size === 0
    ? "there are no files, processes or network"
    : "files, processes and network are reached by tools";
  const bare = `It is the bare language: ${reached}, nothing can be imported, and no run knows ` +
    "of another.";
  if (names.size === 0) return [seen, bare];
  return [
    seen,
    "Await every call; start independent ones together with Promise.all.",
    "A call gives text or a JSON value; if it fails it throws ToolError {kind, message, details}.",
    "A value that is no object is the first parameter" +
    (names.has("fs_read") ? ': await tools.fs_read("a.txt").' : "."),
    ...imageRules(names),
    bare,
  ];
}

function imageRules(names: ReadonlySet<string>): readonly string[] {
  const sentences = [
    ...(names.has("attach_image")
      ? ['To look at an image: await tools.attach_image("a.png").']
      : []),
    ...(names.has("fs_read") ? ["What fs_read gives of an image is {text, media}."] : []),
  ];
  return sentences.length === 0 ? [] : [sentences.join(" ")];
}
