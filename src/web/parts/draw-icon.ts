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
    .map(([tag, attributes]) => {
      const given = Object.entries(attributes).map(([name, value]) => `${name}="${value}"`);
      return `<${tag} ${given.join(' ')}/>`;
    })
    .join('');

/**
 * Replaces lucide's `createLucideIcon` in the build. React renders each icon as one element instead of one per line of it:
 * a page has hundreds of icons.
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
      // Safe: comes from the library's files, never from user input.
      dangerouslySetInnerHTML: { __html },
    });
  };
}
