import { createElement, type SVGProps } from 'react';

type Drawing = { node: readonly [tag: string, attributes: Readonly<Record<string, string>>][] };
type Props = SVGProps<SVGSVGElement> & { size?: number };

const LINES = {
  viewBox: '0 0 24 24',
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: 2,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
} as const;

const textOf = ({ node }: Drawing): string =>
  node
    .map(([tag, { key: _, ...attributes }]) => {
      const given = Object.entries(attributes).map(([name, value]) => `${name}="${value}"`);
      return `<${tag} ${given.join(' ')}/>`;
    })
    .join('');

/**
 * Stands in for lucide's own `createLucideIcon` (the build puts it there): an icon is one element for React, and not one
 * for each line of it. A page has hundreds.
 */
export default function drawIcon(drawing: Drawing) {
  let __html: string | undefined;
  return ({ size = 24, ...rest }: Props) => {
    __html ??= textOf(drawing);
    const isNamed = 'aria-label' in rest || 'role' in rest;
    return createElement('svg', {
      ...LINES,
      width: size,
      height: size,
      ...(isNamed ? {} : { 'aria-hidden': true }),
      ...rest,
      // From the library's own files, never from anybody's words.
      dangerouslySetInnerHTML: { __html },
    });
  };
}
