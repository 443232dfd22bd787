import { onlineManager } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { invalidateEvent } from '../api/queries.ts';
import type { Options } from '../api/types.ts';
import type { Slot } from '../calendar/grid/slot.ts';
import { Button } from '../parts/button.tsx';
import { isConfirmKey } from '../parts/dialog.tsx';
import { useLeaveQuestion } from '../parts/forms/leave-question.ts';
import { lazily } from '../parts/lazily.tsx';
import { createStore, useStore } from '../parts/store.ts';
import { sessionStore } from '../session/session.ts';
import { t } from '../texts/texts.ts';
import { EditingProvider } from './context.tsx';
import { check } from './draft/check.ts';
import { type Draft, draftOf, emptyDraft, fieldsOfSlot, STEP_NAMES, type Step, stepOf } from './draft/draft.ts';
import type { Faults } from './draft/faults.ts';
import { afterEdit } from './draft/suggest.ts';
import { Footer } from './footer.tsx';
import { Problems } from './problems.tsx';
import { SaveMark } from './saving/save-mark.tsx';
import { startSaving, type Tagged } from './saving/saving.ts';
import { Stepper } from './stepper.tsx';
import { Advanced } from './steps/advanced.tsx';
import { Basics } from './steps/basics.tsx';
import { Place } from './steps/place.tsx';
import { Registration } from './steps/registration.tsx';
import { Schedule } from './steps/schedule.tsx';
import { useSteps } from './use-steps.ts';

const ChooseTemplate = lazily(() => import('../templates/choose.tsx'));
const PublishDialog = lazily(() => import('./saving/publish.tsx'));
const SaveChanges = lazily(() => import('./saving/save-changes.tsx'));

const PARTS: Record<Step, () => React.ReactNode> = {
  basics: Basics,
  schedule: Schedule,
  place: Place,
  registration: Registration,
  advanced: Advanced,
};

type Props = {
  options: Options;
  found: Tagged | null;
  step: Step;
  slot: Slot;
  title: string;
};

