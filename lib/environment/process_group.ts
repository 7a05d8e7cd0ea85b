/** Milliseconds between two looks at a group; more where each look starts a program. */
const POLL_MS = 5;
const SLOW_POLL_MS = 25;
/** Milliseconds from one search for zombies to the next, the first time; then twice as long. */
const SCAN_MS = 10;
/** How long, in milliseconds, KILL may take; only what the kernel cannot end stays longer. */
const KILL_MS = 500;

/** Sends signal $1 (0: only looks) to the group $2; fails if $3 is set and a process $2 exists. */
const KILL_SCRIPT = 'if [ -n "$3" ] && kill -0 "$2"; then exit 1; fi; kill -s "$1" -- "-$2"';

/** Succeeds if a process of the group $1 is more than a zombie, as Linux lists them. */
const SCAN_SCRIPT = `group=$1
for file in /proc/[0-9]*/stat; do
  read -r line <"$file" || continue
  set -- \${line##*) }
  [ "$3" = "$group" ] || continue
  case $1 in Z | X) ;; *) exit 0 ;; esac
done
exit 1`;

/**
 * The processes of one command: its leader, which was started detached and so leads a group of
 * its own, and what it started. Processes that leave the group (`setsid`, jobs under `set -m`)
 * are out of reach. No method rejects, whatever ends meanwhile.
 */
export class ProcessGroup {
  readonly #pid: number;
  readonly #shell: string;
  /** Deno signals a group only with the whole run permission, and would ask for it. */
  readonly #direct = Deno.permissions.querySync({ name: "run" }).state === "granted";
  readonly #pollMs = this.#direct ? POLL_MS : SLOW_POLL_MS;
  #leaderEnded = false;
  /** No such group any more: its number may be another's tomorrow. */
  #gone = false;
  /** The last search found nothing but zombies. */
  #dead = false;

  /** `shell` is the program, allowed to run, that does what Deno may not. */
  constructor(pid: number, shell: string) {
    this.#pid = pid;
    this.#shell = shell;
  }

  /** Whether the leader has ended. */
  get leaderEnded(): boolean {
    return this.#leaderEnded || this.#gone;
  }

  /** Whether all processes were seen to have ended. */
  get ended(): boolean {
    return this.#gone || this.#dead;
  }

  /**
   * To be called once the leader's end was reported. From then on its number may be given to
   * another process, so no signal is sent while one has it.
   */
  reportLeaderEnd(): void {
    this.#leaderEnded = true;
  }

  /** Waits up to `ms` milliseconds for all processes to end; whether they have. */
  async emptied(ms: number): Promise<boolean> {
    return await this.#repeat(0, ms);
  }

  /**
   * TERM to all, KILL to those left after `graceMs` milliseconds; resolves when none is left, or
   * half a second after KILL. With a grace of 0 the KILL is sent before this returns.
   */
  async end(graceMs: number): Promise<void> {
    if (graceMs > 0 && (!await this.#send("SIGTERM") || await this.emptied(graceMs))) return;
    await this.#repeat("SIGKILL", KILL_MS);
  }

  /** Sends a signal again and again until no process is left (true) or `ms` have passed. */
  async #repeat(signal: Deno.Signal | 0, ms: number): Promise<boolean> {
    const deadline = performance.now() + ms;
    let scanAt = 0;
    let scanMs = SCAN_MS;
    while (await this.#send(signal)) {
      // Where the first process of a container reaps no orphans they stay members for ever.
      if (this.#leaderEnded && performance.now() >= scanAt) {
        if (await this.#scan()) return true;
        scanAt = performance.now() + scanMs;
        scanMs *= 2;
      }
      if (performance.now() >= deadline) return false;
      await pause(this.#pollMs);
    }
    return true;
  }

  /** Sends a signal, 0 for none; whether the group has members. */
  async #send(signal: Deno.Signal | 0): Promise<boolean> {
    if (this.#gone) return false;
    if (Deno.build.os === "windows") return await this.#sendOnWindows(signal);
    if (!this.#direct) return await this.#sendByShell(signal);
    try {
      if (this.#leaderEnded && isProcess(this.#pid)) this.#gone = true;
      else Deno.kill(-this.#pid, signal);
    } catch (error) {
      // Any other refusal (members of another user) says that there are some.
      this.#gone = error instanceof Deno.errors.NotFound && !this.#sendToLeader(signal);
    }
    return !this.#gone;
  }

  /** A leader just started may not lead yet, and has no children then; whether it is there. */
  #sendToLeader(signal: Deno.Signal | 0): boolean {
    if (this.#leaderEnded) return false;
    try {
      Deno.kill(this.#pid, signal);
      return true;
    } catch (error) {
      return !(error instanceof Deno.errors.NotFound);
    }
  }

  /** The shell that was allowed to run the command may also signal its group. */
  async #sendByShell(signal: Deno.Signal | 0): Promise<boolean> {
    const name = signal === 0 ? "0" : signal.slice("SIG".length);
    const guard = this.#leaderEnded ? "1" : "";
    const args = ["-c", KILL_SCRIPT, "sh", name, String(this.#pid), guard];
    this.#gone = await succeeds(this.#shell, args) === false;
    return !this.#gone;
  }

  /** Windows has no groups: the tree below the leader goes with it, whatever the signal. */
  async #sendOnWindows(signal: Deno.Signal | 0): Promise<boolean> {
    this.#gone = this.#leaderEnded;
    if (!this.#gone && signal !== 0) {
      await succeeds("taskkill", ["/pid", String(this.#pid), "/t", "/f"]);
    }
    return !this.#gone;
  }

  /** Whether nothing but zombies is left. Deno itself reads /proc only with all permissions. */
  async #scan(): Promise<boolean> {
    if (Deno.build.os !== "linux") return false;
    const args = ["-c", SCAN_SCRIPT, "sh", String(this.#pid)];
    this.#dead = await succeeds(this.#shell, args) === false;
    return this.#dead;
  }
}

function isProcess(pid: number): boolean {
  try {
    Deno.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Deno.errors.NotFound);
  }
}

/** Whether the program succeeded; undefined if it could not be started. */
async function succeeds(program: string, args: string[]): Promise<boolean | undefined> {
  const streams = { stdin: "null", stdout: "null", stderr: "null" } as const;
  // No variables, since with some of them Deno starts nothing; a folder that is always there.
  const place = Deno.build.os === "windows" ? {} : { clearEnv: true, cwd: "/" };
  try {
    return (await new Deno.Command(program, { args, ...streams, ...place }).output()).success;
  } catch {
    return undefined;
  }
}

async function pause(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}
