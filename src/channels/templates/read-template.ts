import Handlebars from 'handlebars';
import { isCondition, isPlaceholder, type Part, type Placeholder } from './template.ts';

/** A fault in a template: the file, the placeholder if it concerns one, and the broken rule. */
export type Fault = { file: string; placeholder?: string; rule: string };

/** All faults of a build. */
export class TemplateFaults extends Error {
  override readonly name = 'TemplateFaults';
  readonly faults: readonly Fault[];

  constructor(faults: readonly Fault[]) {
    const lines = faults.map(
      ({ file, placeholder, rule }) => `  ${file}: ${placeholder ? `${placeholder}: ` : ''}${rule}`,
    );
    super(`${faults.length} fault(s) in templates\n${lines.join('\n')}`);
    this.faults = faults;
  }
}

/** Records a fault in the current file. */
export type Complain = (rule: string, placeholder?: string) => void;

/**
 * Parses Handlebars source into parts. Allows only `{{a.b}}`, `{{#if a.b}}`, `{{#unless a.b}}`, `{{else}}` and comments, so
 * that a text can only print known values, escaped.
 */
export function readTemplate(source: string, complain: Complain): Part[] {
  try {
    return partsOf(Handlebars.parse(source).body, complain);
  } catch (error) {
    complain(error instanceof Error ? error.message.replaceAll('\n', ' ') : String(error));
    return [];
  }
}

function partsOf(statements: readonly hbs.AST.Statement[], complain: Complain): Part[] {
  return statements.flatMap((statement): Part[] => {
    switch (statement.type) {
      case 'ContentStatement': {
        const { value } = statement as hbs.AST.ContentStatement;
        return value === '' ? [] : [value];
      }
      case 'CommentStatement':
        return [];
      case 'MustacheStatement':
        return valuePart(statement as hbs.AST.MustacheStatement, complain);
      case 'BlockStatement':
        return conditionOf(statement as hbs.AST.BlockStatement, complain);
      default:
        complain(`${statement.type} is not part of the template language`);
        return [];
    }
  });
}

function valuePart(statement: hbs.AST.MustacheStatement, complain: Complain): Part[] {
  const name = knownName(statement.path, complain);
  if (name === null) return [];
  if (!statement.escaped) complain('values are always escaped: no {{{ and no {{&', name);
  if (statement.params.length > 0 || statement.hash) complain('there are no helpers', name);
  if (isCondition(name)) complain('may be used in #if only', name);
  return [{ value: name }];
}

function conditionOf(block: hbs.AST.BlockStatement, complain: Complain): Part[] {
  const helper = block.path.original;
  const [subject, ...more] = block.params;
  if ((helper !== 'if' && helper !== 'unless') || !subject || more.length > 0) {
    complain('only #if and #unless with one value are known', `#${helper}`);
    return [];
  }
  const name = knownName(subject, complain);
  if (name === null) return [];
  const filled = partsOf(block.program.body, complain);
  const empty = block.inverse ? partsOf(block.inverse.body, complain) : [];
  const [then, otherwise] = helper === 'if' ? [filled, empty] : [empty, filled];
  return [{ when: name, then, otherwise }];
}

function knownName(path: hbs.AST.Expression, complain: Complain): Placeholder | null {
  const name = 'original' in path ? String(path.original) : path.type;
  if (path.type === 'PathExpression' && isPlaceholder(name)) return name;
  complain('unknown placeholder', name);
  return null;
}
