import { ExternalLink, MapPin, Video } from 'lucide-react';
import { buttonClass } from '../parts/button.tsx';
import { t } from '../texts/texts.ts';
import { type Located, locationLines } from './location-lines.ts';
import { Section } from './section.tsx';

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
    <Section title={t('event.location')} icon={<Picture size={17} aria-hidden />}>
      {isVirtual && <p className="font-medium">{t('event.online')}</p>}
      {lines.map((line, at) => (
        <p key={line} className={at === 0 && !isVirtual ? 'font-medium' : 'text-soft'}>
          {line}
        </p>
      ))}
      {(map || virtualLink) && (
        <div className="mt-3 flex flex-wrap gap-2">
          {virtualLink && (
            <a href={virtualLink} target="_blank" rel="noreferrer" className={buttonClass('main')}>
              <Video size={17} aria-hidden />
              {t('event.meetingLink')}
            </a>
          )}
          {map && (
            <a href={map} target="_blank" rel="noreferrer" className={buttonClass()}>
              <ExternalLink size={16} aria-hidden />
              {t('event.map')}
            </a>
          )}
        </div>
      )}
    </Section>
  );
}
