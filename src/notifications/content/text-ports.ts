/** A text of one program version; only the channels read its content. */
export type StoredText = {
  id: string;
  /** format of `text`; texts in unknown formats are ignored */
  format: number;
  text: unknown;
};

/**
 * The texts of every program version that has drafted messages, so that a later version sends them with the same texts.
 */
export type TextStore = {
  /** Leaves stored texts unchanged. */
  save(texts: readonly StoredText[]): Promise<void>;
  find(ids: readonly string[]): Promise<StoredText[]>;
};
