/** What a guest said: the printed text and how it ended. */
export interface GuestOutcome {
  readonly printed: string;
  readonly problem: string | null;
}

/**
 * Runs code in a guest whose worker has every permission of this process, as if nothing but the
 * guest itself stood between the code and the machine. The code must end by itself.
 */
export async function runInGuest(code: string): Promise<GuestOutcome> {
  const guest = new Worker(new URL("../../../lib/code/guest/main.mts", import.meta.url), {
    type: "module",
    deno: { permissions: "inherit" },
  });
  const { promise, resolve, reject } = Promise.withResolvers<GuestOutcome>();
  let printed = "";
  guest.onerror = (event) => {
    event.preventDefault();
    reject(new Error(event.message));
  };
  guest.onmessage = ({ ports: [port] }) => {
    if (port === undefined) return;
    port.onmessage = ({ data }) => {
      const [word, value] = JSON.parse(data);
      if (word === "print") printed += value;
      if (word !== "end") return;
      port.close();
      resolve({ printed, problem: value });
    };
    port.postMessage(JSON.stringify(["start", { code, tools: [] }]));
  };
  try {
    return await promise;
  } finally {
    guest.terminate();
  }
}
