import { resolve } from "@std/path";
import { Recorder } from "./model/record.ts";
import { Replays } from "./model/replay.ts";
import { readTapeFile, RecordingFile } from "./tape/recording_file.ts";

/** What records the answers of a run, until it is disposed of. */
export interface OpenRecorder extends Disposable {
  readonly recorder: Recorder;
}

/** Records into the file at `path`, which is absolute (`--record`). Throws `config`. */
export function openRecorder(path: string): OpenRecorder {
  const file = new RecordingFile(path);
  file.check();
  return {
    recorder: new Recorder((drafts) => file.append(drafts)),
    [Symbol.dispose]: () => file.close(),
  };
}

/** What plays recordings, whose relative paths start at `workspace` (M2). */
export function openReplays(workspace: string): Replays {
  return new Replays((file) => readTapeFile(resolve(workspace, file)));
}
