/**
 * What an agent cannot do without, and nothing else, as the floor of the rows of whole runs: posts
 * one request, reads the answer, starts a shell; `rounds` times, then one request more.
 *
 *     deno run -A bare_client.ts <API base> <rounds> [command]
 *
 * It imports nothing, so that the floor is Deno's own.
 */
const [base, rounds, command = "true"] = Deno.args;
const job = JSON.stringify({ command, calls: 0 });
const body = JSON.stringify({ messages: [{ role: "user", content: job }] });

for (let round = 0; round <= Number(rounds); round++) {
  const response = await fetch(`${base}/chat/completions`, { method: "POST", body });
  await response.text();
  if (round < Number(rounds)) await new Deno.Command("bash", { args: ["-c", command] }).output();
}

export {};
