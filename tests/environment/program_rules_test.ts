import { assertEquals } from "../assert.ts";
import { ProgramRules } from "../../lib/environment/program_rules.ts";

Deno.test({
  name: "E3 ProgramRules takes names and paths for the files they lead to",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "bub_programs_" }));
    for (const folder of ["first", "second"]) {
      await Deno.mkdir(`${root}/${folder}`);
      await Deno.writeTextFile(`${root}/${folder}/tool`, "", { mode: 0o755 });
    }
    await Deno.symlink("tool", `${root}/first/alias`);
    const judged = (program: string, allow: true | string[], deny: true | string[] = []) =>
      new ProgramRules({ allow, deny }, `${root}/none:${root}/first:${root}/second`)
        .judge(program)?.message ?? "";

    const first = `${root}/first/tool`;
    const second = `${root}/second/tool`;
    assertEquals(judged("tool", ["tool"]), "");
    assertEquals(judged(first, ["tool"]), "");
    assertEquals(judged("tool", [first]), "");
    assertEquals(
      judged(second, ["tool"]),
      `run access to "${second}" is not allowed; --allow-run=${second} grants it`,
    );
    assertEquals(
      judged("alias", ["tool"]),
      'run access to "alias" is not allowed; --allow-run=alias grants it',
    );
    for (const program of ["tool", first, second, "alias", `${root}/first/alias`]) {
      const denied = `run access to "${program}" is denied by --deny-run`;
      if (program !== second) {
        assertEquals(judged(program, true, [first]), `${denied}=${first}`);
      }
      assertEquals(judged(program, true, ["tool"]), `${denied}=tool`);
      assertEquals(judged(program, [program], true), denied);
    }
    assertEquals(judged(second, true, [first]), "");
    assertEquals(judged("elsewhere", true, ["tool", "missing"]), "");
    const rules = new ProgramRules({ allow: ["tool", "a", "/b/a"], deny: [] }, `${root}/first`);
    assertEquals(rules.allowedFiles, [first, "a", "/b/a"]);
    await Deno.remove(root, { recursive: true });
  },
});
