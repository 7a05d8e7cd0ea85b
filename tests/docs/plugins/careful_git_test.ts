import { assert, assertEquals, assertMatch } from "../../assert.ts";
import { TemporaryAgent } from "../../kernel/temporary_agent.ts";
import { examplePath } from "../../plugin/workbench.ts";

const push = (command: string) => ({ calls: [{ name: "bash", arguments: { command } }] });

Deno.test("H1 H2 the example careful_git denies a forced push, and only that", async () => {
  const commands = [
    "git push --force",
    "cd x && git push origin +main",
    "git -C x push -f origin main",
    "git push --force-with-lease; true",
    "echo git pushes --force; true",
  ];
  await using app = await TemporaryAgent.open([...commands.map(push), { text: "done" }], {}, {
    flags: { plugins: [examplePath("careful_git.ts")] },
  });
  await app.run("publish it");
  assertEquals(app.warnings, []);
  const denied = (await app.tape()).filter(({ kind }) => kind === "tool_result")
    .map(({ payload }) => JSON.stringify(payload.results).includes(`"kind":"permission"`));
  assertEquals(denied, [true, true, true, false, false]);
});

Deno.test("H1 the example careful_git adds a deferred tool that tells of a repository", async () => {
  await using app = await TemporaryAgent.open([{ text: "done" }], {}, {
    flags: { plugins: [examplePath("careful_git.ts")] },
  });
  assertEquals(app.agent.tools.find("git_summary")?.exposure, "deferred");
  const failed = await app.run(",git.summary");
  assertEquals(failed.error?.message, "git could not tell about this folder");
  const identity = "-c user.name=t -c user.email=t@localhost -c commit.gpgsign=false";
  const made = await app.run(`,git init -q . && git ${identity} commit -q --allow-empty -m first`);
  assertEquals(made.status, "ok");
  const { output, status } = await app.run(",git.summary commits=1");
  assertEquals(status, "ok");
  assertMatch(output, /^## \w+\n[0-9a-f]+ first\n$/);
  await app.run("go");
  const body = JSON.stringify(app.server.requests[0]?.body);
  assert(!body.includes(`"name":"git_summary"`), "its schema is not offered unasked");
});
