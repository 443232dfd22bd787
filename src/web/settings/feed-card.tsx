import { useQueryClient } from '@tanstack/react-query';
import { CalendarSync, Copy, RefreshCw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { api, unwrap } from '../api/client.ts';
import { errorText } from '../api/problem.ts';
import { Button, buttonClass } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { inputClass } from '../parts/field.tsx';
import { showNotice } from '../parts/notices.tsx';
import { inZone, longDay, ownZone } from '../texts/dates.ts';
import { t } from '../texts/texts.ts';
import { settingsQuery } from './queries.ts';

type Asking = 'renew' | 'revoke' | null;

/** The secret link to the user's calendar feed: shown once, can be replaced and removed. */
export function FeedCard({ since }: { since: string | null }) {
  const client = useQueryClient();
  const [address, setAddress] = useState<string | null>(null);
  const [asking, setAsking] = useState<Asking>(null);
  const [isBusy, setBusy] = useState(false);

  const run = async (work: () => Promise<string | null>) => {
    setBusy(true);
    try {
      setAddress(await work());
      await client.invalidateQueries({ queryKey: settingsQuery.queryKey });
    } catch (error) {
      showNotice(errorText(error), { bad: true });
    }
    setBusy(false);
    setAsking(null);
  };
  const make = () => run(async () => (await unwrap(api.POST('/api/v1/me/feed'))).url);
  const revoke = () =>
    run(async () => {
      await unwrap(api.DELETE('/api/v1/me/feed'));
      showNotice(t('feed.revoked'));
      return null;
    });

  return (
    <Card id="feed" title={t('feed.title')} text={t('feed.text')}>
      {address ? (
        <Address address={address} />
      ) : since ? (
        <p className="mb-3">{t('feed.since', { day: longDay(inZone(since, ownZone()).day) })}</p>
      ) : null}
      <div className="flex flex-wrap gap-2">
        {since === null ? (
          <Button look="main" busy={isBusy} onClick={() => void make()}>
            <CalendarSync size={17} aria-hidden />
            {t('feed.make')}
          </Button>
        ) : (
          <>
            <Button onClick={() => setAsking('renew')}>
              <RefreshCw size={17} aria-hidden />
              {t('feed.renew')}
            </Button>
            <Button look="danger" onClick={() => setAsking('revoke')}>
              <Trash2 size={17} aria-hidden />
              {t('feed.revoke')}
            </Button>
          </>
        )}
      </div>
      {asking && (
        <Dialog
          title={t(`feed.${asking}.ask`)}
          onClose={() => setAsking(null)}
          actions={
            <>
              <Button onClick={() => setAsking(null)}>{t('dialog.cancel')}</Button>
              <Button
                look={asking === 'revoke' ? 'danger' : 'main'}
                busy={isBusy}
                onClick={() => void (asking === 'revoke' ? revoke() : make())}
              >
                {t(`feed.${asking}`)}
              </Button>
            </>
          }
        >
          <p>{t(`feed.${asking}.text`)}</p>
        </Dialog>
      )}
    </Card>
  );
}

function Address({ address }: { address: string }) {
  const copy = () =>
    navigator.clipboard
      .writeText(address)
      .then(() => showNotice(t('feed.copied')))
      .catch(() => showNotice(t('feed.notCopied'), { bad: true }));
  return (
    <div className="mb-3 grid gap-2 rounded-lg bg-good-soft p-4">
      <label htmlFor="feed-address" className="font-medium text-good">
        {t('feed.once')}
      </label>
      <input
        id="feed-address"
        readOnly
        value={address}
        onFocus={(event) => event.target.select()}
        className={`${inputClass} font-mono text-sm`}
      />
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => void copy()}>
          <Copy size={17} aria-hidden />
          {t('feed.copy')}
        </Button>
        <a href={address.replace(/^https?:/, 'webcal:')} className={buttonClass('plain')}>
          <CalendarSync size={17} aria-hidden />
          {t('feed.subscribe')}
        </a>
      </div>
    </div>
  );
}
