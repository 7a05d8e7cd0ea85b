import type { ChatInput } from "../../../lib/cli/chat/input.ts";
import { ChatTerminal } from "../../../lib/cli/chat/terminal.ts";
import { assertEquals } from "../../assert.ts";
import { Paper, PaperConsole } from "../paper.ts";

const HANG_UPS: readonly (readonly [how: string, read: () => Promise<number | null>])[] = [
  ["fails", () => Promise.reject(new Error("Input/output error (os error 5)"))],
  ["ends", () => Promise.resolve(null)],
];

for (const [how, read] of HANG_UPS) {
  Deno.test(`B72 L3 a terminal whose input ${how} has hung up: exit code 129`, async () => {
    const { stdout, stderr } = new PaperConsole({ out: new Paper(true) });
    const keys = { read, setRaw() {} };
    using terminal = new ChatTerminal(stdout, stderr, keys, () => ({ columns: 80, rows: 24 }));
    const inputs: ChatInput[] = [];
    await terminal.read((input) => void inputs.push(input));
    assertEquals(inputs, [{ type: "terminate", exitCode: 129 }]);
  });
}
