/**
 * Who is putting messages of an event into inboxes right now, past the queue. What is told that way has no row that is
 * `sending` while it happens; this stands in its place for all rows of a batch.
 */
export type Tellings = {
  /**
   * For `leaseMs` by the database's clock. @returns false where this fact is being told already, or was when a process
   * died: nobody can say then what is in the inboxes
   */
  begin(of: { fact_id: string; event_id: string }, by: string, leaseMs: number): Promise<boolean>;
  /** What was begun by it has come to its end; also what nobody can be at any more. */
  end(fact_id: string, by: string): Promise<void>;
  /** Whether another fact of the event is being told now. */
  isGoingOn(event_id: string, except_fact_id: string): Promise<boolean>;
};
