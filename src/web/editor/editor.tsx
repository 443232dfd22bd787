import { useNavigate, useSearch } from '@tanstack/react-router';
import { useSelector } from '@tanstack/react-store';
import { Check, CircleAlert, LoaderCircle } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { errorText, isTemporary } from '../api/problem.ts';
import { invalidateEvent, useMay } from '../api/queries.ts';
import type { Options, SchoolEvent } from '../api/types.ts';
import type { Span } from '../calendar/grid/span.ts';
import { Button, ButtonLink } from '../parts/button.tsx';
import { isConfirmKey } from '../parts/dialog.tsx';
import { useLeaveQuestion } from '../parts/forms/form.tsx';
import { lazily } from '../parts/lazily.tsx';
import { t, word } from '../texts/texts.ts';
import { EditingContext } from './context.tsx';
import { STEP_NAMES, type Step, stepOf } from './draft/draft.ts';
import { createForm, type FormState } from './form.ts';
import { Problems } from './problems.tsx';
import { isAboutFields, type Tagged } from './saving/requests.ts';
import { Footer, Stepper, useSteps } from './stepper.tsx';
import { Advanced } from './steps/advanced.tsx';
import { Basics } from './steps/basics.tsx';
import { Place } from './steps/place.tsx';
import { Registration } from './steps/registration.tsx';
import { Schedule } from './steps/schedule.tsx';

const ActionDialog = lazily(() => import('../actions/dialog.tsx'));
const ChooseTemplate = lazily(() => import('../templates/choose.tsx'));
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
  span: Span;
  title: string;
};

/** The page of the form of an event, in five steps. */
export function Editor({ options, found, step, span, title }: Props) {
  const navigate = useNavigate();
  const [form] = useState(() => createForm({ found, options, span }));
  const { draft, touched, phase, event, error, theirs } = useSelector(form.store);
  const steps = useSteps(step, found ? STEP_NAMES : []);
  const [hasTried, setTried] = useState(false);
  const [asked, setAsked] = useState<'publish' | 'save' | null>(null);
  const top = useRef<HTMLDivElement>(null);
  const problems = useRef<HTMLElement>(null);
  useEffect(() => form.start(), [form]);
  // Put the new draft's id into the URL, so that a reload finds it.
  const id = event?.id;
  const { draft: named } = useSearch({ strict: false });
  useEffect(() => {
    if (!found && id && id !== named)
      void navigate({ to: '.', search: (search) => ({ ...search, draft: id }), replace: true });
  }, [found, id, named, navigate]);

  const mayPublishAny = useMay('publish_event');
  const isDraft = !event || event.status === 'draft';
  const mayPublish = isDraft && (event?.allowed_actions.includes('publish') ?? mayPublishAny);
  const isSaving = phase === 'typing' || phase === 'saving';
  // A draft saves everything but its recurrence rule while the user types, as long as that works.
  const savesItself = isDraft && (isSaving || phase === 'saved');
  const unsaved = Object.keys(savesItself ? form.changedRule() : form.unsaved()).length > 0;
  useLeaveQuestion(unsaved, isSaving);

  // The errors of a step show once the user has left it, and all once they have tried to publish or to save.
  const faults = form.faults();
  const isShown = (one: Step) => hasTried || steps.left.has(one);
  const editing = {
    draft,
    edit: form.edit,
    options,
    event,
    faultOf: (field: string) => (touched.has(field) || isShown(stepOf(field)) ? faults[field] : undefined),
  };

  /** Lists the errors of all steps, or leads to what else is wrong on top of the form. */
  function showProblems() {
    flushSync(() => {
      setTried(true);
      setAsked(null);
    });
    (problems.current ?? top.current)?.focus();
  }

  function showEvent() {
    if (id) void navigate({ to: '/events/$id', params: { id } });
  }

  async function publish() {
    if (await form.saveAll()) setAsked('publish');
    else showProblems();
  }

  function refuse(error: unknown) {
    if (!isAboutFields(error)) return;
    form.refuse(error);
    showProblems();
  }

  async function finish() {
    if (!(await form.saveAll())) return showProblems();
    await invalidateEvent(id);
    showEvent();
  }

  const saveAgain = isDraft ? form.saveNow : () => setAsked('save');
  const Part = PARTS[step];
  const dialog = event && { event, onClose: () => setAsked(null), onDone: showEvent };
  return (
    <EditingContext value={editing}>
      <div ref={top} tabIndex={-1} className="mb-4 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h1 className="text-2xl font-semibold">{title}</h1>
        {!event && <ChooseTemplate date={draft.start_date} />}
        <SaveMark phase={phase} error={error} autosaves={isDraft} onRetry={saveAgain} />
      </div>
      {theirs && <Stale event={theirs.event} onTake={form.takeTheirs} />}
      {hasTried && Object.keys(faults).length > 0 && (
        <Problems ref={problems} faults={faults} onGo={steps.focusField} />
      )}
      <div className="grid items-start gap-4 md:grid-cols-[13rem_minmax(0,1fr)] md:gap-8">
        {/* The question about another's changes stays in sight there. */}
        <div className={theirs ? '' : 'md:sticky md:top-20'}>
          <Stepper step={step} faulty={new Set(Object.keys(faults).map(stepOf).filter(isShown))} done={steps.left} />
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
            if (steps.next) steps.go(steps.next);
          }}
          className="grid gap-6 rounded-card border border-line bg-card p-4 sm:p-6"
        >
          <h2 ref={steps.heading} tabIndex={-1} className="text-lg font-semibold outline-none">
            {t(`editor.step.${step}`)}
          </h2>
          <Part />
          <Footer
            isDraft={isDraft}
            mayPublish={mayPublish}
            isStored={event !== null}
            unsaved={unsaved}
            steps={steps}
            onFinish={() => void finish()}
            onPublish={() => void publish()}
            onSave={() => setAsked('save')}
          />
        </form>
      </div>
      {asked === 'publish' && dialog && (
        <ActionDialog {...dialog} action="publish" scope={event.parent_event_id ? 'this' : 'all'} onRefused={refuse} />
      )}
      {asked === 'save' && dialog && <SaveChanges {...dialog} form={form} onFaults={showProblems} />}
    </EditingContext>
  );
}

