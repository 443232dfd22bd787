import { CalendarSync, Copy } from 'lucide-react';
import { t } from '../texts/texts.ts';
import { Button, ButtonAnchor } from './button.tsx';
import { copyText } from './copy-text.ts';
import { TextField } from './forms/field.tsx';

type Props = { address: string; label: string; autoFocus?: boolean };

/** The link of a calendar feed, to copy or to open in a calendar app. */
export const FeedAddress = ({ address, ...field }: Props) => (
  <>
    <TextField readOnly hidesLabel {...field} value={address} className="text-sm" />
    <div className="flex flex-wrap gap-2">
      <Button onClick={() => void copyText(address)} icon={Copy}>
        {t('feed.copy')}
      </Button>
      <ButtonAnchor href={address.replace(/^https?:/, 'webcal:')} icon={CalendarSync}>
        {t('feed.subscribe')}
      </ButtonAnchor>
    </div>
  </>
);
