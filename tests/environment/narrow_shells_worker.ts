/// <reference lib="deno.worker" />
import { HostShells } from "../../lib/environment/shells.ts";
// Loaded with the first shell, which here nothing may read by then.
import "../../lib/environment/shell_starter.ts";
import { toBubError } from "../../lib/errors.ts";

/** Starts and stops a command in a worker that may not do everything; answers with what came. */
self.onmessage = async ({ data: { folder, program, env } }) => {
  const shells = new HostShells({
    workspace: folder,
    resolve: (path) => path,
    outputFolder: `${folder}/shells`,
    env,
    shell: { name: "bash", program },
  });
  try {
    const shell = await shells.start("trap '' TERM; sleep 300 & echo $$ $!; wait");
    while (await shell.outputBytes() === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await shell.kill(100);
    const { text } = await shell.output(0, null);
    self.postMessage({ status: shell.status, exitCode: shell.exitCode, text });
  } catch (error) {
    self.postMessage(toBubError(error).report());
  }
  await shells.stopAll(0);
  self.close();
};
