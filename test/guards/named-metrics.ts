import { parse } from 'yaml';
import { textOf } from './text-of.ts';

type Alert = {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; runbook: string };
};

const RULES = 'deploy/prometheus/schoolbell.rules.yml';
const DASHBOARD = 'deploy/grafana/schoolbell.json';

/** Every alert of the rules, without those that record a value for others. */
export const alerts = (): Alert[] =>
  (parse(textOf(RULES)) as { groups: { rules: (Alert | { record: string })[] }[] }).groups
    .flatMap(({ rules }) => rules)
    .filter((rule) => 'alert' in rule);

type Panel = { title: string; targets: { expr: string }[] };

/** Every panel of the dashboard. */
export const panels = (): Panel[] => JSON.parse(textOf(DASHBOARD)).panels;

/** Names of metrics in an expression or a document, without the suffixes that histograms add. */
export const metricsIn = (text: string): string[] => [
  ...new Set(
    [...text.matchAll(/\b(?:schoolbell|nodejs|process)_[a-z0-9_]+/g)].map(([name]) =>
      name.replace(/_(?:bucket|count|sum)$/, ''),
    ),
  ),
];
