import { bubCommand, bubEnv } from "./spawn.ts";

/** A terminal of tmux with the program in it, on a server of its own. */
export class Terminal implements AsyncDisposable {
  readonly #socket = `bub-${crypto.randomUUID()}`;

  /** Starts the program; when it ends, its exit code is on the screen. */
  async start(
    args: readonly string[],
    env: Readonly<Record<string, string>>,
    cwd: string,
  ): Promise<void> {
    await this.run(`${await shellLine(args)}; echo "exit code $?"; exec cat`, env, cwd);
  }

  /** Starts any line of shell, with the variables of the program. */
  async run(line: string, env: Readonly<Record<string, string>>, cwd: string): Promise<void> {
    const size = ["-x", "60", "-y", "20"];
    await this.#tmux(["-f", "/dev/null", "new-session", "-d", ...size, "-c", cwd, line], {
      ...await bubEnv(env),
      LC_ALL: "C.UTF-8",
      TERM: "xterm-256color",
    });
  }

  async type(...keys: string[]): Promise<void> {
    await this.#tmux(["send-keys", ...keys]);
  }

  async paste(text: string): Promise<void> {
    await this.#tmux(["set-buffer", text]);
    await this.#tmux(["paste-buffer", "-p"]);
  }

  /** The screen, once it matches. */
  async shows(pattern: RegExp): Promise<string> {
    let screen = "";
    for (let tries = 0; tries < 250; tries++) {
      screen = (await this.#tmux(["capture-pane", "-p"])).trimEnd();
      if (pattern.test(screen)) return screen;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error(`${pattern} did not appear on the screen:\n${screen}`);
  }

  /** Closes the terminal under what runs in it. */
  async hangUp(): Promise<void> {
    await this.#tmux(["kill-server"]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#tmux(["kill-server"]);
  }

  async #tmux(args: readonly string[], env?: Record<string, string>): Promise<string> {
    const { stdout } = await new Deno.Command("tmux", {
      args: ["-L", this.#socket, ...args],
      ...(env === undefined ? {} : { env, clearEnv: true }),
      stdin: "null",
    }).output();
    return new TextDecoder().decode(stdout);
  }
}

/** Whether terminals can be had here. */
export async function hasTmux(): Promise<boolean> {
  try {
    return (await new Deno.Command("tmux", { args: ["-V"] }).output()).success;
  } catch {
    return false;
  }
}

/** The program with these arguments as a line of shell. */
export async function shellLine(args: readonly string[]): Promise<string> {
  return (await bubCommand(args)).map((word) => `'${word}'`).join(" ");
}
