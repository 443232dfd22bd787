import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { compareReceived } from './received.ts';

const PEOPLE = ['a@people.example', 'b@people.example', 'c@people.example'];

let box: string;
let received = 0;
beforeEach(() => {
  box = mkdtempSync(join(tmpdir(), 'schoolbell-received-'));
  mkdirSync(join(box, 'new'));
  mkdirSync(join(box, 'tmp'));
});
afterEach(() => rmSync(box, { recursive: true }));

function receive(recipient: string, folder = 'new'): void {
  received += 1;
  const text = `Message-ID: <${received}@school.example>\nTo: ${recipient}\nSubject: Concert\n\nTo: x@y.example\n`;
  writeFileSync(join(box, folder, String(received)), text);
}

test('counts nothing as lost or doubled if each person has one message', () => {
  for (const person of PEOPLE) receive(person);
  expect(compareReceived(box, PEOPLE)).toEqual({ lost: 0, doubled: 0 });
});

test('counts a person without a message as lost, also while another has two', () => {
  receive('a@people.example');
  receive('a@people.example');
  receive('"B" <b@people.example>');
  expect(compareReceived(box, PEOPLE)).toEqual({ lost: 1, doubled: 1 });
});

test('counts a message for a stranger as doubled, and a message that is still being written as lost', () => {
  for (const person of PEOPLE.slice(1)) receive(person);
  receive('a@people.example', 'tmp');
  receive('d@people.example');
  expect(compareReceived(box, PEOPLE)).toEqual({ lost: 1, doubled: 1 });
});
