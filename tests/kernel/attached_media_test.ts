import { join } from "@std/path";
import { assert, assertEquals, assertStringIncludes } from "../assert.ts";
import { DOT_BASE64, DOT_PNG } from "../dot_png.ts";
import { call, messages } from "./subagent_script.ts";
import { TemporaryAgent } from "./temporary_agent.ts";

const LABEL = `image/png, ${DOT_PNG.length} bytes, dot.png`;
const IMAGE_URL = { type: "image_url", image_url: { url: `data:image/png;base64,${DOT_BASE64}` } };

/** A session in code mode whose model runs this code, and then says that it has seen. */
async function openStudio(code: string): Promise<TemporaryAgent> {
  const app = await TemporaryAgent.open([{ calls: [call("run_code", { code })] }, {
    text: "seen",
  }]);
  await Deno.writeFile(join(app.workspace, "dot.png"), DOT_PNG);
  await app.run(",code_mode true");
  return app;
}

/** The last two messages of the second request: the result, and what was attached to it. */
function shown({ server }: TemporaryAgent) {
  const [result, user] = messages(server.requests[1]?.body ?? {}).slice(-2);
  assert(Array.isArray(user?.content));
  return { result: String(result?.content), attached: user.content.slice(1) };
}

Deno.test("C5 code attaches images in every form, and the model sees them with the result", async () => {
  await using app = await openStudio(`
    print(await tools.attach_image("dot.png"));
    await tools.attach_image(new Image({ path: "dot.png" }));
    await tools.attach_image({ image: { data: "${DOT_BASE64}" } });
    await tools.attach_image(await tools.fs_read({ path: "dot.png" }));
  `);
  assertEquals((await app.run("go")).output, "seen");
  const { result, attached } = shown(app);
  assertEquals(result, `attached ${LABEL}\n`);
  assertEquals(attached, Array(4).fill(IMAGE_URL));
});

Deno.test("C3 C5 TP12 code that fails keeps what it attached, on the tape by reference", async () => {
  await using app = await openStudio(`
    print("so far");
    await tools.attach_image("dot.png");
    await tools.attach_image("missing.png");
  `);
  await app.run("go");
  const { result, attached } = shown(app);
  const { kind, message, details } = JSON.parse(result);
  assertEquals([kind, details.output], ["tool", "so far\n"]);
  assertStringIncludes(message, "missing.png");
  assertEquals(attached, [IMAGE_URL]);
  const tape = await app.tape();
  assertEquals(JSON.stringify(tape).includes(DOT_BASE64), false);
  const entry = tape.find(({ kind }) => kind === "tool_result");
  assertEquals([entry?.meta.errors, entry?.meta.parts], [[0], [0]]);
});

Deno.test("C5 T7 ,run_code prints one line for each medium that its code attaches", async () => {
  await using app = await openStudio("");
  const alone = await app.run(`,run_code code='await tools.attach_image("dot.png")'`);
  assertEquals([alone.status, alone.output], ["ok", `${LABEL}\n`]);
  const code = `print("two"); const a = () => tools.attach_image("dot.png"); await a(); await a();`;
  const two = await app.run(`,run_code code='${code}'`);
  assertEquals(two.output, `two\n${LABEL}\n${LABEL}\n`);
});
