/** Texts that the first page does not show. */
const areas = import.meta.glob<Record<string, string>>(['./en/*.json', '!./en/{calendar,event,shell,words}.json'], {
  eager: true,
  import: 'default',
});

export default Object.assign({}, ...Object.values(areas)) as Record<string, string>;
