/** Notes that the installation keeps about itself, as text by name: e.g. which time zone rules it last applied. */
export type InstallationNotes = {
  read(name: string): Promise<string | null>;
  write(name: string, value: string): Promise<void>;
};
