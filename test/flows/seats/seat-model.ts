/** A model of seats by the specification, without transactions, queues or batches. */
export class SeatModel {
  capacity: number;
  open = true;
  people = new Map<string, 'pending' | 'confirmed' | 'waitlisted'>();
  queue: string[] = [];
  readonly approval: boolean;
  readonly waitlist: boolean;
  constructor(capacity: number, approval: boolean, waitlist: boolean) {
    [this.capacity, this.approval, this.waitlist] = [capacity, approval, waitlist];
  }
  get taken() {
    return this.people.size - this.queue.length;
  }
  register(who: string): string {
    if (this.people.has(who)) return 'already_registered';
    if (!this.open) return 'event_not_published';
    const free = this.taken < this.capacity && this.queue.length === 0;
    if (!free && !this.waitlist) return 'event_full';
    if (!free) this.queue.push(who);
    this.people.set(who, free ? (this.approval ? 'pending' : 'confirmed') : 'waitlisted');
    return this.people.get(who) ?? '';
  }
  leave(who: string): string {
    if (!this.people.delete(who)) return 'gone';
    this.queue = this.queue.filter((other) => other !== who);
    this.fill();
    return 'cancelled';
  }
  confirm(who: string): string {
    const was = this.people.get(who);
    if (was === 'waitlisted') return 'event_full';
    if (was) this.people.set(who, 'confirmed');
    return was ? 'confirmed' : 'gone';
  }
  fill() {
    while (this.open && this.taken < this.capacity && this.queue.length > 0)
      this.people.set(this.queue.shift() ?? '', 'confirmed');
  }
}
