/** A fault in a template: the file, the placeholder if it concerns one, and the broken rule. */
export type Fault = { file: string; placeholder?: string; rule: string };

/** All faults of a build. */
export class TemplateFaults extends Error {
  readonly faults: readonly Fault[];

  constructor(faults: readonly Fault[]) {
    const lines = faults.map(
      ({ file, placeholder, rule }) => `  ${file}: ${placeholder ? `${placeholder}: ` : ''}${rule}`,
    );
    super(`${faults.length} fault(s) in templates\n${lines.join('\n')}`);
    this.name = 'TemplateFaults';
    this.faults = faults;
  }
}

/** Records a fault in the current file. */
export type Complain = (rule: string, placeholder?: string) => void;
