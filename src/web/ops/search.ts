export type OpsSearch = { tab?: string };
export const readOpsSearch = (_given: Record<string, unknown>): OpsSearch => ({});
