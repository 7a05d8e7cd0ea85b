import { removeShelves } from "../../../lib/cli/tape/removal.ts";
import { readShelves } from "../../../lib/cli/tape/shelf.ts";
import { TapeFolder } from "../../../lib/cli/tape/tape_folder.ts";
import { messageEntry } from "../../../lib/tape/entry.ts";
import { assertEquals } from "../../assert.ts";
import { PaperConsole } from "../paper.ts";
import { TapeHome } from "./tape_home.ts";

Deno.test("L1 a tape that a session wrote while the user was being asked is not removed", async () => {
  await using home = await TapeHome.open();
  for (const tape of ["busy", "idle"]) {
    await home.append(tape, messageEntry({ role: "user", content: "one" }));
    await home.age(tape, 1);
  }
  const { workspace } = home.bench;
  using folder = new TapeFolder(home.home, workspace, undefined, () => {});
  const shelves = await readShelves(folder);
  await home.append("busy", messageEntry({ role: "user", content: "two" }));
  const console = new PaperConsole();
  assertEquals(await removeShelves(shelves, folder, { console }), ["busy"]);
  await console.flush();
  assertEquals(console.out.text, "removed idle\n");
  assertEquals(await home.files(home.tapes), ["busy.jsonl"]);
});