type SaveMarkProps = Pick<FormState, 'phase' | 'error'> & { autosaves: boolean; onRetry: () => void };

/** Whether the server has all changes. */
function SaveMark({ phase, error, autosaves, onRetry }: SaveMarkProps) {
  if (phase === 'failed')
    return (
      <p role="alert" className="flex flex-wrap items-center gap-2 font-medium text-bad">
        <CircleAlert size={16} />
        {errorText(error)}
        {isTemporary(error) && (
          <button type="button" onClick={onRetry} className="min-h-6 underline">
            {t('trouble.again')}
          </button>
        )}
      </p>
    );
  if (!autosaves) return null;
  const isSaving = phase === 'saving' || phase === 'typing';
  return (
    <p role="status" className="flex min-h-6 items-center gap-1.5 text-sm text-soft">
      {isSaving && <LoaderCircle size={15} className="animate-spin" />}
      {phase === 'saved' && <Check size={15} className="text-good" />}
      {t(`editor.phase.${isSaving ? 'saving' : phase}`)}
    </p>
  );
}

type StaleProps = { event: SchoolEvent; onTake: (keepsMine: boolean) => void };

/** Says that someone else has changed the event, and offers what can become of the user's own changes. */
function Stale({ event, onTake }: StaleProps) {
  const refused = event.refusal_codes.edit;
  return (
    <div
      role="alert"
      className="sticky top-16 z-10 mb-4 grid gap-3 rounded-card border border-warn bg-warn-soft p-4 text-warn"
    >
      <p className="font-medium">
        {t('editor.stale')} {refused && `${word('problem', refused)} ${t('editor.copyFirst')}`}
      </p>
      <div className="flex flex-wrap gap-2">
        {refused ? (
          <ButtonLink to="/events/$id" params={{ id: event.id }}>
            {t('editor.openEvent')}
          </ButtonLink>
        ) : (
          <>
            <Button onClick={() => onTake(false)}>{t('editor.takeTheirs')}</Button>
            <Button onClick={() => onTake(true)}>{t('editor.keepMine')}</Button>
          </>
        )}
      </div>
    </div>
  );
}
