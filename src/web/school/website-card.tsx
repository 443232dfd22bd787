import { TextField } from '../parts/forms/field.tsx';
import { Section } from '../parts/page.tsx';
import { t } from '../texts/texts.ts';

/** Addresses of the public calendar for the school's website, to copy. */
export function WebsiteCard({ school }: { school: string }) {
  const { origin } = window.location;
  const id = encodeURIComponent(school);
  const addresses = [
    ['page', `${origin}/public/${id}`],
    ['embed', `<script src="${origin}/embed.js" data-school="${school.replaceAll('"', '&quot;')}" async></script>`],
    ['rss', `${origin}/api/v1/public/schools/${id}/events.rss`],
  ] as const;
  return (
    <Section title={t('school.website')} text={t('school.website.text')}>
      <div className="grid gap-4">
        {addresses.map(([name, value]) => (
          <TextField key={name} readOnly label={t(`school.website.${name}`)} value={value} />
        ))}
      </div>
    </Section>
  );
}
