/** A text as some version of the program has it; what it holds only the channels know. */
export type StoredText = {
  id: string;
  /** of what it holds: a program leaves alone what it can't read */
  format: number;
  text: unknown;
};

/**
 * The texts of every version of the program that has drafted messages, so that one that replaces it sends what was
 * drafted before with the texts it was drafted with.
 */
export type TextStore = {
  /** Those that are kept already stay as they are. */
  save(texts: readonly StoredText[]): Promise<void>;
  find(ids: readonly string[]): Promise<StoredText[]>;
};
