import { onlineManager } from '@tanstack/react-query';
import { createAtom } from '@tanstack/react-store';
import { unwrap } from '../api/client.ts';
import { ApiError } from '../api/problem.ts';
import type { DryRun, Options, SchoolEvent } from '../api/types.ts';
import type { Span } from '../calendar/grid/span.ts';
import { showFailure } from '../parts/notices.tsx';
import { sessionStore } from '../session/session.ts';
import { bodyOf, changesOf, ruleOf } from './draft/body.ts';
import { type Draft, draftOf, emptyDraft, fieldsOfSpan, STEP_NAMES, type Step, withoutNulls } from './draft/draft.ts';
import { check, type Faults, faultsOf } from './draft/faults.ts';
import { afterEdit, hasStart } from './draft/suggest.ts';
import {
  createTagged,
  isAboutFields,
  loadTagged,
  type Patch,
  type SaveOptions,
  sendPatch,
  type Tagged,
  tagged,
} from './saving/requests.ts';

export type FormState = {
  draft: Draft;
  /** the fields that the user has edited */
  touched: ReadonlySet<string>;
  /** `invalid`: a step has an error, and its changes are not saved */
  phase: 'new' | 'typing' | 'saving' | 'saved' | 'invalid' | 'failed' | 'stale';
  /** the event as it is stored */
  event: SchoolEvent | null;
  etag: string;
  /** the errors that the server found, of fields that the user has not edited since */
  faults: Faults;
  error: unknown;
  /** another user's version, after a conflict */
  theirs: Tagged | null;
};

const DEBOUNCE_MS = 600;

/** Whether a field, or the one with this part such as `slots.hosts`, is among those that an edit sets. */
const isPartOf = (field: string, change: Partial<Draft>): boolean => (field.split('.')[0] ?? '') in change;

/**
 * The form of an event. Saves a draft while the user types, one request at a time. Sends each step by itself, so that an error
 * in one does not block the others.
 */
