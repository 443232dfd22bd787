import { api, unwrap } from '../../api/client.ts';
import { ApiError } from '../../api/problem.ts';
import type { DryRun, Options, SchoolEvent } from '../../api/types.ts';
import type { Scope } from '../../event-parts/scope-choice.tsx';
import { createStore } from '../../parts/store.ts';
import { bodyOf, changesOf, ruleOf } from '../draft/body.ts';
import { type Draft, draftOf, STEP_NAMES, type Step, withoutNulls } from '../draft/draft.ts';
import { type Faults, faultsOf } from '../draft/faults.ts';

/** An event with the ETag that its next edit must send. */
export type Tagged = { event: SchoolEvent; etag: string };

const ONE = '/api/v1/operations/events/{id}';

async function tagged(asked: Promise<{ data?: unknown; error?: unknown; response: Response }>): Promise<Tagged> {
  const event = (await unwrap(asked)) as SchoolEvent;
  return { event, etag: (await asked).response.headers.get('etag') ?? '' };
}

export const loadTagged = (id: string): Promise<Tagged> => tagged(api.GET(ONE, { params: { path: { id } } }));

export type SaveState = {
  /** `invalid`: a step has an error, and its changes are not saved */
  phase: 'new' | 'typing' | 'saving' | 'saved' | 'invalid' | 'failed' | 'stale';
  event: SchoolEvent | null;
  etag: string;
  faults: Faults;
  error: unknown;
  /** another user's version, after a conflict */
  theirs: Tagged | null;
};

type Patch = Record<string, unknown>;
/** How an edit is saved. `registered_dates`: what happens to dates with registrations that a new rule does not have. */
type SaveOptions = { scope?: Scope; notify?: boolean | undefined; registered_dates?: 'keep' | 'cancel' };

type Start = { found: Tagged | null; options: Options; empty: Draft };

const DEBOUNCE_MS = 600;

/**
 * Saves a form while the user types, one request at a time. Sends each step by itself, so that an error in one does not
 * block the others.
 */
