import type { MediaKind } from "../lib/content/media_kind.ts";
import { BubError } from "../lib/errors.ts";
import type { JsonValue } from "../lib/json.ts";
import { defineTool, type Tool } from "../lib/tool/tool.ts";

// Named by a variable, so that Deno loads it with the first call and not before (see main.ts).
const ATTACHMENT = "../lib/tool/attachment.ts";

/** What code shows to the model (C5). */
export const attachTools: readonly Tool[] = [
  attachTool("image", "Shows the model an image: adds it to the result of this run_code."),
  attachTool("audio", "Lets the model hear a sound: adds it to the result of this run_code."),
  attachTool("video", "Shows the model a film: adds it to the result of this run_code."),
];

function attachTool(kind: MediaKind, description: string): Tool {
  const name = `attach_${kind}`;
  return defineTool({
    name,
    description,
    exposure: "code",
    // Loose, as the one argument may itself be an object with the place: `new Image({path})`.
    parameters: (z) =>
      z.looseObject({
        [kind]: z.union([z.string(), z.looseObject({})]).optional().describe(
          "Path; http(s):, gs: or data: URL; {path | url | data, mediaType?}; or what fs_read gave",
        ),
        // Models are told the plain form.
      }).meta({ required: [kind] }),
    async run(args, { attach, environment, signal }) {
      if (attach === undefined) {
        throw new BubError("tool", `${name} adds to the result of run_code; call it from code`);
      }
      const { loadAttachment }: typeof import("../lib/tool/attachment.ts") = await import(
        ATTACHMENT
      );
      // Arguments come from JSON: there is nothing in them that JSON does not have.
      const nothing = Object.keys(args).length === 0;
      const given = (args[kind] ?? (nothing ? null : args)) as JsonValue;
      const media = await loadAttachment(kind, given, { environment, signal });
      attach(media);
      return `attached ${media.label}`;
    },
  });
}
