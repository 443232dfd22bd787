import { parentPort } from 'node:worker_threads';
import { encryptedForEach, type PushText } from './push-encryption.ts';

// A thread beside the event loop (push-encrypter.ts): a list of texts comes in, and their bodies go out.
parentPort?.on('message', (texts: PushText[]) => parentPort?.postMessage(encryptedForEach(texts)));
