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
export type ReportFault = (rule: string, placeholder?: string) => void;

/**
 * Parses Handlebars source into parts. Allows only `{{a.b}}`, `{{#if a.b}}`, `{{#unless a.b}}`, `{{else}}` and comments, so
 * that a text can only print known values, escaped.
 */
export function readTemplate(source: string, reportFault: ReportFault): Part[] {
  try {
    return partsOf(Handlebars.parse(source).body, reportFault);
  } catch (error) {
    // The parser's line number counts included files too, and its last line lists tokens.
    const [message = '', excerpt] = (error as Error).message.split('\n');
    reportFault(
      excerpt ? `can’t be read near “${excerpt}”: close each {{#if}} with {{/if}} and each {{ with }}` : message,
    );
    return [];
  }
}

function partsOf(statements: readonly hbs.AST.Statement[], reportFault: ReportFault): Part[] {
  return statements.flatMap((statement): Part[] => {
    switch (statement.type) {
      case 'ContentStatement': {
        const { value } = statement as hbs.AST.ContentStatement;
        return value === '' ? [] : [value];
      }
      case 'CommentStatement':
        return [];
      case 'MustacheStatement':
        return valuePart(statement as hbs.AST.MustacheStatement, reportFault);
      case 'BlockStatement':
        return conditionOf(statement as hbs.AST.BlockStatement, reportFault);
      default:
        reportFault(`${statement.type} is not part of the template language`);
        return [];
    }
  });
}

function valuePart(statement: hbs.AST.MustacheStatement, reportFault: ReportFault): Part[] {
  const name = knownName(statement.path, reportFault);
  if (name === null) return [];
  if (!statement.escaped) reportFault('values are always escaped: no {{{ and no {{&', name);
  if (statement.params.length > 0 || statement.hash) reportFault('there are no helpers', name);
  if (isCondition(name)) reportFault('may be used in #if only', name);
  return [{ value: name }];
}

function conditionOf(block: hbs.AST.BlockStatement, reportFault: ReportFault): Part[] {
  const helper = block.path.original;
  const [subject, ...more] = block.params;
  if ((helper !== 'if' && helper !== 'unless') || !subject || more.length > 0) {
    reportFault('only #if and #unless with one value are known', `#${helper}`);
    return [];
  }
  const name = knownName(subject, reportFault);
  if (name === null) return [];
  const filled = partsOf(block.program.body, reportFault);
  const empty = block.inverse ? partsOf(block.inverse.body, reportFault) : [];
  const [then, otherwise] = helper === 'if' ? [filled, empty] : [empty, filled];
  return [{ when: name, then, otherwise }];
}

function knownName(path: hbs.AST.Expression, reportFault: ReportFault): Placeholder | null {
  const name = 'original' in path ? String(path.original) : path.type;
  if (path.type === 'PathExpression' && isPlaceholder(name)) return name;
  reportFault('unknown placeholder', name);
  return null;
}
