import { api, unwrap } from '../api/client.ts';
import { ApiError } from '../api/problem.ts';
import type { DryRun, Options, SchoolEvent } from '../api/types.ts';
import { type Body, bodyOf, changesOf, type Patch, ruleOf, withoutNulls } from './body.ts';
import { type Draft, draftOf, STEP_NAMES, type Step } from './draft.ts';
import { type Faults, faultsOf } from './faults.ts';

export type SaveState = {
  /** `invalid`: a step has an error, and its changes are not saved */
  phase: 'new' | 'typing' | 'saving' | 'saved' | 'invalid' | 'failed' | 'stale';
  event: SchoolEvent | null;
  faults: Faults;
  error: unknown;
  /** another user's version, after a conflict */
  theirs: { event: SchoolEvent; etag: string } | null;
};

export type Scope = 'this' | 'following' | 'all';

type Start = { event: SchoolEvent | null; etag: string; options: Options; empty: Draft };

const DEBOUNCE_MS = 600;

/** The query parameter, if the user chose. */
const notifyParam = (notify: boolean | undefined) => (notify === undefined ? {} : { notify });

/**
 * Saves a form while the user types, one request at a time. Sends each step by itself, so that an error in one does not
 * block the others.
 */
export function startSaving({ event: first, etag: firstTag, options, empty }: Start) {
  const listeners = new Set<() => void>();
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
    for (const listener of listeners) listener();
  };
  const store = (event: SchoolEvent, response: Response) => {
    etag = response.headers.get('etag') ?? '';
    state = { ...state, event };
  };
  const patchOf = (draft: Draft, step: Step): Record<string, unknown> => {
    const { event } = state;
    return event ? changesOf(body(draft)[step], body(draftOf(event, empty))[step]) : {};
  };

  async function create(draft: Draft): Promise<void> {
    const wanted = body(draft);
    const all = withoutNulls({ ...wanted.basics, ...wanted.schedule });
    const text = JSON.stringify(all);
    if (text !== creation.body) creation = { body: text, key: crypto.randomUUID() };
    const header = { 'idempotency-key': creation.key };
    const asked = api.POST('/api/v1/operations/events', { params: { header }, body: all as never });
    const event = await unwrap(asked);
    store(event, (await asked).response);
  }

  /** Sends a patch of one step or several. @throws ApiError */
  async function send(patch: Patch, scope: Scope = 'this', notify?: boolean): Promise<void> {
    const { event } = state;
    if (!event) return;
    const params = { path: { id: event.id }, query: { scope, ...notifyParam(notify) }, header: { 'if-match': etag } };
    const asked = api.PATCH('/api/v1/operations/events/{id}', { params, body: patch as never });
    store((await unwrap(asked)) as SchoolEvent, (await asked).response);
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
        set({ faults, phase: Object.keys(faults).length > 0 ? 'invalid' : 'saved' });
      } catch (error) {
        await handleError(error);
      }
    }
  }

  /** The errors of fields. @throws any other error */
  function faultsIn(error: unknown): Faults {
    const isAboutFields =
      error instanceof ApiError && (error.status === 422 || error.code === 'capacity_below_occupied');
    if (!isAboutFields) throw error;
    return faultsOf(error.problem);
  }

  async function handleError(error: unknown): Promise<void> {
    if (error instanceof ApiError && error.status === 412 && state.event) {
      const asked = api.GET('/api/v1/operations/events/{id}', { params: { path: { id: state.event.id } } });
      const event = await unwrap(asked).catch(() => null);
      if (event)
        return set({ phase: 'stale', theirs: { event, etag: (await asked).response.headers.get('etag') ?? '' } });
    }
    if (error instanceof ApiError && error.status === 422)
      return set({ phase: 'invalid', faults: faultsOf(error.problem) });
    set({ phase: 'failed', error });
  }

  /** Saves the form without delay. Resolves when the server has it or has refused it. */
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
    /** Calls `listener` after each change of the state. @returns a function that ends this */
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Saves once the user stops typing. */
    saveSoon(draft: Draft): void {
      clearTimeout(timer);
      if (state.phase === 'stale') return;
      waiting = draft;
      const isNameless = !state.event && draft.title.trim() === '';
      if (state.phase !== 'saving') set({ phase: isNameless ? 'new' : 'typing' });
      timer = setTimeout(() => void saveNow(draft), DEBOUNCE_MS);
    },
    saveNow,
    /** The unsaved changes of all steps. */
    unsaved: (draft: Draft): Patch => Object.assign({}, ...STEP_NAMES.map((step) => patchOf(draft, step))),
    /** Previews a save; null if the server refuses it, with the errors in the state. */
    async dryRun(patch: Patch, scope: Scope, notify?: boolean): Promise<DryRun | null> {
      const { event } = state;
      if (!event) return null;
      const query = { scope, dry_run: true, ...notifyParam(notify) };
      const params = { path: { id: event.id }, query, header: { 'if-match': etag } };
      try {
        const preview = await unwrap(api.PATCH('/api/v1/operations/events/{id}', { params, body: patch as never }));
        set({ faults: {} });
        return preview as unknown as DryRun;
      } catch (error) {
        await handleError(error);
        return null;
      }
    },
    /** Saves a patch of any steps, or a recurrence rule. @returns whether the server accepted it */
    async sendAll(patch: Patch, scope: Scope = 'this', notify?: boolean): Promise<boolean> {
      set({ phase: 'saving' });
      try {
        await send(patch, scope, notify);
        set({ phase: 'saved', faults: {}, error: null });
        return true;
      } catch (error) {
        await handleError(error);
        return false;
      }
    },
    /** The recurrence rule to send, unless the event does not repeat or is a series already. */
    newRule: (draft: Draft): Patch | null =>
      draft.recurrence_pattern !== 'none' && state.event && !state.event.is_recurring ? ruleOf(draft) : null,
    /** Continues from another user's version, with the changes of `mine` on top. @returns the new form values */
    takeTheirs(mine: Draft | null): Draft | null {
      const { theirs, event } = state;
      if (!theirs || !event) return null;
      const [before, after] = [draftOf(event, empty), draftOf(theirs.event, empty)];
      etag = theirs.etag;
      set({ event: theirs.event, theirs: null, phase: 'saved', faults: {} });
      return mine ? ({ ...after, ...changesOf(mine, before) } as Draft) : after;
    },
    /** Stops the timer and saves the last edit. */
    stop(): void {
      clearTimeout(timer);
      if (waiting) void saveNow(waiting);
    },
  };
}

export type Saving = ReturnType<typeof startSaving>;
