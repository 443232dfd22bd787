import { bodyOf as answerOf, api } from '../api/client.ts';
import { Refusal } from '../api/problem.ts';
import type { Foresight, Options, SchoolEvent } from '../api/types.ts';
import { type Body, bodyOf, changesOf, given, type Patch, ruleOf } from './body.ts';
import { type Draft, draftOf, STEP_NAMES, type Step } from './draft.ts';
import { type Faults, faultsOf } from './faults.ts';

export type SaveState = {
  /** `held`: some step has a fault, and what stands in it is not saved */
  phase: 'new' | 'typing' | 'saving' | 'saved' | 'held' | 'failed' | 'stale';
  event: SchoolEvent | null;
  faults: Faults;
  error: unknown;
  /** somebody else's version, when it came in between */
  theirs: { event: SchoolEvent; etag: string } | null;
};

export type Scope = 'this' | 'following' | 'all';

type Start = { event: SchoolEvent | null; etag: string; options: Options; empty: Draft; saysChange: () => void };

const WAIT_MS = 600;

/** Only where it was said. */
const told = (notify: boolean | undefined) => (notify === undefined ? {} : { notify });

/** Saves a form to the server while it is typed, one request at a time; the steps apart, so that a fault holds one back. */
export function startSaving({ event: first, etag: firstTag, options, empty, saysChange }: Start) {
  let state: SaveState = { phase: first ? 'saved' : 'new', event: first, faults: {}, error: null, theirs: null };
  let etag = firstTag;
  let latest: Draft | null = null;
  let waiting: Draft | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: Promise<void> | null = null;
  let creation = { body: '', key: '' };

  const zone = () => state.event?.timezone ?? options.defaults.timezone;
  const body = (draft: Draft): Body => bodyOf(draft, options, zone());
  const set = (more: Partial<SaveState>) => {
    state = { ...state, ...more };
    saysChange();
  };
  const keep = (event: SchoolEvent, response: Response) => {
    etag = response.headers.get('etag') ?? '';
    state = { ...state, event };
  };
  const patchOf = (draft: Draft, step: Step): Record<string, unknown> => {
    const { event } = state;
    return event ? changesOf(body(draft)[step], body(draftOf(event, empty))[step]) : {};
  };

  async function create(draft: Draft): Promise<void> {
    const wanted = body(draft);
    const all = given({ ...wanted.basics, ...wanted.schedule });
    const text = JSON.stringify(all);
    if (text !== creation.body) creation = { body: text, key: crypto.randomUUID() };
    const header = { 'idempotency-key': creation.key };
    const asked = api.POST('/api/v1/operations/events', { params: { header }, body: all as never });
    const event = await answerOf(asked);
    keep(event, (await asked).response);
  }

  /** Sends a patch of one step or several. @throws Refusal */
  async function send(patch: Patch, scope: Scope = 'this', notify?: boolean): Promise<void> {
    const { event } = state;
    if (!event) return;
    const params = { path: { id: event.id }, query: { scope, ...told(notify) }, header: { 'if-match': etag } };
    const asked = api.PATCH('/api/v1/operations/events/{id}', { params, body: patch as never });
    keep((await answerOf(asked)) as SchoolEvent, (await asked).response);
  }

  async function save(): Promise<void> {
    for (let draft = latest; draft; draft = latest) {
      latest = null;
      if (!state.event && draft.title.trim() === '') continue;
      set({ phase: 'saving', error: null });
      let faults: Faults = {};
      try {
        if (!state.event) await create(draft);
        for (const step of STEP_NAMES) {
          const patch = patchOf(draft, step);
          if (Object.keys(patch).length === 0) continue;
          await send(patch).catch((error: unknown) => {
            faults = { ...faults, ...faultsIn(error) };
          });
        }
        set({ faults, phase: Object.keys(faults).length > 0 ? 'held' : 'saved' });
      } catch (error) {
        await failed(error);
      }
    }
  }

  /** @throws whatever is not about fields */
  function faultsIn(error: unknown): Faults {
    const isAboutFields =
      error instanceof Refusal && (error.status === 422 || error.code === 'capacity_below_occupied');
    if (!isAboutFields) throw error;
    return faultsOf(error.problem);
  }

  async function failed(error: unknown): Promise<void> {
    if (error instanceof Refusal && error.status === 412 && state.event) {
      const asked = api.GET('/api/v1/operations/events/{id}', { params: { path: { id: state.event.id } } });
      const event = await answerOf(asked).catch(() => null);
      if (event)
        return set({ phase: 'stale', theirs: { event, etag: (await asked).response.headers.get('etag') ?? '' } });
    }
    if (error instanceof Refusal && error.status === 422)
      return set({ phase: 'held', faults: faultsOf(error.problem) });
    set({ phase: 'failed', error });
  }

  /** Saves what is there now, and waits for it. */
  async function saveNow(draft: Draft): Promise<void> {
    clearTimeout(timer);
    waiting = null;
    latest = draft;
    await running;
    if (latest) {
      running = save().finally(() => {
        running = null;
      });
      await running;
    }
  }

  return {
    state: () => state,
    /** Soon, when nothing more is typed for a moment. */
    saveSoon(draft: Draft): void {
      clearTimeout(timer);
      if (state.phase === 'stale') return;
      waiting = draft;
      const isNameless = !state.event && draft.title.trim() === '';
      if (state.phase !== 'saving') set({ phase: isNameless ? 'new' : 'typing' });
      timer = setTimeout(() => void saveNow(draft), WAIT_MS);
    },
    saveNow,
    /** What differs from the server's, over all steps. */
    unsaved: (draft: Draft): Patch => Object.assign({}, ...STEP_NAMES.map((step) => patchOf(draft, step))),
    /** What saving that would tell, and to whom; faults land on their fields. */
    async foresee(patch: Patch, scope: Scope, notify?: boolean): Promise<Foresight | null> {
      const { event } = state;
      if (!event) return null;
      const query = { scope, dry_run: true, ...told(notify) };
      const params = { path: { id: event.id }, query, header: { 'if-match': etag } };
      try {
        const told = await answerOf(api.PATCH('/api/v1/operations/events/{id}', { params, body: patch as never }));
        set({ faults: {} });
        return told as unknown as Foresight;
      } catch (error) {
        await failed(error);
        return null;
      }
    },
    /** Saves what was foreseen, or the rule of a series. @returns whether it went well */
    async sendAll(patch: Patch, scope: Scope = 'this', notify?: boolean): Promise<boolean> {
      set({ phase: 'saving' });
      try {
        await send(patch, scope, notify);
        set({ phase: 'saved', faults: {}, error: null });
        return true;
      } catch (error) {
        await failed(error);
        return false;
      }
    },
    makesSeries: (draft: Draft): Patch | null =>
      draft.recurrence_pattern !== 'none' && state.event && !state.event.is_recurring ? ruleOf(draft) : null,
    /** Goes on from somebody else's version, with what `mine` changed over it. @returns what now stands in the form */
    takeTheirs(mine: Draft | null): Draft | null {
      const { theirs, event } = state;
      if (!theirs || !event) return null;
      const [before, after] = [draftOf(event, empty), draftOf(theirs.event, empty)];
      etag = theirs.etag;
      set({ event: theirs.event, theirs: null, phase: 'saved', faults: {} });
      return mine ? ({ ...after, ...changesOf(mine, before) } as Draft) : after;
    },
    /** Leaves, with what was typed last. */
    stop(): void {
      clearTimeout(timer);
      if (waiting) void saveNow(waiting);
    },
  };
}

export type Saving = ReturnType<typeof startSaving>;
