import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'vitest/node';

/** A file by its path from the top of the repository, with forward slashes. */
export type Source = { path: string; text: string };

type Node = { type: string; [key: string]: unknown };

const TOP = fileURLToPath(new URL('../..', import.meta.url));

/** All TypeScript of the given folders. */
export function sourcesIn(...folders: readonly string[]): Source[] {
  return folders
    .flatMap((folder) =>
      readdirSync(`${TOP}${folder}`, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
    )
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /\.[cm]?tsx?$/.test(path))
    .sort()
    .map((path) => ({ path, text: readFileSync(`${TOP}${path}`, 'utf8') }));
}

/** One file of the repository. */
export const textOf = (path: string): string => readFileSync(`${TOP}${path}`, 'utf8');

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

/** Every node of the syntax tree, outer ones first. */
export function nodesOf({ path, text }: Source): Node[] {
  const nodes: Node[] = [];
  const visit = (value: unknown): void => {
    if (isNode(value)) nodes.push(value);
    if (typeof value === 'object' && value !== null) Object.values(value).forEach(visit);
  };
  try {
    visit(parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }));
  } catch (error) {
    throw new Error(`${path} can't be parsed`, { cause: error });
  }
  return nodes;
}

/** One import; `name` is null if it is computed. */
export type Import = { name: string | null; isType: boolean; reExports: boolean };

/** All imports of a file, in every syntax. */
export function importsOf(source: Source): Import[] {
  const nameIn = (value: unknown) => (isNode(value) && typeof value.value === 'string' ? value.value : null);
  return nodesOf(source).flatMap((node): Import[] => {
    const specifiers = (node.specifiers ?? []) as Node[];
    const onlyTypes = specifiers.length > 0 && specifiers.every((one) => (one.importKind ?? one.exportKind) === 'type');
    const isType = node.importKind === 'type' || node.exportKind === 'type' || onlyTypes;
    switch (node.type) {
      case 'ImportDeclaration':
        return [{ name: nameIn(node.source), isType, reExports: false }];
      case 'ExportNamedDeclaration':
        return node.source ? [{ name: nameIn(node.source), isType, reExports: true }] : [];
      case 'ExportAllDeclaration':
        return [{ name: nameIn(node.source), isType, reExports: true }];
      case 'ImportExpression':
        return [{ name: nameIn(node.source), isType: false, reExports: false }];
      case 'TSImportType':
        return [{ name: nameIn(node.source), isType: true, reExports: false }];
      case 'TSExternalModuleReference':
        return [{ name: nameIn(node.expression), isType: false, reExports: false }];
      case 'CallExpression':
        return isNode(node.callee) && node.callee.name === 'require'
          ? [{ name: nameIn((node.arguments as unknown[])[0]), isType: false, reExports: false }]
          : [];
      default:
        return [];
    }
  });
}
