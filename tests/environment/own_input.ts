/** A program for `shells_test.ts`: runs a command that reads its input, then reads its own. */
import { TemporaryShells } from "./temporary_shells.ts";

await using session = await TemporaryShells.create();
const shell = await session.shells.start("cat; echo after");
await shell.ended;
const { text } = await shell.output(0, null);
const own = await new Response(Deno.stdin.readable).text();
await Deno.stdout.write(new TextEncoder().encode(JSON.stringify({ text, own })));
