import { type Dirent, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const filesBelow = (folder: string): Dirent[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    : [];

/** Whether a file is below one of the folders of a running mail server. */
export function hasFiles(folders: readonly string[]): boolean {
  try {
    return folders.some((folder) => filesBelow(folder).length > 0);
  } catch {
    // A folder was removed while it was being read: its message has only just been delivered.
    return true;
  }
}

/**
 * Compares the messages in Maildirs below `box` with the people who should have one each. The recipient identifies a
 * message, so that a second message with another Message-ID also counts.
 * @returns how many people have none, and how many messages are beyond the first of a person or for other people
 */
export function compareReceived(box: string, people: readonly string[]): { lost: number; doubled: number } {
  const recipients = filesBelow(box)
    .filter(({ parentPath }) => parentPath.endsWith('/new'))
    .map(({ parentPath, name }) => recipientOf(readFileSync(join(parentPath, name), 'latin1')));
  const known = new Set(recipients);
  const arrived = people.filter((address) => known.has(address)).length;
  return { lost: people.length - arrived, doubled: recipients.length - arrived };
}

const recipientOf = (text: string): string => /^To: .*?([^\s<]+@[^\s>]+)/im.exec(text)?.[1] ?? '';
