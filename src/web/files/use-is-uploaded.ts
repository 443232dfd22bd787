import { useQuery } from '@tanstack/react-query';
import { optionsQuery } from '../api/queries.ts';

/** Whether an address is that of an uploaded file. */
export function useIsUploaded(): (url: string) => boolean {
  const { data: options } = useQuery(optionsQuery);
  return (url) => options !== undefined && new RegExp(options.uploads.address).test(url);
}
