/** What `deno lint` checks beside its own rules; see CONTRIBUTING.md, "Rules". */

const ROOT = decodeURIComponent(new URL("../../", import.meta.url).pathname);

/** Where the product may touch the world; everything else gets an Environment or a store. */
const IO_FOLDERS = [
  "lib/environment/",
  "lib/tape/",
  "lib/config/",
  "lib/plugin/",
  "lib/code/",
  "lib/cli/",
];

/** Files outside them that may: the edge of the process, its rights, and the stamp of the build. */
const IO_FILES = ["main.ts", "lib/process_denial.ts", "lib/version.ts"];

/** Members of `Deno` that read or change nothing outside. */
const PURE = ["build", "errors", "version", "inspect"];

/** Files that may end the process. */
const EXITS = ["main.ts", "lib/code/helper_program.ts"];

/** The product's path of a file, or undefined for scripts, tests and whatever else there is. */
function productPath(filename: string): string | undefined {
  const slashed = filename.replaceAll("\\", "/").replace(/^(?=[A-Za-z]:)/, "/");
  if (!slashed.startsWith(ROOT)) return undefined;
  const path = slashed.slice(ROOT.length);
  return path === "main.ts" || /^(lib|tools)\//.test(path) ? path : undefined;
}

/** `name` in `object.name` or `object["name"]`. */
function memberName({ property }: Deno.lint.MemberExpression): string | undefined {
  if (property.type === "Identifier") return property.name;
  return property.type === "Literal" ? String(property.value) : undefined;
}

export default {
  name: "house",
  rules: {
    "io-in-place": {
      create(context) {
        const path = productPath(context.filename);
        if (path === undefined || IO_FILES.includes(path)) return {};
        if (IO_FOLDERS.some((folder) => path.startsWith(folder))) return {};
        return {
          Identifier(node) {
            if (node.name !== "Deno" || node.parent.type === "TSQualifiedName") return;
            const { parent } = node;
            if (parent.type === "MemberExpression" && parent.object === node) {
              const name = memberName(parent);
              if (name !== undefined && [...PURE, "exit"].includes(name)) return;
            }
            context.report({
              node: parent.type === "MemberExpression" ? parent : node,
              message: `Deno's input and output belong in ${IO_FOLDERS.join(", ")}`,
              hint: "Take an Environment, a store or a port instead",
            });
          },
          ImportDeclaration(node) {
            if (!node.source.value.startsWith("node:")) return;
            context.report({
              node,
              message: `${node.source.value}: Node's modules belong in ${IO_FOLDERS.join(", ")}`,
            });
          },
        };
      },
    },
    "exit-in-main": {
      create(context) {
        const path = productPath(context.filename);
        if (path === undefined || EXITS.includes(path)) return {};
        return {
          MemberExpression(node) {
            const { object } = node;
            if (object.type !== "Identifier" || memberName(node) !== "exit") return;
            if (object.name !== "Deno" && object.name !== "process") return;
            context.report({
              node,
              message: "Only main.ts and the helper of code mode end the process",
              hint: "Return an exit code, or throw",
            });
          },
        };
      },
    },
  },
} satisfies Deno.lint.Plugin;
