const areas = import.meta.glob<Record<string, string>>(['./cs/*.json', '!./cs/{calendar,event,shell,words}.json'], {
  eager: true,
  import: 'default',
});

export default Object.assign({}, ...Object.values(areas)) as Record<string, string>;
