import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { notFound, orNotFound } from '../../core/errors.ts';
import { fileAddress } from '../../files/file-types.ts';
import { FILE_USES, type StoredFile } from '../../files/ports.ts';
import { isReadable } from '../../files/remove-unused.ts';
import { uploadFile } from '../../files/upload-file.ts';
import { bytesOf, refuseUploadForms } from '../hooks.ts';
import { OPERATIONS } from '../paths.ts';
import type { Routes } from '../route.ts';
import { choice, described, line, strict } from '../schemas/fields.ts';

const BYTES = 'application/octet-stream';
const YEAR_S = 31_536_000;

/** Routes that upload and download files. */
export function fileRoutes(routes: Routes): void {
  routes.app.register(async (uploads) => {
    uploads.removeAllContentTypeParsers();
    refuseUploadForms(uploads);
    // Any type: the content decides.
    uploads.addContentTypeParser('*', (_request, body, done) => done(null, bytesOf(body)));
    routes.on(uploads).post(`${OPERATIONS}/files`, {
      access: { permission: 'upload_files' },
      name: 'uploadFile',
      summary: 'Upload a file for an event or for the school',
      description:
        'Send the bytes of the file as the body. The response can be put into `attachments` of an event; put its `url` into ' +
        '`banner_url` or `image_url`, or into `logo_url` of the school. PDF, office documents, texts and images are accepted; the content ' +
        'counts, not the name. Images are scaled down and lose their metadata. A file that nothing uses is removed after a day.',
      query: strict({
        name: line(300, { description: 'The name of the file.' }),
        use: choice(FILE_USES, 'What the file is for; `attachment` by default. Banners and logos are images.'),
      }),
      body: STREAM,
      streams: BYTES,
      responses: { 201: UPLOADED },
      handle: async (deps, caller, { query: { name, use = 'attachment' }, body }) => {
        const file = await uploadFile(deps, caller, { body: body ?? Readable.from([]), name, use });
        const { mime_type, size } = file;
        const url = fileAddress(deps.publicUrl, file);
        return { status: 201, body: { name: file.name, url, mime_type, size }, headers: { location: url } };
      },
    });
  });

  routes.get('/files/:id/:name', {
    access: {
      open: 'the unguessable id is the key: links in messages and pictures carry no token',
      needsDatabase: true,
    },
    name: 'getFile',
    summary: 'Read an uploaded file',
    produces: BYTES,
    responses: { 200: Type.Unsafe<Readable>({ description: 'The file' }) },
    handle: async (deps, _caller, { params }) => {
      const file = await deps.files.find(params.id);
      if (!file || !(await isReadable(deps, file))) throw notFound();
      const bytes = orNotFound(await deps.storage.get(file.id));
      return { status: 200, body: Readable.from(bytes, { objectMode: false }), headers: headersOf(file) };
    },
  });
}

/** A browser shows images only, and runs nothing: a file is not a page of ours. */
const headersOf = ({ name, mime_type, size }: StoredFile): Record<string, string> => {
  const kind = mime_type.startsWith('image/') ? 'inline' : 'attachment';
  return {
    'content-type': mime_type,
    'content-length': String(size),
    'content-disposition': `${kind}; filename*=UTF-8''${encoded(name)}`,
    'content-security-policy': "sandbox; default-src 'none'",
    'cache-control': `private, max-age=${YEAR_S}, immutable`,
    'x-robots-tag': 'noindex',
  };
};

/** RFC 5987 allows fewer characters than a URL. */
const encoded = (name: string): string =>
  encodeURIComponent(name).replace(/['()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);

const STREAM = Type.Unsafe<AsyncIterable<Uint8Array> | undefined>({
  description: 'The bytes of the file.',
  examples: ['%PDF-1.7\n%%EOF'],
});

const UPLOADED = described('The file, as an attachment of an event', {
  name: Type.String({ description: 'The name, with an ending that fits the content.' }),
  url: Type.String({ description: 'The address of the file. Anyone who has it can read the file.' }),
  mime_type: Type.String({ description: 'The media type, such as application/pdf.' }),
  size: Type.Integer({ description: 'The size in bytes.' }),
});