/** The form of an event in five steps. Saves a draft while the user types, any other event on request. */
export function Editor({ options, found, step, slot, title }: Props) {
  const navigate = useNavigate();
  const [empty] = useState(() => emptyDraft(options, slot));
  const [form] = useState(() => createStore(found ? draftOf(found.event, empty) : empty));
  const [saving] = useState(() => startSaving({ found, options, empty }));
  const touched = useRef(new Set<string>(fieldsOfSlot(slot)));
  const { left, heading, go, back, next, focusField } = useSteps(step, found ? STEP_NAMES : []);
  const [hasTried, setTried] = useState(false);
  const [asked, setAsked] = useState<'publish' | 'save' | null>(null);
  const draft = useStore(form);
  const state = useStore(saving.store);
  const { event } = state;
  const faultsOf = (fields: Draft): Faults => ({ ...saving.store.get().faults, ...check(saving.fields(fields)) });
  const faults = faultsOf(draft);
  const isDraft = !event || event.status === 'draft';
  const mayPublish = isDraft && (event?.allowed_actions.includes('publish') ?? true);
  useEffect(() => saving.stop, [saving]);
  const saveAgain = useEffectEvent(() => {
    if (isDraft && saving.store.get().phase === 'failed') void saving.saveNow(form.get());
  });
  // Once the server answers again, and after a new sign-in.
  useEffect(() => {
    const ends = [onlineManager, sessionStore].map(({ subscribe }) => subscribe(() => saveAgain()));
    return () => {
      for (const end of ends) end();
    };
  }, []);

  /** Applies an edit and the suggestions that follow from it, then saves a draft. */
  function edit(change: Partial<Draft>) {
    for (const name of Object.keys(change)) touched.current.add(name);
    form.set(afterEdit(form.get(), change, touched.current, found ? [] : options.event_types));
    if (isDraft) saving.saveSoon(form.get());
  }

  // Put the new draft's id into the URL, so that a reload finds it.
  const id = event?.id;
  useEffect(() => {
    if (!found && id) void navigate({ to: '.', search: (search) => ({ ...search, draft: id }), replace: true });
  }, [found, id, navigate]);

  useEffect(() => {
    if (!found) document.getElementsByName('title')[0]?.focus();
  }, [found]);

  const problems = useRef<HTMLElement>(null);
  const top = useRef<HTMLDivElement>(null);
  // A draft saves everything but its recurrence rule while the user types, as long as that works.
  const savesItself = isDraft && ['typing', 'saving', 'saved'].includes(state.phase);
  const unsaved = Object.keys(savesItself ? saving.changedRule(draft) : saving.unsaved(draft)).length > 0;
  useLeaveQuestion(unsaved, state.phase === 'typing' || state.phase === 'saving');

  const faulty = new Set(Object.keys(faults).flatMap((field) => stepOf(field) ?? []));
  const editing = {
    draft,
    edit,
    options,
    event,
    faultOf: (field: string) => {
      const isDue = hasTried || touched.current.has(field) || [...left].some((one) => one === stepOf(field));
      return isDue ? faults[field] : undefined;
    },
  };

  /** Saves everything. @returns false after showing what is wrong with it */
  async function saveAll(): Promise<boolean> {
    await saving.saveNow(form.get());
    const rule = saving.changedRule(form.get());
    const isSaved = () => saving.store.get().phase === 'saved' && Object.keys(faultsOf(form.get())).length === 0;
    if (isSaved() && (Object.keys(rule).length === 0 || (await saving.sendAll(rule)))) return true;
    showProblems();
    return false;
  }

  async function publish() {
    if (await saveAll()) setAsked('publish');
  }

  /** Lists the errors of all steps, or leads to what else is wrong on top of the form. */
  function showProblems() {
    flushSync(() => {
      setTried(true);
      setAsked(null);
    });
    (problems.current ?? top.current)?.focus();
  }

  /** Continues from another user's version, with `mine` on top of it unless null. */
  function resolveConflict(mine: Draft | null) {
    const now = saving.takeTheirs(mine);
    if (!now) return;
    form.set(now);
    if (isDraft) void saving.saveNow(now);
  }

  function showEvent() {
    const { event: saved } = saving.store.get();
    if (saved) void navigate({ to: '/events/$id', params: { id: saved.id } });
  }

  async function finish() {
    if (!(await saveAll())) return;
    await invalidateEvent(id);
    showEvent();
  }

  const Part = PARTS[step];
  return (
    <EditingProvider value={editing}>
      <div ref={top} tabIndex={-1} className="mb-4 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h1 className="text-2xl font-semibold">{title}</h1>
        {!event && <ChooseTemplate date={draft.start_date} />}
        <SaveMark state={state} autosaves={isDraft} onRetry={() => void saving.saveNow(form.get())} />
      </div>
      {state.theirs && (
        <div role="alert" className="mb-4 grid gap-3 rounded-card border border-warn bg-warn-soft p-4 text-warn">
          <p className="font-medium">{t('editor.stale')}</p>
          <div className="flex flex-wrap gap-2">
            <Button onClick={() => resolveConflict(null)}>{t('editor.takeTheirs')}</Button>
            <Button onClick={() => resolveConflict(form.get())}>{t('editor.keepMine')}</Button>
          </div>
        </div>
      )}
      {hasTried && Object.keys(faults).length > 0 && <Problems ref={problems} faults={faults} onGo={focusField} />}
      <div className="grid items-start gap-4 md:grid-cols-[13rem_minmax(0,1fr)] md:gap-8">
        <div className="md:sticky md:top-20">
          <Stepper step={step} faulty={new Set([...faulty].filter((one) => hasTried || left.has(one)))} done={left} />
        </div>
        <form
          noValidate
          onKeyDown={(event) => {
            if (!isConfirmKey(event)) return;
            event.preventDefault();
            if (mayPublish) void publish();
            else if (!isDraft && unsaved) setAsked('save');
          }}
          onSubmit={(submitted) => {
            submitted.preventDefault();
            if (next) go(next);
          }}
          className="grid gap-6 rounded-card border border-line bg-card p-4 sm:p-6"
        >
          <h2 ref={heading} tabIndex={-1} className="text-lg font-semibold outline-none">
            {t(`editor.step.${step}`)}
          </h2>
          <Part />
          <Footer
            isDraft={isDraft}
            mayPublish={mayPublish}
            isStored={event !== null}
            unsaved={unsaved}
            back={back}
            next={next}
            go={go}
            onFinish={() => void finish()}
            onPublish={() => void publish()}
            onSave={() => setAsked('save')}
          />
        </form>
      </div>
      {asked === 'publish' && event && (
        <PublishDialog
          event={event}
          onClose={() => setAsked(null)}
          onDone={showEvent}
          onFaults={(error) => {
            saving.refuse(error);
            showProblems();
          }}
        />
      )}
      {asked === 'save' && event && (
        <SaveChanges
          event={event}
          saving={saving}
          draft={form.get()}
          onClose={() => setAsked(null)}
          onFaults={showProblems}
          onDone={showEvent}
        />
      )}
    </EditingProvider>
  );
}