export function createForm({ found, options, span }: { found: Tagged | null; options: Options; span: Span }) {
  const empty = emptyDraft(options, span);
  const store = createAtom<FormState>({
    draft: found ? draftOf(found.event, empty) : empty,
    touched: new Set(fieldsOfSpan(span)),
    phase: found ? 'saved' : 'new',
    ...(found ?? { event: null, etag: '' }),
    faults: {},
    error: null,
    theirs: null,
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  let saving = Promise.resolve();
  let isDue = false;
  /** the last draft that had a start */
  let lastTimed = store.get().draft;

  const { get } = store;
  const set = (more: Partial<FormState>) => store.set({ ...get(), ...more });
  const isDraft = () => (get().event?.status ?? 'draft') === 'draft';
  const isNameless = ({ event, draft }: FormState) => !event && draft.title.trim() === '';
  const body = (draft: Draft) => bodyOf(draft, options);
  /** The form as it was when it was saved last. */
  const stored = () => {
    const { event } = get();
    return event ? draftOf(event, empty) : empty;
  };
  const patchOf = (draft: Draft, step: Step): Patch => changesOf(body(draft)[step], body(stored())[step]);

  /** The changed fields of the recurrence rule. An edit with one adds and removes dates, so it is not saved while typing. */
  function changedRule(): Patch {
    const { event, draft } = get();
    if (!event || (draft.recurrence_pattern === 'none' && !event.is_recurring)) return {};
    return changesOf(ruleOf(draft), ruleOf(stored()));
  }

  /** The unsaved changes of all steps and of the recurrence rule. */
  const unsaved = (): Patch => Object.assign(changedRule(), ...STEP_NAMES.map((step) => patchOf(get().draft, step)));

  /** The errors of all fields. */
  function faults(): Faults {
    const { draft, faults: refused } = get();
    return { ...refused, ...check(Object.assign({}, ...Object.values(body(draft)), ruleOf(draft))) };
  }

  async function create(draft: Draft): Promise<void> {
    const wanted = body(draft);
    // The edit that follows sends the translations, because a new event takes no null for a language.
    const all = withoutNulls({ ...wanted.basics, translations: null, ...wanted.schedule });
    set(await createTagged(all));
  }

  /** Sends a patch of one step or several. @throws ApiError */
  async function send(patch: Patch, how?: SaveOptions): Promise<void> {
    const { event, etag } = get();
    if (event) set(await tagged(sendPatch({ event, etag }, patch, how)));
  }

  /** Sends the changes of each step. @returns the errors in their fields */
  async function sendSteps(draft: Draft): Promise<Faults> {
    const refused: Faults = {};
    for (const step of STEP_NAMES) {
      const patch = patchOf(draft, step);
      if (Object.keys(patch).length === 0) continue;
      await send(patch).catch((error: unknown) => {
        if (!isAboutFields(error)) throw error;
        Object.assign(refused, faultsOf(error.problem));
      });
    }
    return refused;
  }

  async function handleError(error: unknown): Promise<void> {
    const { event } = get();
    if (isAboutFields(error)) return set({ phase: 'invalid', faults: faultsOf(error.problem) });
    const isStale = error instanceof ApiError && error.status === 412 && event;
    const theirs = isStale ? await loadTagged(event.id).catch(() => null) : null;
    set(theirs ? { phase: 'stale', theirs } : { phase: 'failed', error });
  }

  async function saveIfDue(): Promise<void> {
    const { draft, event } = get();
    if (!isDue || isNameless(get())) return;
    isDue = false;
    set({ phase: 'saving', error: null });
    try {
      if (!event) await create(draft);
      const refused = await sendSteps(draft);
      const phase = Object.keys(refused).length > 0 ? 'invalid' : timer ? 'typing' : 'saved';
      set({ faults: refused, phase });
    } catch (error) {
      await handleError(error);
    }
  }

  /** Saves what the user typed, after what is being saved. Resolves when the server has it or has refused it. */
  function saveNow(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    isDue = true;
    saving = saving.then(saveIfDue);
    return saving;
  }

  /** Saves the last edit of a form that the user has left, and says if that fails. */
  async function saveLast(): Promise<void> {
    await saveNow();
    const { phase, error } = get();
    if (phase === 'failed') showFailure(error, { again: () => void saveLast() });
  }

  /** Awaits a request with a patch of any steps. @returns its response; null if it fails, with the errors in the state */
  async function attempt<T>(request: Promise<T>): Promise<T | null> {
    try {
      const result = await request;
      set({ phase: 'saved', faults: {}, error: null });
      return result;
    } catch (error) {
      await handleError(error);
      return null;
    }
  }

  /** Sends a patch of any steps. @returns whether the server accepted it */
  async function sendAll(patch: Patch, how?: SaveOptions): Promise<boolean> {
    set({ phase: 'saving' });
    return (await attempt(send(patch, how))) !== null;
  }

  return {
    store,
    faults,
    unsaved,
    changedRule,
    saveNow,
    /** Applies an edit and the suggestions that follow from it. A draft is saved once the user stops typing. */
    edit(change: Partial<Draft>): void {
      const touched = new Set([...get().touched, ...Object.keys(change)]);
      const faults = Object.fromEntries(Object.entries(get().faults).filter(([field]) => !isPartOf(field, change)));
      const { phase, draft } = get();
      if (hasStart(draft)) lastTimed = draft;
      set({ touched, faults, draft: afterEdit(draft, change, touched, found ? [] : options.event_types, lastTimed) });
      if (!isDraft() || phase === 'stale') return;
      clearTimeout(timer);
      timer = setTimeout(() => void saveNow(), DEBOUNCE_MS);
      if (phase !== 'saving') set({ phase: isNameless(get()) ? 'new' : 'typing' });
    },
    /** Saves a draft with its recurrence rule. @returns whether the server has all of it */
    async saveAll(): Promise<boolean> {
      await saveNow();
      if (get().phase !== 'saved' || Object.keys(faults()).length > 0) return false;
      const rule = changedRule();
      return Object.keys(rule).length === 0 || (await sendAll(rule));
    },
    /** Saves the changes of any other event. @returns whether the server accepted them */
    saveChanges: (how: SaveOptions): Promise<boolean> => sendAll(unsaved(), how),
    /** Previews `saveChanges`; null if the server refuses them, with the errors in the state. */
    async dryRun(how: SaveOptions): Promise<DryRun | null> {
      const { event, etag } = get();
      if (!event) return null;
      const asked = unwrap(sendPatch({ event, etag }, unsaved(), { ...how, dry_run: true }));
      return attempt(asked as Promise<unknown> as Promise<DryRun>);
    },
    /** Shows the errors of a refusal at their fields. */
    refuse: ({ problem }: ApiError): void => set({ phase: 'invalid', faults: faultsOf(problem) }),
    /** Continues from another user's version, on request with the user's own changes on top. */
    takeTheirs(keepsMine: boolean): void {
      const { theirs, draft } = get();
      if (!theirs) return;
      const mine = keepsMine ? changesOf(draft, stored()) : {};
      set({ ...theirs, theirs: null, phase: 'saved', faults: {}, draft: { ...draftOf(theirs.event, empty), ...mine } });
      if (isDraft()) void saveNow();
    },
    /**
     * Repeats a failed save of a draft once the server responds again, and after a new sign-in.
     * @returns a function that ends this, and saves the last edit
     */
    start(): () => void {
      const repeat = () => {
        if (isDraft() && get().phase === 'failed') void saveNow();
      };
      const end = onlineManager.subscribe(repeat);
      const { unsubscribe } = sessionStore.subscribe(repeat);
      return () => {
        end();
        unsubscribe();
        if (isDraft() && (timer || get().phase === 'saving')) void saveLast();
      };
    },
  };
}

export type EventForm = ReturnType<typeof createForm>;
