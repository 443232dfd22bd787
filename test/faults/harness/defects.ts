/** A plausible mistake: replaces a text in a file. */
export type Defect = { file: string; from: string; to: string };

/** The defects of `defects.test.ts`; each `from` occurs in its file exactly once. */
export const DEFECTS = {
  noKey: {
    file: 'src/notifications/delivery.ts',
    from: 'hashOf(key.tenant_id,',
    to: 'hashOf(String(Math.random()), key.tenant_id,',
  },
  markFirst: {
    file: 'src/notifications/delivery/deliver.ts',
    from: 'else recorded = recordOutcome(deps, message, await sendOrUnknown(deps, message.outgoing), claim);',
    to: `else {
      await (recorded = recordOutcome(deps, message, { kind: 'accepted' }, claim));
      await sendOrUnknown(deps, message.outgoing);
    }`,
  },
  noVersion: {
    file: 'src/notifications/policy/gate.ts',
    from: 'if (rule.isSuperseded?.(fact, event, registrations))',
    to: 'if (false)',
  },
  tailFirst: {
    file: 'src/mongo/registrations/registration-store.ts',
    from: '{ sort: { waitlist_number: 1 }, limit,',
    to: '{ sort: { waitlist_number: -1 }, limit,',
  },
} satisfies Record<string, Defect>;
