/** What the installation remembers of itself, by name. */
export type MarkStore = {
  read(name: string): Promise<string | null>;
  write(name: string, value: string): Promise<void>;
};
