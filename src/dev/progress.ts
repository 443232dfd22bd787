import type { Writable } from 'node:stream';
import { styleText } from 'node:util';

export type Progress = ReturnType<typeof progressOn>;

/** Styles a text on a terminal. */
export type Paint = (style: 'bold' | 'dim' | 'green' | 'red', text: string) => string;

type Step = {
  /** Shows a detail while the step runs; a terminal clears it afterwards. */
  note(text: string): void;
  /** Sets the text behind the name of the finished step. */
  result(text: string): void;
};

type Terminal = Writable & { isTTY?: boolean; columns?: number };

/** Prints progress: updated in place on a terminal, line by line elsewhere. */
export function progressOn(out: Terminal, env: NodeJS.ProcessEnv) {
  const live = out.isTTY === true && env.TERM !== 'dumb';
  const paint: Paint = (style, text) =>
    live && !env.NO_COLOR ? styleText(style, text, { validateStream: false }) : text;
  const print = (line = '') => void out.write(`${line}\n`);
  const show = (text: string) => void out.write(`\r\u001b[K${text.slice(0, (out.columns ?? 80) - 1)}`);
  const finish = (line: string) => void out.write(`${live ? '\r\u001b[K' : ''}${line}\n`);
  return {
    paint,
    print,
    heading: (text: string) => print(`\n${paint('bold', text)}`),
    /** Runs `work` and prints ✓ with its duration, or ✗ if it fails. */
    async step<T>(what: string, work: (step: Step) => Promise<T>): Promise<T> {
      const began = performance.now();
      let result = '';
      if (live) show(`  … ${what}`);
      const step: Step = {
        note: (text) => (live ? show(`  … ${what}: ${text}`) : print(`    ${text}`)),
        result: (text) => {
          result = text;
        },
      };
      const line = (mark: string) => {
        const time = paint('dim', `${((performance.now() - began) / 1000).toFixed(1)} s`);
        return `  ${mark} ${what}${result ? paint('dim', ` → ${result}`) : ''}  ${time}`;
      };
      try {
        const done = await work(step);
        finish(line(paint('green', '✓')));
        return done;
      } catch (error) {
        finish(line(paint('red', '✗')));
        throw error;
      }
    },
  };
}
