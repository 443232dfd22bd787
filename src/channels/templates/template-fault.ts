/** Something wrong with a template: where, with which placeholder if with one, and the rule it breaks. */
export type Fault = { file: string; placeholder?: string; rule: string };

/** All faults of a build at once. */
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

/** Notes a fault of the file at hand. */
export type Complain = (rule: string, placeholder?: string) => void;
