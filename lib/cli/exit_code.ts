import type { TurnResult } from "../event.ts";

/**
 * The exit code of a turn: 0 done, 1 failed, 2 wrong configuration, 124 time limit, 128 + N when
 * signal N interrupted it (`signalCode`; without a signal as for Ctrl-C).
 */
export function exitCode({ status, error }: TurnResult, signalCode: number | undefined): number {
  switch (status) {
    case "ok":
      return 0;
    case "timeout":
      return 124;
    case "interrupted":
      return signalCode ?? 130;
    case "error":
      return error?.kind === "config" ? 2 : 1;
  }
}
