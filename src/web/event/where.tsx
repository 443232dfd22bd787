import { ExternalLink, MapPin, Video } from 'lucide-react';
import { ButtonAnchor } from '../parts/button.tsx';
import { Section } from '../parts/page.tsx';
import { t } from '../texts/texts.ts';
import { type Located, locationLines } from './location-lines.ts';

const mapOf = (location: Located['location']): string | null => {
  const { mapLink, coordinates } = location ?? {};
  if (mapLink) return mapLink;
  if (!coordinates) return null;
  const { latitude, longitude } = coordinates;
  return `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=17/${latitude}/${longitude}`;
};

/** The location, with links to a map and to the online meeting. */
export function Where({ event }: { event: Located }) {
  const lines = locationLines(event);
  const { isVirtual = false, virtualLink } = event.location ?? {};
  const map = mapOf(event.location);
  if (lines.length === 0 && !isVirtual && !map) return null;
  const Picture = isVirtual ? Video : MapPin;
  return (
    <Section title={t('event.location')} icon={Picture}>
      {isVirtual && <p className="font-medium">{t('event.online')}</p>}
      {lines.map((line, at) => (
        <p key={line} className={at === 0 && !isVirtual ? 'font-medium' : 'text-soft'}>
          {line}
        </p>
      ))}
      {(map || virtualLink) && (
        <div className="mt-3 flex flex-wrap gap-2">
          {virtualLink && (
            <ButtonAnchor href={virtualLink} target="_blank" rel="noreferrer" look="main" icon={Video}>
              {t('event.meetingLink')}
            </ButtonAnchor>
          )}
          {map && (
            <ButtonAnchor href={map} target="_blank" rel="noreferrer" icon={ExternalLink}>
              {t('event.map')}
            </ButtonAnchor>
          )}
        </div>
      )}
    </Section>
  );
}
