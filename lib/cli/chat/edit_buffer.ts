const SEGMENTER = () => new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** A text being edited, with a cursor between two of its characters as people count them. */
export class EditBuffer {
  readonly #segmenter = SEGMENTER();
  #characters: readonly string[] = [];
  #cursor = 0;

  get text(): string {
    return this.#characters.join("");
  }

  get isEmpty(): boolean {
    return this.#characters.length === 0;
  }

  /** The text before the cursor. */
  get before(): string {
    return this.#characters.slice(0, this.#cursor).join("");
  }

  /** Replaces everything; the cursor goes to the end. */
  set(text: string): void {
    this.#characters = this.#split(text);
    this.#cursor = this.#characters.length;
  }

  insert(text: string): void {
    // A combining mark belongs to the character before it: count again.
    const before = this.#split(this.before + text);
    const behind = this.#characters.slice(this.#cursor);
    this.#characters = [...before, ...behind];
    this.#cursor = before.length;
  }

  backspace(): void {
    if (this.#cursor > 0) this.#remove(this.#cursor - 1, this.#cursor);
  }

  delete(): void {
    this.#remove(this.#cursor, this.#cursor + 1);
  }

  move(by: number): void {
    this.#cursor = Math.max(0, Math.min(this.#characters.length, this.#cursor + by));
  }

  /** To the start of the line the cursor is in. */
  home(): void {
    this.#cursor = this.#lineStart();
  }

  /** To the end of the line the cursor is in. */
  end(): void {
    this.#cursor = this.#lineEnd();
  }

  wordLeft(): void {
    this.#cursor = this.#wordStart();
  }

  wordRight(): void {
    const { length } = this.#characters;
    while (this.#cursor < length && this.#isBlank(this.#cursor)) this.#cursor++;
    while (this.#cursor < length && !this.#isBlank(this.#cursor)) this.#cursor++;
  }

  killBefore(): void {
    this.#remove(this.#lineStart(), this.#cursor);
  }

  killBehind(): void {
    this.#remove(this.#cursor, this.#lineEnd());
  }

  killWord(): void {
    this.#remove(this.#wordStart(), this.#cursor);
  }

  #split(text: string): readonly string[] {
    return Array.from(this.#segmenter.segment(text), ({ segment }) => segment);
  }

  #remove(from: number, to: number): void {
    this.#characters = this.#characters.toSpliced(from, to - from);
    this.#cursor = from;
  }

  #lineStart(): number {
    return this.#characters.lastIndexOf("\n", this.#cursor - 1) + 1 || 0;
  }

  #lineEnd(): number {
    const end = this.#characters.indexOf("\n", this.#cursor);
    return end === -1 ? this.#characters.length : end;
  }

  #wordStart(): number {
    let at = this.#cursor;
    while (at > 0 && this.#isBlank(at - 1)) at--;
    while (at > 0 && !this.#isBlank(at - 1)) at--;
    return at;
  }

  #isBlank(index: number): boolean {
    return /^\s/.test(this.#characters[index] ?? "");
  }
}
