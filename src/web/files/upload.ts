import { reportNoAnswer } from '../api/connection.ts';
import { ApiError } from '../api/problem.ts';
import type { Answer, paths } from '../api/types.ts';
import { currentToken, expireSession } from '../session/session.ts';

export type UploadedFile = Answer<'/api/v1/operations/files', 'post', 201>;
export type FileUse = NonNullable<NonNullable<paths['/api/v1/operations/files']['post']['parameters']['query']>['use']>;

/** The longest name that the API takes. */
const NAME_MAX = 300;

/**
 * Uploads a file; not by `fetch`, which tells no progress.
 * @param onProgress gets the share that has been sent, from 0 to 1
 * @throws ApiError
 */
export function uploadFile(file: File, use: FileUse, onProgress: (share: number) => void): Promise<UploadedFile> {
  const { token = '' } = currentToken() ?? {};
  const request = new XMLHttpRequest();
  request.open('POST', `/api/v1/operations/files?${new URLSearchParams({ name: file.name.slice(-NAME_MAX), use })}`);
  request.setRequestHeader('authorization', `Bearer ${token}`);
  request.setRequestHeader('content-type', 'application/octet-stream');
  request.responseType = 'json';
  return new Promise((resolve, reject) => {
    request.upload.onprogress = ({ loaded, total }) => onProgress(loaded / total);
    request.onload = () => {
      if (request.status === 201) return resolve(request.response);
      if (request.status === 401) expireSession(token);
      reject(new ApiError(request.status, request.response ?? {}));
    };
    request.onerror = () => {
      reportNoAnswer();
      reject(new ApiError(0, {}));
    };
    request.send(file);
  });
}