export function startSaving({ found, options, empty }: Start) {
  const store = createStore<SaveState>({
    phase: found ? 'saved' : 'new',
    ...(found ?? { event: null, etag: '' }),
    faults: {},
    error: null,
    theirs: null,
  });
  let latest: Draft | null = null;
  let waiting: Draft | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: Promise<void> | null = null;

  const set = (more: Partial<SaveState>) => store.set({ ...store.get(), ...more });
  const body = (draft: Draft) => bodyOf(draft, options);
  const patchOf = (draft: Draft, step: Step): Patch => {
    const { event } = store.get();
    return changesOf(body(draft)[step], body(event ? draftOf(event, empty) : empty)[step]);
  };

  /** The changed fields of the recurrence rule. An edit with one adds and removes dates, so it is not saved while typing. */
  function changedRule(draft: Draft): Patch {
    const { event } = store.get();
    if (!event || (draft.recurrence_pattern === 'none' && !event.is_recurring)) return {};
    return changesOf(ruleOf(draft), ruleOf(draftOf(event, empty)));
  }

  async function create(draft: Draft): Promise<void> {
    const wanted = body(draft);
    // The edit that follows sends the translations, because a new event takes no null for a language.
    const all = withoutNulls({ ...wanted.basics, translations: null, ...wanted.schedule });
    set(await tagged(api.POST('/api/v1/operations/events', { body: all as never })));
  }

  const request = (event: SchoolEvent, patch: Patch, how: SaveOptions & { dry_run?: true }) => {
    const query = { scope: 'this' as const, ...how };
    const params = { path: { id: event.id }, query, header: { 'if-match': store.get().etag } };
    return api.PATCH(ONE, { params, body: patch as never });
  };

  /** Sends a patch of one step or several. @throws ApiError */
  async function send(patch: Patch, how: SaveOptions = {}): Promise<void> {
    const { event } = store.get();
    if (event) set(await tagged(request(event, patch, how)));
  }

  async function save(): Promise<void> {
    for (let draft = latest; draft; draft = latest) {
      latest = null;
      if (!store.get().event && draft.title.trim() === '') continue;
      set({ phase: 'saving', error: null });
      try {
        if (!store.get().event) await create(draft);
        const faults = await saveSteps(draft);
        set({ faults, phase: Object.keys(faults).length > 0 ? 'invalid' : 'saved' });
      } catch (error) {
        await handleError(error);
      }
    }
  }

  /** Sends the changes of each step. @returns the errors in their fields */
  async function saveSteps(draft: Draft): Promise<Faults> {
    const faults: Faults = {};
    for (const step of STEP_NAMES) {
      const patch = patchOf(draft, step);
      if (Object.keys(patch).length === 0) continue;
      await send(patch).catch((error: unknown) => {
        if (!isAboutFields(error)) throw error;
        Object.assign(faults, faultsOf(error.problem));
      });
    }
    return faults;
  }

  async function handleError(error: unknown): Promise<void> {
    const { event } = store.get();
    if (isAboutFields(error)) return set({ phase: 'invalid', faults: faultsOf(error.problem) });
    const isStale = error instanceof ApiError && error.status === 412 && event;
    const theirs = isStale ? await loadTagged(event.id).catch(() => null) : null;
    set(theirs ? { phase: 'stale', theirs } : { phase: 'failed', error });
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
    store,
    /** Saves once the user stops typing. */
    saveSoon(draft: Draft): void {
      clearTimeout(timer);
      const { phase, event } = store.get();
      if (phase === 'stale') return;
      waiting = draft;
      const isNameless = !event && draft.title.trim() === '';
      if (phase !== 'saving') set({ phase: isNameless ? 'new' : 'typing' });
      timer = setTimeout(() => void saveNow(draft), DEBOUNCE_MS);
    },
    saveNow,
    /** All fields of the form, as requests send them. */
    fields: (draft: Draft): Patch => Object.assign({}, ...Object.values(body(draft)), ruleOf(draft)),
    /** Shows the errors of a refusal at their fields. */
    refuse: ({ problem }: ApiError): void => set({ phase: 'invalid', faults: faultsOf(problem) }),
    /** The unsaved changes of all steps and of the recurrence rule. */
    unsaved: (draft: Draft): Patch =>
      Object.assign(changedRule(draft), ...STEP_NAMES.map((step) => patchOf(draft, step))),
    /** Previews a save; null if the server refuses it, with the errors in the state. */
    async dryRun(patch: Patch, how: SaveOptions): Promise<DryRun | null> {
      const { event } = store.get();
      if (!event) return null;
      try {
        const preview = await unwrap(request(event, patch, { ...how, dry_run: true }));
        set({ faults: {} });
        return preview as unknown as DryRun;
      } catch (error) {
        await handleError(error);
        return null;
      }
    },
    /** Saves a patch of any steps. @returns whether the server accepted it */
    async sendAll(patch: Patch, how: SaveOptions = {}): Promise<boolean> {
      set({ phase: 'saving' });
      try {
        await send(patch, how);
        set({ phase: 'saved', faults: {}, error: null });
        return true;
      } catch (error) {
        await handleError(error);
        return false;
      }
    },
    changedRule,
    /** Continues from another user's version, with the changes of `mine` on top. @returns the new form values */
    takeTheirs(mine: Draft | null): Draft | null {
      const { theirs, event } = store.get();
      if (!theirs || !event) return null;
      const [before, after] = [draftOf(event, empty), draftOf(theirs.event, empty)];
      set({ ...theirs, theirs: null, phase: 'saved', faults: {} });
      return mine ? { ...after, ...changesOf(mine, before) } : after;
    },
    /** Stops the timer and saves the last edit. */
    stop(): void {
      clearTimeout(timer);
      if (waiting) void saveNow(waiting);
    },
  };
}

const isAboutFields = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.status === 422 || error.code === 'capacity_below_occupied');

export type Saving = ReturnType<typeof startSaving>;
